// Beside the table: how many cards each has to get rid of, and the cards everybody has seen.

import { h } from "../../../../web/dom.js";
import { seatMark } from "../../../../web/marks.js";
import { count } from "../../../../web/texts.js";
import { rankOf, suitOf } from "./cards.js";
import { suitGlyph } from "./suits.js";
import { cardName } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 */

/** @param {View} view @param {Context} ctx */
export function side(view, ctx) {
  return [
    h(
      "section",
      { class: "panel", key: "toGo" },
      h("header", null, "Cards to get rid of", h("span", { class: "note" }, "hand + reserve")),
      h(
        "div",
        { class: "gamba-to-go" },
        view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => toGo(view, ctx, seat)),
      ),
    ),
    seen("Pile", "from bottom to top", view.pile),
    seen("Burned", "out for good", view.burned),
  ];
}

/** @param {View} view @param {Context} ctx @param {number} seat */
function toGo(view, ctx, seat) {
  const { hand_size: hand, reserves } = view.seats[seat];
  const all = hand + reserves;
  const step = Math.min(14, 102 / Math.max(1, all));
  const spot = (/** @type {number} */ at) => ({
    x: at * step + 1,
    y: 1,
    width: Math.max(2, step - 3),
    height: 15,
    rx: Math.min(2, step / 5),
  });
  return [
    seatMark(seat, ctx.names[seat]),
    h("span", { class: "cut" }, ctx.names[seat]),
    h(
      "svg",
      {
        viewBox: "0 0 104 17",
        width: 104,
        height: 17,
        role: "img",
        "aria-label": `${hand} in hand, ${count(reserves, "reserve")}`,
      },
      Array.from({ length: hand }, (_, at) => h("rect", { ...spot(at), fill: "var(--button)" })),
      Array.from({ length: reserves }, (_, at) =>
        h("rect", {
          ...spot(hand + at),
          fill: "none",
          stroke: "var(--button)",
          "stroke-width": 1.3,
          "stroke-dasharray": "3 2",
        }),
      ),
    ),
    h("b", null, all),
  ];
}

/** @param {string} title @param {string} note @param {string[]} cards */
function seen(title, note, cards) {
  if (cards.length === 0) return h("span", { key: title, hidden: true });
  return h(
    "section",
    { class: "panel", key: title },
    h(
      "header",
      null,
      title,
      h("span", { class: "note" }, `${count(cards.length, "card")}, ${note}`),
    ),
    h("p", { class: "gamba-cards" }, cards.map(written)),
  );
}

/** A card as it stands in a line of text. @param {string} code */
function written(code) {
  const suit = suitOf(code);
  const red = suit === "H" || suit === "D";
  return h(
    "span",
    { class: red ? "red" : "", title: cardName(code) },
    rankOf(code),
    h(
      "svg",
      {
        viewBox: "-11 -11 22 22",
        width: 13,
        height: 13,
        role: "img",
        "aria-label": cardName(code),
      },
      suitGlyph(suit, { size: 20, fill: "currentColor", glint: "var(--sheet)" }),
    ),
  );
}
