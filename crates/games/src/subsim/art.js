// The motif sheet: everything that is drawn on the chart or beside it, each with its middle at 0, 0.

import { h } from "../../../../web/dom.js";
import { seatColour, seatPath } from "../../../../web/marks.js";

/** @import { VNode } from "./types.d.ts" */

/** Degrees by heading: motifs are drawn heading east. @type {Record<string, number>} */
export const TURNED = { N: -90, E: 0, S: 90, W: 180 };

const HULL =
  "M20 0C17-4.4 10-6.4 2-6.4C-6-6.4-12-4.8-16-1.7V1.7C-12 4.8-6 6.4 2 6.4C10 6.4 17 4.4 20 0z" +
  "M-9-4.6L-19.6-9.4L-18.6-4.4L-13.6-2.4z M-9 4.6L-19.6 9.4L-18.6 4.4L-13.6 2.4z" +
  "M9-5.6L5-10.8L1-10.8L2-5.6z M9 5.6L5 10.8L1 10.8L2 5.6z";
const GLEAM = "M-9-3C0-4.9 9-4.4 15-1.9";

/** The seat's shape alone. @param {number} seat @param {number} size @param {Record<string, any>} [more] */
export function shape(seat, size, more = {}) {
  const k = round(size / 24);
  return h("path", {
    d: seatPath(seat),
    fill: seatColour(seat),
    "fill-rule": "evenodd",
    transform: `scale(${k}) translate(-12 -12)`,
    ...more,
  });
}

/**
 * A submarine from above. Its sail is the seat's shape and stays upright. A wreck is an outline.
 * @param {number} seat
 * @param {{ heading?: string, scale?: number, wreck?: boolean, ghost?: boolean, surfaced?: boolean }} [how]
 */
export function boat(seat, { heading = "E", scale = 1, wreck, ghost, surfaced } = {}) {
  const colour = seatColour(seat);
  const line = wreck;
  return h(
    "g",
    { transform: scale === 1 ? null : `scale(${round(scale)})`, opacity: ghost ? 0.6 : null },
    surfaced
      ? h("path", { d: FOAM, fill: "none", stroke: "var(--edge)", "stroke-width": 2 })
      : null,
    h(
      "g",
      { transform: `rotate(${TURNED[heading] ?? 0})`, "stroke-linejoin": "round" },
      h("path", { d: HULL, fill: "var(--edge)", stroke: "var(--edge)", "stroke-width": 4 }),
      h("path", {
        d: HULL,
        fill: line ? "var(--sea)" : colour,
        stroke: line ? colour : "none",
        "stroke-width": 1.6,
      }),
      line
        ? null
        : h("path", {
            d: GLEAM,
            fill: "none",
            stroke: "var(--on-seat)",
            "stroke-opacity": 0.45,
            "stroke-width": 1.2,
            "stroke-linecap": "round",
          }),
    ),
    wreck
      ? h("path", {
          d: "M-6-6 6 6M6-6-6 6",
          stroke: colour,
          "stroke-width": 2.6,
          "stroke-linecap": "round",
        })
      : shape(seat, 9, { fill: line ? colour : "var(--on-seat)" }),
  );
}

const FOAM = "M-24-8q-4 8 0 16M-29-6q-3 6 0 12M24-8q4 8 0 16M29-6q3 6 0 12";

const HORNS = [0, 45, 90, 135]
  .map((degrees) => {
    const [x, y] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    return `M${round(-10.5 * x)} ${round(-10.5 * y)}L${round(10.5 * x)} ${round(10.5 * y)}`;
  })
  .join("");

/** A mine with its owner's shape; nobody's has none. @param {number | null} owner @param {number} [scale] */
export function mine(owner, scale = 1) {
  return h(
    "g",
    { transform: `scale(${round(scale)})` },
    h("circle", { r: 9, fill: "var(--edge)" }),
    h("path", { d: HORNS, stroke: "var(--iron)", "stroke-width": 2.6, "stroke-linecap": "round" }),
    h("circle", { r: 7.4, fill: "var(--iron)" }),
    owner === null
      ? h("circle", { r: 3, fill: "none", stroke: "var(--edge)", "stroke-width": 1.6 })
      : shape(owner, 9.6, { stroke: "var(--edge)", "stroke-width": 4 }),
  );
}

/** @type {VNode} */
export const torpedo = h(
  "g",
  null,
  h("path", {
    d: "M-8-3.2H3C7-3.2 9.6-1.6 10.4 0C9.6 1.6 7 3.2 3 3.2H-8L-11.5 5.6V-5.6z",
    fill: "var(--iron)",
    stroke: "var(--edge)",
    "stroke-width": 2.4,
    "paint-order": "stroke",
  }),
  h("path", { d: "M1.4-3.2H3.8V3.2H1.4z", fill: "var(--band)" }),
);

/** @param {number} outer @param {number} inner @param {number} points */
function star(outer, inner, points) {
  let d = "";
  for (let at = 0; at < 2 * points; at += 1) {
    // Every other ray is a little shorter, or it would be a cog wheel.
    const r = at % 2 ? inner : at % 4 ? outer * 0.86 : outer;
    const angle = (at * Math.PI) / points - Math.PI / 2;
    d += `${at ? "L" : "M"}${round(r * Math.cos(angle))} ${round(r * Math.sin(angle))}`;
  }
  return `${d}z`;
}

/** @type {VNode[]} */
export const burst = [
  h("path", {
    d: star(14, 7.8, 12),
    fill: "var(--burst)",
    stroke: "var(--edge)",
    "stroke-width": 2,
    "paint-order": "stroke",
    "stroke-linejoin": "round",
  }),
  h("path", { d: star(9.6, 5.4, 12), fill: "var(--burst-mid)" }),
  h("circle", { r: 4.2, fill: "var(--burst-core)" }),
];

/** @type {VNode} */
export const compass = h(
  "g",
  { fill: "var(--chart-ink)", stroke: "var(--chart-ink)" },
  h("circle", { r: 15, fill: "none", "stroke-width": 1 }),
  h("circle", { r: 18, fill: "none", "stroke-width": 0.6 }),
  h("path", {
    d: "M0-22 3.4-3.4 22 0 3.4 3.4 0 22-3.4 3.4-22 0-3.4-3.4z",
    "fill-opacity": 0.25,
    "stroke-width": 1,
  }),
  h("path", {
    d: "M0-22 3.4-3.4 0 0zM22 0 3.4 3.4 0 0zM0 22-3.4 3.4 0 0zM-22 0-3.4-3.4 0 0z",
    stroke: "none",
  }),
  h(
    "text",
    { y: -27, "text-anchor": "middle", "font-size": 12, "font-weight": 600, stroke: "none" },
    "N",
  ),
);

const line = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 1.9,
  "stroke-linecap": "round",
};

/** Signs of equipment in a box of 16, in the colour of the text. @type {Record<string, VNode[]>} */
const SIGNS = {
  sonar: [
    h("circle", { cy: 4.4, r: 1.7, fill: "currentColor" }),
    h("path", { d: "M-3.4 1.6a4.8 4.8 0 0 1 6.8 0M-6.6-1.6a9.4 9.4 0 0 1 13.2 0", ...line }),
  ],
  torpedo: [
    h("path", {
      d: "M-5-2.6H2.6C5-2.6 6.8-1.4 7.6 0C6.8 1.4 5 2.6 2.6 2.6H-5L-7.6 4.4V-4.4z",
      fill: "currentColor",
    }),
  ],
  mine: [
    h("circle", { r: 4.2, fill: "currentColor" }),
    h("path", {
      d: "M0-7.4V7.4M-7.4 0H7.4M-5.2-5.2 5.2 5.2M5.2-5.2-5.2 5.2",
      ...line,
      "stroke-width": 1.7,
    }),
  ],
  sprint: [
    h("path", { d: "M-6-4.6-1.4 0-6 4.6M1-4.6 5.6 0 1 4.6", ...line, "stroke-linejoin": "round" }),
  ],
  none: [h("circle", { r: 5, ...line }), h("path", { d: "M-3.5 3.5 3.5-3.5", ...line })],
  shield: [],
  reactor: [
    h("circle", { r: 1.6, fill: "currentColor" }),
    ...[0, 120, 240].map((turn) =>
      h("path", {
        d: "M-1.6-2.9-3.7-6.5A7.4 7.4 0 0 1 3.7-6.5L1.6-2.9A3.3 3.3 0 0 0-1.6-2.9z",
        fill: "currentColor",
        transform: `rotate(${turn})`,
      }),
    ),
  ],
  move: [h("path", { d: "M0 6.4V-5M-4.4-1 0-5.6 4.4-1", ...line, "stroke-linejoin": "round" })],
  sleep: [
    h("path", {
      d: "M-5.6-5H-.4L-5.6 1.4H-.4M2 .6H6.2L2 5.6H6.2",
      ...line,
      "stroke-width": 1.7,
      "stroke-linejoin": "round",
    }),
  ],
  ping: [],
  fire: [],
  surface: [
    h("path", {
      d: "M0 1V-6.6M-3.6-3.4 0-7 3.6-3.4M-7 4.6q1.8-2.4 3.5 0t3.5 0 3.5 0 3.5 0",
      ...line,
      "stroke-linejoin": "round",
    }),
  ],
};
SIGNS.ping = SIGNS.sonar;
SIGNS.fire = SIGNS.torpedo;

/** Pieces one can count. @type {Record<string, string>} */
export const PATHS = {
  shield:
    "M0-7.4C2-6 4.2-5.3 6.4-5.2V-.4C6.4 3.6 3.8 6.2 0 7.8C-3.8 6.2-6.4 3.6-6.4-.4V-5.2C-4.2-5.3-2-6 0-7.4z",
  reactor:
    "M-2-7H2a2.2 2.2 0 0 1 2.2 2.2V4.8A2.2 2.2 0 0 1 2 7H-2A2.2 2.2 0 0 1-4.2 4.8V-4.8A2.2 2.2 0 0 1-2-7z",
  torpedo: "M-3 7.6V-2C-3-5.4-1.4-7.4 0-8.2C1.4-7.4 3-5.4 3-2V7.6z",
  mine: "M-.9-7.4H.9V-5L3.1-4.1 4.8-5.8 5.8-4.8 4.1-3.1 5-.9H7.4V.9H5L4.1 3.1 5.8 4.8 4.8 5.8 3.1 4.1.9 5V7.4H-.9V5L-3.1 4.1-4.8 5.8-5.8 4.8-4.1 3.1-5 .9H-7.4V-.9H-5L-4.1-3.1-5.8-4.8-4.8-5.8-3.1-4.1-.9-5z",
};

SIGNS.shield = [h("path", { d: PATHS.shield, fill: "currentColor" })];

/** A sign inside a drawing. @param {string} name @param {{ x: number, y: number, size?: number, colour?: string }} place */
export function sign(name, { x, y, size = 16, colour = "var(--ink)" }) {
  const k = round(size / 16);
  return h(
    "g",
    { transform: `translate(${round(x)} ${round(y)}) scale(${k})`, color: colour },
    SIGNS[name],
  );
}

/** A sign in a line of text. @param {string} name @param {number} [size] @param {number} [turned] */
export function signMark(name, size = 18, turned = 0) {
  return h(
    "svg",
    { viewBox: "-8 -8 16 16", width: size, height: size, "aria-hidden": "true" },
    h("g", { transform: turned ? `rotate(${turned})` : null }, SIGNS[name]),
  );
}

/** @param {number} n */
export function round(n) {
  return Math.round(n * 100) / 100;
}
