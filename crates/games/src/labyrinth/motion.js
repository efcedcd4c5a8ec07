// What gliding cannot say: the spare comes in, a tile goes out, and the pawn walks its way once the row
// lies still. Tiles on the board glide by themselves. If they do not, the slide has been seen before, as a
// draft, and only the walk is left.

import { cell, endsOf, mazeOf, same, stepped } from "./maze.js";
import { lastNews, slideOf } from "./scene.js";
import { pairKey } from "./stones.js";

/** @import { Cell, Context, Maze, View } from "./types.d.ts" */

const STEP_MS = 90;
/** However far it goes, a walk takes no longer than this. */
const LONGEST_MS = 900;

/** @param {Element} stage @param {View} before @param {View} view @param {Context} ctx @returns {Animation[]} */
export function motion(stage, before, view, ctx) {
  const news = lastNews(view, ctx);
  const slide = slideOf(news);
  if (view.turns !== before.turns + 1 || !slide) return [];
  const maze = mazeOf(view);
  const size = Number(stage.querySelector("[data-size]")?.getAttribute("data-size"));
  const { hole, out } = endsOf(maze, slide);
  const outside = stepped(hole, slide[1], -1);
  const gliding = tileAt(stage, maze, stepped(hole, slide[1]));
  const timing = gliding?.getAnimations()[0]?.effect?.getTiming();
  const from = (/** @type {Cell} */ at, /** @type {Cell} */ to) =>
    `translate(${(at.column - to.column) * size}px, ${(at.row - to.row) * size}px)`;
  const coming = [
    { transform: from(outside, hole), opacity: 0 },
    { transform: "none", opacity: 1 },
  ];
  const ms = Number(timing?.duration ?? 0);
  /** @type {(Animation | undefined)[]} */
  const begun = [];
  if (timing) {
    const together = { duration: ms, easing: timing.easing };
    begun.push(tileAt(stage, maze, hole)?.animate(coming, together));
    begun.push(stage.querySelector(".leaving")?.animate(leaving(from(outside, hole)), together));
    begun.push(stage.querySelector(".spare")?.animate(late(0.5), { duration: 2 * ms }));
    for (const [seat, { position }] of view.seats.entries()) {
      const stood = cell(before.seats[seat].position);
      const came = same(stood, out) && same(cell(position), hole);
      if (came && seat !== news.mover) begun.push(pawnOf(stage, seat)?.animate(coming, together));
    }
  }
  /** @type {Cell[]} */
  const way = news.way.map(cell);
  const stood = cell(before.seats[news.mover].position);
  const start = !timing ? way[0] : same(stood, out) && same(way[0], hole) ? outside : stood;
  const stepMs = Math.min(STEP_MS, LONGEST_MS / way.length) * (ms ? Math.min(1, ms / 280) : 1);
  const total = ms + stepMs * (way.length - 1);
  const end = /** @type {Cell} */ (way.at(-1));
  const steps = way.map((at, index) => ({
    transform: from(at, end),
    offset: (ms + stepMs * index) / total,
  }));
  const first = { transform: from(start, end), offset: 0, easing: timing?.easing ?? "linear" };
  const walking = ms ? [first, ...steps] : steps;
  begun.push(pawnOf(stage, news.mover)?.animate(walking, { duration: total }));
  begun.push(stage.querySelector(".way")?.animate(late(ms / total), { duration: total }));
  return begun.filter((animation) => animation !== undefined);
}

/** Pushed over the edge, and gone. @param {string} back @returns {Keyframe[]} */
function leaving(back) {
  return [
    { transform: back, opacity: 1 },
    { transform: "none", opacity: 1, offset: 0.7 },
    { transform: "none", opacity: 0 },
  ];
}

/** To be seen only after a share of the time. @param {number} share @returns {Keyframe[]} */
function late(share) {
  return [{ opacity: 0 }, { opacity: 0, offset: share }, { opacity: 1 }];
}

/** @param {Element} stage @param {Maze} maze @param {Cell} at */
function tileAt(stage, { tiles }, at) {
  const tile = tiles[at.row]?.[at.column];
  return tile ? stage.querySelector(`[data-flip="${pairKey(tile.pair)}"]`) : null;
}

/** @param {Element} stage @param {number} seat */
function pawnOf(stage, seat) {
  return stage.querySelector(`[data-flip="pawn ${seat}"]`);
}
