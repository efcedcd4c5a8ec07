// Sit down and play: against house bots, against a friend by a link, or with whoever waits.

import { BoardPage } from "../boardpage.js";
import { h } from "../dom.js";
import { figure } from "../figure.js";
import { about, board as loadBoard } from "../games.js";
import { Link } from "../link.js";
import { awayNotice, copyField, seatList, section } from "../parts.js";
import { forgetSeat, keepSeat, keptSeat, lastSeat, playerName } from "../seat.js";
import { loading, show, stateOf } from "../shell.js";
import { words } from "../texts.js";
import { setup } from "./setup.js";

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
    /** What was last refused. @type {{ message: string, hint?: string } | null} */
    this.refused = null;
    this.name = playerName();
    /** What was asked for when one sat down, to do the same again. @type {object | null} */
    this.wish = null;
    this.resigning = false;
    this.resigned = false;
    /** Of the rules; drawn once. @type {import("../dom.js").VNode | null | undefined} */
    this.picture = undefined;
    this.choice = {
      against: this.invited ? "link" : "bots",
      bots: /** @type {string[] | null} */ (null),
      seconds: 120,
    };
    this.page = this.freshPage("");
    const kept = keptSeat(game);
    if (kept) this.phase = "joining";
    this.link = new Link(game, {
      greeting: () => this.greeting(),
      changed: () => this.draw(),
      heard: (message) => this.heard(message),
    });
    setInterval(() => {
      if (this.phase === "seated" && this.page.deadline !== null && !this.page.timeline.over)
        this.draw();
    }, 1000);
    this.draw();
  }

  /** @param {string} id */
  freshPage(id) {
    const { game, telling, board } = this;
    const page = new BoardPage({ game, id, telling, board, mode: "seat" });
    page.act = (action) => {
      const { seq } = page.timeline.updates[page.timeline.last];
      this.refused = null;
      if (!this.link.say({ do: "act", seq, action })) page.notTaken();
    };
    page.notices = () => [awayNotice(this.link), this.refusal()];
    page.below = () => this.below();
    return page;
  }

  /** Whenever the line opens: back to the seat, if there is one. */
  greeting() {
    const kept = keptSeat(this.game);
    return kept ? [{ do: "resume", token: kept.token }] : [];
  }

  /** @param {any} message */
  heard(message) {
    if (message.type === "hello") this.hello = message;
    else if (message.type === "joined") this.sitDown(message);
    else if (message.type === "refused") this.onRefused(message);
    else if (message.id === "resign") this.onResigned();
    else if (message.type === "over") {
      forgetSeat(this.game);
      this.page.take(message);
    } else if (message.type === "history") this.page.fill(message, this.link);
    else if (message.type !== "accepted" && message.type !== "closed") this.page.take(message);
    this.draw();
  }

  /** @param {any} message */
  sitDown({ table, token, resumed }) {
    this.phase = "seated";
    this.refused = null;
    if (token) keepSeat(this.game, { table, token, wish: this.wish });
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
    this.refused = { message: message.message, hint: message.hint };
  }

  onResigned() {
    this.resigned = true;
    forgetSeat(this.game);
    // Nobody waits for a move from this seat any more.
    this.page.timeline.updates[this.page.timeline.last].your_move = false;
  }

  /** @param {object} wish */
  join(wish) {
    this.wish = wish;
    this.refused = null;
    this.resigning = false;
    this.resigned = false;
    this.phase = "asking";
    this.link.say({ do: "join", name: this.name, person: true, ...wish });
  }

  again() {
    this.page.clear();
    if (this.wish) this.join(this.wish);
    else this.phase = "asking";
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

  /** Under the board: resign while it is played, play again when it is over. */
  below() {
    const { timeline, id } = this.page;
    if (timeline.over || this.resigned) {
      const over = timeline.over !== null;
      const address = `/${this.game}/${over ? "games" : "tables"}/${encodeURIComponent(id)}`;
      return [
        h("p", { class: "result", role: "status" }, over ? this.result() : words.play.resigned),
        h(
          "button",
          { class: "button main", type: "button", onclick: () => this.again() },
          words.play.again,
        ),
        h(
          "a",
          { class: "button", href: address },
          over ? words.live.fromStart : words.play.watchOn,
        ),
        h("a", { class: "button plain", href: `/${this.game}` }, words.play.toLobby),
      ];
    }
    if (!this.resigning) {
      return h(
        "button",
        { class: "button plain", type: "button", onclick: () => this.askResign(true) },
        words.play.resign,
      );
    }
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

  result() {
    const { over } = this.page.timeline;
    if (over?.void) return `${words.play.void} ${sentence(over.void)}`;
    const seat = /** @type {number} */ (this.page.viewer);
    const place = over?.places?.[seat];
    const shared = over?.places?.filter((other) => other === place).length ?? 1;
    if (place === 1) return shared > 1 ? words.play.shared : words.play.won;
    return words.play.placed(place ?? 0, over?.points?.[seat] ?? 0);
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
      this.refusal(),
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
      h("span", null, words.play.left(seat.table)),
      h("button", { class: "button", type: "button", onclick: goBack }, words.play.goBack),
    );
  }

  /** Seated, and waiting for the others. @param {{ game: string, title: string }} place */
  drawWaiting(place) {
    const { table } = this.page.timeline;
    const invitation = `${location.origin}/${this.game}/play?table=${encodeURIComponent(this.page.id)}`;
    show(
      { title: words.live.waiting, game: this.game, place },
      awayNotice(this.link),
      this.refusal(),
      h("h1", null, words.live.waiting),
      h("p", { class: "note" }, table ? sentence(table.starts) : ""),
      table ? seatList(table.seats) : null,
      h("h2", null, words.play.share),
      copyField(invitation, () => this.draw()),
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

/** @param {string} text */
function sentence(text) {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
