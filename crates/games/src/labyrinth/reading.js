// What a view tells that takes more than one look: quests, the last turn, the order of play, the draft.

import { carried, cell, connected, mazeOf, nameOf, slid } from "./maze.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./maze.js").Cell} Cell
 * @typedef {import("./maze.js").Slide} Slide
 * @typedef {{ treasure: string[], place: import("./maze.js").Place | null, homeward: boolean, found: number }} Quest
 *
 * @typedef {object} Draft What a person has chosen so far.
 * @property {number} degree How far the spare is turned, counter-clockwise.
 * @property {number | null} line The number of a row or column, typed before its direction.
 * @property {Slide | null} slide
 * @property {Cell | null} to
 * @property {string} why What may not be done, and why.
 */

/** @type {Draft} */
const NOTHING = { degree: 0, line: null, slide: null, to: null, why: "" };

/** @param {Context} ctx @returns {Draft} */
export function draftOf(ctx) {
  return ctx.turn?.draft ?? NOTHING;
}

/** A seat's quest, where whoever looks may know it. @param {View} view @param {Context} ctx @param {number} seat @returns {Quest | null} */
export function knownQuest(view, ctx, seat) {
  return ctx.seatViews?.[seat]?.seats[seat].quest ?? view.seats[seat]?.quest ?? null;
}

/** Where a seat has to go now, if that is known. @param {View} view @param {Context} ctx @param {number} seat @returns {Cell | null} */
export function targetOf(view, ctx, seat) {
  const quest = knownQuest(view, ctx, seat);
  if (!quest) return null;
  if (quest.homeward) return cell(view.seats[seat].home);
  return quest.place && cell(quest.place);
}

/** The last turn that somebody took: the end itself is no turn. @param {View} view @param {Context} ctx */
export function lastNews(view, ctx) {
  if (view.phase !== "over" || view.news.mover !== null) return view.news;
  const before = ctx.updates.at(-2)?.view;
  return before?.phase === "closing" && before.turns === view.turns ? before.news : view.news;
}

/** The slide of the last turn, if there was one. @param {any} news @returns {Slide | null} */
export function slideOf(news) {
  const played = news.deed?.played;
  return played ? [played[0], played[1]] : null;
}

/** Who plays after whom, beginning with the lowest seat, so that the list stays as it is. @param {View} view @returns {number[]} */
export function orderOfPlay({ order }) {
  const first = order.indexOf(Math.min(...order));
  return [...order.slice(first), ...order.slice(0, first)];
}

/**
 * The labyrinth as it is to be drawn: with a draft, as it would be.
 * @param {View} view
 * @param {Context} ctx
 */
export function scene(view, ctx) {
  const before = mazeOf(view);
  const draft = draftOf(ctx);
  const positions = view.seats.map((/** @type {any} */ seat) => cell(seat.position));
  if (!ctx.turn || !draft.slide) return { maze: before, before, positions, reach: null };
  const slide = draft.slide;
  const maze = slid(before, slide, draft.degree);
  const moved = positions.map((/** @type {Cell} */ at) => carried(before, slide, at));
  return { maze, before, positions: moved, reach: reach(maze, moved[view.order[0]], draft, ctx) };
}

/**
 * Where the draft lets its player walk, as cells' names. The server lists it; on boards where its list
 * would be too long, corridors are followed and the server has the last word.
 * @param {import("./maze.js").Maze} maze
 * @param {Cell} from
 * @param {Draft} draft
 * @param {Context} ctx
 * @returns {Set<string>}
 */
function reach(maze, from, { slide, degree }, ctx) {
  const legal = ctx.turn?.legal;
  if (!legal || !slide) return connected(maze, from);
  const cells = legal
    .filter((action) => Array.isArray(action))
    .filter(([index, way, turn]) => index === slide[0] && way === slide[1] && turn === degree)
    .map(([, , , to]) => nameOf(cell(to)));
  return new Set(cells);
}
