// The list of moves beside a board. Long games have thousands, so rows are made once and kept in
// chunks: a step touches only the chunk it is in.

import { h } from "./dom.js";
import { seatMark } from "./marks.js";
import { words } from "./texts.js";

const CHUNK = 40;

/**
 * @typedef {{ place: number, turn: number, line: import("./types.d.ts").MoveLine }} Row
 * @typedef {{ rows: Row[], chunks: { from: number, to: number, plain: import("./dom.js").VNode }[], names: string[], go: (place: number) => void }} MoveList
 */

/** @param {Row[]} rows @param {string[]} names @param {(place: number) => void} go @returns {MoveList} */
export function moveList(rows, names, go) {
  const list = /** @type {MoveList} */ ({ rows, chunks: [], names, go });
  for (let at = 0; at < rows.length; at += CHUNK) {
    const some = rows.slice(at, at + CHUNK);
    list.chunks.push({
      from: some[0].place,
      to: /** @type {Row} */ (some.at(-1)).place,
      plain: chunk(list, at, -1),
    });
  }
  return list;
}

/** @param {MoveList} list @param {number} place */
export function movePanel(list, place) {
  return h(
    "section",
    { class: "panel moves", key: "moves" },
    h("header", null, words.replay.moves),
    h(
      "div",
      {
        class: "scroll",
        id: "moves",
        tabindex: "0",
        role: "region",
        "aria-label": words.replay.moves,
      },
      list.chunks.map(({ from, to, plain }, index) =>
        place >= from && place <= to ? chunk(list, index * CHUNK, place) : plain,
      ),
    ),
  );
}

let following = false;

/** Keeps the current row in sight without moving the page: once a frame, when places are known anyway. */
export function followMoves() {
  if (following) return;
  following = true;
  requestAnimationFrame(() => {
    following = false;
    const box = document.getElementById("moves");
    const row = box?.querySelector("[aria-current]");
    if (box && row instanceof HTMLElement) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  });
}

/** @param {MoveList} list @param {number} at @param {number} place */
function chunk(list, at, place) {
  return h(
    "ol",
    { key: at },
    list.rows
      .slice(at, at + CHUNK)
      .map((row, index, some) => row_(list, row, some[index - 1], place)),
  );
}

/** @param {MoveList} list @param {Row} row @param {Row | undefined} before @param {number} place */
function row_({ names, go }, { place: at, turn, line }, before, place) {
  const here = at === place;
  return h(
    "li",
    { class: here ? "here" : "", "aria-current": here && before?.place !== at ? "step" : null },
    h(
      "button",
      { type: "button", onclick: () => go(at) },
      h("span", { class: "number" }, before?.place === at ? "" : turn),
      line.seat === null ? h("span") : seatMark(line.seat, names[line.seat] ?? "", 18),
      h("span", { class: "done" }, line.words),
      line.note ? h("span", { class: "note" }, line.note) : null,
    ),
  );
}
