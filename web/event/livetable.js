// A table that somebody plays at, drawn small and live. It listens only while it is on the screen.

import { h } from "../dom.js";
import { board as loadBoard } from "../games.js";
import { Link } from "../link.js";
import { Timeline } from "../timeline.js";

/** A small board is drawn at most so often. */
const MS_A_TURN = 1000;

export class LiveTable {
  /** @param {string} game @param {string} id @param {() => void} changed */
  constructor(game, id, changed) {
    this.game = game;
    this.id = id;
    this.changed = changed;
    this.timeline = new Timeline();
    /** @type {import("../types.d.ts").Board | null} */
    this.board = null;
    this.drawn = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.due = undefined;
    this.link = new Link(game, {
      greeting: () => [{ do: "watch", table: id }],
      changed: () => {},
      heard: (message) => this.hear(message),
    });
    loadBoard(game).then(
      (board) => {
        this.board = board;
        changed();
      },
      // A game without a board has its table in the list all the same.
      () => this.end(),
    );
  }

  /** @param {any} message */
  hear(message) {
    // Nothing is drawn from before: only the last turn is kept.
    if (message.type === "update") this.timeline.updates.length = 0;
    if (!this.timeline.take(message)) return;
    const wait = message.type === "update" ? this.drawn + MS_A_TURN - Date.now() : 0;
    if (wait <= 0) this.show();
    else this.due ??= setTimeout(() => this.show(), wait);
  }

  show() {
    clearTimeout(this.due);
    this.due = undefined;
    this.drawn = Date.now();
    this.changed();
  }

  /** Whether everything is shown later, and nothing now. */
  isDelayed() {
    return this.timeline.table?.broadcast === "delayed";
  }

  /** @param {number} width */
  draw(width) {
    const { board, timeline } = this;
    if (!board || timeline.last < 0) return h("div", { class: "small-board empty" });
    const view = timeline.view(timeline.last, "public");
    const ctx = timeline.context(this.game, timeline.last, "public", { width });
    return h("div", { class: "small-board stage" }, board.board(view, ctx));
  }

  where() {
    const { board, timeline } = this;
    return board && timeline.last >= 0 ? board.where(timeline.view(timeline.last, "public")) : "";
  }

  end() {
    clearTimeout(this.due);
    this.link.end();
  }
}

/** The few tables of a list that are drawn, by id; others come and go with the list. */
export class LiveTables {
  /** @param {string} game @param {() => void} changed */
  constructor(game, changed) {
    this.game = game;
    this.changed = changed;
    /** @type {Map<string, LiveTable>} */
    this.open = new Map();
    this.visible = true;
  }

  /** @param {string[]} ids */
  follow(ids) {
    const wanted = new Set(this.visible ? ids : []);
    for (const [id, table] of this.open) {
      if (wanted.has(id)) continue;
      table.end();
      this.open.delete(id);
    }
    for (const id of wanted) {
      if (!this.open.has(id)) this.open.set(id, new LiveTable(this.game, id, this.changed));
    }
  }

  /** @param {string} id */
  get(id) {
    return this.open.get(id) ?? null;
  }
}
