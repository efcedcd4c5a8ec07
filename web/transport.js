// The controls under a board: step, play, speed, and a scrubber with the points above it.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { plot } from "./plot.js";
import { words } from "./texts.js";

/** Half the handle: the first and the last turn are that far from the axis' ends. */
const INSET = 10;

export const SPEEDS = [0.5, 1, 2, 4, 8];

/**
 * @typedef {object} State
 * @property {number} place
 * @property {number} last
 * @property {(place: number) => number} turnAt The turn as people count it.
 * @property {boolean} playing
 * @property {number} speed
 * @property {string} what The game as a whole in a few words, such as its result.
 * @property {{ place: number, word: string }[]} marks
 * @property {{ title: string, note: string, points: (number | null)[][], names: string[] } | null} points
 * @property {number} width
 *
 * @typedef {object} Hands
 * @property {(place: number) => void} go
 * @property {() => void} toggle
 * @property {(speed: number) => void} setSpeed
 */

/** @param {State} state @param {Hands} hands */
export function transport(state, hands) {
  const named = state.width > 620;
  const axis = Math.max(200, state.width - (named ? 120 : 16));
  return h(
    "section",
    { class: "transport panel", key: "transport", "aria-label": words.replay.play },
    h(
      "div",
      { class: "keys" },
      step("first", words.replay.first, 0, state, hands),
      step("back", words.replay.back, state.place - 1, state, hands),
      h(
        "button",
        {
          class: "button main play",
          type: "button",
          "aria-label": state.playing ? words.replay.stop : words.replay.play,
          onclick: hands.toggle,
        },
        icon(state.playing ? "stop" : "play"),
      ),
      step("on", words.replay.on, state.place + 1, state, hands),
      step("last", words.replay.last, state.last, state, hands),
      h(
        "p",
        { class: "turn" },
        h("b", null, `${words.replay.turn} ${state.turnAt(state.place)}`),
        ` of ${state.turnAt(state.last)}`,
      ),
      h("p", { class: "what cut" }, state.what),
      speeds(state.speed, hands.setSpeed),
    ),
    state.points && state.last > 0
      ? [
          h(
            "p",
            { class: "plot-title" },
            h("b", null, state.points.title),
            h("span", { class: "note" }, ` ${state.points.note}`),
          ),
          plot({ ...state.points, place: state.place, width: axis, inset: INSET, named }),
        ]
      : null,
    scrubber(state, axis, hands),
  );
}

/** @param {string} sign @param {string} label @param {number} to @param {State} state @param {Hands} hands */
function step(sign, label, to, state, hands) {
  const nowhere = to < 0 || to > state.last || to === state.place;
  return h(
    "button",
    {
      class: "button icon plain",
      type: "button",
      "aria-label": label,
      title: label,
      disabled: nowhere,
      onclick: () => hands.go(to),
    },
    icon(sign),
  );
}

/** @param {number} chosen @param {(speed: number) => void} set */
function speeds(chosen, set) {
  return h(
    "div",
    { class: "choice speeds", role: "group", "aria-label": words.replay.speed },
    SPEEDS.map((speed) =>
      h(
        "button",
        { type: "button", "aria-pressed": speed === chosen, onclick: () => set(speed) },
        `${speed === 0.5 ? "½" : speed}×`,
      ),
    ),
  );
}

/** @param {State} state @param {number} axis @param {Hands} hands */
function scrubber(state, axis, { go }) {
  const x = (/** @type {number} */ place) =>
    Math.round(INSET + ((axis - 2 * INSET) * place) / Math.max(1, state.last));
  const every =
    [1, 2, 5, 10, 20, 50, 100, 200, 500].find(
      (n) => (n * (axis - 2 * INSET)) / Math.max(1, state.last) >= 44,
    ) ?? 1000;
  /** Turns with their places. @type {Map<number, number>} */
  const ticks = new Map([[state.turnAt(0), 0]]);
  for (let place = 1; place <= state.last; place += 1) {
    const turn = state.turnAt(place);
    if (turn % every === 0 && !ticks.has(turn)) ticks.set(turn, place);
  }
  return h(
    "div",
    { class: "scrubber", style: { width: `${axis}px` } },
    h(
      "svg",
      { class: "marks", viewBox: `0 0 ${axis} 12`, width: axis, height: 12, "aria-hidden": "true" },
      state.marks.map(({ place }) =>
        h("path", { d: `M${x(place) - 4} 3h8l-4 6z`, fill: "var(--ink-2)" }),
      ),
    ),
    h("input", {
      type: "range",
      min: 0,
      max: Math.max(0, state.last),
      step: 1,
      value: String(state.place),
      style: { "--share": `${state.last ? (state.place / state.last) * 100 : 0}%` },
      "aria-label": words.replay.turn,
      "aria-valuetext": `${words.replay.turn} ${state.turnAt(state.place)} of ${state.turnAt(state.last)}`,
      oninput: (/** @type {Event} */ event) =>
        go(Number(/** @type {HTMLInputElement} */ (event.target).value)),
    }),
    h(
      "svg",
      { class: "ticks", viewBox: `0 0 ${axis} 20`, width: axis, height: 20, "aria-hidden": "true" },
      [...ticks].map(([turn, place]) => [
        h("path", { d: `M${x(place)} 0v4`, stroke: "var(--rule)" }),
        h(
          "text",
          { x: x(place), y: 16, "text-anchor": "middle", "font-size": 12, fill: "var(--ink-2)" },
          turn,
        ),
      ]),
    ),
  );
}
