// One game on the first page: the newest that is being played, live; else how the last one ended.

import { getLines } from "./api.js";
import { h } from "./dom.js";
import { about, board as loadBoard } from "./games.js";
import { Link } from "./link.js";
import { caption, stage } from "./stage.js";
import { words } from "./texts.js";
import { Timeline } from "./timeline.js";

/** A live game is drawn at most so often. */
const MS_A_TURN = 1000;

export class Featured {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** `game/id` of what is shown. */
    this.shown = "";
    this.live = false;
    this.timeline = new Timeline();
    /** @type {Link | null} */
    this.link = null;
    /** @type {import("./types.d.ts").Board | null} */
    this.board = null;
    /** @type {import("./types.d.ts").About | null} */
    this.telling = null;
    this.drawn = 0;
  }

  /** Chooses what to show. @param {import("./directory.js").Table[]} tables @param {import("./directory.js").Result[]} results */
  async choose(tables, results) {
    // Of a game that is shown when it is over, there is nothing to see before.
    const playing = tables.filter(
      (table) => table.status === "playing" && table.broadcast !== "delayed",
    );
    // A game is shown to its end.
    if (
      this.live &&
      !this.timeline.over &&
      playing.some((table) => `${table.game}/${table.id}` === this.shown)
    )
      return;
    const table = playing.sort((a, b) => b.opened_at - a.opened_at)[0];
    const next = table ?? results[0];
    if (!next || `${next.game}/${next.id}` === this.shown) return;
    try {
      const [board, telling] = await Promise.all([loadBoard(next.game), about(next.game)]);
      const timeline = new Timeline();
      if (!table) {
        const address = `/api/v1/results/${next.game}/${encodeURIComponent(next.id)}/frames?viewer=public`;
        for (const message of await getLines(address)) timeline.take(message);
      }
      this.link?.end();
      this.shown = `${next.game}/${next.id}`;
      Object.assign(this, { board, telling, timeline, live: Boolean(table), link: null });
      if (table) this.watch(table);
    } catch {
      // A game without a board or a table that has just closed: the next look may find another.
      this.shown = "";
    }
  }

  /** @param {{ game: string, id: string }} table */
  watch({ game, id }) {
    this.link = new Link(game, {
      greeting: () => [{ do: "watch", table: id }],
      changed: () => {},
      heard: (message) => {
        if (!this.timeline.take(message)) return;
        const now = Date.now();
        if (message.type === "update" && now - this.drawn < MS_A_TURN) return;
        this.drawn = now;
        this.changed();
      },
    });
  }

  /** @param {number} width */
  draw(width) {
    const { board, telling, timeline } = this;
    if (!board || !telling || timeline.last < 0) return null;
    const [game, id] = this.shown.split("/");
    const view = timeline.view(timeline.last, "public");
    const ctx = timeline.context(game, timeline.last, "public", { width });
    const address = `/${game}/${this.live ? "tables" : "games"}/${encodeURIComponent(id)}`;
    return h(
      "article",
      { class: "sheet featured", key: "featured", "data-game": game },
      h(
        "header",
        null,
        h("b", null, telling.title),
        h("span", { class: "note" }, board.where(view)),
        this.live
          ? h("span", { class: "live" }, h("span", { class: "dot" }), words.live.live)
          : null,
        h(
          "a",
          { class: "button", href: address },
          this.live ? words.home.watch : words.live.replay,
        ),
      ),
      stage(board, view, ctx),
      caption(board, view, ctx),
    );
  }
}
