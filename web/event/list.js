// Tournaments as lists show them.

import { h } from "../dom.js";
import { emblem } from "../games.js";
import { cardLine, dayOf, inBrief } from "./words.js";

/** The newest first, whatever the game. @template {{ convened_at?: number }} T @param {T[]} cards @returns {T[]} */
export function newestFirst(cards) {
  return [...cards].sort((a, b) => (b.convened_at ?? 0) - (a.convened_at ?? 0));
}

/** @param {any[]} cards */
export function tournamentList(cards) {
  return h(
    "ul",
    { class: "rows tournaments" },
    cards.map((card) => {
      // A card has the number of its entrants in their place.
      const entrants = card.entrants ?? Array.from({ length: card.entered ?? 0 });
      return h(
        "li",
        { key: `${card.game}/${card.id}`, "data-game": card.game },
        emblem(card.game, 28),
        h(
          "a",
          { class: "cut", href: `/${card.game}/tournaments/${encodeURIComponent(card.id)}` },
          h("b", null, card.id),
        ),
        h("span", { class: "note cut" }, inBrief({ ...card, entrants })),
        h("span", { class: "note small" }, card.convened_at ? dayOf(card.convened_at) : ""),
        h(
          "span",
          { class: card.phase === "running" ? "live" : "note" },
          card.phase === "running" ? h("span", { class: "dot" }) : null,
          cardLine(card),
        ),
      );
    }),
  );
}
