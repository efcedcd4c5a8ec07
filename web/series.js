// How often each has won since the same people sat down, one rematch after another.
// Each sits one seat further on in a rematch, so the wins move along.

/**
 * @typedef {{ seat: number, wins: number[], games: number }} Score
 * @typedef {{ table: string, before: Score | null, now: Score | null }} Kept `now`: once this table's game has ended.
 */

export class Series {
  /** @param {string} game */
  constructor(game) {
    this.place = `series:${game}`;
    /** @type {Kept | null} */
    this.kept = attempt(() => JSON.parse(sessionStorage.getItem(this.place) ?? "null"));
  }

  /** One sits at a table; a reload comes back to the same. @param {string} table @param {boolean} isRematch */
  begin(table, isRematch) {
    if (this.kept?.table === table) return;
    this.keep({ table, before: (isRematch && this.kept?.now) || null, now: null });
  }

  /** The game has ended: counted once. @param {number} seat @param {number[]} places */
  count(seat, places) {
    if (!this.kept || this.kept.now) return;
    const many = places.length;
    const before = this.kept.before;
    // One seat further on, or where one was: some games begin with the person whatever the seat.
    const moved = before ? [0, 1].find((by) => (seat + by) % many === before.seat) : undefined;
    const goesOn = before?.wins.length === many && moved !== undefined;
    const won = (/** @type {number} */ at) => (goesOn ? before.wins[(at + moved) % many] : 0);
    const wins = places.map((place, at) => won(at) + (place === 1 ? 1 : 0));
    this.keep({ ...this.kept, now: { seat, wins, games: (goesOn ? before.games : 0) + 1 } });
  }

  /** @returns {Score | null} */
  get score() {
    return this.kept?.now ?? null;
  }

  /** @param {Kept} kept */
  keep(kept) {
    this.kept = kept;
    attempt(() => sessionStorage.setItem(this.place, JSON.stringify(kept)));
  }
}

/** Storage may be switched off: then a reload forgets the score. @template T @param {() => T} use @returns {T | null} */
function attempt(use) {
  try {
    return use();
  } catch {
    return null;
  }
}
