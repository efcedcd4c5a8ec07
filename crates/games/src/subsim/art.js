// The motif sheet: everything that is drawn on the chart or beside it, each with its middle at 0, 0.

import { h } from "../../../../web/dom.js";
import { seatColour, seatPath } from "../../../../web/marks.js";

/** @import { VNode } from "./types.d.ts" */

/** Degrees by heading: motifs are drawn heading east. @type {Record<string, number>} */
export const TURNED = { N: -90, E: 0, S: 90, W: 180 };

/** @param {number} n */
export function round(n) {
  return Math.round(n * 100) / 100;
}

/** A filled shape. @param {string} d @param {string} fill @param {object} [more] */
export const filled = (d, fill, more) => h("path", { d, fill, ...more });

/** A line with round ends. @param {string} d @param {string} stroke @param {number} width @param {object} [more] */
export const line = (d, stroke, width, more) =>
  h("path", { class: "line", d, stroke, "stroke-width": width, ...more });

/** Things at a place. @param {number[]} place @param {...any} things */
export const put = ([x, y], ...things) =>
  h("g", { transform: `translate(${round(x)} ${round(y)})` }, things);

/** The seat's shape alone. @param {number} seat @param {number} size @param {object} [more] */
export function shape(seat, size, more) {
  const transform = `scale(${round(size / 24)}) translate(-12 -12)`;
  return filled(seatPath(seat), seatColour(seat), { "fill-rule": "evenodd", transform, ...more });
}

const EDGE = "var(--edge)";
const IRON = "var(--iron)";
const HULL =
  "M20 0C17-4.4 10-6.4 2-6.4C-6-6.4-12-4.8-16-1.7V1.7C-12 4.8-6 6.4 2 6.4C10 6.4 17 4.4 20 0z" +
  "M-9-4.6L-19.6-9.4L-18.6-4.4L-13.6-2.4zM-9 4.6L-19.6 9.4L-18.6 4.4L-13.6 2.4z" +
  "M9-5.6L5-10.8L1-10.8L2-5.6zM9 5.6L5 10.8L1 10.8L2 5.6z";
const BARE = filled(HULL, EDGE, { stroke: EDGE, "stroke-width": 4, "stroke-linejoin": "round" });
const GLEAM = line("M-9-3C0-4.9 9-4.4 15-1.9", "var(--on-seat)", 1.2, { "stroke-opacity": 0.45 });
const FOAM = line("M-24-8q-4 8 0 16M-29-6q-3 6 0 12M24-8q4 8 0 16M29-6q3 6 0 12", EDGE, 2);

/**
 * A submarine from above. Its sail is the seat's shape and stays upright. A wreck is an outline.
 * @param {number} seat
 * @param {{ heading?: string, scale?: number, wreck?: boolean, ghost?: boolean, surfaced?: boolean }} [how]
 */
export function boat(seat, { heading = "E", scale = 1, wreck, ghost, surfaced } = {}) {
  const colour = seatColour(seat);
  return h(
    "g",
    { transform: `scale(${round(scale)})`, opacity: ghost ? 0.6 : null },
    surfaced ? FOAM : null,
    h(
      "g",
      { transform: `rotate(${TURNED[heading]})` },
      BARE,
      wreck
        ? filled(HULL, "var(--sea)", { stroke: colour, "stroke-width": 1.6 })
        : [filled(HULL, colour), GLEAM],
    ),
    wreck ? line("M-6-6 6 6M6-6-6 6", colour, 2.6) : shape(seat, 9, { fill: "var(--on-seat)" }),
  );
}

const HORNS = line("M0-10.5V10.5M-10.5 0H10.5M-7.4-7.4 7.4 7.4M7.4-7.4-7.4 7.4", IRON, 2.6);
const BALL = [
  h("circle", { r: 9, fill: EDGE }),
  HORNS,
  h("circle", { r: 7.4, fill: IRON }),
  h("circle", { r: 3, fill: "none", stroke: EDGE, "stroke-width": 1.6 }),
];

/** A mine with its owner's shape; nobody's has none. @param {number | null} owner @param {number} [scale] */
export function mine(owner, scale = 1) {
  const own = owner === null ? null : shape(owner, 9.6, { stroke: EDGE, "stroke-width": 4 });
  return h("g", { transform: `scale(${round(scale)})` }, BALL, own);
}

/** Beneath its own shape, so that it stands out. */
const RIM = { stroke: EDGE, "stroke-width": 2.2, "paint-order": "stroke" };

/** @type {VNode[]} */
export const torpedo = [
  filled("M-8-3.2H3C7-3.2 9.6-1.6 10.4 0C9.6 1.6 7 3.2 3 3.2H-8L-11.5 5.6V-5.6z", IRON, RIM),
  filled("M1.4-3.2H3.8V3.2H1.4z", "var(--band)"),
];

/** Twelve rays, every other one shorter, or it would be a cog wheel. @param {number} outer @param {number} inner */
function star(outer, inner) {
  const points = Array.from({ length: 24 }, (_, at) => {
    const r = at % 2 ? inner : at % 4 ? outer * 0.86 : outer;
    const angle = (at * Math.PI) / 12;
    return `${round(r * Math.sin(angle))} ${round(-r * Math.cos(angle))}`;
  });
  return `M${points.join("L")}z`;
}

/** @type {VNode[]} */
export const burst = [
  filled(star(14, 7.8), "var(--burst)", RIM),
  filled(star(9.6, 5.4), "var(--burst-mid)"),
  h("circle", { r: 4.2, fill: "var(--burst-core)" }),
];

/** @type {VNode} */
export const compass = h(
  "g",
  { class: "compass" },
  h("circle", { r: 15 }),
  h("circle", { r: 18, "stroke-width": 0.6 }),
  h("path", { d: "M0-22 3.4-3.4 22 0 3.4 3.4 0 22-3.4 3.4-22 0-3.4-3.4z" }),
  filled(
    "M0-22 3.4-3.4 0 0zM22 0 3.4 3.4 0 0zM0 22-3.4 3.4 0 0zM-22 0-3.4-3.4 0 0z",
    "var(--chart-ink)",
  ),
  h("text", { class: "mid on-sea", y: -26 }, "N"),
);

/** Pieces one can count, and signs of what they are. @type {Record<string, string>} */
export const PATHS = {
  shield:
    "M0-7.4C2-6 4.2-5.3 6.4-5.2V-.4C6.4 3.6 3.8 6.2 0 7.8C-3.8 6.2-6.4 3.6-6.4-.4V-5.2C-4.2-5.3-2-6 0-7.4z",
  reactor:
    "M-2-7H2a2.2 2.2 0 0 1 2.2 2.2V4.8A2.2 2.2 0 0 1 2 7H-2A2.2 2.2 0 0 1-4.2 4.8V-4.8A2.2 2.2 0 0 1-2-7z",
  torpedo: "M-3 7.6V-2C-3-5.4-1.4-7.4 0-8.2C1.4-7.4 3-5.4 3-2V7.6z",
  mine: "M-.9-7.4H.9V-5L3.1-4.1 4.8-5.8 5.8-4.8 4.1-3.1 5-.9H7.4V.9H5L4.1 3.1 5.8 4.8 4.8 5.8 3.1 4.1.9 5V7.4H-.9V5L-3.1 4.1-4.8 5.8-5.8 4.8-4.1 3.1-5 .9H-7.4V-.9H-5L-4.1-3.1-5.8-4.8-4.8-5.8-3.1-4.1-.9-5z",
};

const INK = "currentColor";
const sonarSign = [
  h("circle", { cy: 4.4, r: 1.7, fill: INK }),
  line("M-3.4 1.6a4.8 4.8 0 0 1 6.8 0M-6.6-1.6a9.4 9.4 0 0 1 13.2 0", INK, 1.9),
];
const torpedoSign = [
  filled("M-5-2.6H2.6C5-2.6 6.8-1.4 7.6 0C6.8 1.4 5 2.6 2.6 2.6H-5L-7.6 4.4V-4.4z", INK),
];

/** Signs in a box of 16, in the colour of the text around them. @type {Record<string, VNode[]>} */
const SIGNS = {
  sonar: sonarSign,
  ping: sonarSign,
  torpedo: torpedoSign,
  fire: torpedoSign,
  mine: [filled(PATHS.mine, INK)],
  shield: [filled(PATHS.shield, INK)],
  sprint: [line("M-6-4.6-1.4 0-6 4.6M1-4.6 5.6 0 1 4.6", INK, 1.9)],
  reactor: [
    h("circle", { r: 1.6, fill: INK }),
    ...[0, 120, 240].map((turn) =>
      filled("M-1.6-2.9-3.7-6.5A7.4 7.4 0 0 1 3.7-6.5L1.6-2.9A3.3 3.3 0 0 0-1.6-2.9z", INK, {
        transform: `rotate(${turn})`,
      }),
    ),
  ],
  move: [line("M0 6.4V-5M-4.4-1 0-5.6 4.4-1", INK, 1.9)],
  sleep: [line("M-5.6-5H-.4L-5.6 1.4H-.4M2 .6H6.2L2 5.6H6.2", INK, 1.7)],
  surface: [
    line("M0 1V-6.6M-3.6-3.4 0-7 3.6-3.4M-7 4.6q1.8-2.4 3.5 0t3.5 0 3.5 0 3.5 0", INK, 1.7),
  ],
};

/** A sign inside a drawing. @param {string} name @param {{ x: number, y: number, size?: number, colour?: string }} place */
export function sign(name, { x, y, size = 16, colour = "var(--ink)" }) {
  const transform = `translate(${round(x)} ${round(y)}) scale(${round(size / 16)})`;
  return h("g", { transform, color: colour }, SIGNS[name]);
}

/** A sign in a line of text. @param {string} name @param {number} [turned] */
export function signMark(name, turned = 0) {
  return h(
    "svg",
    { viewBox: "-8 -8 16 16", width: 18, height: 18, "aria-hidden": "true" },
    h("g", { transform: `rotate(${turned})` }, SIGNS[name]),
  );
}
