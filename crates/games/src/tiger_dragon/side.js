// Beside the table: the battlefield with what a last tile is worth, and the points.

import { h } from "../../../../web/dom.js";
import { seatColour, seatMark } from "../../../../web/marks.js";
import { landscape } from "./landscapes.js";
import { BACK, BLADE, ORDER, SHIELD, TALL, tileFace } from "./tiles.js";
import { fieldName, tileName } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 */

/** @param {View} view @param {Context} ctx */
export function side(view, ctx) {
  return [points(view, ctx), field(view)];
}

/** @param {View} view @param {Context} ctx */
function points(view, ctx) {
  return h(
    "section",
    { class: "panel", key: "points" },
    h("header", null, "Points", h("span", { class: "note" }, `first to ${view.target}`)),
    h(
      "div",
      { class: "td-points" },
      view.scores.map((/** @type {number} */ score, /** @type {number} */ seat) => [
        seatMark(seat, ctx.names[seat]),
        h("span", { class: "cut" }, ctx.names[seat]),
        bar(score, view.target, seat),
        h("b", null, score),
      ]),
    ),
  );
}

/** @param {number} score @param {number} target @param {number} seat */
function bar(score, target, seat) {
  const step = 90 / target;
  const boxes = target <= 15 ? target : 1;
  const share = Math.min(1, score / target);
  return h(
    "svg",
    { viewBox: "0 0 92 14", width: 92, height: 14, "aria-hidden": "true" },
    boxes > 1
      ? Array.from({ length: boxes }, (_, at) =>
          h("rect", {
            x: at * step + 1,
            y: 1,
            width: step - 2.4,
            height: 12,
            rx: 2.4,
            fill: at < score ? seatColour(seat) : "none",
            stroke: at < score ? seatColour(seat) : "var(--rule)",
          }),
        )
      : [
          h("rect", { x: 1, y: 3, width: 90, height: 8, rx: 4, fill: "var(--well)" }),
          h("rect", { x: 1, y: 3, width: 90 * share, height: 8, rx: 4, fill: seatColour(seat) }),
        ],
  );
}

/** @type {Map<string, import("../../../../web/dom.js").VNode>} */
const fields = new Map();

/** The card never changes in a match, so it is made once. @param {View} view */
function field(view) {
  const name = JSON.stringify([view.battlefield, view.worths, view.effect]);
  const known = fields.get(name);
  if (known) return known;
  const made = h(
    "section",
    { class: "panel td-field", key: "field" },
    landscape(view.battlefield),
    h("h2", null, fieldName(view.battlefield)),
    h("dl", { class: "td-worths" }, groups(view.worths)),
    h("p", { class: "small note" }, view.effect),
    h(
      "p",
      { class: "small note td-signs" },
      sign(BLADE),
      "attack",
      sign(SHIELD),
      "answer",
      h("b", null, "+1"),
      "face down",
    ),
  );
  fields.set(name, made);
  return made;
}

/** @param {import("../../../../web/dom.js").VNode} drawn */
function sign(drawn) {
  return h("svg", { viewBox: "-8 -8 16 16", width: 16, height: 16, "aria-hidden": "true" }, drawn);
}

/** Tiles that are worth the same stand together, the most first. @param {Record<string, { points: number, bonus: number }>} worths */
function groups(worths) {
  /** @type {Map<string, { tiles: string[], points: number, bonus: number }>} */
  const alike = new Map();
  for (const tile of ORDER) {
    const worth = worths[tile];
    if (!worth) continue;
    const name = `${worth.points}+${worth.bonus}`;
    const group = alike.get(name);
    if (group) group.tiles.push(tile);
    else alike.set(name, { tiles: [tile], ...worth });
  }
  const bonus = Math.max(0, ...Object.values(worths).map((worth) => worth.bonus));
  const rows = [...alike.values()].sort((a, b) => b.points - a.points);
  return [
    rows.map(({ tiles, points, bonus }) => [
      h("dt", null, small(tiles)),
      h("dd", null, bonus > 0 ? `${points}+` : points),
    ]),
    bonus > 0 ? [h("dt", null, small(["back"])), h("dd", null, `+${bonus}`)] : null,
  ];
}

/** @param {string[]} tiles */
function small(tiles) {
  const width = tiles.length * 24 - 2;
  const name = tiles
    .map((tile) => (tile === "back" ? "each tile face down" : tileName(tile)))
    .join(", ");
  return h(
    "svg",
    {
      viewBox: `0 0 ${width} ${22 * TALL}`,
      width,
      height: 22 * TALL,
      role: "img",
      "aria-label": name,
    },
    tiles.map((tile, at) =>
      h(
        "g",
        { transform: `translate(${at * 24} 0) scale(0.22)` },
        tile === "back" ? BACK : tileFace(tile, 22),
      ),
    ),
  );
}
