// Engraved tiles, 100 by 134 and a foot of 8 below, made once each.

import { h } from "../../../../web/dom.js";
import { DRAGON, TIGER } from "./beasts.js";

/** @typedef {import("../../../../web/dom.js").VNode} VNode */

/** A tile's height for its width, its foot included. */
export const TALL = 1.42;

/** In the order of a sorted hand. */
export const ORDER = "12345678TD";

/** From these widths on a tile has its frame, and a beast its word. */
const FRAMED = 60;
const WORDED = 92;

/** @param {string} tile */
export function isEven(tile) {
  return tile === "T" || Number(tile) % 2 === 0;
}

/** @param {string[]} tiles */
export function sorted(tiles) {
  return [...tiles].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
}

const BOX = { width: 100, height: 134, rx: 14 };
const FOOT = [
  h("rect", { ...BOX, y: 11, fill: "var(--tile-shadow)" }),
  h("rect", { ...BOX, y: 8, fill: "var(--tile-foot)" }),
];
const VEIL = h("rect", { ...BOX, fill: "var(--veil)" });

/** @type {Map<string, VNode>} */
const faces = new Map();

/** A tile's face to stand at its place, `width` wide there. @param {string} tile @param {number} width */
export function tileFace(tile, width) {
  const framed = width >= FRAMED;
  const worded = width >= WORDED;
  const name = `${tile} ${framed} ${worded}`;
  const known = faces.get(name);
  if (known) return known;
  const made = h(
    "g",
    null,
    FOOT,
    h("rect", { ...BOX, fill: "var(--tile)", stroke: "var(--tile-edge)", "stroke-width": 1.2 }),
    framed ? FRAME : null,
    tile === "T" || tile === "D" ? beast(tile, worded) : number(tile),
    VEIL,
  );
  faces.set(name, made);
  return made;
}

const FRAME = h("rect", {
  x: 6.5,
  y: 6.5,
  width: 87,
  height: 121,
  rx: 9,
  fill: "none",
  stroke: "var(--tile-engraved)",
  "stroke-width": 1,
});

/** @param {string} tile @param {boolean} worded */
function beast(tile, worded) {
  const colour = isEven(tile) ? "var(--tile-even)" : "var(--tile-odd)";
  const word = tile === "T" ? "TIGER" : "DRAGON";
  const size = (worded ? 1.08 : 1.18) * (tile === "D" ? 0.93 : 1);
  return [
    h(
      "g",
      { transform: `translate(50 ${worded ? 60 : 68}) scale(${size})` },
      tile === "T" ? TIGER : DRAGON,
    ),
    worded
      ? h(
          "text",
          {
            x: 51,
            y: 119,
            "text-anchor": "middle",
            "font-size": 13.5,
            "font-weight": 600,
            "letter-spacing": 1.6,
            fill: colour,
          },
          word,
        )
      : null,
  ];
}

/** @param {string} tile */
function number(tile) {
  const even = isEven(tile);
  const colour = even ? "var(--tile-even)" : "var(--tile-odd)";
  const figure = { x: 50, "text-anchor": "middle", "font-size": 62, "font-weight": 600 };
  return [
    h(
      "g",
      { fill: even ? colour : "none", stroke: even ? "none" : colour },
      even ? STRIPES : SCALES,
    ),
    h("text", { ...figure, y: 88.5, fill: "#fffdf7" }, tile),
    h("text", { ...figure, y: 87, fill: colour }, tile),
    pips(Number(tile)).map(([cx, cy]) => h("circle", { cx, cy, r: 4.4, fill: colour })),
  ];
}

const STRIPES = h("path", { d: "M30 12 43 16 38.5 26zM45 14H55L50 32zM70 12 57 16 61.5 26z" });
const SCALES = h("path", {
  d: "M26 15a5.8 5.8 0 0 0 11.6 0a5.8 5.8 0 0 0 12.4 0a5.8 5.8 0 0 0 12.4 0a5.8 5.8 0 0 0 11.6 0M32 21.5a5.8 5.8 0 0 0 12 3a5.8 5.8 0 0 0 12 0a5.8 5.8 0 0 0 12-3",
  "stroke-width": 2.6,
  "stroke-linecap": "round",
});

/** As many dots as the number: one row up to four, else two. @param {number} count @returns {[number, number][]} */
function pips(count) {
  const rows = count <= 4 ? [count] : [Math.ceil(count / 2), Math.floor(count / 2)];
  return rows.flatMap((length, row) =>
    Array.from({ length }, (_, at) => {
      const x = 50 + (at - (length - 1) / 2) * 14;
      return /** @type {[number, number]} */ ([x, rows.length === 1 ? 111 : 104.5 + row * 13]);
    }),
  );
}

/** A tile that lies or stands face down. */
export const BACK = h(
  "g",
  null,
  FOOT,
  h("rect", { ...BOX, fill: "var(--tile-back)" }),
  h("rect", {
    x: 9,
    y: 9,
    width: 82,
    height: 116,
    rx: 8,
    fill: "none",
    stroke: "var(--tile-back-line)",
    "stroke-width": 3,
  }),
  h("circle", { cx: 50, cy: 67, r: 20, fill: "var(--brass-light)" }),
  h("path", {
    d: "M50 47a20 20 0 0 1 0 40a10 10 0 0 1 0-20a10 10 0 0 0 0-20z",
    fill: "var(--tile-back)",
  }),
  h("circle", { cx: 50, cy: 57, r: 2.8, fill: "var(--tile-back)" }),
  h("circle", { cx: 50, cy: 77, r: 2.8, fill: "var(--brass-light)" }),
);

/** A blade: attack. In a box of 12 about its middle. */
export const BLADE = h("path", { d: "M0-6 5 5.4 0 3-5 5.4z", fill: "var(--brass-deep)" });

/** A shield: answer. */
export const SHIELD = h("path", {
  d: "M0-5.6C2-4.4 3.6-4 5-3.8V.4C5 3.4 2.6 5 0 6-2.6 5-5 3.4-5 .4V-3.8C-3.6-4-2-4.4 0-5.6z",
  fill: "none",
  stroke: "var(--board-ink-2)",
  "stroke-width": 1.5,
});

/** The spark of a clash, 48 wide. */
export const SPARK = h(
  "g",
  { fill: "var(--brass)" },
  h("path", {
    d: "M2-25 7-10 20-20 13-5 25 0 13 6 19 19 5 11-1 26-6 11-18 19-12 6-25 2-12-5-20-17-6-10z",
  }),
  h("circle", { r: 5.4, fill: "var(--zone)" }),
);
