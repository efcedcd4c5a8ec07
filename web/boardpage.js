// A page with a board, whatever feeds it: a replay, a live table, or the seat one plays from. State in
// one object, drawn by one function.

import { h } from "./dom.js";
import { badge, watched } from "./boardbar.js";
import { keysOf } from "./boardkeys.js";
import { helpButton } from "./help.js";
import { icon } from "./icons.js";
import { followMoves, moveList, movePanel } from "./movelist.js";
import { Reactions } from "./reactions.js";
import { show } from "./shell.js";
import { roundCard } from "./resultcard.js";
import { caption, controls, drawMoving, measured, ownClock, roomFor, stage } from "./stage.js";
import { words } from "./texts.js";
import { Timeline } from "./timeline.js";
import { transport } from "./transport.js";
import { viewerChoice } from "./viewers.js";

/**
 * @typedef {import("./types.d.ts").Viewer} Viewer
 * @typedef {import("./dom.js").Child} Child
 *
 * @typedef {object} Setting
 * @property {string} game
 * @property {string} id
 * @property {import("./types.d.ts").About} telling
 * @property {import("./types.d.ts").Board} board
 * @property {"replay" | "live" | "seat"} mode
 */

/** Milliseconds a turn at speed 1: what happened can be read; at a seat, seen. */
const PACE = { replay: 1600, live: 1200, seat: 650 };

/** How long a move that is the only one stands before it is made. */
const FORCED_MS = 1200;

/** How long the card after a round stays, unless it is put away: the clock runs meanwhile. */
const ROUND_MS = 9000;

export class BoardPage {
  timeline = new Timeline();
  place = 0;
  /** What the person at this seat has chosen so far in a turn, and whether it was sent. */
  choice = { seq: -1, draft: /** @type {any} */ (null), sent: false };
  /** When the running clock ends. @type {number | null} */
  deadline = null;
  /** The last turn in which there was one move only. */
  forcedAt = -1;
  /** Whether the person at this seat has given up. */
  resigned = false;
  /** The turn whose round card was put away, was shown, and is open. */
  roundSeen = -1;
  roundAt = -1;
  roundOpen = -1;

  /** @param {Setting} setting */
  constructor({ game, id, telling, board, mode }) {
    this.game = game;
    this.id = id;
    this.telling = telling;
    this.board = board;
    this.mode = mode;
    this.asked = new URLSearchParams(location.search);
    /** @type {Viewer} */
    this.viewer = "public";
    /** In a live game: following what comes. */
    this.playing = mode !== "replay";
    const fps = Number(this.asked.get("fps"));
    this.speed = fps > 0 ? (fps * PACE[mode]) / 1000 : 1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.stepped = 0;
    this.copied = false;
    this.act = (/** @type {any} */ _action) => {};
    /** Lines above the board. @type {() => Child} */
    this.notices = () => null;
    /** What was wrong with a move, where one makes it. @type {() => Child} */
    this.objection = () => null;
    /** What stands under the board besides. @type {() => Child} */
    this.below = () => null;
    /** Turns that a review marks. @type {() => { place: number, word: string }[]} */
    this.reviewed = () => [];
    /** What lies over the board. @type {() => Child} */
    this.overlay = () => null;
    /** Called whenever the board was drawn. @type {(ctx: import("./types.d.ts").Context) => void} */
    this.drawn = () => {};
    /** What players show each other. */
    this.reactions = new Reactions(() => this.timeline.last >= 0 && this.draw());
    /** How many watch. */
    this.spectators = 0;
    /** How many updates were looked at. */
    this.told = 0;
    this.forget();
    this.width = measured(() => this.draw());
    /** Aborted when something else is shown. */
    this.ended = new AbortController();
    const { signal } = this.ended;
    addEventListener("keydown", (event) => this.onKey(event), { signal });
    addEventListener("dblclick", (event) => this.onDoubleClick(event), { signal });
  }

  end() {
    clearTimeout(this.timer);
    this.ended.abort();
  }

  /** Nothing has been heard of the game yet. */
  clear() {
    this.timeline = new Timeline();
    this.place = 0;
    this.choice = { seq: -1, draft: null, sent: false };
    this.deadline = null;
    this.resigned = false;
    this.forcedAt = -1;
    [this.roundSeen, this.roundAt, this.roundOpen] = [-1, -1, -1];
    this.forget();
  }

  /** What was worked out from updates is worked out anew. */
  forget() {
    this.told = 0;
    /** @type {import("./movelist.js").Row[]} */
    this.rows = [];
    /** @type {(number | null)[][]} */
    this.points = [];
    /** @type {{ place: number, word: string }[]} */
    this.marks = [];
    /** @type {import("./movelist.js").MoveList | null} */
    this.moves = null;
  }

  /** Works out what follows from updates that came since. */
  prepare() {
    const { board, timeline, viewer } = this;
    if (this.moves && this.told === timeline.updates.length) return;
    // Only what came since, unless something before it has changed.
    if (!this.moves) this.forget();
    for (let place = this.told; place < timeline.updates.length; place += 1) {
      const update = timeline.updates[place];
      const ctx = timeline.context(this.game, place, viewer, { width: 928 });
      for (const line of board.moves(update, ctx))
        this.rows.push({ place, turn: board.turn?.(update.view) ?? update.seq, line });
      this.points.push(board.points(timeline.view(place, viewer), ctx));
      const word = board.mark?.(update, timeline.updates[place - 1] ?? null);
      if (word) this.marks.push({ place, word });
    }
    this.told = timeline.updates.length;
    this.moves = moveList(this.rows, timeline.names(0), (place) => this.go(place), this.moves);
  }

  /** Takes a message of a live game, to be drawn when there is time. @param {any} message */
  take(message) {
    if (message.type === "reacted") return this.reactions.heard(message);
    const before = this.timeline.updates.length;
    if (!this.timeline.take(message)) return;
    if (message.type === "update") {
      if (before === 0) this.place = this.timeline.last;
      if (message.seat !== null && this.mode === "seat") this.viewer = message.seat;
      const isLast = message.seq === this.timeline.updates[this.timeline.last].seq;
      if (isLast) {
        this.deadline = message.time_left_ms === null ? null : Date.now() + message.time_left_ms;
        if (message.seq === this.choice.seq) this.choice.sent = false;
      }
      // What is filled in from before moves the place along.
      else if (this.timeline.updates.length > before) {
        this.place += 1;
        this.moves = null;
      }
      // The same turn once more, or one from before: nothing to play, but to draw.
      if (this.timeline.updates.length === before) this.moves = null;
    }
    if (this.playing && this.place < this.timeline.last) this.follow();
  }

  /** Fills in the turns from before this page came, a page of them at a time. @param {{ updates: any[], next?: number | null }} history @param {import("./link.js").Link} link */
  fill({ updates, next }, link) {
    // The present turn was told by itself, with the time that is left.
    const present = this.timeline.updates.at(-1)?.seq;
    for (const update of updates)
      if (update.seq !== present) this.take({ type: "update", ...update });
    if (typeof next === "number") link.say({ do: "history", from: next });
  }

  /** Plays on, not faster than can be seen. */
  follow() {
    if (this.timer !== undefined) return;
    const wait = this.stepped + PACE[this.mode] / this.speed - Date.now();
    this.timer = setTimeout(() => this.tick(), Math.max(0, wait));
  }

  tick() {
    this.timer = undefined;
    // What a round came to is read before the next one begins.
    if (!this.playing || (this.roundOpen >= 0 && this.speed <= 4)) return;
    this.stepped = Date.now();
    this.go(this.place + 1, this.speed <= 4, true);
    if (this.place < this.timeline.last) this.follow();
    else if (this.mode === "replay") {
      this.playing = false;
      this.draw();
    }
  }

  toggle() {
    this.playing = !this.playing;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.playing && this.mode === "replay" && this.place === this.timeline.last) this.place = 0;
    this.stepped = Date.now();
    if (this.playing && this.place < this.timeline.last) this.follow();
    this.draw();
  }

  catchUp() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.playing = true;
    this.go(this.timeline.last, false, true);
  }

  /** @param {number} place @param {boolean} [moving] @param {boolean} [following] Not by hand. */
  go(place, moving = false, following = false) {
    const to = Math.max(0, Math.min(this.timeline.last, place));
    if (!following && this.mode !== "replay") this.playing = to === this.timeline.last;
    const before = this.timeline.view(this.place, this.viewer);
    this.place = to;
    this.copied = false;
    if (!moving) return this.draw();
    const step = {
      before,
      view: this.timeline.view(to, this.viewer),
      ctx: this.context(),
      ms: Math.min(280, 500 / this.speed),
    };
    drawMoving(this.board, step, () => this.draw());
  }

  context() {
    const { timeline } = this;
    const isLast = this.place === timeline.last;
    const running = isLast && this.mode !== "replay" && !timeline.over && this.deadline !== null;
    return timeline.context(this.game, this.place, this.viewer, {
      width: this.width(),
      height: this.mode === "seat" ? roomFor() : null,
      turn: this.turn(),
      timeLeftMs: running ? Math.max(0, Number(this.deadline) - Date.now()) : null,
    });
  }

  /**
   * The person's turn at the place that is shown. What was sent stands until the page goes on to what
   * came of it, which may have been told already.
   * @returns {import("./types.d.ts").Turn | null}
   */
  turn() {
    const update = this.timeline.updates[this.place];
    if (this.mode !== "seat" || !update.your_move) return null;
    const mine = this.choice.seq === update.seq;
    const { draft, sent } = mine ? this.choice : { draft: null, sent: false };
    if (!sent && (this.timeline.over || this.place !== this.timeline.last)) return null;
    const choose = (/** @type {any} */ draft, /** @type {boolean} */ sent) => {
      this.choice = { seq: update.seq, draft, sent };
    };
    return {
      legal: update.legal,
      sent,
      draft,
      act: (action) => {
        choose(draft, true);
        this.act(action);
        this.draw();
      },
      choose: (draft) => {
        choose(draft, false);
        this.draw();
      },
    };
  }

  /** The person at this seat has given up: nobody waits for this seat, and its clock stands. */
  resign() {
    this.resigned = true;
    this.deadline = null;
    this.choice = { seq: -1, draft: null, sent: false };
  }

  /** Plays the one move there is, once it could be seen that there is no other. @param {import("./types.d.ts").View} view @param {import("./types.d.ts").Context} ctx */
  playForced(view, ctx) {
    const { seq } = this.timeline.updates[this.place];
    const action = ctx.turn && !ctx.turn.sent ? this.board.forced?.(view, ctx) : undefined;
    if (action === undefined || this.forcedAt === seq) return;
    this.forcedAt = seq;
    setTimeout(() => {
      const turn = this.place <= this.timeline.last ? this.turn() : null;
      const same = this.timeline.updates[this.place]?.seq === seq;
      if (same && turn && !turn.sent) turn.act(action);
    }, FORCED_MS);
  }

  /** The move that was sent has not been taken. */
  notTaken() {
    this.choice.sent = false;
  }

  /** @param {Viewer} viewer */
  see(viewer) {
    if (!this.timeline.viewers().includes(viewer)) return;
    this.viewer = viewer;
    this.moves = null;
    this.draw();
  }

  nextViewer() {
    const viewers = this.timeline.viewers();
    return viewers[(viewers.indexOf(this.viewer) + 1) % viewers.length];
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    // Keys in a drawer are the drawer's.
    if (this.timeline.last < 0 || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("select, textarea, input:not([type=range])")) return;
    const onButton = target.closest("button, a") !== null;
    if (this.roundOpen >= 0 && ["Enter", "Escape"].includes(event.key) && !onButton) {
      event.preventDefault();
      return this.putRoundAway(this.roundOpen);
    }
    const ctx = this.context();
    // With something chosen, Enter confirms it, also from the thing that was chosen.
    const onChoice = target.closest("#stage [aria-pressed]") !== null;
    const confirms = event.key === "Enter" && onChoice && isChosen(ctx.turn);
    if (ctx.turn && (confirms || !(onButton && (event.key === "Enter" || event.key === " ")))) {
      const view = this.timeline.view(this.place, this.viewer);
      if (this.board.key?.(event.key, view, ctx)) return event.preventDefault();
    }
    // A key that chooses something here means nothing else between one's turns.
    if (this.mode === "seat" && this.board.ownKeys?.includes(event.key))
      return event.preventDefault();
    const meant = keysOf(this, event.shiftKey, onButton)[event.key];
    if (!meant) return;
    event.preventDefault();
    meant();
  }

  /** A double click on what may be chosen chooses it and confirms. @param {MouseEvent} event */
  onDoubleClick(event) {
    const choice = /** @type {Element} */ (event.target).closest("#stage [aria-pressed]");
    if (!choice || !this.turn() || this.turn()?.sent) return;
    // The second click has taken back what the first one chose.
    if (choice.getAttribute("aria-pressed") !== "true")
      choice.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const main = document.querySelector(".controls .button.main:not([disabled])");
    if (main instanceof HTMLElement) main.click();
  }

  async share() {
    const link = new URL(`/${this.game}/games/${encodeURIComponent(this.id)}`, location.href);
    link.searchParams.set("turn", String(this.timeline.turnAt(this.place, this.board)));
    link.searchParams.set("viewer", String(this.viewer));
    // Without a secure origin there is no clipboard: the address bar has the link then.
    if (this.mode === "replay") history.replaceState(null, "", link);
    await navigator.clipboard?.writeText(link.href).catch(() => undefined);
    this.copied = true;
    this.draw();
  }

  draw() {
    const { timeline, board, place, viewer, game } = this;
    if (timeline.last < 0) return;
    this.prepare();
    const view = timeline.view(place, viewer);
    const ctx = this.context();
    // The bar has room for the views on a laptop; on a phone they stand under the board.
    const roomy = innerWidth >= 1000;
    const bare = ["0", "false"].includes(this.asked.get("controls") ?? "");
    const mine = ctx.turn !== null && !ctx.turn.sent;
    const named = this.asked.get("title") ?? this.telling.title;
    const title = mine ? `${words.play.yourMove}: ${named}` : named;
    show(
      {
        title,
        game,
        wide: true,
        bare,
        place: { game, title: this.telling.title, note: `${this.id} · ${board.where(view)}` },
        end: h(
          "div",
          { class: "seen" },
          roomy && this.mode !== "seat" ? this.views() : null,
          watched(this),
          badge(this),
          bare ? null : helpButton(game, this.telling),
        ),
      },
      h("h1", { class: "visually-hidden" }, named),
      h("div", { key: "notices" }, this.notices()),
      h(
        "div",
        { class: `board-page ${this.mode}`, key: "board" },
        h(
          "div",
          { class: "left" },
          h(
            "div",
            { class: "table", key: "table" },
            stage(board, view, ctx),
            this.round(view, ctx) ?? this.overlay(),
            this.mode === "replay" ? null : this.reactions.bubbles(ctx.names),
          ),
          this.mode === "seat"
            ? this.action(view, ctx)
            : caption(board, view, ctx, this.mode === "live"),
          this.mode === "seat" || roomy || bare
            ? null
            : h("div", { class: "seen below", key: "seen" }, this.views()),
          bare || this.mode === "seat" ? null : this.transport(),
          bare || this.mode === "seat"
            ? null
            : h("div", { class: "below", key: "below" }, this.below()),
        ),
        h(
          "div",
          { class: "right" },
          board.side(view, ctx),
          this.moves && this.rows.length > 0 ? movePanel(this.moves, place) : null,
        ),
      ),
    );
    followMoves();
    this.drawn(ctx);
    this.playForced(view, ctx);
  }

  /** Always on the screen at one's own seat: the clock, what is going on, and what can be pressed. @param {import("./types.d.ts").View} view @param {import("./types.d.ts").Context} ctx */
  action(view, ctx) {
    const { board, telling } = this;
    return h(
      "div",
      { class: "action", key: "action" },
      h(
        "div",
        { class: "said", key: "said" },
        ownClock(ctx, telling.outOnTime ?? false),
        this.resigned
          ? h("p", { class: "caption", key: "caption" }, words.play.resigned)
          : caption(board, view, ctx, true),
      ),
      h("div", { key: "objection" }, this.objection()),
      h(
        "div",
        { class: "press", key: "press" },
        controls(board, view, ctx),
        h("div", { class: "below", key: "below" }, this.below()),
      ),
    );
  }

  /** After a round, until it is put away, a move is chosen or time goes on. @param {import("./types.d.ts").View} view @param {import("./types.d.ts").Context} ctx */
  round(view, ctx) {
    const { seq } = this.timeline.updates[this.place];
    const wanted = this.mode === "seat" && this.roundSeen !== seq && !this.timeline.over;
    const summary = wanted && !isChosen(ctx.turn) ? this.board.summary?.(view, ctx) : null;
    this.roundOpen = summary ? seq : -1;
    if (!summary) return null;
    if (this.roundAt !== seq) {
      this.roundAt = seq;
      setTimeout(() => this.putRoundAway(seq), ROUND_MS);
    }
    return roundCard(summary, () => this.putRoundAway(seq));
  }

  /** The game goes on. @param {number} seq */
  putRoundAway(seq) {
    this.roundSeen = Math.max(seq, this.roundSeen);
    if (this.roundOpen !== seq) return;
    this.draw();
    if (this.playing && this.place < this.timeline.last) this.follow();
  }

  transport() {
    const { timeline, place } = this;
    const { over } = timeline;
    return transport(
      {
        place,
        last: timeline.last,
        turnAt: (place) => timeline.turnAt(place, this.board),
        playing: this.playing,
        speed: this.speed,
        what: over?.words?.split("\n")[0].replace(/^1\. /, "") ?? over?.void ?? "",
        marks: [...this.marks, ...this.reviewed()],
        points: { ...this.board.plot, points: this.points, names: timeline.names(0) },
        width: this.width() - 34,
      },
      {
        go: (to) => this.go(to),
        toggle: () => this.toggle(),
        setSpeed: (speed) => this.setSpeed(speed),
      },
    );
  }

  views() {
    const { timeline, viewer } = this;
    const see = (/** @type {Viewer} */ each) => this.see(each);
    return viewerChoice({ viewers: timeline.viewers(), viewer, names: timeline.names(0), see });
  }

  shareButton() {
    return h(
      "button",
      { class: "button", type: "button", onclick: () => this.share() },
      icon(this.copied ? "tick" : "link"),
      h("span", { "aria-live": "polite" }, this.copied ? words.replay.copied : words.replay.share),
    );
  }
}

/** Whether a person has chosen something in a turn. @param {import("./types.d.ts").Turn | null} turn */
function isChosen(turn) {
  const draft = turn?.draft ?? null;
  return draft !== null && !turn?.sent && !(Array.isArray(draft) && draft.length === 0);
}
