// What a view tells that takes more than one look: quests, the last turn, the order of play, the draft.

import { carried, cell, connected, mazeOf, nameOf, slid, wayTo } from "./maze.js";

/** @import { Cell, Context, Draft, Maze, Quest, Scene, Slide, View } from "./types.d.ts" */

/** @type {Draft} */
const NOTHING = { degree: 0, line: null, slide: null, to: null, why: "" };

/** @param {Context} ctx @returns {Draft} */
export function draftOf(ctx) {
  return ctx.turn?.draft ?? NOTHING;
}

/** @param {View} view @param {Context} ctx @returns {Scene} */
export function sceneOf(view, ctx) {
  const draft = draftOf(ctx);
  const before = mazeOf(view);
  const stand = view.seats.map((/** @type {any} */ seat) => cell(seat.position));
  const seats = view.order.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b);
  const same = { view, ctx, draft, before, seats };
  if (!ctx.turn || !draft.slide) {
    const news = lastNews(view, ctx);
    const shown = { slide: slideOf(news), way: news.way.map(cell), mover: news.mover ?? 0 };
    return { ...same, ...shown, drafting: false, maze: before, positions: stand, reach: null };
  }
  const { slide, to, degree } = draft;
  const maze = slid(before, slide, degree);
  const positions = stand.map((/** @type {Cell} */ at) => carried(before, slide, at));
  const mover = view.order[0];
  const way = to ? wayTo(maze, positions[mover], to) : [];
  const reach = reachOf(maze, positions[mover], draft, ctx);
  return { ...same, drafting: true, maze, positions, reach, slide, way, mover };
}

/**
 * Where the draft lets its player walk, as cells' names. The server lists it; on boards where its list
 * would be too long, corridors are followed and the server has the last word.
 * @param {Maze} maze @param {Cell} from @param {Draft} draft @param {Context} ctx
 */
function reachOf(maze, from, { slide, degree }, ctx) {
  if (!ctx.turn?.legal || !slide) return connected(maze, from);
  /** @type {Set<string>} */
  const found = new Set();
  for (const [index, way, turn, to] of ctx.turn.legal)
    if (index === slide[0] && way === slide[1] && turn === degree) found.add(nameOf(cell(to)));
  return found;
}

/** A seat's quest, where whoever looks may know it. @param {View} view @param {Context} ctx @param {number} seat @returns {Quest | null} */
export function questOf(view, ctx, seat) {
  return ctx.seatViews?.[seat]?.seats[seat].quest ?? view.seats[seat]?.quest ?? null;
}

/** Where a seat has to go now, if that is known. @param {View} view @param {Context} ctx @param {number} seat @returns {Cell | null} */
export function targetOf(view, ctx, seat) {
  const quest = questOf(view, ctx, seat);
  const place = quest?.homeward ? view.seats[seat].home : quest?.place;
  return place ? cell(place) : null;
}

/** The last turn that somebody took: the end itself is no turn. @param {View} view @param {Context} ctx */
export function lastNews(view, ctx) {
  if (view.phase !== "over" || view.news.mover !== null) return view.news;
  const before = ctx.updates.at(-2)?.view;
  return before?.turns === view.turns ? before.news : view.news;
}

/** @param {any} news @returns {Slide | null} */
export function slideOf({ deed }) {
  return deed?.played ? [deed.played[0], deed.played[1]] : null;
}

/** Who plays after whom, beginning with the lowest seat, so that the list stays as it is. @param {View} view @returns {number[]} */
export function orderOfPlay({ order }) {
  const first = order.indexOf(Math.min(...order));
  return [...order.slice(first), ...order.slice(0, first)];
}
