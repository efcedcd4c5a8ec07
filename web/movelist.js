// The list of moves beside a board. Games of many have tens of thousands, so rows are made in chunks, and
// of a long list only those chunks are on the page that are near what is looked at.

import { h, patch } from "./dom.js";
import { seatMark } from "./marks.js";
import { words } from "./texts.js";

const CHUNK = 40;
/** Lists of no more chunks are there as a whole. */
const FEW = 6;
/** Of a row, as stage.css has it. */
const ROW_PX = 30;

/**
 * @typedef {{ place: number, turn: number, line: import("./types.d.ts").MoveLine }} Row
 * @typedef {object} Chunk
 * @property {number} from
 * @property {number} to
 * @property {import("./dom.js").VNode | null} plain Once it was needed.
 *
 * @typedef {object} MoveList
 * @property {Row[]} rows
 * @property {Chunk[]} chunks
 * @property {string[]} names
 * @property {(place: number) => void} go
 * @property {Set<number>} seen The chunks that were scrolled to.
 */

/** @param {Row[]} rows @param {string[]} names @param {(place: number) => void} go @param {MoveList | null} [before] The same list, before more was played. @returns {MoveList} */
export function moveList(rows, names, go, before) {
  /** @type {Chunk[]} */
  const chunks = [];
  for (let at = 0; at < rows.length; at += CHUNK) {
    const some = rows.slice(at, at + CHUNK);
    const to = /** @type {Row} */ (some.at(-1)).place;
    chunks.push({ from: some[0].place, to, plain: null });
  }
  return { rows, chunks, names, go, seen: before?.seen ?? new Set() };
}

/** @param {MoveList} list @param {number} place */
export function movePanel(list, place) {
  return h(
    "section",
    { class: "panel moves", key: "moves" },
    h("header", null, words.replay.moves),
    scrolled(list, place),
  );
}

/** @param {MoveList} list @param {number} place @returns {import("./dom.js").VNode} */
function scrolled(list, place) {
  const { chunks, seen } = list;
  const whole = chunks.length <= FEW;
  const isAt = (/** @type {Chunk | undefined} */ each) =>
    each !== undefined && place >= each.from && place <= each.to;
  return h(
    "div",
    {
      class: "scroll",
      id: "moves",
      tabindex: "0",
      role: "region",
      "aria-label": words.replay.moves,
      onscroll: whole ? null : (/** @type {Event} */ event) => onScroll(list, place, event),
    },
    chunks.map((each, index) => {
      if (isAt(each)) return chunk(list, index * CHUNK, place);
      const near = isAt(chunks[index - 1]) || isAt(chunks[index + 1]);
      if (!whole && !near && !seen.has(index)) return empty(list, index);
      each.plain ??= chunk(list, index * CHUNK, -1);
      return each.plain;
    }),
  );
}

/** The room of a chunk that nobody looks at. @param {MoveList} list @param {number} index */
function empty(list, index) {
  const rows = Math.min(CHUNK, list.rows.length - index * CHUNK);
  return h("ol", { key: index * CHUNK, style: { height: `${rows * ROW_PX}px` } });
}

/** Draws the chunks that came into sight, and leaves out those that are far. @param {MoveList} list @param {number} place @param {Event} event */
function onScroll(list, place, event) {
  const box = /** @type {HTMLElement} */ (event.currentTarget);
  const { scrollTop, clientHeight } = box;
  const near = [...box.children].flatMap((each, index) => {
    const { offsetTop, offsetHeight } = /** @type {HTMLElement} */ (each);
    const [above, below] = [offsetTop + offsetHeight, offsetTop];
    const far = above < scrollTop - clientHeight || below > scrollTop + 2 * clientHeight;
    return far ? [] : [index];
  });
  if (near.length === list.seen.size && near.every((index) => list.seen.has(index))) return;
  list.seen = new Set(near);
  patch(box, scrolled(list, place));
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
