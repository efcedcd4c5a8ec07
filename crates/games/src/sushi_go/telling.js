// What happened in words: the caption, the move list, points, and marks for the scrubber.

import { list } from "../../../../web/texts.js";
import { groupsOf } from "./groups.js";

/**
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Update} Update
 */

/** @param {View} view */
export function where(view) {
  return view.outcome ? "over" : `Round ${view.round} of 3 · Turn ${view.turn} of ${view.turns}`;
}

/** @param {View} view @param {Context} ctx @returns {import("../../../../web/types.d.ts").Caption} */
export function caption(view, ctx) {
  const { names } = ctx;
  if (view.outcome) return { now: ending(view, names), next: laid(view, names) };
  if (ctx.turn || (ctx.moved.length > 0 && typeof ctx.viewer === "number")) {
    return {
      now: `Round ${view.round}, turn ${view.turn}. ${standing(view, ctx)}`,
      next: waiting(ctx),
    };
  }
  if (view.news?.round_end) {
    const { scores } = view.news.round_end;
    const told = list(names.map((name, seat) => `${name} has ${scores[seat]}`));
    return { now: `Round ${view.news.round} is over: ${told}.`, next: passing(view, names) };
  }
  if (!view.news)
    return { now: `Round 1 begins with ${view.turns} cards each.`, next: passing(view, names) };
  return { now: laid(view, names), next: passing(view, names) };
}

/** @param {View} view @param {string[]} names */
function laid(view, names) {
  if (!view.news) return "";
  const { played, round, turn } = view.news;
  const who = names.map((_, seat) => seat).filter((seat) => played[seat]?.length > 0);
  const each = who.map(
    (seat, at) =>
      `${names[seat]} ${at === 0 ? "lays " : ""}${played[seat].map(plain).join(" and ")}`,
  );
  return `Round ${round}, turn ${turn}: ${list(each)}.`;
}

/** @param {View} view @param {string[]} names */
function passing(view, names) {
  if (view.outcome) return "";
  const way = [0];
  while (way.length <= names.length && view.passes_to[way[way.length - 1]] !== 0)
    way.push(view.passes_to[way[way.length - 1]]);
  return `Hands pass from ${way.map((seat) => names[seat]).join(" to ")}${way.length > 1 ? ` to ${names[0]}` : ""}.`;
}

/** What the viewer's own cards add up to. @param {View} view @param {Context} ctx */
function standing(view, ctx) {
  const groups = groupsOf(view.seats[ctx.near].table);
  const told = groups.flatMap((group) => {
    if (group.lacks === "Tempura") return ["one more tempura makes a pair"];
    if (group.lacks === "Sashimi")
      return [`${group.missing === 1 ? "one" : "two"} more sashimi make ten points`];
    if (group.words === "next nigiri") return ["a free wasabi waits for a nigiri"];
    if (group.words === "ready") return ["your chopsticks are ready"];
    return [];
  });
  return told.length > 0 ? `On your table: ${list(told)}.` : "Choose a card to keep.";
}

/** @param {Context} ctx */
function waiting(ctx) {
  const others = ctx.toMove.filter((seat) => seat !== ctx.viewer).map((seat) => ctx.names[seat]);
  if (others.length === 0) return "All other players have chosen.";
  return `${list(others)} still ${others.length === 1 ? "owes" : "owe"} a card.`;
}

/** @param {View} view @param {string[]} names */
function ending(view, names) {
  const best = view.outcome.flatMap((/** @type {any} */ each, /** @type {number} */ seat) =>
    each.place === 1 ? [seat] : [],
  );
  const points = view.outcome[best[0]]?.points;
  const who = list(best.map((/** @type {number} */ seat) => names[seat]));
  return best.length === 1
    ? `${who} wins with ${points} points.`
    : `${who} win together with ${points} points.`;
}

/** @param {string} card */
function plain(card) {
  const rolls = /^Maki Roll \((\d)\)$/.exec(card);
  return rolls ? `${rolls[1]} maki` : card.toLowerCase();
}

/** @param {View} view */
export function points(view) {
  return view.seats.map((/** @type {any} */ seat) => seat.score);
}

/** @param {Update} update @returns {import("../../../../web/types.d.ts").MoveLine[]} */
export function moves(update) {
  const { news } = update.view;
  if (!news) return [];
  return news.played.flatMap((/** @type {string[]} */ cards, /** @type {number} */ seat) =>
    cards.length === 0
      ? []
      : [
          {
            seat,
            words: cards.map(plain).join(", then "),
            note: cards.length > 1 ? "chopsticks" : how(update, seat),
          },
        ],
  );
}

/** @param {Update} update @param {number} seat */
function how(update, seat) {
  const move = update.moves.find((each) => each.seat === seat);
  return move?.how === "clock" ? "timed out" : undefined;
}

/** @param {Update} update */
export function mark(update) {
  const { news } = update.view;
  return news?.round_end ? `round ${news.round} ends` : null;
}
