// What a tab remembers of its seat, so that a reload comes back to it, and the browser, in case the tab is
// closed; and the name one plays under.
// Storage may be switched off: then a reload is a new visit.

/** @typedef {{ table: string, token: string, wish: object | null }} Kept */

/** @param {string} game @param {Kept} seat */
export function keepSeat(game, seat) {
  const text = JSON.stringify(seat);
  attempt(() => sessionStorage.setItem(`seat:${game}`, text));
  attempt(() => localStorage.setItem(`seat:${game}`, text));
}

/** This tab's seat. @param {string} game @returns {Kept | null} */
export function keptSeat(game) {
  return attempt(() => JSON.parse(sessionStorage.getItem(`seat:${game}`) ?? "null"));
}

/** The seat that this browser had last, in a tab that may be closed. @param {string} game @returns {Kept | null} */
export function lastSeat(game) {
  return attempt(() => JSON.parse(localStorage.getItem(`seat:${game}`) ?? "null"));
}

/** @param {string} game */
export function forgetSeat(game) {
  const token = keptSeat(game)?.token;
  attempt(() => sessionStorage.removeItem(`seat:${game}`));
  // Another tab may have sat down since.
  if (lastSeat(game)?.token === token) attempt(() => localStorage.removeItem(`seat:${game}`));
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
