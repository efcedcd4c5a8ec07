// Playing cards, 100 by 140, made once each: the page is brought to the same picture again for nothing.

import { h } from "../../../../web/dom.js";
import { courtPicture } from "./courts.js";
import { suitColour, suitGlyph } from "./suits.js";

/** @typedef {import("../../../../web/dom.js").VNode} VNode @typedef {import("./suits.js").Suit} Suit */

/** From low to high. */
export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/** A card's height for its width. */
export const TALL = 1.4;

/** Below this width a card shows one large suit: words and numbers stay readable. */
const SMALL = 72;

// Where the pips lie: column, row. Rows below the middle stand on their heads.
const L = 33;
const M = 50;
const R = 67;
/** @type {Record<string, [number, number][]>} */
const PIPS = {
  2: [
    [M, 30],
    [M, 110],
  ],
  3: [
    [M, 30],
    [M, 70],
    [M, 110],
  ],
  4: [
    [L, 30],
    [R, 30],
    [L, 110],
    [R, 110],
  ],
  5: [
    [L, 30],
    [R, 30],
    [M, 70],
    [L, 110],
    [R, 110],
  ],
  6: [
    [L, 30],
    [R, 30],
    [L, 70],
    [R, 70],
    [L, 110],
    [R, 110],
  ],
  7: [
    [L, 30],
    [R, 30],
    [M, 50],
    [L, 70],
    [R, 70],
    [L, 110],
    [R, 110],
  ],
  8: [
    [L, 30],
    [R, 30],
    [M, 50],
    [L, 70],
    [R, 70],
    [M, 90],
    [L, 110],
    [R, 110],
  ],
  9: [
    [L, 28],
    [R, 28],
    [L, 56],
    [R, 56],
    [M, 70],
    [L, 84],
    [R, 84],
    [L, 112],
    [R, 112],
  ],
  10: [
    [L, 28],
    [R, 28],
    [M, 42],
    [L, 56],
    [R, 56],
    [L, 84],
    [R, 84],
    [M, 98],
    [L, 112],
    [R, 112],
  ],
};

/** @param {string} code */
export function rankOf(code) {
  return code.slice(0, -1);
}

/** @param {string} code */
export function suitOf(code) {
  return /** @type {Suit} */ (code.slice(-1));
}

/** Cards from low to high, as one sorts a hand. @param {string[]} codes */
export function sorted(codes) {
  const worth = (/** @type {string} */ code) =>
    4 * RANKS.indexOf(rankOf(code)) + "CDHS".indexOf(suitOf(code));
  return [...codes].sort((a, b) => worth(a) - worth(b));
}

/** @type {Map<string, VNode>} */
const faces = new Map();

/** A face to stand at its place, `width` wide there. @param {string} code @param {number} width */
export function cardFace(code, width) {
  const small = width < SMALL;
  const name = small ? `${code} small` : code;
  const known = faces.get(name);
  if (known) return known;
  const made = h("g", null, paper(), small ? smallFace(code) : largeFace(code), VEIL);
  faces.set(name, made);
  return made;
}

/** The sheet of a card with what it throws on the felt. */
function paper() {
  return [SHADOW, SHEET];
}

const BOX = { width: 100, height: 140, rx: 7.5 };
const SHADOW = h("rect", { ...BOX, x: 0, y: 2.6, fill: "var(--card-shadow)" });
const SHEET = h("rect", { ...BOX, fill: "var(--card)", stroke: "var(--card-edge)" });
/** Things keep their faces in the dark and get a veil. */
const VEIL = h("rect", { ...BOX, fill: "var(--veil)" });

/** @param {string} code */
function largeFace(code) {
  const [rank, suit] = [rankOf(code), suitOf(code)];
  const index = corner(rank, suit, { x: 11.5, y: 17, font: 19, suit: 11 });
  const picture =
    rank === "A"
      ? suitGlyph(suit, { x: 50, y: 70, size: 46 })
      : PIPS[rank]
        ? PIPS[rank].map(([x, y]) => suitGlyph(suit, { x, y, size: 18, turned: y > 70 }))
        : courtPicture(/** @type {import("./courts.js").Court} */ (rank), suit);
  return [picture, index, h("g", { transform: "rotate(180 50 70)" }, index)];
}

/** @param {string} code */
function smallFace(code) {
  const [rank, suit] = [rankOf(code), suitOf(code)];
  return [
    corner(rank, suit, { x: 19, y: 30, font: 34, suit: 20 }),
    suitGlyph(suit, { x: 62, y: 94, size: 50 }),
  ];
}

/** @param {string} rank @param {Suit} suit @param {{ x: number, y: number, font: number, suit: number }} at */
function corner(rank, suit, at) {
  return h(
    "g",
    null,
    h(
      "text",
      {
        x: rank === "10" ? at.x + 0.4 : at.x,
        y: at.y,
        "text-anchor": "middle",
        "font-size": rank === "10" ? at.font * 0.92 : at.font,
        "font-weight": 600,
        "letter-spacing": rank === "10" ? at.font * -0.09 : 0,
        fill: suitColour(suit),
      },
      rank,
    ),
    suitGlyph(suit, { x: at.x, y: at.y + at.suit, size: at.suit }),
  );
}

/** The back of a card; `DEFS` must be in the same picture. */
export const BACK = h(
  "g",
  null,
  paper(),
  h("rect", { x: 6, y: 6, width: 88, height: 128, rx: 4, fill: "var(--back)" }),
  h("rect", { x: 6, y: 6, width: 88, height: 128, rx: 4, fill: "url(#gamba-weave)" }),
  h("rect", {
    x: 10,
    y: 10,
    width: 80,
    height: 120,
    rx: 2.5,
    fill: "none",
    stroke: "var(--back-line)",
    "stroke-width": 1.4,
  }),
  h("rect", {
    x: 32,
    y: 52,
    width: 36,
    height: 36,
    rx: 5,
    fill: "var(--back)",
    stroke: "var(--card)",
    "stroke-width": 2.2,
  }),
  suitGlyph("D", { x: 50, y: 70, size: 21, fill: "var(--card)", glint: "var(--back)" }),
  VEIL,
);

export const DEFS = h(
  "defs",
  null,
  h(
    "pattern",
    { id: "gamba-weave", width: 10, height: 10, patternUnits: "userSpaceOnUse" },
    h("path", {
      d: "M0 0L10 10M10 0L0 10",
      fill: "none",
      stroke: "var(--back-line)",
      "stroke-width": 1.1,
    }),
  ),
);

/** A flame, 20 wide and 28 high about its foot's middle. */
export const FLAME = h(
  "g",
  null,
  h("path", {
    d: "M0 0C-7 0-10-5-10-10C-10-15-6.6-17.4-5.6-21C-3.6-19.4-2.6-17.6-2.6-15.4C0-18.6 1-23 .2-28C6.6-24 10-16.6 10-10C10-4.4 6.6 0 0 0z",
    fill: "#e8622a",
    stroke: "#8d2c10",
    "stroke-width": 1.4,
    "stroke-linejoin": "round",
  }),
  h("path", {
    d: "M.2-2C-3.6-2-5.4-4.8-5.4-7.6C-5.4-11-2.6-12.6-1.6-15.6C2.6-13.4 5.4-10.4 5.4-7C5.4-4 3.6-2 .2-2z",
    fill: "#ffc24d",
  }),
);
