// How long a bot takes for its moves, beside the time it has: one bar a move.

import { h } from "../dom.js";
import { programme, section } from "../parts.js";
import { duration } from "../texts.js";
import { connect as texts } from "./connecttexts.js";
import { rounded } from "./wire.js";

/** @typedef {{ turn: number, took_ms: number, clock_ms: number | null }} Thought */

/** So many moves are drawn, and this is how. */
const SHOWN = 80;
const HEIGHT = 150;
const LEFT = 52;
const FOOT = 130;
const TOP = 12;

/** @param {import("./wire.js").Line[]} lines */
export function thinking(lines) {
  const moves = movesOf(lines);
  if (moves.length === 0)
    return section(texts.times.title, {}, h("p", { class: "note" }, texts.times.none));
  const took = moves.map(({ took_ms }) => took_ms).sort((one, two) => one - two);
  const half = took[Math.floor(took.length / 2)];
  const slowest = moves.reduce((one, two) => (two.took_ms > one.took_ms ? two : one));
  const clock = moves.at(-1)?.clock_ms ?? null;
  const late = moves.filter(({ late }) => late).length;
  return section(
    texts.times.title,
    { note: clock === null ? texts.times.noClock : texts.times.clock(duration(clock)) },
    plot(
      moves.slice(innerWidth < 700 ? -SHOWN / 2 : -SHOWN),
      clock,
      texts.times.spoken(moves.length, duration(rounded(half)), late),
    ),
    programme([
      [texts.times.moves, moves.length],
      [texts.times.half, duration(rounded(half))],
      [texts.times.slowest, texts.times.at(duration(rounded(slowest.took_ms)), slowest.turn)],
      [texts.times.late, late],
    ]),
  );
}

/** The last word on each turn: a move that was refused is made again. @param {import("./wire.js").Line[]} lines */
export function movesOf(lines) {
  /** @type {Map<string, Thought & { late: boolean }>} */
  const moves = new Map();
  let game = 0;
  for (const { kind, thought } of lines) {
    if (kind === "seated") game += 1;
    if (thought) moves.set(`${game}/${thought.turn}`, { ...thought, late: kind === "timed-out" });
  }
  return [...moves.values()];
}

/** Every step up is ten times as long. @param {(Thought & { late: boolean })[]} moves @param {number | null} clock @param {string} spoken */
function plot(moves, clock, spoken) {
  // As wide as it is shown, so that its words keep their size.
  const width = Math.min(708, innerWidth - 32);
  const most = Math.max(clock ?? 0, ...moves.map(({ took_ms }) => took_ms), 100);
  const steps = Math.log10(most) + 1;
  const y = (/** @type {number} */ ms) =>
    FOOT - Math.max(0.03, (Math.log10(Math.max(ms, 0.1)) + 1) / steps) * (FOOT - TOP);
  const step = Math.min(16, (width - LEFT) / moves.length);
  const lines = [1, 10, 100, 1000, 10_000].filter((ms) => ms < most * 0.7);
  return h(
    "svg",
    { class: "moves-plot", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": spoken },
    lines.map((ms) => rule(y(ms), width, duration(ms), "")),
    clock === null ? null : rule(y(clock), width, duration(clock), "limit"),
    moves.map(({ turn, took_ms, clock_ms, late }, at) =>
      h(
        "rect",
        {
          key: `${turn}/${at}`,
          class: late ? "late" : clock_ms !== null && took_ms > clock_ms / 2 ? "slow" : null,
          x: LEFT + at * step,
          width: Math.max(1, step - 2),
          y: y(took_ms),
          height: FOOT - y(took_ms),
          rx: 1.5,
        },
        h("title", null, texts.times.at(duration(rounded(took_ms)), turn)),
      ),
    ),
    h("path", { d: `M${LEFT} ${FOOT + 0.5}H${width}`, stroke: "var(--rule)" }),
    h("text", { class: "axis", x: LEFT, y: HEIGHT - 4 }, texts.times.axis),
  );
}

/** @param {number} y @param {number} width @param {string} label @param {string} kind */
function rule(y, width, label, kind) {
  return h(
    "g",
    { key: label, class: kind },
    h("path", { d: `M${LEFT} ${Math.round(y) + 0.5}H${width}`, stroke: "var(--hairline)" }),
    h("text", { class: "axis", x: LEFT - 8, y: y + 4, "text-anchor": "end" }, label),
  );
}
