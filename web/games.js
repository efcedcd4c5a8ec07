// What a game brings beside its rules: words about it (about.js), a picture (emblem.svg) and a board
// (board.js, board.css), all served from its folder. A game may bring none of them.

import { asset } from "./assets.js";
import { games } from "./directory.js";
import { h } from "./dom.js";
import { inOwnWords } from "./language.js";
import { words } from "./texts.js";

/** @param {string} game @returns {Promise<import("./types.d.ts").About>} */
export async function about(game) {
  const told = (await brought(`/boards/${game}/about.js`)) ?? wordless(game);
  return { ...told, ...inOwnWords(game) };
}

/** Whether there is such a game here. Who does not know says yes. @param {string} game */
export async function isHosted(game) {
  try {
    if (await brought(`/boards/${game}/about.js`)) return true;
    return (await games()).some(({ name }) => name === game);
  } catch {
    return true;
  }
}

/** @param {string} game @returns {Promise<import("./types.d.ts").Board>} */
export async function board(game) {
  styles(game);
  const board = await brought(`/boards/${game}/board.js`);
  if (board === null) throw new Error(words.errors.noBoard);
  return board;
}

/**
 * What a module exports by default; null if the game does not bring it. Whatever else is wrong with it is
 * for its author to see.
 * @param {string} address
 */
async function brought(address) {
  try {
    return (await import(address)).default;
  } catch (error) {
    if ((await fetch(address)).status === 404) return null;
    throw error;
  }
}

/** What is said of a game that says nothing itself, so that the pages of all games work. @param {string} game @returns {import("./types.d.ts").About} */
function wordless(game) {
  const title = game.charAt(0).toUpperCase() + game.slice(1).replaceAll("-", " ");
  return { title, tagline: "", facts: "", brief: { words: "", list: [] }, rules: [] };
}

/** @param {string} game */
function styles(game) {
  const href = asset(`/boards/${game}/board.css`);
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}

/** Emblems that stay while the server is away. @type {Map<string, string>} */
const kept = new Map();

/** Has a game's emblem at hand from now on, as a page needs it that runs for days. @param {string} game */
export async function keepEmblem(game) {
  if (kept.has(game)) return;
  try {
    const response = await fetch(address(game));
    if (!response.ok) return;
    kept.set(game, `data:image/svg+xml,${encodeURIComponent(await response.text())}`);
  } catch {
    // The server is away already: the next look around tries again.
  }
}

/** @param {string} game */
function address(game) {
  return asset(`/boards/${game}/emblem.svg`);
}

/** @param {string} game @param {number} [size] */
export function emblem(game, size = 24) {
  return h("img", { src: kept.get(game) ?? address(game), width: size, height: size, alt: "" });
}
