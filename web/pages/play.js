// Sit down and play: against house bots, against a friend by a link, or with whoever waits.

import { BoardPage } from "../boardpage.js";
import { dayOf, keepPlayed, shareLine, standing } from "../daily.js";
import { games } from "../directory.js";
import { h } from "../dom.js";
import { Ending } from "../ending.js";
import { figure } from "../figure.js";
import { about, board as loadBoard } from "../games.js";
import { icon } from "../icons.js";
import { Link } from "../link.js";
import { getJson } from "../api.js";
import { Attention } from "../attention.js";
import { Guide } from "../help.js";
import { isLate } from "../stage.js";
import { invitation } from "../invitation.js";
import { awayNotice, seatList, section } from "../parts.js";
import { forgetSeat, keepSeat, keptSeat, lastSeat } from "../seat.js";
import { callBots } from "../levels.js";
import { loading, show, stateOf } from "../shell.js";
import { sentence, words } from "../texts.js";
import { guestName, identity, who } from "../who.js";
import { isAboutName, setup, usualWish } from "./setup.js";

/** @param {string} game */
export default async function play(game) {
  show({ title: words.play.title, game }, loading());
  try {
    const [telling, board] = await Promise.all([about(game), loadBoard(game)]);
    new Play(game, telling, board);
  } catch (error) {
    const { title, toGames } = words.errors;
    const hint = error instanceof Error ? error.message : String(error);
    show({ title, game }, stateOf({ title, hint, wrong: true, link: [toGames, `/${game}`] }));
  }
}

/** How often a seat asks how many watch. */
const SPECTATORS_MS = 15_000;

class Play {
  /** @param {string} game @param {import("../types.d.ts").About} telling @param {import("../types.d.ts").Board} board */
  constructor(game, telling, board) {
    this.game = game;
    this.telling = telling;
    this.board = board;
    /** The table that a link leads to. */
    this.invited = new URLSearchParams(location.search).get("table");
    /** @type {"asking" | "joining" | "seated"} */
    this.phase = "asking";
    /** @type {any} */
    this.hello = null;
    /** How the tables are played that are open to anybody. @type {any} */
    this.options = null;
    /** Who invites, where that is known. @type {string[]} */
    this.hosts = [];
    /** What was last refused. @type {{ message: string, hint?: string, code?: string } | null} */
    this.refused = null;
    this.name = who().name;
    /** Whether another name on the wire was tried, the usual one being taken. */
    this.renamed = false;
    /** What one is called on the wire, where that is known. */
    this.wireName = "";
    /** Whether to play at once, without a form. */
    this.atOnce = ["now", "daily"].some((each) => new URLSearchParams(location.search).has(each));
    /** Whether to play the deal of the day. */
    this.daily = new URLSearchParams(location.search).has("daily");
    /** What was asked for when one sat down, to do the same again. @type {object | null} */
    this.wish = null;
    this.resigning = false;
    /** Of the rules; drawn once. @type {import("../dom.js").VNode | null | undefined} */
    this.picture = undefined;
    this.choice = {
      against: this.invited ? "link" : "bots",
      bots: /** @type {string[] | null} */ (null),
      seconds: 120,
    };
    /** What opens the seat of this game. @type {string | null} */
    this.token = null;
    this.react = (/** @type {object} */ message) => this.link.say(message);
    this.guide = new Guide(game, telling, () => this.draw());
    this.attention = new Attention(telling.title);
    this.page = this.freshPage("");
    this.ending = new Ending({
      game,
      page: this.page,
      say: (message) => this.link.say(message),
      draw: () => this.draw(),
      again: () => this.again(),
    });
    const back = new URLSearchParams(location.search).has("back") ? lastSeat(game) : null;
    if (back) keepSeat(game, back);
    const kept = keptSeat(game);
    if (kept) this.phase = "joining";
    this.link = new Link(game, {
      greeting: () => this.greeting(),
      changed: () => this.draw(),
      heard: (message) => this.heard(message),
    });
    this.learnOptions();
    setInterval(() => this.countSpectators(), SPECTATORS_MS);
    setInterval(() => {
      if (this.phase === "seated" && this.page.deadline !== null && !this.page.timeline.over)
        this.draw();
    }, 1000);
    this.draw();
  }

  /** Only a hint on a card: without it one plays all the same. */
  async learnOptions() {
    const found = await games().catch(() => []);
    this.options = found.find(({ name }) => name === this.game)?.options ?? null;
    if (this.invited) await this.learnHosts(this.invited);
    this.draw();
  }

  /** Who sits at the table of an invitation. @param {string} id */
  async learnHosts(id) {
    const address = `/api/v1/tables/${this.game}/${encodeURIComponent(id)}`;
    const table = await getJson(address).catch(() => null);
    const seats = table?.company?.seats ?? table?.company ?? [];
    this.hosts = seats.flatMap((/** @type {any} */ seat) =>
      seat && !seat.bot ? [seat.display ?? seat.name] : [],
    );
  }

  /** @param {string} id */
  freshPage(id) {
    const { game, telling, board } = this;
    const page = new BoardPage({ game, id, telling, board, mode: "seat" });
    page.act = (action) => {
      const { seq } = page.timeline.updates[page.timeline.last];
      this.refused = null;
      this.guide.moved();
      if (!this.link.say({ do: "act", seq, action })) page.notTaken();
    };
    page.notices = () => awayNotice(this.link);
    page.objection = () => this.refusal();
    page.below = () => this.below();
    page.overlay = () => this.ending.card() ?? this.guide.shown();
    page.drawn = (ctx) => this.notice(ctx);
    return page;
  }

  /** Whenever the line opens: back to the seat, if there is one. */
  greeting() {
    const kept = keptSeat(this.game);
    return kept ? [{ do: "resume", token: kept.token }] : [];
  }

  /** @param {any} message */
  heard(message) {
    if (message.type === "table") this.callMyself(message);
    if (message.type === "hello") this.greeted(message);
    else if (message.type === "joined") this.sitDown(message);
    else if (message.id === "rematch") this.onRematch(message);
    else if (message.id === "react") this.page.reactions.off = message.code === "bad-request";
    else if (message.type === "rematch") this.ending.rematch.heard(message);
    else if (message.type === "refused") this.onRefused(message);
    else if (message.id === "resign") this.onResigned();
    else if (message.type === "over") {
      forgetSeat(this.game);
      this.page.take(message);
      this.stay();
    } else if (message.type === "history") this.page.fill(message, this.link);
    else if (message.type !== "accepted" && message.type !== "closed") this.page.take(message);
    this.draw();
  }

  /** One reads one's own name as one has typed it. @param {import("../types.d.ts").TableMessage} table */
  callMyself(table) {
    callBots(table);
    for (const seat of table.seats)
      if (seat && seat.name === this.wireName) seat.display ??= who().name;
  }

  /** @param {any} hello */
  greeted(hello) {
    this.hello = hello;
    if (!this.atOnce || this.phase !== "asking") return;
    this.atOnce = false;
    const address = new URL(location.href);
    address.searchParams.delete("now");
    address.searchParams.delete("daily");
    history.replaceState(null, "", address);
    this.name = guestName();
    this.join(this.daily ? { daily: true } : usualWish(this));
  }

  /** @param {any} message */
  sitDown({ table, token, resumed }) {
    this.phase = "seated";
    this.refused = null;
    this.renamed = false;
    this.resigning = false;
    // To a rematch one is brought without having asked for a seat.
    this.ending.series.begin(table, this.ending.rematch.own !== null);
    this.ending.clear();
    if (token) keepSeat(this.game, { table, token, wish: this.wish });
    this.token = keptSeat(this.game)?.token ?? null;
    this.wish ??= keptSeat(this.game)?.wish ?? null;
    if (this.page.id !== table) {
      this.page.id = table;
      this.page.clear();
    }
    if (resumed) this.link.say({ do: "history", from: 0 });
  }

  /** @param {any} message */
  onRefused(message) {
    this.page.notTaken();
    if (this.phase === "joining") {
      forgetSeat(this.game);
      this.phase = "asking";
      // The game one comes back to is over: that is no fault of anybody's.
      if (message.code === "unknown-token") return;
    }
    // Two people may have one name, and one person two tabs: the wire has another name for the second.
    if (message.code === "name-taken" && this.phase === "asking" && !this.renamed && !who().key) {
      this.renamed = true;
      return this.join(/** @type {object} */ (this.wish));
    }
    // A link to a table that takes nobody any more leads nowhere; there are other tables.
    if (this.invited && ["already-over", "already-started", "not-found"].includes(message.code)) {
      this.invited = null;
      this.choice.against = "bots";
      history.replaceState(null, "", `/${this.game}/play`);
      message = { message: message.message, hint: words.play.invitationOver };
    }
    this.refused = { message: message.message, hint: message.hint, code: message.code };
    if (this.phase === "asking") this.showRefusal();
    else if (this.page.timeline.last >= 0) this.showObjection();
  }

  /** A move that was refused is told where one made it, and on the screen. */
  showObjection() {
    this.draw();
    document.querySelector(".board-page [role=alert]")?.scrollIntoView({ block: "nearest" });
  }

  /** What was refused is where one looks: beside its field, with the cursor in it, and on the screen. */
  showRefusal() {
    this.draw();
    const field = isAboutName(this.refused) ? document.querySelector(".setup input") : null;
    if (field instanceof HTMLElement) field.focus();
    document.querySelector(".setup [role=alert]")?.scrollIntoView({ block: "center" });
  }

  onResigned() {
    this.ending.resigned = true;
    forgetSeat(this.game);
    // Nobody waits for a move from this seat any more.
    this.page.timeline.updates[this.page.timeline.last].your_move = false;
    this.page.resign();
    this.stay();
  }

  /** The game is over for this seat: another one may follow with the same people. */
  stay() {
    this.ending.stay(this.token);
    if (!this.page.timeline.over || dayOf(this.page.id) === null) return;
    keepPlayed(this.game, this.page.id);
    this.learnStanding(this.page.id);
  }

  /** How one did in the deal of the day, once it is among the results. @param {string} id */
  async learnStanding(id) {
    for (let tries = 0; tries < 5 && this.page.id === id; tries += 1) {
      const stands = await standing(this.game, id).catch(() => null);
      if (stands) {
        this.ending.daily = shareLine(this.telling.title, stands);
        return this.draw();
      }
      await new Promise((later) => setTimeout(later, 500 * 2 ** tries));
    }
  }

  /** What the server answers to it. @param {any} message */
  onRematch(message) {
    if (message.type !== "refused") return;
    this.ending.rematch.forget();
    // Where it cannot be, one plays again as if nobody else had been there.
    if (["name-taken", "banned", "draining", "server-full", "too-many"].includes(message.code))
      this.refused = { message: message.message, hint: message.hint };
  }

  /** @param {object} wish */
  join(wish) {
    this.wish = wish;
    this.refused = null;
    this.resigning = false;
    this.phase = "asking";
    const own = identity(this.renamed);
    this.wireName = own.name;
    this.link.say({ do: "join", ...own, person: true, ...wish });
  }

  again() {
    this.page.clear();
    this.ending.rematch.leave();
    this.ending.clear();
    // The table of a link is over, and so is the deal of the day: who came by it chooses anew.
    if (this.wish && !("table" in this.wish) && !("daily" in this.wish)) this.join(this.wish);
    else {
      this.invited = null;
      this.choice.against = "bots";
      this.phase = "asking";
      history.replaceState(null, "", `/${this.game}/play`);
      scrollTo(0, 0);
    }
    this.draw();
  }

  refusal() {
    if (!this.refused) return null;
    const { message, hint } = this.refused;
    return h(
      "div",
      { class: "notice wrong", role: "alert" },
      sentence(message),
      hint ? h("span", { class: "note" }, hint) : null,
    );
  }

  /** Calls for attention where it is wanted. @param {import("../types.d.ts").Context} ctx */
  notice(ctx) {
    const { timeline, viewer } = this.page;
    this.attention.see({
      mine: ctx.turn !== null && !ctx.turn.sent,
      sent: ctx.turn?.sent ?? false,
      over: timeline.over !== null,
      won: timeline.over?.places?.[Number(viewer)] === 1,
      late: isLate(ctx),
      leftMs: ctx.timeLeftMs,
    });
  }

  /** How many watch this game; without an answer, as many as before. */
  async countSpectators() {
    if (this.phase !== "seated" || document.hidden || this.page.timeline.over) return;
    const address = `/api/v1/tables/${this.game}/${encodeURIComponent(this.page.id)}`;
    const table = await getJson(address).catch(() => null);
    if (!table || table.spectators === this.page.spectators) return;
    this.page.spectators = table.spectators;
    this.draw();
  }

  /** Under the board: a reaction for people, resign while it is played, what follows when it is over. */
  below() {
    if (this.resigning && !this.ending.isOver()) return this.reallyResign();
    const reactions = this.hasPeople() ? this.page.reactions.offered(this.react) : null;
    return [reactions, this.ending.isOver() ? this.ending.below() : this.flag()];
  }

  /** Whether anybody else at the table would see a reaction. */
  hasPeople() {
    const { timeline, viewer } = this.page;
    return timeline.table?.seats.some((seat, at) => seat && !seat.bot && at !== viewer) ?? false;
  }

  flag() {
    return h(
      "button",
      {
        class: "button icon plain",
        type: "button",
        title: words.play.resign,
        "aria-label": words.play.resign,
        onclick: () => this.askResign(true),
      },
      icon("flag"),
    );
  }

  reallyResign() {
    return [
      h("span", null, words.play.really),
      h(
        "button",
        {
          class: "button",
          type: "button",
          onclick: () => this.link.say({ do: "leave", id: "resign" }),
        },
        words.play.yes,
      ),
      h(
        "button",
        { class: "button", type: "button", onclick: () => this.askResign(false) },
        words.play.no,
      ),
    ];
  }

  /** @param {boolean} asking */
  askResign(asking) {
    this.resigning = asking;
    this.draw();
  }

  draw() {
    if (this.phase === "seated" && this.page.timeline.last >= 0) return this.page.draw();
    const { game, telling } = this;
    const place = { game, title: telling.title };
    if (this.phase === "seated") return this.drawWaiting(place);
    const title = `${words.play.title} ${telling.title}`;
    show(
      { title, game, place },
      awayNotice(this.link),
      this.hello && this.phase === "asking"
        ? [
            this.wayBack(),
            h("div", { class: "sitting-down" }, setup(this, title), this.explained()),
          ]
        : loading(),
    );
  }

  /** What it looks like and how it goes, for who has never played it. */
  explained() {
    const { game, board, telling } = this;
    const { picture } = telling.rules.find((part) => part.picture) ?? {};
    this.picture ??= picture ? figure(game, board, picture, 560) : null;
    return h(
      "aside",
      { key: "explained" },
      section(
        words.lobby.brief,
        { end: h("a", { href: `/${game}/rules` }, words.lobby.allRules) },
        h("p", { class: "note" }, telling.brief.words),
        this.picture,
      ),
    );
  }

  /** To the seat of a tab that was closed. */
  wayBack() {
    const seat = lastSeat(this.game);
    if (!seat) return null;
    const goBack = () => {
      keepSeat(this.game, seat);
      this.phase = "joining";
      this.refused = null;
      this.link.say({ do: "resume", token: seat.token });
      this.draw();
    };
    return h(
      "div",
      { class: "notice", role: "status" },
      h("span", null, words.play.left),
      h("button", { class: "button", type: "button", onclick: goBack }, words.play.goBack),
    );
  }

  /** Seated, and waiting for the others. @param {{ game: string, title: string }} place */
  drawWaiting(place) {
    const { table } = this.page.timeline;
    const link = `${location.origin}/${this.game}/play?table=${encodeURIComponent(this.page.id)}`;
    show(
      { title: words.live.waiting, game: this.game, place },
      awayNotice(this.link),
      this.refusal(),
      h("h1", null, words.live.waiting),
      h("p", { class: "note" }, table ? words.play.begins(table.starts) : ""),
      table ? seatList(table.seats) : null,
      invitation(link, this.telling.title, () => this.draw()),
      h(
        "button",
        { class: "button plain", type: "button", onclick: () => this.standUp() },
        words.play.leave,
      ),
    );
  }

  standUp() {
    this.link.say({ do: "leave" });
    forgetSeat(this.game);
    this.phase = "asking";
    this.draw();
  }
}
