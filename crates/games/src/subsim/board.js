// SubSim's board: the sea chart, what everybody's boats have, and what was heard.

import { h } from "../../../../web/dom.js";
import { clockMark, seatMark } from "../../../../web/marks.js";
import { grid, numbers, sea } from "./chart.js";
import { current } from "./draft.js";
import { key } from "./keys.js";
import { motion } from "./motion.js";
import { controls } from "./orders.js";
import { beside, pointsOf, ranking } from "./panels.js";
import { scene } from "./scene.js";
import { reach, targets } from "./targets.js";
import { onTheWater } from "./water.js";
import { caption, ending, moves } from "./words.js";

/** @import { Context, Scene, View } from "./types.d.ts" */

/** Below this the gauges stand under the chart. */
const WIDE = 720;
const WIDEST = 928;
/** More players than this stand close together in the list of scores. */
const MANY = 10;

/** @param {View} view @param {Context} ctx */
function board(view, ctx) {
  const seen = scene(view, ctx);
  const width = Math.max(320, Math.min(ctx.width, WIDEST));
  // A screen that is low has the gauges beside the chart as well, if there is room for any.
  const room = ctx.height ?? Infinity;
  const low = room < 430;
  const wide = ctx.width >= WIDE || low;
  const column = low
    ? Math.round(Math.max(0, width - room - 16))
    : Math.round(Math.min(316, width * 0.37));
  const sheet = wide ? width - (column >= 150 ? column + 16 : 0) : width;
  const [left, top, right] = wide && !low ? [30, 30, 10] : [24, 24, 6];
  // Under the chart stands what leaves room for it.
  const under = wide ? 0 : beside(seen, view, ctx, { x: 0, y: 0, w: width, h: 0 }).bottom + 8;
  const shown = under < room * 0.45;
  const upright = wide ? Infinity : room - (shown ? under : 0);
  const side = Math.min(sheet - left - right, (low ? room : upright) - top - right);
  const { squares, frame } = windowOn(view, ctx, seen, side);
  const high = Math.ceil(frame.height + top + right);
  const box = wide
    ? { x: sheet + 16, y: 0, w: column, h: low ? 0 : high }
    : { x: 0, y: high + 8, w: width, h: 0 };
  const none = wide ? column < 150 : !shown;
  const panels = none ? { drawn: null, bottom: 0 } : beside(seen, view, ctx, box);
  const across = Math.round((sheet - left - right - frame.width) / 2);
  const named = numbers(squares, lively(seen));
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
      // What is not in the frame is cut off, numbers too.
      h(
        "svg",
        {
          ...{ key: "columns", "aria-hidden": "true", y: -top, width: frame.width, height: top },
          viewBox: `${frame.x} ${-top} ${frame.width} ${top}`,
        },
        named.filter(({ key }) => String(key).startsWith("0")),
      ),
      h(
        "svg",
        {
          ...{ key: "rows", "aria-hidden": "true", x: -left, width: left, height: frame.height },
          viewBox: `${-left} ${frame.y} ${left} ${frame.height}`,
        },
        named.filter(({ key }) => String(key).startsWith("1")),
      ),
      h(
        "svg",
        {
          ...{ key: "water", width: frame.width, height: frame.height },
          viewBox: `${frame.x} ${frame.y} ${frame.width} ${frame.height}`,
        },
        onTheWater(seen, squares, {
          ...sea(squares, seen.obstacles),
          turn: view.executed,
          wide,
          lit: reach(view, ctx, squares),
        }),
        ctx.turn ? targets(view, ctx, squares) : null,
      ),
      h("rect", { key: "edge", class: "sea-edge", width: frame.width, height: frame.height }),
    ),
    panels.drawn,
  );
}

/** A finger's width. */
const FINGER = 44;

/**
 * The squares, and what is seen of them: everything, or on a small screen what is around the boat that
 * gets its order, with squares as large as a finger. To aim far, one sees everything.
 * @param {View} view @param {Context} ctx @param {Scene} seen @param {number} side
 */
function windowOn(view, ctx, { columns, rows }, side) {
  const all = grid(columns, rows, side);
  const whole = { squares: all, frame: { x: 0, y: 0, width: all.width, height: all.height } };
  const orders = ctx.turn && !ctx.turn.sent && view.phase === "playing" && view.choices.length > 0;
  if (ctx.height === null || ctx.width >= WIDE || all.cell >= 34 || !orders) return whole;
  const { kind, choices } = current(view, ctx);
  const squares = grid(columns, rows, FINGER * Math.max(columns, rows));
  const [x, y] = squares.middle(view.subs[choices.sub].square);
  const width = Math.min(side, squares.width);
  const height = Math.min(side, squares.height);
  const clamp = (/** @type {number} */ at, /** @type {number} */ most) =>
    Math.max(0, Math.min(most, at));
  const frame = {
    x: clamp(x - width / 2, squares.width - width),
    y: clamp(y - height / 2, squares.height - height),
    ...{ width, height },
  };
  const inside = (/** @type {[number, number]} */ square) => {
    const [sx, sy] = squares.middle(square);
    return sx > frame.x && sx < frame.x + width && sy > frame.y && sy < frame.y + height;
  };
  return kind === "fire" && !choices.fire.every(inside) ? whole : { squares, frame };
}

/** Squares whose numbers are bold. @param {Scene} seen @returns {[number, number][]} */
function lively({ blasts, boats }) {
  const few = boats.length <= 4 ? boats.filter(({ state }) => !state.dead) : [];
  return [...blasts.map(({ square }) => square), ...few.map(({ state }) => state.square)];
}

/** @param {View} view @param {Context} ctx */
function side(view, ctx) {
  const places = ranking(view, ctx);
  const known = places.some(({ score }) => score !== null);
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
        places.length > MANY
          ? { class: "subsim-score many", tabindex: "0", "aria-label": "Score" }
          : { class: "subsim-score" },
        places.map(({ seat, name, score, sunk }) =>
          h(
            "li",
            { key: seat, class: sunk ? "sunk" : "" },
            seatMark(seat, name, places.length > MANY ? 18 : 24),
            h("span", { class: "who cut", title: name }, name),
            sunk ? h("span", { class: "note" }, "sunk") : null,
            clockMs && timeLeftMs !== null && toMove.includes(seat)
              ? clockMark({ left: timeLeftMs, of: clockMs, owes: true })
              : null,
            h("b", null, score ?? "–"),
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
  decided: (view, ctx) => ending(view, ctx) ?? "",
  points: pointsOf,
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
  // Whose view it is: nobody else knows.
  out: (/** @type {View} */ { subs }) => subs.length > 0 && subs.every(({ dead }) => dead),
  motion,
};
