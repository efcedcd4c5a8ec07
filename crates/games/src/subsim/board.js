// SubSim's board: the sea chart, what everybody's boats have, and what was heard.

import { h } from "../../../../web/dom.js";
import { clockMark, seatMark } from "../../../../web/marks.js";
import { boat as boatMotif, mine, round } from "./art.js";
import { grid, numbers, sea } from "./chart.js";
import { blastArea, blastBurst, contact, run, scar, sonar, track } from "./events.js";
import { beside } from "./panels.js";
import { motion } from "./motion.js";
import { controls, key, preview } from "./orders.js";
import { scene } from "./scene.js";
import { tags } from "./tags.js";
import { caption, moves } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./chart.js").Grid} Grid
 */

/** Below this the gauges stand under the chart. */
const WIDE = 640;
const WIDEST = 928;

/** @param {View} view @param {Context} ctx */
function board(view, ctx) {
  const seen = scene(view, ctx);
  const wide = ctx.width >= WIDE;
  const width = Math.max(320, Math.min(ctx.width, WIDEST));
  const column = wide ? Math.round(Math.min(316, width * 0.36)) : width;
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
    h(
      "g",
      { key: "chart" },
      h("rect", {
        ...{ x: 0.5, y: 0.5, width: sheet - 1, height: high - 1, rx: 12 },
        fill: "var(--sheet)",
        stroke: "var(--hairline)",
      }),
      h(
        "g",
        { transform: `translate(${left + across} ${top})` },
        h("g", { key: "numbers", "aria-hidden": "true" }, numbers(squares, action(seen))),
        h(
          "svg",
          { key: "water", width: squares.width, height: squares.height },
          sea(squares, seen.obstacles),
          drawn(seen, squares, view, ctx, wide),
        ),
        h("rect", {
          ...{ key: "edge", width: squares.width, height: squares.height, rx: 3, fill: "none" },
          ...{ stroke: "var(--sea-edge)", "stroke-width": 1.6, "pointer-events": "none" },
        }),
      ),
    ),
    panels.drawn,
  );
}

/** Squares whose numbers are bold. @param {Scene} seen @returns {[number, number][]} */
function action({ blasts, boats }) {
  const few = boats.length <= 4 ? boats.filter(({ state }) => !state.dead) : [];
  return [...blasts.map(({ square }) => square), ...few.map(({ state }) => state.square)];
}

/** Everything that is on the water. @param {Scene} seen @param {Grid} squares @param {View} view @param {Context} ctx @param {boolean} wide */
function drawn(seen, squares, view, ctx, wide) {
  const { boats, mines, blasts, scars, shots, pings, contacts } = seen;
  const scale = Math.max(0.7, Math.min(1.5, squares.cell / 28));
  const turn = view.executed;
  const many = boats.length > 6;
  return h(
    "g",
    { key: "things" },
    h(
      "g",
      { key: `sonar ${turn}` },
      pings.map((ping) => sonar(ping, squares)),
    ),
    h(
      "g",
      { key: "scars" },
      scars.map((each, index) => scar(each, index, squares)),
    ),
    h(
      "g",
      { key: "tracks" },
      boats.map((boat) =>
        boat.state.dead && !boat.sunk ? null : track(boat, squares, !many && wide),
      ),
    ),
    h(
      "g",
      { key: `areas ${turn}` },
      blasts.map((each, index) => blastArea(each, index, squares)),
    ),
    h(
      "g",
      { key: "mines" },
      mines.map(({ square, owner }) => minePlaced(square, owner, squares, scale)),
    ),
    h(
      "g",
      { key: "contacts" },
      contacts.map((each) => contact(each, squares)),
    ),
    h(
      "g",
      { key: `runs ${turn}` },
      shots.map((shot) => run(shot, squares)),
    ),
    h("g", { key: "boats" }, boatsPlaced(seen, squares, scale)),
    h(
      "g",
      { key: `bursts ${turn}` },
      blasts.map((each, index) => blastBurst(each, index, squares)),
    ),
    h(
      "g",
      { key: `tags ${turn}` },
      tags(wordsOn(seen, squares, wide), taken(seen, squares), squares),
    ),
    ctx.turn ? preview(view, ctx, squares) : null,
  );
}

/** @param {[number, number]} square @param {number | null} owner @param {Grid} squares @param {number} scale */
function minePlaced(square, owner, squares, scale) {
  const [x, y] = squares.middle(square);
  return h(
    "g",
    { key: `mine ${square}`, "data-flip": `mine ${square}`, "data-from": "" },
    h("g", { transform: `translate(${x} ${y})` }, mine(owner, scale * 0.9)),
  );
}

/** @param {Scene} seen @param {Grid} squares @param {number} scale */
function boatsPlaced({ boats }, squares, scale) {
  /** @type {Map<string, number>} */
  const there = new Map();
  // Wrecks lie beneath whoever passes over them.
  const sorted = [...boats].sort((a, b) => Number(b.state.dead) - Number(a.state.dead));
  return sorted.map(({ seat, id, state, heading }) => {
    const [x, y] = squares.middle(state.square);
    const before = there.get(String(state.square)) ?? 0;
    there.set(String(state.square), before + 1);
    const aside = state.dead ? 0 : before * 7 * scale;
    return h(
      "g",
      { key: `boat ${seat} ${id}`, class: "boat", "data-flip": `boat ${seat} ${id}` },
      h(
        "g",
        {
          transform: `translate(${round(x + aside)} ${round(y + aside)})`,
          opacity: state.dead ? 0.75 : null,
        },
        // Keeps the group's box the same whichever way the boat turns.
        h("rect", { x: -24, y: -24, width: 48, height: 48, fill: "none" }),
        boatMotif(seat, { heading, scale, wreck: state.dead, surfaced: state.surface_remain > 0 }),
      ),
    );
  });
}

/** @param {Scene} seen @param {Grid} squares @param {boolean} wide */
function wordsOn({ boats, contacts, pings, eyes }, squares, wide) {
  const away = Math.max(13, squares.cell * 0.62);
  const beside = (/** @type {[number, number]} */ square) => {
    const [x, y] = squares.middle(square);
    return { x, y };
  };
  const several = boats.length > 6;
  return [
    ...boats
      .filter(({ lost, sunk }) => lost || sunk)
      .map(({ state, lost, sunk }) => ({
        ...beside(state.square),
        words: sunk ? "sunk" : `−${lost}`,
        hit: true,
        away: away * 0.8,
      })),
    ...(several ? [] : contacts)
      .filter(({ age }) => age === 0 || wide)
      .slice(-6)
      .map(({ seat, square, size, turn, age }) => ({
        ...beside(square),
        words: age ? `turn ${turn}` : wide ? `contact, size ${size}` : `contact, ${size}`,
        seat,
        away: away + 3,
      })),
    ...(several ? [] : pings).map(({ seat, from, range }) => ({
      ...beside(from),
      words: range ? `sonar, range ${range}` : "sonar is empty",
      seat,
      away: away + 4,
    })),
    ...(eyes.length === 1 ? warnings(eyes[0], boats) : []).map((/** @type {any} */ { square, words, seat }) => ({
      ...beside(square),
      words,
      seat,
      away: away + 4,
    })),
  ];
}

/** What a boat's crew has noticed of others. @param {import("./scene.js").Eye} eye @param {import("./scene.js").Boat[]} boats */
function warnings({ seat, view }, boats) {
  const square = (/** @type {number} */ id) =>
    boats.find((boat) => boat.seat === seat && boat.id === id)?.state.square;
  return view.news
    .flatMap((/** @type {any} */ { detected, heard }) => [
      ...detected.map((/** @type {any} */ { sub, distance }) => ({
        sub,
        words: `found from ${distance} away`,
      })),
      ...heard.map((/** @type {any} */ { sub }) => ({ sub, words: "hears a sprint" })),
    ])
    .map((/** @type {any} */ { sub, words }) => ({ square: square(sub), words, seat }))
    .filter((/** @type {any} */ each) => each.square);
}

/** What words should not cover. @param {Scene} seen @param {Grid} squares */
function taken({ boats, blasts, mines, shots }, squares) {
  const around = (/** @type {[number, number]} */ square, /** @type {number} */ r) => {
    const [x, y] = squares.middle(square);
    return { x: x - r, y: y - r, w: 2 * r, h: 2 * r };
  };
  return [
    ...boats.map(({ state }) => around(state.square, 16)),
    ...blasts.map(({ square }) => around(square, 14)),
    ...mines.map(({ square }) => around(square, 10)),
    ...shots.flatMap(({ path }) =>
      path.map((/** @type {[number, number]} */ square) => around(square, 4)),
    ),
  ];
}

/** @param {View} view @param {Context} ctx */
function points(view, ctx) {
  if (view.end) return view.end.outcome.map((/** @type {any} */ { points }) => points);
  if (ctx.seatViews) return ctx.seatViews.map(({ score }) => score);
  return ctx.names.map((_, seat) => (seat === ctx.viewer ? view.score : null));
}

/** @param {View} view @param {Context} ctx */
function side(view, ctx) {
  const scores = points(view, ctx);
  const known = scores.some((/** @type {number | null} */ score) => score !== null);
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
            ctx.clockMs && ctx.timeLeftMs !== null && ctx.toMove.includes(seat)
              ? clockMark({ left: ctx.timeLeftMs, of: ctx.clockMs, owes: true })
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
  mark: ({ view }) => {
    const turn = view.news.find((/** @type {any} */ { detonations }) => detonations.length)?.turn;
    return turn === undefined ? null : `detonation, turn ${turn}`;
  },
  where: (view) => {
    const size = view.chart.map_size.join(" × ");
    return view.phase === "placing"
      ? `${size}, before the first turn`
      : `${size}, turn ${view.executed}`;
  },
  motion,
};
