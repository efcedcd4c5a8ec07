// What Labyrinth's board says: places, slides, what happened, what follows.

import { count, list } from "../../../../web/texts.js";
import { pairName } from "./gems.js";
import { cell, isRow, nameOf, same } from "./maze.js";
import { questOf, sceneOf, targetOf } from "./scene.js";

/** @import { Caption, Cell, Context, MoveLine, Slide, Update, View } from "./types.d.ts" */

/** @param {Cell} at */
export function placeWords({ row, column }) {
  return `row ${row}, column ${column}`;
}

/** "row 2". @param {Slide} slide */
export function lineWords(slide) {
  return `${isRow(slide) ? "row" : "column"} ${slide[0]}`;
}

/** "row 2 to the right", "column 4 up". @param {Slide} slide */
export function slideWords(slide) {
  const way = { LEFT: "to the left", RIGHT: "to the right", UP: "up", DOWN: "down" };
  return `${lineWords(slide)} ${way[slide[1]]}`;
}

/** As short as can be: "row 2 right". @param {Slide} slide */
export function slideInShort(slide) {
  return `${lineWords(slide)} ${slide[1].toLowerCase()}`;
}

/** @param {View} view @param {Context} ctx @returns {Caption} */
export function caption(view, ctx) {
  return { now: happened(view, ctx), next: follows(view, ctx) };
}

/** @param {View} view @param {Context} ctx */
function happened(view, ctx) {
  const { names } = ctx;
  if (view.phase === "over") return ended(view, ctx);
  const { drafting, slide: drafted, reach } = sceneOf(view, ctx);
  if (drafting && drafted && reach) {
    const verb = reach.size === 1 ? "is" : "are";
    return `${capital(slideWords(drafted))}: ${count(reach.size, "tile")} ${verb} within reach.`;
  }
  const { mover, deed, way, dropped } = view.news;
  if (mover === null || mover === undefined) {
    const all = list(view.order.toSorted().map((/** @type {number} */ seat) => names[seat]));
    return `${all} stand at their homes.`;
  }
  const gone = dropped.filter((/** @type {number} */ seat) => seat !== mover);
  const more = gone.length
    ? ` ${list(gone.map((/** @type {number} */ seat) => names[seat]))} ${gone.length === 1 ? "is" : "are"} out.`
    : "";
  if (deed === "passed") return `${names[mover]} passes.${more}`;
  if (deed === "removed") return `${names[mover]} ${exitWords(ctx.updates.at(-1), mover)}.${more}`;
  const [index, direction, degree, to] = deed.played;
  const turn = degree === 0 ? "" : `, with the spare tile turned by ${degree}°,`;
  const steps = Math.max(0, way.length - 1);
  const walk = `walks ${count(steps, "tile")} to ${placeWords(cell(to))}`;
  const slide = slideWords([index, direction]);
  return `${names[mover]} slides ${slide}${turn} and ${walk}.${arrival(view, ctx, cell(to))}${more}`;
}

/** What the mover found there, if whoever looks may know. @param {View} view @param {Context} ctx @param {Cell} to */
function arrival(view, ctx, to) {
  const { mover } = view.news;
  if (view.ending) return "";
  const next = (ctx.seatViews?.[mover] ?? view).news.next_target;
  if (!next) return "";
  const quest = questOf(view, ctx, mover);
  if (quest && quest.homeward && same(to, cell(quest.place ?? next))) {
    return ` There lies the treasure: ${pairName(quest.treasure)}.`;
  }
  return " There lies the treasure.";
}

/** @param {View} view @param {Context} ctx */
function ended(view, { names }) {
  const winners = view.winners.map((/** @type {number} */ seat) => names[seat]);
  const { ending } = view;
  if (ending?.home !== undefined) {
    const home = names[ending.home];
    if (view.winners.length === 0) return `${home} came home, but there is no winner.`;
    return view.winners.includes(ending.home)
      ? `${home} is home with the treasure and wins.`
      : `${home} is home; ${list(winners)} ${winners.length === 1 ? "wins" : "win"}, having found more.`;
  }
  const why =
    {
      "all-passed": "All players have passed",
      "all-ejected": "No player is left",
      "round-limit": "The last round is played",
    }[/** @type {string} */ (ending)] ?? "The game is over";
  if (winners.length === 0) return `${why}. There is no winner.`;
  return `${why}. ${list(winners)} ${winners.length === 1 ? "wins" : "share the win"}.`;
}

/** @param {View} view @param {Context} ctx */
export function decided(view, ctx) {
  return view.phase === "over" ? ended(view, ctx) : "";
}

/** @param {View} view @param {Context} ctx */
function follows(view, ctx) {
  const { names, turn } = ctx;
  if (view.phase === "over") return treasures(view, ctx);
  if (view.phase === "closing") return ended(view, ctx);
  if (turn) return drafted(view, ctx);
  const mover = names[view.order[0]];
  const quest = questOf(view, ctx, view.order[0]);
  const leaving = view.leaving.map((/** @type {number} */ seat) => names[seat]);
  const going = leaving.length ? ` ${list(leaving)} will be out after this turn.` : "";
  if (!quest) return `${mover} is to move.${going}`;
  const aim = quest.homeward ? "is on the way home" : `looks for ${pairName(quest.treasure)}`;
  return `${mover} is to move and ${aim}.${going}`;
}

/** What is left to do of a turn. @param {View} view @param {Context} ctx */
function drafted(view, ctx) {
  const { drafting, draft, reach } = sceneOf(view, ctx);
  if (draft.why) return draft.why;
  const target = targetOf(view, ctx, view.order[0]);
  if (!drafting) return "Your turn: turn the spare tile as you like, then choose an arrow.";
  const goal = questOf(view, ctx, view.order[0])?.homeward ? "Home" : "Your treasure";
  if (same(draft.to, target))
    return `The dotted way leads ${goal === "Home" ? "home" : "to your treasure"}.`;
  if (!draft.to && target && reach?.has(nameOf(target)))
    return `${goal} is among them. Choose where to walk.`;
  if (draft.to) return "The dots show the way. Walk, or choose another tile.";
  return reach?.size ? "Choose where to walk." : "Take the slide back.";
}

/** Who was after what. @param {View} view @param {Context} ctx */
function treasures(view, { names }) {
  const found = view.seats
    .map((/** @type {any} */ { quest }, /** @type {number} */ seat) =>
      quest?.found > 0 ? names[seat] : null,
    )
    .filter((/** @type {string | null} */ name) => name !== null);
  if (found.length === 0) return "No one found a treasure.";
  return `${list(found)} had found ${found.length === 1 ? "a treasure" : "their treasures"}.`;
}

/** @param {Update | undefined} update @param {number} seat */
function exitWords(update, seat) {
  const how = update?.moves.find((move) => move.seat === seat)?.how;
  return how === "clock" ? "runs out of time and is out" : "is out of the game";
}

/** @param {Update} update @returns {MoveLine[]} */
export function moves(update) {
  const { mover, deed, dropped } = update.view.news;
  /** @type {MoveLine[]} */
  const lines = [];
  if (mover !== null && mover !== undefined)
    lines.push({ seat: mover, ...moveWords(update, mover, deed) });
  for (const seat of dropped) if (seat !== mover) lines.push({ seat, words: "is out" });
  if (update.view.phase === "over")
    for (const seat of update.view.winners) lines.push({ seat, words: "wins" });
  return lines;
}

/** @param {Update} update @param {number} mover @param {any} deed */
function moveWords(update, mover, deed) {
  if (deed === "passed") return { words: "passes" };
  if (deed === "removed") return { words: exitWords(update, mover).replace(" of the game", "") };
  const [index, direction, , to] = deed.played;
  return {
    words: slideInShort([index, direction]),
    note: `to ${nameOf(cell(to))}`,
  };
}

/** @param {View} view */
export function where(view) {
  if (view.phase !== "playing") return `Over after ${count(view.turns, "turn")}`;
  return `Round ${view.round}, turn ${view.turns + 1}`;
}

/** @param {Update} update */
export function mark(update) {
  const { names, view } = update;
  const { mover, dropped } = view.news;
  if (mover === null || mover === undefined) return null;
  if (view.ending?.home === mover) return `${names[mover]} is home`;
  if ((update.seat_views?.[mover] ?? view).news.next_target)
    return `${names[mover]} finds a treasure`;
  return dropped.length ? `${names[dropped[0]]} is out` : null;
}

/** @param {string} words */
export function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}
