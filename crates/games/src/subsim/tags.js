// Words on the chart, put where they hide nothing that matters.

import { h } from "../../../../web/dom.js";
import { seatColour } from "../../../../web/marks.js";
import { round } from "./art.js";

/** @import { Box, Tag } from "./types.d.ts" */

const HIGH = 22;

/**
 * @param {Tag[]} wanted Each beside a point; `away` is how far from it.
 * @param {Box[]} taken What they should not cover.
 * @param {{ width: number, height: number }} grid
 */
export function tags(wanted, taken, grid) {
  const used = [...taken];
  return wanted.map((tag) => {
    const w = Math.round(tag.words.length * 6.7 + 18);
    const box = place({ ...tag, w }, used, grid);
    used.push(box);
    return h(
      "g",
      { class: tag.hit ? "tag-word hit" : "tag-word" },
      h("rect", {
        ...{ x: box.x, y: box.y, width: w, height: HIGH, rx: HIGH / 2 },
        stroke: tag.hit ? null : seatColour(tag.seat ?? 0),
      }),
      h("text", { class: "mid strong", x: round(box.x + w / 2), y: box.y + 15.4 }, tag.words),
    );
  });
}

/** @param {Tag & { w: number }} tag @param {Box[]} used @param {{ width: number, height: number }} grid @returns {Box} */
function place({ x, y, w, away = 16 }, used, grid) {
  const side = away + w / 2;
  const spots = [
    [0, away + HIGH / 2],
    [0, -away - HIGH / 2],
    [side, 0],
    [-side, 0],
    [side - 8, away],
    [-side + 8, away],
    [side - 8, -away],
    [-side + 8, -away],
    [0, away + HIGH * 1.6],
    [0, -away - HIGH * 1.6],
  ];
  let best = null;
  let least = Infinity;
  for (const [at, [dx, dy]] of spots.entries()) {
    const box = {
      x: round(Math.max(2, Math.min(grid.width - w - 2, x + dx - w / 2))),
      y: round(Math.max(2, Math.min(grid.height - HIGH - 2, y + dy - HIGH / 2))),
      w,
      h: HIGH,
    };
    const cost = used.reduce((sum, each) => sum + overlap(box, each), at);
    if (cost < least) [best, least] = [box, cost];
  }
  return /** @type {Box} */ (best);
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w > 0 && high > 0 ? w * high : 0;
}
