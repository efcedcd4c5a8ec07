// A page with a board, whatever feeds it: a replay, a live table, or the seat one plays from. State in
// one object, drawn by one function.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { seatMark } from "./marks.js";
import { followMoves, moveList, movePanel } from "./movelist.js";
import { show } from "./shell.js";
import { caption, controls, drawMoving, measured, stage } from "./stage.js";
import { count, words } from "./texts.js";
import { Timeline } from "./timeline.js";
import { SPEEDS, transport } from "./transport.js";

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

export class BoardPage {
  timeline = new Timeline();
  place = 0;
  /** What the person at this seat has chosen so far in a turn, and whether it was sent. */
  choice = { seq: -1, draft: /** @type {any} */ (null), sent: false };
  /** When the running clock ends. @type {number | null} */
  deadline = null;

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
    /** What stands under the board besides. @type {() => Child} */
    this.below = () => null;
    /** How many updates were looked at. */
    this.told = 0;
    this.forget();
    this.width = measured(() => this.draw());
    /** Aborted when something else is shown. */
    this.ended = new AbortController();
    addEventListener("keydown", (event) => this.onKey(event), { signal: this.ended.signal });
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
    this.moves = moveList(this.rows, timeline.names(0), (place) => this.go(place));
  }

  /** Takes a message of a live game, to be drawn when there is time. @param {any} message */
  take(message) {
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
    if (!this.playing) return;
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
    if (this.timeline.last < 0) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("select, textarea, input:not([type=range])")) return;
    const onButton = target.closest("button, a") !== null;
    const ctx = this.context();
    if (ctx.turn && !(onButton && (event.key === "Enter" || event.key === " "))) {
      const view = this.timeline.view(this.place, this.viewer);
      if (this.board.key?.(event.key, view, ctx)) return event.preventDefault();
    }
    const meant = this.keys(event.shiftKey, onButton)[event.key];
    if (!meant) return;
    event.preventDefault();
    meant();
  }

  /** @param {boolean} shift @param {boolean} onButton @returns {Record<string, (() => void) | undefined>} */
  keys(shift, onButton) {
    const marks = this.marks.map((mark) => mark.place);
    const { place } = this;
    const { last } = this.timeline;
    const jump = {
      back: marks.findLast((at) => at < place) ?? 0,
      on: marks.find((at) => at > place) ?? last,
    };
    /** @type {Record<string, (() => void) | undefined>} */
    const keys = {
      ArrowLeft: () => this.go(shift ? jump.back : place - 1),
      ArrowRight: () => (shift ? this.go(jump.on) : this.go(place + 1, true)),
      Home: () => this.go(0),
      End: () => this.go(last),
      " ": onButton ? undefined : () => this.toggle(),
      v: () => this.see(this.nextViewer()),
      p: () => this.see("public"),
      a: () => this.see("all"),
      s: () => this.share(),
      c: () => this.catchUp(),
    };
    // At a seat, numbers are the board's.
    if (this.mode !== "seat")
      SPEEDS.forEach((speed, at) => (keys[String(at + 1)] = () => this.setSpeed(speed)));
    return keys;
  }

  async share() {
    const link = new URL(`/${this.game}/games/${encodeURIComponent(this.id)}`, location.href);
    link.searchParams.set("turn", String(this.timeline.turnAt(this.place, this.board)));
    if (this.viewer !== "public") link.searchParams.set("viewer", String(this.viewer));
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
    const title = this.asked.get("title") ?? `${this.telling.title}, ${this.id}`;
    show(
      {
        title,
        game,
        wide: true,
        bare,
        place: { game, title: this.telling.title, note: `${this.id} · ${board.where(view)}` },
        end: h("div", { class: "seen" }, roomy ? this.views() : null, this.badge()),
      },
      h("h1", { class: "visually-hidden" }, title),
      h("div", { key: "notices" }, this.notices()),
      h(
        "div",
        { class: "board-page", key: "board" },
        h(
          "div",
          { class: "left" },
          stage(board, view, ctx),
          controls(board, view, ctx),
          caption(board, view, ctx, this.mode !== "replay"),
          roomy || bare ? null : h("div", { class: "seen below", key: "seen" }, this.views()),
          bare || this.mode === "seat" ? null : this.transport(),
          bare ? null : h("div", { class: "below", key: "below" }, this.below()),
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
        marks: this.marks,
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

  /** Whether this is live, how far behind, or a replay. */
  badge() {
    if (this.mode === "replay") return h("span", { class: "tag" }, words.live.replay);
    if (this.timeline.over && this.place === this.timeline.last) {
      return h("span", { class: "tag" }, words.live.over);
    }
    if (this.mode === "seat") {
      const yours = this.turn()?.sent === false;
      const dot = yours ? h("span", { class: "dot" }) : null;
      return h("span", { class: "tag" }, dot, yours ? words.play.yourMove : words.play.theirMove);
    }
    const behind =
      this.timeline.updates[this.timeline.last].seq - this.timeline.updates[this.place].seq;
    if (behind < 2) {
      return h("span", { class: "tag live" }, h("span", { class: "dot" }), words.live.live);
    }
    return [
      h("span", { class: "tag" }, words.live.behind(count(behind, "turn"))),
      h(
        "button",
        { class: "button", type: "button", onclick: () => this.catchUp() },
        words.live.catchUp,
      ),
    ];
  }

  views() {
    const viewers = this.timeline.viewers();
    if (viewers.length < 2) return null;
    const names = this.timeline.names(0);
    /** @param {Viewer} viewer */
    const face = (viewer) => {
      if (typeof viewer === "number") return seatMark(viewer, names[viewer], 18);
      return viewer === "all" ? words.replay.all : words.replay.public;
    };
    return h(
      "div",
      { class: "choice", role: "group", "aria-label": words.replay.seenBy },
      viewers.map((viewer) => {
        const name = typeof viewer === "number" ? names[viewer] : null;
        const pressed = viewer === this.viewer;
        const onclick = () => this.see(viewer);
        return h(
          "button",
          { type: "button", "aria-pressed": pressed, "aria-label": name, title: name, onclick },
          face(viewer),
        );
      }),
    );
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
