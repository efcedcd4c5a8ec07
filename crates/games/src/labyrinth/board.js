// Labyrinth's board.

import { h } from "../../../../web/dom.js";
import { arrows } from "./arrows.js";
import { layout } from "./layout.js";
import { motion } from "./motion.js";
import { keyPanel, questHeight, questPanel, sparePanel } from "./panels.js";
import { controls, key } from "./play.js";
import { questOf, sceneOf } from "./scene.js";
import { orderPanel } from "./side.js";
import { labyrinth } from "./stones.js";
import { caption, decided, mark, moves, where } from "./words.js";

/** @type {import("../../../../web/types.d.ts").Board} */
export default {
  board(view, ctx) {
    const scene = sceneOf(view, ctx);
    const { tiles } = scene.maze;
    const what = {
      rows: tiles.length,
      columns: tiles[0].length,
      questHeight: (/** @type {boolean} */ wide) => questHeight(scene, wide),
    };
    const place = layout(ctx.width, what, ctx.height);
    const { now, next } = caption(view, ctx);
    return h(
      "svg",
      {
        class: "maze",
        viewBox: `0 0 ${place.width} ${place.height}`,
        // What can be pressed must be found in it.
        role: ctx.turn ? "group" : "img",
        "aria-label": `${now} ${next}`,
      },
      labyrinth(scene, place),
      arrows(scene, place),
      sparePanel(scene, place),
      questPanel(scene, place),
      keyPanel(scene, place),
    );
  },
  side: (view, ctx) => [orderPanel(sceneOf(view, ctx))],
  controls,
  key,
  caption,
  decided,
  moves,
  mark,
  where,
  ended: (view) => view.phase !== "playing",
  out: (view, seat) => !view.order.includes(seat),
  motion,
  points: (view, ctx) =>
    ctx.names.map((_, seat) => {
      const quest = questOf(view, ctx, seat);
      return quest ? quest.found + (view.winners.includes(seat) ? 1 : 0) : null;
    }),
  plot: { title: "Found", note: "a treasure, then home" },
};
