// A board on its page: the stage, the caption under it, the panels beside it. Live games, replays and
// the rules page draw with this.

import { h, patch } from "./dom.js";
import { icon } from "./icons.js";
import { isMotionWanted, travel } from "./motion.js";
import { clock, words } from "./texts.js";

/**
 * @typedef {import("./types.d.ts").Board} Board
 * @typedef {import("./types.d.ts").Context} Context
 * @typedef {import("./types.d.ts").View} View
 */

/** The stage's element on the page: boards that paint move things inside it. */
export const STAGE = "stage";

/** @param {Board} board @param {View} view @param {Context} ctx */
export function stage(board, view, ctx) {
  const style = ctx.height ? { "--room": `${ctx.height}px` } : {};
  return h(
    "div",
    // Boards speak English, whatever the page speaks.
    { id: STAGE, class: "stage", key: "stage", lang: "en", style },
    board.board(view, ctx),
  );
}

/** What happened and what follows, spoken as well where it is news. @param {Board} board @param {View} view @param {Context} ctx @param {boolean} [spoken] */
export function caption(board, view, ctx, spoken = false) {
  const { now, next } = board.caption(view, ctx);
  return h(
    "p",
    {
      class: "caption",
      key: "caption",
      lang: "en",
      title: spoken ? [now, next].filter(Boolean).join(" ") : null,
      "aria-live": spoken ? "polite" : null,
    },
    h("span", null, now),
    next ? h("span", { class: "next" }, ` ${next}`) : null,
  );
}

/** @param {Board} board @param {View} view @param {Context} ctx */
export function controls(board, view, ctx) {
  const described = ctx.turn ? board.controls(view, ctx) : null;
  return described ? h("div", { class: "controls", key: "controls", lang: "en" }, described) : null;
}

/** The time left for a person's move; its last seconds cannot be missed. @param {Context} ctx @param {boolean} outOnTime Whether silence ends the game for this seat. */
export function ownClock(ctx, outOnTime) {
  const { turn, timeLeftMs } = ctx;
  if (!turn || turn.sent || timeLeftMs === null) return null;
  const left = clock(timeLeftMs);
  const { hurry, hurryOut } = words.play;
  const late = isLate(ctx);
  const said = outOnTime ? hurryOut(left) : hurry(left);
  return h(
    "p",
    { class: late ? "own-clock hurry" : "own-clock", key: "clock", role: "timer", title: said },
    icon("clock", 16),
    h("b", null, left),
    late && outOnTime ? h("span", null, ` ${words.play.orOut}`) : null,
  );
}

/** Whether the last seconds of a person's turn run. @param {Context} ctx */
export function isLate({ turn, timeLeftMs, clockMs }) {
  if (!turn || turn.sent || timeLeftMs === null || !clockMs) return false;
  return timeLeftMs <= Math.min(10_000, clockMs / 2);
}

/** Whether the screen is a telephone's on its side, or one that is enlarged a lot: buttons stand beside the board. */
export function isLow() {
  return matchMedia("(max-height: 520px) and (orientation: landscape)").matches;
}

/** How high the board at one's own seat may be, so that nothing needs scrolling. */
export function roomFor() {
  if (isLow()) return innerHeight - 8;
  const table = document.querySelector(".seat .table");
  const action = document.querySelector(".seat .action");
  const top = table ? table.getBoundingClientRect().top + scrollY : 84;
  const bar = action?.getBoundingClientRect().height ?? 132;
  return Math.round(innerHeight - top - bar - 4);
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
  let bar = 0;
  const observer = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const now = Math.round(contentRect.width);
      if (target.id !== STAGE) bar = contentRect.height;
      else if (now !== width && now !== 0) width = now;
      else continue;
      changed();
    }
  });
  addEventListener("resize", changed);
  return () => {
    const element = document.getElementById(STAGE);
    if (element) observer.observe(element);
    const action = document.querySelector(".seat .action");
    if (action && action.clientHeight !== bar) observer.observe(action);
    width ||= Math.round(element?.getBoundingClientRect().width ?? 0);
    return width || Math.min(928, innerWidth - 48);
  };
}

/** A picture of a position, for pages that are not boards. @param {Element} element @param {Board} board @param {View} view @param {Context} ctx */
export function still(element, board, view, ctx) {
  patch(element, h(element.localName, { class: "still" }, board.board(view, ctx)));
}
