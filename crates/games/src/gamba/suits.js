// The four suits: outlines that tell themselves apart in grey too, each in a box of 20 about its middle.

import { h } from "../../../../web/dom.js";

/** @typedef {"S" | "H" | "C" | "D"} Suit */

const OUTLINES = {
  S: "M0-10C2-5.4 9-1.6 9 4 9 8.2 4.5 9 1.5 6.2 1.7 8.2 2.6 9.6 4.2 10H-4.2C-2.6 9.6-1.7 8.2-1.5 6.2-4.5 9-9 8.2-9 4-9-1.6-2-5.4 0-10z",
  H: "M0 9.8C-2 6.2-9.6 1.8-9.6-3.8-9.6-9.6-2.2-10.6 0-5.2 2.2-10.6 9.6-9.6 9.6-3.8 9.6 1.8 2 6.2 0 9.8z",
  C: "M-4.5-5.4a4.5 4.5 0 1 1 9 0a4.5 4.5 0 1 1-9 0zM-9.6 1.9a4.6 4.6 0 1 1 9.2 0a4.6 4.6 0 1 1-9.2 0zM.4 1.9a4.6 4.6 0 1 1 9.2 0a4.6 4.6 0 1 1-9.2 0zM-1.7-2H1.7C1.5 4 2.2 9.4 4.4 10H-4.4C-2.2 9.4-1.5 4-1.7-2z",
  D: "M0-10.4C2-6.4 5-2.8 7.8 0 5 2.8 2 6.4 0 10.4-2 6.4-5 2.8-7.8 0-5-2.8-2-6.4 0-10.4z",
};

const WORDS = { S: "spades", H: "hearts", C: "clubs", D: "diamonds" };
const SIGNS = { S: "♠", H: "♥", C: "♣", D: "♦" };

/** @param {Suit} suit */
export function suitColour(suit) {
  return suit === "H" || suit === "D" ? "var(--card-red)" : "var(--card-ink)";
}

/** @param {Suit} suit */
export function suitWord(suit) {
  return WORDS[suit];
}

/** As a character of the text around it, not as a picture. @param {Suit} suit */
export function suitSign(suit) {
  return `${SIGNS[suit]}\uFE0E`;
}

/**
 * A suit with its middle at x and y.
 * @param {Suit} suit
 * @param {{ x?: number, y?: number, size: number, turned?: boolean, fill?: string, glint?: string }} place
 */
export function suitGlyph(suit, { x = 0, y = 0, size, turned = false, fill, glint }) {
  const transform = `translate(${x} ${y}) scale(${((turned ? -1 : 1) * size) / 20})`;
  return h(
    "g",
    { transform },
    h("path", { d: OUTLINES[suit], fill: fill ?? suitColour(suit) }),
    size < 10 ? null : mark(suit, glint ?? "var(--card)"),
  );
}

/** What a heart and a diamond have that a grey copy keeps. @param {Suit} suit @param {string} stroke */
function mark(suit, stroke) {
  const line = { fill: "none", stroke, "stroke-width": 1.5, "stroke-linecap": "round" };
  if (suit === "H") return h("path", { ...line, d: "M-6.8-3.4C-6.7-5.8-5.2-6.9-3.6-6.4" });
  if (suit === "D") return h("path", { ...line, d: "M0-6.2 4.5 0 0 6.2-4.5 0z" });
  return null;
}
