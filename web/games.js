// What a game brings beside its rules: words about it (about.js), a picture (emblem.svg) and a board
// (board.js, board.css), all served from its folder.

import { h } from "./dom.js";

/** @param {string} game @returns {Promise<import("./types.d.ts").About>} */
export async function about(game) {
  return (await import(`/boards/${game}/about.js`)).default;
}

/** @param {string} game @returns {Promise<import("./types.d.ts").Board>} */
export async function board(game) {
  styles(game);
  return (await import(`/boards/${game}/board.js`)).default;
}

/** @param {string} game */
function styles(game) {
  const href = `/boards/${game}/board.css`;
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}

/** @param {string} game @param {number} [size] */
export function emblem(game, size = 24) {
  return h("img", { src: `/boards/${game}/emblem.svg`, width: size, height: size, alt: "" });
}
