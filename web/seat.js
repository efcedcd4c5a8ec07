// What a tab remembers of its seat, so that a reload comes back to it; and the name one plays under.
// Storage may be switched off: then a reload is a new visit.

/** @typedef {{ table: string, token: string, wish: object | null }} Kept */

/** @param {string} game @param {Kept} seat */
export function keepSeat(game, seat) {
  attempt(() => sessionStorage.setItem(`seat:${game}`, JSON.stringify(seat)));
}

/** @param {string} game @returns {Kept | null} */
export function keptSeat(game) {
  return attempt(() => JSON.parse(sessionStorage.getItem(`seat:${game}`) ?? "null"));
}

/** @param {string} game */
export function forgetSeat(game) {
  attempt(() => sessionStorage.removeItem(`seat:${game}`));
}

/** @returns {string} */
export function playerName() {
  return attempt(() => localStorage.getItem("name")) ?? "";
}

/** @param {string} name */
export function rememberName(name) {
  attempt(() => localStorage.setItem("name", name));
}

/** @template T @param {() => T} use @returns {T | null} */
function attempt(use) {
  try {
    return use();
  } catch {
    return null;
  }
}
