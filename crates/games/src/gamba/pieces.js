// Small things every part of the table is made of: words on the felt, a card at its place, places that
// cards come from.

import { h } from "../../../../web/dom.js";
import { TALL } from "./cards.js";

/** @typedef {import("./layout.js").Box} Box */

/**
 * Words on the felt, about their middle unless said otherwise.
 * @param {string} words
 * @param {{ x: number, y: number, size?: number, bold?: boolean, faint?: boolean, fill?: string, anchor?: string }} at
 */
export function label(words, { x, y, size = 13, bold, faint, fill, anchor = "middle" }) {
  return h(
    "text",
    {
      x,
      y,
      "text-anchor": anchor,
      "font-size": size,
      "font-weight": bold ? 600 : 400,
      fill: fill ?? (faint ? "var(--felt-ink-2)" : "var(--felt-ink)"),
    },
    words,
  );
}

/**
 * A card that travels by its name; it comes into being where `from` was.
 * @param {string} name
 * @param {{ x: number, y: number, card: number, turn?: number, from?: string }} at
 * @param {import("../../../../web/dom.js").Child} face
 */
export function placed(name, { x, y, card, turn = 0, from }, face) {
  const turned = turn ? ` rotate(${turn} 50 70)` : "";
  const transform = `translate(${x} ${y}) scale(${card / 100})${turned}`;
  return h(
    "g",
    { key: name, "data-flip": name, "data-from": from ?? null },
    h("g", { transform }, face),
  );
}

/** An unseen card's place that others come from. @param {string} name @param {{ x: number, y: number, card: number }} at */
export function place(name, { x, y, card }) {
  return h("rect", {
    key: name,
    "data-flip": name,
    x,
    y,
    width: card,
    height: card * TALL,
    fill: "none",
  });
}

/** Where a card could lie. @param {{ x: number, y: number, card: number }} at */
export function emptySpot({ x, y, card }) {
  return h("rect", {
    x,
    y,
    width: card,
    height: card * TALL,
    rx: card * 0.075,
    fill: "none",
    stroke: "var(--felt-line)",
    "stroke-width": 1.4,
    "stroke-dasharray": "5 4",
  });
}

/** A lean of a few degrees that a card keeps as long as it lies. @param {string} name @param {number} most */
export function lean(name, most) {
  let sum = 7;
  for (const char of name) sum = (sum * 31 + char.charCodeAt(0)) % 997;
  return Math.round((((sum % 201) - 100) / 100) * most * 10) / 10;
}
