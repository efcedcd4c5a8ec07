// Beside the stage: who plays after whom, and where everybody stands.

import { h } from "../../../../web/dom.js";
import { clockMark } from "../../../../web/marks.js";
import { cell, same } from "./maze.js";
import { home, pawn } from "./pieces.js";
import { knownQuest, orderOfPlay, scene } from "./reading.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 */

/** @param {View} view @param {Context} ctx */
export function orderPanel(view, ctx) {
  const { positions } = scene(view, ctx);
  const out = view.seats
    .map((/** @type {any} */ _, /** @type {number} */ seat) => seat)
    .filter((/** @type {number} */ seat) => !view.order.includes(seat));
  return h(
    "section",
    { class: "panel order-of-play", key: "order" },
    h("header", null, "Order of play", h("span", { class: "note" }, `round ${view.round}`)),
    h(
      "ol",
      null,
      [...orderOfPlay(view), ...out].map((seat) => {
        const moves = view.phase === "playing" && view.order[0] === seat;
        return h(
          "li",
          { key: seat, class: moves ? "moves" : "", "aria-current": moves ? "true" : null },
          picture(pawn(seat), "-20 -36 40 62"),
          h(
            "div",
            null,
            h("div", { class: "name cut", title: ctx.names[seat] }, ctx.names[seat]),
            h("div", { class: "label" }, standing(view, ctx, seat, positions[seat])),
          ),
          moves && ctx.clockMs && ctx.timeLeftMs !== null
            ? clockMark({ left: ctx.timeLeftMs, of: ctx.clockMs, owes: true })
            : out.includes(seat)
              ? null
              : picture(home(seat), "-26 -28 52 52"),
        );
      }),
    ),
  );
}

/** @param {View} view @param {Context} ctx @param {number} seat @param {import("./maze.js").Cell} at */
function standing(view, ctx, seat, at) {
  const { color, home: place } = view.seats[seat];
  const colour = ctx.names[seat] === color ? "" : `${color}, `;
  if (!view.order.includes(seat)) return `${colour}out of the game`;
  if (view.winners.includes(seat)) return `${colour}winner`;
  const where = same(at, cell(place)) ? "at home" : `at ${at.row}, ${at.column}`;
  const found = knownQuest(view, ctx, seat)?.homeward ? ", treasure found" : "";
  const leaving = view.leaving.includes(seat) ? ", leaving" : "";
  return `${colour}${where}${found}${leaving}`;
}

/** @param {import("../../../../web/dom.js").VNode} piece @param {string} box */
function picture(piece, box) {
  return h("svg", { viewBox: box, width: 28, height: 34, "aria-hidden": "true" }, piece);
}
