// A board on its page: the stage, the caption under it, the panels beside it. Live games, replays and
// the rules page draw with this.

import { h, patch } from "./dom.js";
import { isMotionWanted, travel } from "./motion.js";

/**
 * @typedef {import("./types.d.ts").Board} Board
 * @typedef {import("./types.d.ts").Context} Context
 * @typedef {import("./types.d.ts").View} View
 */

/** The stage's element on the page: boards that paint move things inside it. */
export const STAGE = "stage";

/** @param {Board} board @param {View} view @param {Context} ctx */
export function stage(board, view, ctx) {
  return h("div", { id: STAGE, class: "stage", key: "stage" }, board.board(view, ctx));
}

/** What happened and what follows, spoken as well where it is news. @param {Board} board @param {View} view @param {Context} ctx @param {boolean} [spoken] */
export function caption(board, view, ctx, spoken = false) {
  const { now, next } = board.caption(view, ctx);
  return h(
    "p",
    { class: "caption", key: "caption", "aria-live": spoken ? "polite" : null },
    h("span", null, now),
    next ? h("span", { class: "next" }, ` ${next}`) : null,
  );
}

/** @param {Board} board @param {View} view @param {Context} ctx */
export function controls(board, view, ctx) {
  const described = ctx.turn ? board.controls(view, ctx) : null;
  return described ? h("div", { class: "controls", key: "controls" }, described) : null;
}

/**
 * Draws with motion from one view to the next.
 * @param {Board} board
 * @param {{ before: View, view: View, ctx: Context, ms?: number }} step
 * @param {() => void} draw
 */
export function drawMoving(board, { before, view, ctx, ms }, draw) {
  const element = document.getElementById(STAGE);
  if (!element) return draw();
  travel(element, draw, ms);
  const now = document.getElementById(STAGE);
  if (now && isMotionWanted()) board.motion?.(now, before, view, ctx);
}

/**
 * Tells a page how wide its stage is, now and whenever that changes.
 * @param {() => void} changed
 * @returns {() => number} the width last measured
 */
export function measured(changed) {
  let width = 0;
  const observer = new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    if (now === width || now === 0) return;
    width = now;
    changed();
  });
  return () => {
    const element = document.getElementById(STAGE);
    if (element) observer.observe(element);
    width ||= Math.round(element?.getBoundingClientRect().width ?? 0);
    return width || Math.min(928, innerWidth - 48);
  };
}

/** A picture of a position, for pages that are not boards. @param {Element} element @param {Board} board @param {View} view @param {Context} ctx */
export function still(element, board, view, ctx) {
  patch(element, h(element.localName, { class: "still" }, board.board(view, ctx)));
}
