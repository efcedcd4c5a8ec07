// What stands on tiles and beside them: pawns, homes, the mark of a target, arrows. Drawn in units of a
// tile of 100, with the tile's middle at 0.

import { h } from "../../../../web/dom.js";
import { seatColour, seatPath } from "../../../../web/marks.js";

/** @import { VNode } from "./types.d.ts" */

/** Described once for each seat. @param {(seat: number) => VNode} draw */
function once(draw) {
  /** @type {VNode[]} */
  const known = [];
  return (/** @type {number} */ seat) => (known[seat] ??= draw(seat));
}

/** @param {number} seat @param {{ x: number, y: number, size: number, fill: string }} at */
function shape(seat, { x, y, size, fill }) {
  return h("path", {
    d: seatPath(seat),
    fill,
    "fill-rule": "evenodd",
    transform: `translate(${x - size / 2} ${y - size / 2}) scale(${size / 24})`,
  });
}

/** Whoever points at a piece means the tile it stands on. */
const THROUGH = { "pointer-events": "none" };

/** A pawn, its foot below the middle. */
export const pawn = once((seat) =>
  h(
    "g",
    THROUGH,
    h("ellipse", { cx: 0, cy: 18.5, rx: 17, ry: 5.5, fill: "var(--shadow)" }),
    // One path, so that its halo goes round the whole.
    h("path", {
      d: "M-10.4-22A10.4 10.4 0 0 1 10.4-22 10.4 10.4 0 0 1 6-13.6H8.4V-8.8H5.2C6-2.4 9.4 4.6 12.4 11.4 14.6 16.4 12.8 19 9 19H-9C-12.8 19-14.6 16.4-12.4 11.4-9.4 4.6-6-2.4-5.2-8.8H-8.4V-13.6H-6A10.4 10.4 0 0 1-10.4-22z",
      fill: seatColour(seat),
      stroke: "var(--halo)",
      "stroke-width": 6,
      "stroke-linejoin": "round",
      "paint-order": "stroke",
    }),
    shape(seat, { x: 0, y: 10.6, size: 12.5, fill: "var(--on-seat)" }),
  ),
);

/** A small house with the seat's shape in it. */
export const home = once((seat) =>
  h(
    "g",
    THROUGH,
    h("path", {
      d: "M0-22 19-6V18H-19V-6z",
      fill: "var(--home)",
      stroke: seatColour(seat),
      "stroke-width": 4.6,
      "stroke-linejoin": "round",
    }),
    shape(seat, { x: 0, y: 4, size: 20, fill: seatColour(seat) }),
  ),
);

/** A star: the treasure of whoever is looking. */
const STAR = h("path", {
  d: "M0-9 2.6-2.9 9.2-2.4 4.2 1.9 5.8 8.4 0 4.9-5.8 8.4-4.2 1.9-9.2-2.4-2.6-2.9z",
  fill: "var(--on-gold)",
});

/** The disc on a target: a star for the own, else the shape of whoever is after it. @param {number | null} seat */
export function targetDisc(seat) {
  return seat === null ? OWN : others(seat);
}
const disc = (/** @type {VNode} */ inside) =>
  h(
    "g",
    THROUGH,
    h("circle", { r: 15, fill: "var(--gold)", stroke: "var(--disc-rim)", "stroke-width": 2.4 }),
    inside,
  );
const OWN = disc(STAR);
const others = once((seat) => disc(shape(seat, { x: 0, y: 0, size: 17, fill: "var(--on-gold)" })));

/** The gold frame round a target's tile. */
export const TARGET_FRAME = h("rect", {
  x: -48,
  y: -48,
  width: 96,
  height: 96,
  rx: 5,
  fill: "none",
  stroke: "var(--gold)",
  "stroke-width": 5,
});

// An arrow points to the right, its middle at 0. The slide that would undo the last one is struck out.
const POINTED = "M-8.5-8.5 10 0-8.5 8.5-4.5 0z";
const PLAIN = h("path", { d: POINTED, fill: "var(--arrow)" });
const MADE = h("path", { d: POINTED, fill: "var(--slide)" });
export const STRUCK = h(
  "g",
  { fill: "none", stroke: "var(--arrow)" },
  h("path", { d: POINTED, "stroke-width": 1.4, "stroke-dasharray": "3 2" }),
  h("path", { d: "M-10 9 10-9", "stroke-width": 2.2 }),
);

/** @param {{ struck: boolean, made: boolean }} state */
export function arrow({ struck, made }) {
  return struck ? STRUCK : made ? MADE : PLAIN;
}

/** A quarter turn against the clock, in a box of 24. */
export const TURN = h("path", {
  d: "M5 12.5a7.2 7.2 0 1 0 2.4-5.3M4.6 4.4 7 7.6l3.8-1.4",
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 2,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
});
