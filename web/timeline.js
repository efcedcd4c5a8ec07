// The turns of one game as a page has heard of them, from frames or live: the same messages, so the
// same list. The last update of a turn counts.

/**
 * @typedef {import("./types.d.ts").Update} Update
 * @typedef {import("./types.d.ts").Viewer} Viewer
 * @typedef {import("./types.d.ts").Context} Context
 */

export class Timeline {
  constructor() {
    /** @type {import("./types.d.ts").TableMessage | null} */
    this.table = null;
    /** @type {Update[]} */
    this.updates = [];
    /** @type {import("./types.d.ts").Over | null} */
    this.over = null;
    /** Seats still to move in the last turn, where it is told. @type {number[] | null} */
    this.waiting = null;
  }

  /** Takes one message; says whether it changed anything. @param {any} message */
  take(message) {
    if (message.type === "table") this.table = message;
    else if (message.type === "over") this.over = message;
    else if (message.type === "update") this.#insert(message);
    else if (message.type === "waiting" && message.seq === this.updates.at(-1)?.seq) {
      this.waiting = message.to_move;
    } else return false;
    return true;
  }

  /** @param {Update} update */
  #insert(update) {
    const last = this.updates.at(-1);
    if (!last || update.seq >= last.seq) this.waiting = null;
    let at = this.updates.length;
    while (at > 0 && this.updates[at - 1].seq > update.seq) at -= 1;
    if (at > 0 && this.updates[at - 1].seq === update.seq) this.updates[at - 1] = update;
    else this.updates.splice(at, 0, update);
  }

  get last() {
    return this.updates.length - 1;
  }

  /** The place of a turn as people count it, or of the nearest before. @param {number} turn @param {import("./types.d.ts").Board} [board] */
  placeOf(turn, board) {
    const after = this.updates.findIndex((_, place) => this.turnAt(place, board) > turn);
    return Math.max(0, after === -1 ? this.last : after - 1);
  }

  /** The turn at a place as people count it. @param {number} place @param {import("./types.d.ts").Board} [board] */
  turnAt(place, board) {
    const { seq, view } = this.updates[place];
    return board?.turn?.(view) ?? seq + 1;
  }

  /** Whose eyes are on offer. @returns {Viewer[]} */
  viewers() {
    const first = this.updates[0];
    if (!first) return ["public"];
    if (!first.seat_views) return [first.seat ?? "public"];
    return ["public", ...first.seat_views.map((_, seat) => seat), "all"];
  }

  /** The view at a place with somebody's eyes. @param {number} place @param {Viewer} viewer */
  view(place, viewer) {
    const update = this.updates[place];
    return typeof viewer === "number" && update.seat_views
      ? update.seat_views[viewer]
      : update.view;
  }

  /** The players as people read them, seat by seat. @param {number} place @returns {string[]} */
  names(place) {
    return this.updates[place].names.map((name, seat) => {
      const known = this.table?.seats[seat];
      return (known?.name === name && known.display) || name;
    });
  }

  /**
   * What a board is told beside the view.
   * @param {string} game
   * @param {number} place
   * @param {Viewer} viewer
   * @param {{ width: number, height?: number | null, turn?: import("./types.d.ts").Turn | null, timeLeftMs?: number | null }} more `timeLeftMs` is there where a clock runs.
   * @returns {Context}
   */
  context(game, place, viewer, { width, height = null, turn = null, timeLeftMs = null }) {
    const update = this.updates[place];
    const isLast = place === this.last;
    const toMove = (isLast && this.waiting) || update.to_move;
    return {
      game,
      names: this.names(place),
      seats: this.table?.seats ?? [],
      viewer,
      near: typeof viewer === "number" ? viewer : 0,
      seatViews: viewer === "all" ? (update.seat_views ?? null) : null,
      updates: this.updates.slice(0, place + 1),
      toMove,
      moved: update.to_move.filter((seat) => !toMove.includes(seat)),
      over: isLast ? this.over : null,
      clockMs: timeLeftMs === null ? null : update.clock_ms,
      timeLeftMs,
      width,
      height,
      turn,
    };
  }
}
