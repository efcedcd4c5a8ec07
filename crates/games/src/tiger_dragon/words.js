// What a game of Tiger & Dragon says in words.

import { causes, count, list } from "../../../../web/texts.js";
import { sorted } from "./tiles.js";
import { handOf, passed, roundResult } from "./story.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").Update} Update
 * @typedef {import("../../../../web/types.d.ts").MoveLine} MoveLine
 * @typedef {import("../../../../web/types.d.ts").Caption} Caption
 */

const NUMBERS = ["no", "one", "two", "three", "four", "five"];

/** "a 4", "an 8", "the Tiger". @param {string} tile */
export function aTile(tile) {
  if (tile === "T") return "the Tiger";
  if (tile === "D") return "the Dragon";
  return tile === "8" ? "an 8" : `a ${tile}`;
}

/** "4", "Tiger". @param {string} tile */
export function tileName(tile) {
  return tile === "T" ? "Tiger" : tile === "D" ? "Dragon" : tile;
}

/** @param {string} name */
export function fieldName(name) {
  if (name === "table") return "The organiser's table";
  const words = name.replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
}

/** @param {any} exit */
export function exitWord(exit) {
  const word = (typeof exit === "string" ? exit : Object.keys(exit)[0]).replaceAll("-", " ");
  return causes[word] ?? word;
}

/** What a seat does now, or did. @param {number} seat @param {View} view @param {Context} ctx */
export function doing(seat, view, ctx) {
  if (view.exits[seat]) return exitWord(view.exits[seat]);
  if (view.phase === "Finished") return view.outcome?.[seat].place === 1 ? "wins" : "";
  if (view.current === seat) {
    if (view.phase === "Attack") return "to attack";
    return view.phase === "Defend" ? "to answer" : "puts one face down";
  }
  if (view.attack?.seat === seat) return "attacked";
  if (passed(view, ctx).includes(seat)) return "passed";
  return view.start === seat && view.turn < view.scores.length ? "begins the round" : "";
}

/** @param {View} view @param {Context} ctx @returns {Caption} */
export function caption(view, ctx) {
  const { names } = ctx;
  const told = view.news.map((/** @type {any} */ news) => happened(news, view, names));
  const now = told.filter(Boolean).join(" ");
  if (view.phase === "Finished") return { now: `${now} ${ended(view, names)}`.trim() };
  const next = [ahead(view, ctx), holds(view, ctx)].filter(Boolean).join(" ");
  if (now) return { now, next };
  const field = fieldName(view.battlefield);
  return { now: `Round ${view.round} at the ${field}, first to ${view.target}.`, next };
}

/** @param {any} news @param {View} view @param {string[]} names */
function happened(news, view, names) {
  const [kind, told] = Object.entries(news)[0];
  const name = names[told.seat ?? told.winner ?? 0];
  if (kind === "attacked") return `${name} attacks with ${aTile(told.tile)}.`;
  if (kind === "defended") {
    const attack = view.answered;
    const whose = attack ? ` ${names[attack.seat]}'s ${tileName(attack.tile)}` : "";
    return `${name} answers${whose} with ${aTile(told.tile)}.`;
  }
  if (kind === "passed") return `${name} passes.`;
  if (kind === "put-face-down") return `${name} puts a tile face down.`;
  if (kind === "round-ended") {
    const bonus = told.face_down > 0 ? `, ${count(told.face_down, "tile")} face down` : "";
    return `${name} goes out on ${aTile(told.last_tile)}${bonus}, and scores ${count(told.points, "point")}.`;
  }
  if (kind === "round-began") return `Round ${told.round} begins.`;
  if (kind === "retired") return `${name} is out: ${exitWord(told.exit)}.`;
  return "";
}

/** @param {View} view @param {string[]} names */
function ended(view, names) {
  const { outcome } = view;
  const winners = names.filter((_, seat) => outcome?.[seat].place === 1);
  const scores = names.map((name, seat) => `${name} ${view.scores[seat]}`);
  return `${list(winners)} ${winners.length > 1 ? "win" : "wins"} the match: ${list(scores)}.`;
}

/** The round that brought most, if it was the winner's. @param {View} view @param {Context} ctx */
export function decided(view, ctx) {
  const results = ctx.updates.map((update) => roundResult(update.view)).filter(Boolean);
  const won = results.filter((result) => view.outcome?.[result.winner].place === 1);
  const best = won.toSorted((a, b) => b.points - a.points)[0];
  return best ? `Round ${best.round} decided it: ${outcome(best, ctx.names)}` : "";
}

/** How a round ended. @param {any} result @param {string[]} names */
export function outcome(result, names) {
  const down = result.face_down;
  const bonus = down > 0 ? ` with ${count(down, "tile")} face down` : "";
  return `${names[result.winner]} went out on ${aTile(result.last_tile)}${bonus}, for ${count(result.points, "point")}.`;
}

/** @param {View} view @param {Context} ctx */
function ahead(view, ctx) {
  const { names, turn } = ctx;
  const who = turn ? "You" : names[view.current];
  const verb = (/** @type {string} */ plain, /** @type {string} */ other) => (turn ? plain : other);
  if (view.phase === "Attack") return turn ? "You attack now." : `${who} attacks now.`;
  if (view.phase === "Defend") {
    const attack = view.attack ? ` ${names[view.attack.seat]}'s ${tileName(view.attack.tile)}` : "";
    return turn ? `Answer${attack} or pass.` : `${who} answers${attack} or passes.`;
  }
  return `No one answered: ${turn ? "you put" : `${who} puts`} a tile face down and ${verb("attack", "attacks")} again.`;
}

/** What the one to move holds, if it may be known and is little. @param {View} view @param {Context} ctx */
function holds(view, ctx) {
  const hand = handOf(view, ctx, view.current);
  if (!hand || hand.length === 0 || hand.length > 5) return "";
  const who = ctx.turn ? "You hold" : `${ctx.names[view.current]} holds`;
  return `${who} ${list(counted(sorted(hand)))}.`;
}

/** "two 5s", "an 8". @param {string[]} tiles */
function counted(tiles) {
  return [...new Set(tiles)].map((tile) => {
    const copies = tiles.filter((each) => each === tile).length;
    return copies > 1 ? `${NUMBERS[copies]} ${tile}s` : aTile(tile);
  });
}

/** @param {Update} update @param {Context} ctx @returns {MoveLine[]} */
export function moves(update, ctx) {
  return update.view.news
    .map((/** @type {any} */ news) => line(news, update, ctx))
    .filter((/** @type {MoveLine | null} */ line) => line !== null);
}

/** @param {any} news @param {Update} update @param {Context} ctx @returns {MoveLine | null} */
function line(news, update, ctx) {
  const [kind, told] = Object.entries(news)[0];
  const seat = told.seat;
  const late = update.moves?.find((move) => move.seat === seat)?.how === "clock";
  const note = late ? "out of time" : undefined;
  if (kind === "attacked") return { seat, words: `attacks with ${aTile(told.tile)}`, note };
  if (kind === "defended") return { seat, words: `answers with ${aTile(told.tile)}`, note };
  if (kind === "passed") return { seat, words: "passes", note };
  if (kind === "put-face-down") {
    const own = ctx.viewer === "all" || ctx.viewer === seat ? update.seat_views?.[seat] : null;
    const tile = own?.discards[seat].at(-1)?.tile;
    return { seat, words: tile ? `${aTile(tile)} face down` : "a tile face down", note };
  }
  if (kind === "round-ended")
    return { seat: told.winner, words: `wins round ${told.round}`, note: `+${told.points}` };
  return kind === "retired" ? { seat, words: exitWord(told.exit) } : null;
}

/** @param {Update} update */
export function mark({ view }) {
  const result = roundResult(view);
  if (result) return `end of round ${result.round}`;
  return view.news.some((/** @type {any} */ news) => news.retired) ? "out" : null;
}

/** @param {View} view */
export function where(view) {
  if (view.phase === "Finished") return `over after ${count(view.round, "round")}`;
  return `round ${view.round}, turn ${view.turn + 1}`;
}
