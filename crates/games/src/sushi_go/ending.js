// The card after a round, and what decided the game.

import { h } from "../../../../web/dom.js";
import { seatMark } from "../../../../web/marks.js";
import { list, words } from "../../../../web/texts.js";
import { square } from "./cards.js";

/**
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").View} View
 */

/** What a round is counted by, and a card that stands for it. */
const KINDS = /** @type {const} */ ([
  ["maki", "Maki Roll (1)"],
  ["tempura", "Tempura"],
  ["sashimi", "Sashimi"],
  ["dumpling", "Dumpling"],
  ["nigiri", "Salmon Nigiri"],
]);

/** What each round was worth, from the rounds that have ended. @param {Context} ctx @returns {number[][]} */
export function rounds(ctx) {
  /** @type {Map<number, number[]>} */
  const ends = new Map();
  for (const { view } of ctx.updates) {
    if (view.news?.round_end) ends.set(view.news.round, view.news.round_end.scores);
  }
  return [1, 2, 3].map((round) => {
    const now = ends.get(round);
    if (!now) return [];
    const before = ends.get(round - 1);
    return now.map((score, seat) => score - (before?.[seat] ?? 0));
  });
}

/** How a round that just ended was counted, kind by kind. @param {View} view @param {Context} ctx */
export function counted(view, ctx) {
  const end = view.news?.round_end;
  if (!end) return null;
  const gained = rounds(ctx)[view.news.round - 1];
  return h(
    "table",
    { class: "sushi-grid" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", null, h("span", { class: "visually-hidden" }, "Player")),
        KINDS.map(([, card]) => h("th", { scope: "col" }, square(card, 26))),
        h("th", { scope: "col" }, "Round"),
      ),
    ),
    h(
      "tbody",
      null,
      ctx.names.map((name, seat) =>
        h(
          "tr",
          { key: seat },
          h(
            "th",
            { scope: "row", title: name },
            seatMark(seat, name, 20),
            h("span", { class: "visually-hidden" }, name),
          ),
          KINDS.map(([kind]) => h("td", null, end.worths[seat][kind] || "–")),
          h("td", null, gained[seat] ?? "–"),
        ),
      ),
    ),
  );
}

/** @param {View} view @param {Context} ctx */
export function summary(view, ctx) {
  if (!view.news?.round_end || view.outcome) return null;
  return {
    title: words.end.round(view.news.round),
    content: [counted(view, ctx), standing(view, ctx)],
  };
}

/** @param {View} view @param {Context} ctx */
function standing(view, ctx) {
  const { scores } = view.news.round_end;
  const best = Math.max(...scores);
  const ahead = ctx.names.filter((_, seat) => scores[seat] === best);
  const told = `${list(ahead)} ${ahead.length === 1 ? "leads" : "lead"} with ${best} points.`;
  return h("p", { class: "note" }, told);
}

/** Where the winner got ahead of the best of the others. @param {View} view @param {Context} ctx */
export function decided(view, ctx) {
  const places = view.outcome?.map((/** @type {any} */ each) => each.place) ?? [];
  const worth = rounds(ctx);
  const winner = places.indexOf(1);
  if (winner < 0 || worth.some((round) => round.length === 0)) return "";
  const own = typeof ctx.viewer === "number" ? ctx.viewer : winner;
  const other = own === winner ? places.indexOf(2) : own;
  if (other < 0) return "";
  const total = worth.map((round) => [round[winner], round[other]]);
  const laid = [winner, other].map(
    (seat) => view.seats[seat].score - worth.reduce((sum, round) => sum + round[seat], 0),
  );
  const gaps = [...total, laid].map(([won, lost]) => won - lost);
  const most = gaps.indexOf(Math.max(...gaps));
  const [won, lost] = [...total, laid][most];
  const what = most === 3 ? "Puddings" : `Round ${most + 1}`;
  return `${what} decided it: ${signed(won, most === 3)} for ${ctx.names[winner]}, ${signed(lost, most === 3)} for ${ctx.names[other]}.`;
}

/** @param {number} points @param {boolean} plus */
function signed(points, plus) {
  return points < 0 ? `−${-points}` : plus && points > 0 ? `+${points}` : `${points}`;
}
