// One game as a projector plays it: live at a pace that people can follow, or whole once it is over.

import { getLines } from "../api.js";
import { about, board as loadBoard } from "../games.js";
import { Link } from "../link.js";
import { Timeline } from "../timeline.js";

/** A turn is shown for so long at least. */
export const PACE_MS = 900;
/** So many turns behind, it no longer shows every one. */
const MOST_BEHIND = 12;

export class Playback {
  timeline = new Timeline();
  /** The turn that is shown. */
  place = -1;
  /** @type {import("../types.d.ts").Board | null} */
  board = null;
  /** @type {import("../types.d.ts").About | null} */
  telling = null;
  /** When the clock that runs ends. @type {number | null} */
  deadline = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;
  ended = false;
  /** Whether the game is played to its end, and that is shown. */
  over = false;

  /**
   * @param {string} game @param {string} id
   * @param {{ changed: (from: number) => void, ticket?: () => Promise<string | null>, pace?: number }} how
   *   `changed`: the turn that was shown before, if it is to move from there.
   */
  constructor(game, id, { changed, ticket, pace = PACE_MS }) {
    this.game = game;
    this.id = id;
    this.changed = changed;
    this.pace = pace;
    this.seesAll = Boolean(ticket);
    /** @type {Link | null} */
    this.link = null;
    this.load(ticket);
  }

  /** @param {(() => Promise<string | null>) | undefined} ticket */
  async load(ticket) {
    try {
      [this.board, this.telling] = await Promise.all([loadBoard(this.game), about(this.game)]);
    } catch {
      // A game without a board is not shown; the next table may be of another.
      this.over = true;
      return;
    }
    if (this.ended) return;
    this.link = new Link(this.game, {
      greeting: () => [{ do: "watch", table: this.id }],
      changed: () => this.changed(this.place),
      heard: (message) => this.hear(message),
      ticket,
    });
  }

  /** A game that is over, whole, with every hand. */
  async replay() {
    this.link?.end();
    this.timeline = new Timeline();
    this.place = -1;
    this.seesAll = true;
    const address = `/api/v1/results/${this.game}/${encodeURIComponent(this.id)}/frames?viewer=all`;
    try {
      for (const message of await getLines(address)) this.timeline.take(message);
    } catch {
      this.over = true;
      return;
    }
    this.step();
  }

  get isDelayed() {
    return this.timeline.table?.broadcast === "delayed" && !this.seesAll;
  }

  /** @param {any} message */
  hear(message) {
    if (message.type === "closed" || message.type === "refused") this.over = true;
    if (message.type === "over" && this.isDelayed) return void this.replay();
    if (this.isDelayed && message.type === "update") return;
    if (!this.timeline.take(message)) return;
    if (message.type === "update") {
      this.deadline = message.time_left_ms === null ? null : Date.now() + message.time_left_ms;
      if (this.place === -1) this.place = this.timeline.last;
    }
    if (this.timer === undefined) this.step();
  }

  /** Shows the next turn, and the one after that when this one was seen. */
  step() {
    this.timer = undefined;
    if (this.ended || this.timeline.last < 0) return;
    const { last, over } = this.timeline;
    const from = this.place;
    if (from < last) this.place = last - from > MOST_BEHIND && !over ? last - 1 : from + 1;
    else if (over) this.over = true;
    this.changed(from);
    if (this.place < last || (over && !this.over))
      this.timer = setTimeout(() => this.step(), this.pace);
  }

  get viewer() {
    return this.seesAll && this.timeline.updates[0]?.seat_views ? "all" : "public";
  }

  /** @param {number} place */
  view(place) {
    return this.timeline.view(place, /** @type {any} */ (this.viewer));
  }

  /** @param {number} width */
  context(width) {
    const left =
      this.deadline === null || this.place !== this.timeline.last || this.timeline.over
        ? null
        : Math.max(0, this.deadline - Date.now());
    return this.timeline.context(this.game, this.place, /** @type {any} */ (this.viewer), {
      width,
      timeLeftMs: left,
    });
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    this.link?.end();
  }
}
