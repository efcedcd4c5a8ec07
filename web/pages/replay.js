// A game that is over: scrub, step, play, see it with anybody's eyes, link to a turn.

import { getLines, lines } from "../api.js";
import { h } from "../dom.js";
import { about, board as loadBoard } from "../games.js";
import { icon } from "../icons.js";
import { seatMark } from "../marks.js";
import { followMoves, moveList, movePanel } from "../movelist.js";
import { loading, show, stateOf } from "../shell.js";
import { caption, drawMoving, measured, stage } from "../stage.js";
import { words } from "../texts.js";
import { Timeline } from "../timeline.js";
import { SPEEDS, transport } from "../transport.js";

/** At speed 1, so that what happened can be read. */
const MS_A_TURN = 1600;

/** @param {string} game @param {string} id */
export default async function replay(game, id) {
  const title = id;
  show({ title, game, wide: true }, loading());
  try {
    const [telling, board] = await Promise.all([about(game), loadBoard(game)]);
    const messages = await frames(game, id);
    new Replay(game, id, telling, board).open(messages);
  } catch (error) {
    const { title, toGames } = words.errors;
    const hint = error instanceof Error ? error.message : String(error);
    show({ title, game }, stateOf({ title, hint, wrong: true, link: [toGames, `/${game}`] }));
  }
}

/** Everything if it may be seen, else what the public saw. @param {string} game @param {string} id */
async function frames(game, id) {
  const address = `/api/v1/results/${game}/${encodeURIComponent(id)}/frames?viewer=`;
  try {
    return await getLines(`${address}all`);
  } catch (error) {
    if (/** @type {any} */ (error).status !== 409) throw error;
    return await getLines(`${address}public`);
  }
}

class Replay {
  /**
   * @param {string} game
   * @param {string} id
   * @param {import("../types.d.ts").About} telling
   * @param {import("../types.d.ts").Board} board
   */
  constructor(game, id, telling, board) {
    this.game = game;
    this.id = id;
    this.telling = telling;
    this.board = board;
    this.asked = new URLSearchParams(location.search);
    this.timeline = new Timeline();
    this.place = 0;
    /** @type {import("../types.d.ts").Viewer} */
    this.viewer = "public";
    this.playing = false;
    const fps = Number(this.asked.get("fps"));
    this.speed = fps > 0 ? (fps * MS_A_TURN) / 1000 : 1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {(number | null)[][]} */
    this.points = [];
    /** @type {{ place: number, word: string }[]} */
    this.marks = [];
    this.copied = false;
    this.width = measured(() => this.draw());
  }

  /** @param {any[]} messages */
  open(messages) {
    this.timeline = new Timeline();
    for (const message of messages) this.timeline.take(message);
    if (this.timeline.last < 0) throw new Error("This game ended before its first turn.");
    const viewers = this.timeline.viewers();
    const asked = this.asked.get("viewer");
    const wanted = viewers.find((viewer) => String(viewer) === asked);
    this.viewer = wanted ?? /** @type {import("../types.d.ts").Viewer} */ (viewers.at(-1));
    const turn = Number(this.asked.get("turn"));
    this.place =
      turn > 0 ? this.timeline.placeOf(turn) : this.asked.has("autoplay") ? 0 : this.timeline.last;
    this.prepare();
    this.draw();
    // The first drawing measures the stage, the second one fits it.
    this.draw();
    addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.onDrop(event));
    if (this.asked.get("autoplay") === "true" || this.asked.get("autoplay") === "1") this.toggle();
  }

  /** What follows from all updates: made once. */
  prepare() {
    const { board, timeline, viewer } = this;
    const rows = [];
    this.points = [];
    this.marks = [];
    for (const [place, update] of timeline.updates.entries()) {
      const ctx = timeline.context(this.game, place, viewer, { width: 928 });
      for (const line of board.moves(update, ctx)) rows.push({ place, turn: update.seq, line });
      this.points.push(board.points(timeline.view(place, viewer), ctx));
      const word = board.mark?.(update, timeline.updates[place - 1] ?? null);
      if (word) this.marks.push({ place, word });
    }
    this.moves = moveList(rows, timeline.updates[0].names, (place) => this.go(place));
  }

  /** @param {number} place */
  go(place, moving = false) {
    const to = Math.max(0, Math.min(this.timeline.last, place));
    const before = this.timeline.view(this.place, this.viewer);
    this.place = to;
    this.copied = false;
    if (!moving) return this.draw();
    const ctx = this.context();
    const view = this.timeline.view(to, this.viewer);
    drawMoving(this.board, { before, view, ctx, ms: Math.min(280, 500 / this.speed) }, () =>
      this.draw(),
    );
  }

  context() {
    return this.timeline.context(this.game, this.place, this.viewer, { width: this.width() });
  }

  toggle() {
    this.playing = !this.playing;
    clearTimeout(this.timer);
    if (this.playing && this.place === this.timeline.last) this.place = 0;
    if (this.playing) this.tick();
    this.draw();
  }

  tick() {
    this.timer = setTimeout(() => {
      this.go(this.place + 1, this.speed <= 4);
      if (this.place === this.timeline.last) this.playing = false;
      if (this.playing) this.tick();
      else this.draw();
    }, MS_A_TURN / this.speed);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("select, textarea, input:not([type=range])")) return;
    const onButton = target.closest("button, a, input") !== null;
    const mark = (/** @type {1 | -1} */ way) => {
      const places = this.marks.map((each) => each.place);
      return way > 0 ? places.find((p) => p > this.place) : places.findLast((p) => p < this.place);
    };
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(event.shiftKey ? (mark(-1) ?? 0) : this.place - 1),
      ArrowRight: () =>
        event.shiftKey ? this.go(mark(1) ?? this.timeline.last) : this.go(this.place + 1, true),
      Home: () => this.go(0),
      End: () => this.go(this.timeline.last),
      v: () => this.see(this.nextViewer()),
      p: () => this.see("public"),
      a: () => this.see("all"),
      s: () => this.share(),
    };
    if (!onButton) keys[" "] = () => this.toggle();
    SPEEDS.forEach((speed, at) => (keys[String(at + 1)] = () => this.setSpeed(speed)));
    const meant = keys[event.key];
    if (!meant) return;
    event.preventDefault();
    meant();
  }

  nextViewer() {
    const viewers = this.timeline.viewers();
    return viewers[(viewers.indexOf(this.viewer) + 1) % viewers.length];
  }

  /** @param {import("../types.d.ts").Viewer} viewer */
  see(viewer) {
    if (!this.timeline.viewers().includes(viewer)) return;
    this.viewer = viewer;
    this.prepare();
    this.draw();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.draw();
  }

  async share() {
    const link = new URL(location.href);
    link.searchParams.set("turn", String(this.timeline.updates[this.place].seq + 1));
    link.searchParams.set("viewer", String(this.viewer));
    history.replaceState(null, "", link);
    await navigator.clipboard?.writeText(link.href).catch(() => undefined);
    this.copied = true;
    this.draw();
  }

  /** @param {DragEvent} event */
  async onDrop(event) {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) this.open(lines(await file.text()));
  }

  draw() {
    const { timeline, board, place, viewer, game } = this;
    const update = timeline.updates[place];
    const view = timeline.view(place, viewer);
    const ctx = this.context();
    const note = `${this.id} · ${board.where(view)}`;
    // The bar has room for the views on a laptop; on a phone they stand under the board.
    const roomy = innerWidth >= 1000;
    const withControls =
      this.asked.get("controls") !== "0" && this.asked.get("controls") !== "false";
    show(
      {
        title: this.asked.get("title") ?? `${this.telling.title} ${this.id}`,
        game,
        wide: true,
        bare: !withControls,
        place: { game, title: this.telling.title, note },
        end: h(
          "div",
          { class: "seen" },
          roomy ? this.views() : null,
          h("span", { class: "tag" }, words.live.replay),
        ),
      },
      h(
        "h1",
        { class: "visually-hidden" },
        `${this.telling.title}, ${words.live.replay}: ${this.id}`,
      ),
      h(
        "div",
        { class: "board-page" },
        h(
          "div",
          { class: "left" },
          stage(board, view, ctx),
          caption(board, view, ctx),
          roomy || !withControls ? null : h("div", { class: "seen below" }, this.views()),
          withControls
            ? transport(
                {
                  place,
                  last: timeline.last,
                  turn: update.seq + 1,
                  turns: timeline.updates[timeline.last].seq + 1,
                  playing: this.playing,
                  speed: this.speed,
                  what:
                    timeline.over?.words?.split("\n")[0].replace(/^1\. /, "") ??
                    timeline.over?.void ??
                    "",
                  marks: this.marks,
                  points: { ...board.plot, points: this.points, names: update.names },
                  width: this.width() - 34,
                },
                {
                  go: (to) => this.go(to),
                  toggle: () => this.toggle(),
                  setSpeed: (speed) => this.setSpeed(speed),
                },
              )
            : null,
        ),
        h(
          "div",
          { class: "right" },
          board.side(view, ctx),
          this.moves ? movePanel(this.moves, place) : null,
          this.links(),
        ),
      ),
    );
    followMoves();
  }

  views() {
    const viewers = this.timeline.viewers();
    if (viewers.length < 2) return null;
    const names = this.timeline.updates[0].names;
    return h(
      "div",
      { class: "choice", role: "group", "aria-label": words.replay.seenBy },
      viewers.map((viewer) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": viewer === this.viewer,
            "aria-label": typeof viewer === "number" ? names[viewer] : null,
            title: typeof viewer === "number" ? names[viewer] : null,
            onclick: () => this.see(viewer),
          },
          typeof viewer === "number"
            ? seatMark(viewer, names[viewer], 18)
            : viewer === "all"
              ? words.replay.all
              : words.replay.public,
        ),
      ),
    );
  }

  links() {
    const address = `/api/v1/results/${this.game}/${encodeURIComponent(this.id)}`;
    const { download, frames, file, share, copied, drop } = words.replay;
    return h(
      "section",
      { class: "panel links" },
      h("header", null, download),
      h(
        "p",
        { class: "small" },
        h(
          "a",
          { href: `${address}/frames?viewer=${this.viewer}`, download: `${this.id}-frames.jsonl` },
          frames,
        ),
        " · ",
        h("a", { href: `${address}/replay`, download: `${this.id}.jsonl` }, file),
      ),
      h(
        "button",
        { class: "button", type: "button", onclick: () => this.share() },
        icon(this.copied ? "tick" : "link"),
        h("span", { "aria-live": "polite" }, this.copied ? copied : share),
      ),
      h("p", { class: "label" }, drop),
    );
  }
}
