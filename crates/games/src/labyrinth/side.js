// Beside the stage: who plays after whom, and where everybody stands.

import { h } from "../../../../web/dom.js";
import { clockMark } from "../../../../web/marks.js";
import { cell, nameOf, same } from "./maze.js";
import { home, pawn } from "./pieces.js";
import { orderOfPlay, questOf } from "./scene.js";

/** @import { Scene, VNode } from "./types.d.ts" */

/** @param {Scene} scene */
export function orderPanel(scene) {
  const { view, ctx, seats } = scene;
  const out = ctx.names.map((_, seat) => seat).filter((seat) => !seats.includes(seat));
  const round = view.phase === "playing" ? `round ${view.round}` : "over";
  return h(
    "section",
    { class: "panel order-of-play", key: "order" },
    h("header", null, "Order of play", h("span", { class: "note" }, round)),
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
            h("div", { class: "label" }, standing(scene, seat)),
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

/** @param {Scene} scene @param {number} seat */
function standing({ view, ctx, seats, positions }, seat) {
  const { home } = view.seats[seat];
  const at = positions[seat];
  /** @type {(string | false | undefined)[]} */
  const said = seats.includes(seat)
    ? [
        view.winners.includes(seat) && "winner",
        same(at, cell(home)) ? "at home" : `at ${nameOf(at)}`,
        questOf(view, ctx, seat)?.homeward && "treasure found",
        view.leaving.includes(seat) && "leaving",
      ]
    : ["out of the game"];
  return said.filter(Boolean).join(", ");
}

/** @param {VNode} piece @param {string} box */
function picture(piece, box) {
  return h("svg", { viewBox: box, width: 28, height: 34, "aria-hidden": "true" }, piece);
}
