// Small things every part of the table is made of.

import { h } from "../../../../web/dom.js";
import { TALL } from "./tiles.js";

/**
 * Words on the table.
 * @param {string} words
 * @param {{ x: number, y: number, size?: number, bold?: boolean, faint?: boolean, fill?: string, anchor?: string }} at
 */
export function label(words, { x, y, size = 13, bold, faint, fill, anchor = "start" }) {
  return h(
    "text",
    {
      x,
      y,
      "text-anchor": anchor,
      "font-size": size,
      "font-weight": bold ? 600 : 400,
      fill: fill ?? (faint ? "var(--board-ink-2)" : "var(--board-ink)"),
    },
    words,
  );
}

/**
 * A tile that travels by its name; it comes into being where `from` was.
 * @param {string} name
 * @param {{ x: number, y: number, tile: number, turn?: number, from?: string }} at
 * @param {import("../../../../web/dom.js").Child} face
 * @param {Record<string, any>} [more]
 */
export function placed(name, { x, y, tile, turn = 0, from }, face, more = {}) {
  const turned = turn ? ` rotate(${turn} 50 71)` : "";
  const transform = `translate(${round(x)} ${round(y)}) scale(${round(tile / 100)})${turned}`;
  return h(
    "g",
    { key: name, "data-flip": name, "data-from": from ?? null, ...more },
    h("g", { transform }, face),
  );
}

/** A place that tiles come from, unseen. @param {string} name @param {{ x: number, y: number, tile: number }} at */
export function place(name, { x, y, tile }) {
  const size = { x: round(x), y: round(y), width: round(tile), height: round(tile * TALL) };
  return h("rect", { key: name, "data-flip": name, ...size, fill: "none" });
}

/** Where a tile could lie, in a tile's own units. */
export const EMPTY = h("rect", {
  width: 100,
  height: 134,
  rx: 14,
  fill: "none",
  stroke: "var(--board-ink-2)",
  "stroke-width": 1.8,
  "stroke-dasharray": "7 6",
});

/** @param {number} n */
function round(n) {
  return Math.round(n * 1000) / 1000;
}
