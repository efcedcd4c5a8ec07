// Points over the turns as a small plot. It shares its x axis with the scrubber below it.

import { h } from "./dom.js";
import { cut } from "./fit.js";
import { seatColour, seatGlyph } from "./marks.js";

/** Of a name at a line's end. */
const LINE = 14;
const MOST_NAMES = 10;

/** As high as the names need. @param {number} names */
function heightFor(names) {
  return Math.max(96, 12 + LINE * (Math.min(MOST_NAMES, names) - 1));
}

/**
 * @param {object} data
 * @param {(number | null)[][]} data.points Each turn's points, seat by seat.
 * @param {string[]} data.names
 * @param {number} data.place The turn the cursor is at.
 * @param {number} data.width Of the axis in pixels; names stand to the right of it.
 * @param {number} data.inset Where on the axis the first turn is.
 * @param {boolean} data.named Whether there is room for names.
 */
export function plot({ points, names, place, width, inset, named }) {
  const height = heightFor(names.length);
  const known = points.flat().filter((value) => value !== null);
  const low = Math.min(0, ...known);
  const high = Math.max(low + 1, ...known);
  const last = Math.max(1, points.length - 1);
  const x = (/** @type {number} */ at) => round(inset + ((width - 2 * inset) * at) / last);
  const y = (/** @type {number} */ value) =>
    round(height - 6 - ((height - 14) * (value - low)) / (high - low));
  const all = names.map((_, seat) => ({ seat, value: lastKnown(points, seat), y: 0 }));
  // Of many, the best are named.
  const best = all.toSorted((a, b) => b.value - a.value).slice(0, MOST_NAMES);
  const ends = spread(best, y, height);
  return h(
    "svg",
    {
      class: "plot",
      viewBox: `0 0 ${width + (named ? 120 : 16)} ${height}`,
      width: width + (named ? 120 : 16),
      height,
      "aria-hidden": "true",
    },
    [0, 0.5, 1].map((share) => {
      const at = y(low + (high - low) * share);
      return h("path", {
        d: `M${x(0)} ${at}H${x(last)}`,
        stroke: "var(--hairline)",
        "stroke-width": 1,
      });
    }),
    names.map((_, seat) =>
      h("path", {
        d: line(points, seat, x, y),
        fill: "none",
        stroke: seatColour(seat),
        "stroke-width": 1.6,
        "stroke-linejoin": "round",
      }),
    ),
    h("path", { d: `M${x(place)} 0V${height}`, stroke: "var(--ink)", "stroke-width": 1.4 }),
    ends.map(({ seat, y }) => [
      seatGlyph(seat, { x: x(last), y, size: 11 }),
      named
        ? h(
            "text",
            {
              x: x(last) + 12,
              y,
              "dominant-baseline": "central",
              "font-size": 12,
              fill: seatColour(seat),
            },
            cut(names[seat], 104, 12),
          )
        : null,
    ]),
  );
}

/** A staircase: points change at a turn, not between two. @param {(number | null)[][]} points @param {number} seat @param {(at: number) => number} x @param {(value: number) => number} y */
function line(points, seat, x, y) {
  let d = "";
  points.forEach((turn, at) => {
    const value = turn[seat];
    if (value === null || value === undefined) return;
    d += d === "" ? `M${x(at)} ${y(value)}` : `H${x(at)}V${y(value)}`;
  });
  return d;
}

/** @param {(number | null)[][]} points @param {number} seat */
function lastKnown(points, seat) {
  for (let at = points.length - 1; at >= 0; at -= 1) {
    const value = points[at][seat];
    if (value !== null && value !== undefined) return value;
  }
  return 0;
}

/** Names that end at the same height stand under each other. @param {{ seat: number, value: number, y: number }[]} ends @param {(value: number) => number} y @param {number} height */
function spread(ends, y, height) {
  const sorted = ends.map((end) => ({ ...end, y: y(end.value) })).sort((a, b) => a.y - b.y);
  const step = Math.min(LINE, (height - 12) / Math.max(1, sorted.length - 1));
  sorted.forEach((end, at) => {
    if (at > 0) end.y = Math.max(end.y, sorted[at - 1].y + step);
  });
  const over = (sorted.at(-1)?.y ?? 0) - (height - 6);
  if (over > 0) {
    for (let at = sorted.length - 1; at >= 0; at -= 1) {
      const limit = at === sorted.length - 1 ? height - 6 : sorted[at + 1].y - step;
      sorted[at].y = Math.min(sorted[at].y, limit);
    }
  }
  return sorted;
}

/** @param {number} n */
function round(n) {
  return Math.round(n * 10) / 10;
}
