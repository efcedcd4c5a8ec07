// Labyrinth's board.

import { h } from "../../../../web/dom.js";
import { arrows } from "./arrows.js";
import { layout } from "./layout.js";
import { motion } from "./motion.js";
import { keyPanel, questHeight, questPanel, sparePanel } from "./panels.js";
import { controls, key } from "./play.js";
import { knownQuest, scene } from "./reading.js";
import { orderPanel } from "./side.js";
import { labyrinth } from "./stones.js";
import { caption, mark, moves, where } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 */

/** @type {import("../../../../web/types.d.ts").Board} */
export default {
  board(view, ctx) {
    const drawn = scene(view, ctx);
    const { tiles } = drawn.maze;
    const place = layout(ctx.width, {
      rows: tiles.length,
      columns: tiles[0].length,
      questHeight: (wide) => questHeight(view, ctx, wide),
    });
    const { now, next } = caption(view, ctx);
    return h(
      "svg",
      {
        class: "maze",
        viewBox: `0 0 ${place.width} ${place.height}`,
        // What can be pressed must be found in it.
        role: ctx.turn ? "group" : "img",
        "aria-label": `${now} ${next ?? ""}`,
      },
      labyrinth(view, ctx, drawn, place),
      arrows(view, ctx, drawn, place),
      sparePanel(view, ctx, drawn, place),
      questPanel(view, ctx, drawn, place),
      keyPanel(view, ctx, drawn, place),
    );
  },

  side: (view, ctx) => [orderPanel(view, ctx)],
  controls,
  key,
  caption,
  moves,
  mark,
  where,
  motion,

  points(view, ctx) {
    return view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => {
      const quest = knownQuest(view, ctx, seat);
      return quest ? quest.found + (view.winners.includes(seat) ? 1 : 0) : null;
    });
  },
  plot: { title: "Found", note: "a treasure, then home" },
};
