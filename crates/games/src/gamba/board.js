// Gamba's board: a card table with the rival on the far side.

import { h } from "../../../../web/dom.js";
import { DEFS } from "./cards.js";
import { layoutFor } from "./layout.js";
import { burned, deck, panel, pile } from "./middle.js";
import { motion } from "./moving.js";
import { chosenWords, controls, key } from "./play.js";
import { side as seatSide } from "./seats.js";
import { side } from "./side.js";
import { caption, decided, mark, moves, seenBy, where } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 */

/** @param {View} view @param {Context} ctx */
function board(view, ctx) {
  const far = 1 - ctx.near;
  const open = seenBy(view, ctx, far).seats[far].hand !== null;
  const what = { open, deck: view.deal === "full-deck" };
  const layout = layoutFor(ctx.width, what, ctx.height);
  const { width, height, narrow } = layout;
  const { now, next = "" } = caption(view, ctx);
  return h(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: ctx.turn ? "group" : "img",
      "aria-label": [now, next, chosenWords(ctx)].filter(Boolean).join(" "),
    },
    DEFS,
    felt(width, height),
    panel(view, ctx, layout),
    deck(view, layout),
    pile(view, ctx, layout),
    burned(view, layout),
    seatSide(far, view, ctx, layout.far, narrow),
    seatSide(ctx.near, view, ctx, layout.near, narrow),
  );
}

/** @param {number} width @param {number} height */
function felt(width, height) {
  return h(
    "g",
    { key: "felt" },
    h("rect", { x: 0, y: 0, width, height, rx: 26, fill: "var(--felt-rim)" }),
    h("rect", {
      x: 5,
      y: 5,
      width: width - 10,
      height: height - 10,
      rx: 22,
      fill: "var(--felt)",
    }),
    h("rect", {
      x: 9.5,
      y: 9.5,
      width: width - 19,
      height: height - 19,
      rx: 18,
      fill: "none",
      stroke: "var(--felt-line)",
    }),
  );
}

/** Cards to get rid of. @param {View} view */
function points(view) {
  return view.seats.map((/** @type {any} */ seat) => seat.hand_size + seat.reserves);
}

/** @type {import("../../../../web/types.d.ts").Board} */
export default {
  board,
  side,
  controls,
  key,
  caption,
  decided,
  points,
  plot: { title: "Cards to get rid of", note: "who has none left wins" },
  moves,
  mark,
  where,
  motion,
};
