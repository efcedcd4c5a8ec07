// SubSim's board: the sea chart, what everybody's boats have, and what was heard.

import { h } from "../../../../web/dom.js";
import { clockMark, seatMark } from "../../../../web/marks.js";
import { grid, numbers, sea } from "./chart.js";
import { key } from "./keys.js";
import { motion } from "./motion.js";
import { controls } from "./orders.js";
import { beside } from "./panels.js";
import { scene } from "./scene.js";
import { reach, targets } from "./targets.js";
import { onTheWater } from "./water.js";
import { caption, moves } from "./words.js";

/** @import { Context, Scene, View } from "./types.d.ts" */

/** Below this the gauges stand under the chart. */
const WIDE = 720;
const WIDEST = 928;

/** @param {View} view @param {Context} ctx */
function board(view, ctx) {
  const seen = scene(view, ctx);
  const wide = ctx.width >= WIDE;
  const width = Math.max(320, Math.min(ctx.width, WIDEST));
  const column = Math.round(Math.min(316, width * 0.37));
  const sheet = wide ? width - column - 16 : width;
  const [left, top, right] = wide ? [30, 30, 10] : [24, 24, 6];
  const squares = grid(seen.columns, seen.rows, sheet - left - right);
  const high = Math.ceil(squares.height + top + right);
  const box = wide
    ? { x: sheet + 16, y: 0, w: column, h: high }
    : { x: 0, y: high + 8, w: width, h: 0 };
  const panels = beside(seen, view, ctx, box);
  const across = Math.round((sheet - left - right - squares.width) / 2);
  return h(
    "svg",
    {
      class: "subsim",
      viewBox: `0 0 ${width} ${Math.ceil(Math.max(high, panels.bottom))}`,
      role: "group",
      "aria-label": `Sea chart, ${seen.columns} by ${seen.rows} squares`,
    },
    h("rect", {
      ...{ key: "sheet", class: "sheet", x: 0.5, y: 0.5, rx: 12 },
      ...{ width: sheet - 1, height: high - 1 },
    }),
    h(
      "g",
      { key: "chart", transform: `translate(${left + across} ${top})` },
      h("g", { key: "numbers", "aria-hidden": "true" }, numbers(squares, lively(seen))),
      h(
        "svg",
        { key: "water", width: squares.width, height: squares.height },
        onTheWater(seen, squares, {
          ...sea(squares, seen.obstacles),
          turn: view.executed,
          wide,
          lit: reach(view, ctx, squares),
        }),
        ctx.turn ? targets(view, ctx, squares) : null,
      ),
      h("rect", { key: "edge", class: "sea-edge", width: squares.width, height: squares.height }),
    ),
    panels.drawn,
  );
}

/** Squares whose numbers are bold. @param {Scene} seen @returns {[number, number][]} */
function lively({ blasts, boats }) {
  const few = boats.length <= 4 ? boats.filter(({ state }) => !state.dead) : [];
  return [...blasts.map(({ square }) => square), ...few.map(({ state }) => state.square)];
}

/** @param {View} view @param {Context} ctx @returns {(number | null)[]} */
function points(view, ctx) {
  if (view.end) return view.end.outcome.map(({ points }) => points);
  if (ctx.seatViews) return ctx.seatViews.map(({ score }) => score);
  return ctx.names.map((_, seat) => (seat === ctx.viewer ? view.score : null));
}

/** @param {View} view @param {Context} ctx */
function side(view, ctx) {
  const scores = points(view, ctx);
  const known = scores.some((score) => score !== null);
  const { clockMs, timeLeftMs, toMove } = ctx;
  return [
    h(
      "section",
      { class: "panel", key: "score" },
      h(
        "header",
        null,
        "Score",
        h("span", { class: "note" }, known ? "damage done" : "told at the end"),
      ),
      h(
        "ul",
        { class: "subsim-score" },
        ctx.names.map((name, seat) =>
          h(
            "li",
            { key: seat },
            seatMark(seat, name, 24),
            h("span", { class: "who cut", title: name }, name),
            clockMs && timeLeftMs !== null && toMove.includes(seat)
              ? clockMark({ left: timeLeftMs, of: clockMs, owes: true })
              : null,
            h("b", null, scores[seat] ?? "–"),
          ),
        ),
      ),
    ),
  ];
}

/** @type {import("../../../../web/types.d.ts").Board} */
export default {
  board,
  side,
  controls,
  key,
  caption,
  points,
  plot: { title: "Points", note: "damage done to others, turn by turn" },
  moves,
  mark: (update) => {
    const view = /** @type {View} */ (update.view);
    const loud = view.news.find(({ detonations }) => detonations.length);
    return loud ? `detonation, turn ${loud.turn}` : null;
  },
  where: ({ chart, phase, executed }) =>
    `${chart.map_size.join(" × ")}, ${phase === "placing" ? "before the first turn" : `turn ${executed}`}`,
  turn: ({ executed }) => executed,
  motion,
};
