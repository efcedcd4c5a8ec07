// Tiger & Dragon's board: tiles laid round a clash.

import { h } from "../../../../web/dom.js";
import { clash } from "./clash.js";
import { summary } from "./ending.js";
import { layoutFor } from "./layout.js";
import { motion } from "./moving.js";
import { controls, forced, key } from "./play.js";
import { block } from "./seats.js";
import { side } from "./side.js";
import { handOf } from "./story.js";
import { caption, decided, mark, moves, where } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 */

/** @param {View} view @param {Context} ctx */
function board(view, ctx) {
  const seats = view.scores.length;
  const far = (ctx.near + 1) % seats;
  const open = handOf(view, ctx, far) !== null;
  const laid = view.discards.map((/** @type {any[]} */ tiles) => tiles.length);
  const held = view.hand_sizes;
  const what = { seats, near: ctx.near, open, laid, held };
  const layout = layoutFor(ctx.width, what, ctx.height);
  const { width, height, narrow, blocks } = layout;
  const { now, next = "" } = caption(view, ctx);
  return h(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: ctx.turn ? "group" : "img",
      "aria-label": `${now} ${next}`.trim(),
    },
    h("rect", {
      x: 0.5,
      y: 0.5,
      width: width - 1,
      height: height - 1,
      rx: 24,
      fill: "var(--board)",
      stroke: "var(--board-edge)",
    }),
    blocks.map((each) => block(view, ctx, each, narrow)),
    clash(view, ctx, layout),
  );
}

/** @type {import("../../../../web/types.d.ts").Board} */
export default {
  board,
  side,
  controls,
  key,
  ownKeys: "12345678td",
  forced,
  caption,
  decided,
  summary,
  points: (view) => view.scores,
  plot: { title: "Points", note: "after each round" },
  moves,
  mark,
  where,
  out: (view, seat) => view.exits[seat] !== null,
  motion,
};
