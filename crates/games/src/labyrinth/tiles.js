// Tiles: stone with a corridor in it and two gems in its corners. Drawn in a box of 100; the same tile is
// described once, however often it is drawn.

import { h } from "../../../../web/dom.js";
import { gem, pairName } from "./gems.js";

/** @import { VNode } from "./types.d.ts" */

/** The open ends of a connector: up, right, down, left. @type {Record<string, number[]>} */
const ENDS = {
  "│": [1, 0, 1, 0],
  "─": [0, 1, 0, 1],
  "┐": [0, 0, 1, 1],
  "└": [1, 1, 0, 0],
  "┌": [0, 1, 1, 0],
  "┘": [1, 0, 0, 1],
  "┬": [0, 1, 1, 1],
  "├": [1, 1, 1, 0],
  "┴": [1, 1, 0, 1],
  "┤": [1, 0, 1, 1],
  "┼": [1, 1, 1, 1],
};

const NAMES = Object.keys(ENDS);

/** Whether there is a way out. @param {string} connector @param {number} side 0 is up, then clockwise. */
export function opens(connector, side) {
  return ENDS[connector][side] === 1;
}

/** A quarter turn counter-clockwise, so many times. @param {string} connector @param {number} degree */
export function turned(connector, degree) {
  let ends = ENDS[connector];
  for (let at = 0; at < degree; at += 90) ends = [...ends.slice(1), ends[0]];
  return /** @type {string} */ (NAMES.find((name) => ENDS[name].join() === ends.join()));
}

/** Half the width of a corridor. */
const HALF = 18;

/** @type {Map<string, VNode>} */
const drawn = new Map();

/**
 * @param {string} connector
 * @param {string[]} pair
 * @param {{ fixed?: boolean, plain?: boolean }} [kind] Plain: too small for gems.
 * @returns {VNode}
 */
export function tile(connector, pair, { fixed = false, plain = false } = {}) {
  const name = [connector, ...pair, fixed, plain].join();
  const known = drawn.get(name);
  if (known) return known;
  const fresh = h(
    "g",
    null,
    h("title", null, pairName(pair)),
    STONE[fixed ? 1 : 0],
    floors[connector],
    plain
      ? null
      : [
          h("g", { transform: "translate(16.5 16.5)" }, gem(pair[0])),
          h("g", { transform: "translate(83.5 83.5)" }, gem(pair[1])),
        ],
  );
  drawn.set(name, fresh);
  return fresh;
}

// Tiles that never move are darker and pinned down.
const STONE = [false, true].map((fixed) =>
  h(
    "g",
    null,
    h("rect", {
      x: 1,
      y: 1,
      width: 98,
      height: 98,
      rx: 5,
      fill: fixed ? "var(--stone-fixed)" : "var(--stone)",
    }),
    h("path", { d: "M5 2H95", stroke: "var(--stone-light)", "stroke-width": 2 }),
    h("path", { d: "M5 98H95", stroke: "var(--stone-dark)", "stroke-width": 2 }),
    fixed
      ? h("path", {
          d: [
            [92, 8],
            [8, 92],
          ]
            .map(([x, y]) => `M${x - 3} ${y}a3 3 0 1 0 6 0a3 3 0 1 0-6 0z`)
            .join(""),
          fill: "var(--stone-light)",
          stroke: "var(--stone-dark)",
          "stroke-width": 1.4,
        })
      : null,
  ),
);

/** @type {Record<string, VNode>} */
const floors = Object.fromEntries(
  NAMES.map((connector) => [
    connector,
    h(
      "g",
      null,
      h("path", { class: "shade", d: corridor(connector, { over: 0 }) }),
      // The upper and left walls throw a shadow on the floor.
      h("path", { class: "floor", d: corridor(connector, { near: 4, far: 0.6, over: 0.8 }) }),
      h("path", { class: "walls", d: corridor(connector, { over: 0, wallsOnly: true }) }),
    ),
  ]),
);

/**
 * The outline of a corridor: along its walls clockwise from the upper left, out and in again at every open
 * end. Bends are round outside, corners a little.
 * @param {string} connector
 * @param {{ near?: number, far?: number, over: number, wallsOnly?: boolean }} how How far it keeps from
 *   the upper and left walls, and from the others; how far it goes over the tile's edge, so that two that
 *   meet have no seam; and whether it leaves the open ends out.
 */
function corridor(connector, { near = 0, far = 0, over, wallsOnly = false }) {
  const low = 50 - HALF + near;
  const high = 50 + HALF - far;
  const [start, end] = [-over, 100 + over];
  const [up, right, down, left] = ENDS[connector].map(Boolean);
  /** @type {[number, number, boolean, boolean][]} Each corner, and whether the wall before and after it opens. */
  const corners = [
    [low, low, left, up],
    [high, low, up, right],
    [high, high, right, down],
    [low, high, down, left],
  ];
  /** What lies between a corner and the next: out and in again. @type {[boolean, number[], number[]][]} */
  const ways = [
    [up, [low, start], [high, start]],
    [right, [end, low], [end, high]],
    [down, [high, end], [low, end]],
    [left, [start, high], [start, low]],
  ];
  // Which way one comes along a wall into each corner.
  const along = [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ];
  let d = "";
  corners.forEach(([x, y, before, after], at) => {
    const came = along[at];
    const goes = along[(at + 1) % 4];
    // Both closed: a bend. Both open: round the corner of the stone. Else straight on.
    const radius = before === after ? (before ? 3 : 13) : 0;
    const from = before ? goes : came;
    const to = after ? came : goes;
    const first = [x - from[0] * radius, y - from[1] * radius];
    const last = [x + to[0] * radius, y + to[1] * radius];
    d += `${d === "" ? "M" : "L"}${first.join(" ")}`;
    if (radius) d += `Q${x} ${y} ${last.join(" ")}`;
    const [open, out, back] = ways[at];
    if (open) d += `L${out.join(" ")}${wallsOnly ? "M" : "L"}${back.join(" ")}`;
  });
  if (!wallsOnly) return `${d}z`;
  // Closing would draw a wall across the last open end.
  const first = /^M([^LQM]+)/.exec(d);
  return `${d}L${first ? first[1] : ""}`;
}
