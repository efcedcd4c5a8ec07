// Two plots of a player's page: the rating over time with how sure we are of it, and how long moves take.

import { h } from "./dom.js";
import { sure } from "./ratingbar.js";
import { playerWords } from "./playertexts.js";
import { duration } from "./texts.js";

const WIDTH = 1000;
const HEIGHT = 260;
const LEFT = 40;
const RIGHT = 110;
const TOP = 28;
const FOOT = 28;

/**
 * @typedef {import("./pages/player.js").Rating} Rating
 * @typedef {import("./pages/player.js").Moves} Moves
 */

/**
 * The mean as a line, three times the uncertainty on both sides as a band, a dotted line at the end that
 * ranks, and a mark where a program called itself something new.
 * @param {Rating[]} history
 * @param {Moves["versions"]} versions
 * @param {{ since: number, rank: number | null }} how
 */
export function ratingPlot(history, versions, { since, rank }) {
  const late = history.filter(({ at }) => at >= since);
  const points = late.length > 1 ? late : history;
  const ends = (/** @type {Rating} */ { mean, uncertainty }) => [
    mean - 3 * uncertainty,
    mean + 3 * uncertainty,
  ];
  const present = points[points.length - 1];
  // The first games are nearly unknown: their band may leave the picture.
  const settled = points.slice(Math.floor(points.length / 8)).flatMap(ends);
  const low = Math.floor(Math.min(...settled, present.mean) / 5) * 5;
  const high = low + 10 * Math.max(1, Math.ceil((Math.max(...settled, present.mean) - low) / 10));
  const [from, to] = [points[0].at, Math.max(points[0].at + 1, present.at)];
  const x = (/** @type {number} */ at) =>
    round(LEFT + ((WIDTH - LEFT - RIGHT) * (at - from)) / (to - from));
  const y = (/** @type {number} */ value) =>
    round(
      TOP + ((HEIGHT - TOP - FOOT) * (high - Math.max(low, Math.min(high, value)))) / (high - low),
    );
  const along = (/** @type {(rating: Rating) => number} */ value, list = points) =>
    list.map((each) => `${x(each.at)} ${y(value(each))}`);
  const upper = along((each) => ends(each)[1]);
  const lower = along((each) => ends(each)[0], [...points].reverse());
  const lines = [low, low + (high - low) / 2, high];
  const { mean, uncertainty, games } = present;
  return h(
    "svg",
    {
      class: "rating-plot",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": playerWords.plot(mean.toFixed(1), (3 * uncertainty).toFixed(1), games),
    },
    lines.map((value) => [
      h("path", { d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}`, stroke: "var(--hairline)" }),
      h("text", { class: "axis", x: LEFT - 12, y: y(value) + 4, "text-anchor": "end" }, value),
    ]),
    h("path", { d: `M${[...upper, ...lower].join("L")}Z`, class: "band" }),
    h("path", { d: `M${lower.join("L")}`, class: "sure" }),
    h("path", { d: `M${along((each) => each.mean).join("L")}`, class: "mean" }),
    news(versions, from).map(({ version, first_at }) =>
      h(
        "g",
        { key: version },
        h("path", { d: `M${x(first_at)} ${TOP - 8}V${HEIGHT - FOOT}`, stroke: "var(--rule)" }),
        h("text", { class: "axis", x: x(first_at) + 6, y: TOP - 4 }, version),
      ),
    ),
    days(from, to).map((at, place, all) =>
      h(
        "text",
        {
          class: "axis",
          x: x(at),
          y: HEIGHT - 6,
          "text-anchor": place === 0 ? "start" : place === all.length - 1 ? "end" : "middle",
        },
        day(at, to - from),
      ),
    ),
    h("circle", { cx: x(present.at), cy: y(mean), r: 5, fill: "var(--fill)" }),
    h("text", { class: "figure", x: x(present.at) + 14, y: y(mean) + 2 }, mean.toFixed(1)),
    h(
      "text",
      { class: "axis", x: x(present.at) + 14, y: y(mean) + 20 },
      playerWords.rated(sure(present)),
    ),
    rank
      ? h("text", { class: "axis", x: x(present.at) + 14, y: y(mean) + 38 }, playerWords.rank(rank))
      : null,
  );
}

/** Versions that came after the plot begins. @param {Moves["versions"]} versions @param {number} from */
function news(versions, from) {
  return versions.filter(({ version, first_at }) => version !== null && first_at > from);
}

/** Five times from the first to the last, or only these two of a short while. @param {number} from @param {number} to */
function days(from, to) {
  const parts = 4;
  return Array.from({ length: parts + 1 }, (_, at) => from + ((to - from) * at) / parts);
}

/** @param {number} at @param {number} span */
function day(at, span) {
  /** @type {Intl.DateTimeFormatOptions} */
  const how =
    span < 2 * 86_400_000
      ? { hour: "2-digit", minute: "2-digit" }
      : { day: "numeric", month: "short" };
  return new Date(at).toLocaleString("en-GB", how);
}

const BARS = 130;

/**
 * How many moves took how long, with the usual time marked, and the limit if there is one.
 * @param {Moves["times"]} times
 * @param {{ half: number, limit: number | null }} marks
 */
export function timesPlot(times, { half, limit }) {
  const used = times.findLastIndex(({ moves }) => moves > 0);
  const limited = limit === null ? -1 : place(times, limit);
  const shown = times.slice(0, Math.max(used, limited, 3) + 1);
  const most = Math.max(...shown.map(({ moves }) => moves));
  const step = 340 / shown.length;
  const usual = place(times, half);
  const foot = BARS - 22;
  const middle = (/** @type {number} */ at) => round((at + 0.5) * step);
  return h(
    "svg",
    { class: "times-plot", viewBox: `0 0 340 ${BARS}`, "aria-hidden": "true" },
    shown.map(({ moves }, at) => {
      const height = moves === 0 ? 0 : Math.max(2, round(((foot - 22) * moves) / most));
      return h("rect", {
        key: at,
        class: at === usual ? "usual" : null,
        x: round(at * step + 1.5),
        y: foot - height,
        width: round(step - 3),
        height,
        rx: 2,
      });
    }),
    h("path", { d: `M0 ${foot + 0.5}H340`, stroke: "var(--rule)" }),
    limited >= 0 && limited < shown.length
      ? [
          h("path", { d: `M${round((limited + 1) * step)} 6V${foot}`, class: "limit" }),
          h(
            "text",
            {
              class: "axis limited",
              x: round((limited + 1) * step - 6),
              y: 14,
              "text-anchor": "end",
            },
            playerWords.limit(duration(Number(limit))),
          ),
        ]
      : null,
    shown.map(({ up_to_ms }, at) =>
      at % Math.ceil(shown.length / 5) === 0 && up_to_ms !== null
        ? h(
            "text",
            {
              key: `t${at}`,
              class: "axis",
              x: at === 0 ? 0 : middle(at),
              y: BARS - 4,
              "text-anchor": at === 0 ? "start" : "middle",
            },
            duration(up_to_ms),
          )
        : null,
    ),
  );
}

/** Which bar a time belongs to. @param {Moves["times"]} times @param {number} ms */
function place(times, ms) {
  return times.findIndex(({ up_to_ms }) => up_to_ms === null || ms <= up_to_ms);
}

/** @param {number} n */
function round(n) {
  return Math.round(n * 10) / 10;
}
