// The end of a game, on a card over the board: how one did, who came where, what decided it, and what
// follows. And the shorter card after a round.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { seatMark } from "./marks.js";
import { words } from "./texts.js";

/**
 * @typedef {import("./dom.js").Child} Child
 * @typedef {import("./types.d.ts").Over} Over
 *
 * @typedef {object} Result
 * @property {string} headline
 * @property {boolean} won
 * @property {Over | null} over
 * @property {string[]} names
 * @property {number} seat
 * @property {string} decided What decided the game, or nothing.
 * @property {string} series How often who has won, or nothing.
 * @property {Child} actions
 * @property {() => void} close
 */

/** @param {Result} result */
export function resultCard({ headline, won, over, names, seat, decided, series, actions, close }) {
  return h(
    "section",
    {
      class: `over-board card result-card${won ? " won" : ""}`,
      key: "result",
      role: "dialog",
      "aria-labelledby": "result",
    },
    closeButton(words.end.look, close),
    won ? h("span", { class: "cup" }, icon("trophy", 32)) : null,
    h("div", { role: "status" }, h("h2", { class: "result", id: "result" }, headline)),
    over?.places ? ranking(over, names, seat) : null,
    decided ? h("p", { class: "decided" }, decided) : null,
    series ? h("p", { class: "series" }, series) : null,
    h("div", { class: "actions" }, actions),
  );
}

/** Everybody by place, with points. @param {Over} over @param {string[]} names @param {number} own */
function ranking({ places = [], points = [] }, names, own) {
  const seats = places.map((_, seat) => seat).sort((a, b) => places[a] - places[b]);
  const first = seats.slice(0, MOST);
  const shown = first.includes(own) ? first : [...first.slice(0, MOST - 1), own];
  // Where winning is everything, every loser has nothing.
  const worth = new Set(points).size > 2 || points.some((each) => each > 1);
  return h(
    "ol",
    { class: "ranking" },
    shown.map((seat) =>
      h(
        "li",
        { key: seat, class: seat === own ? "own" : "" },
        h("span", { class: "at" }, `${places[seat]}.`),
        seatMark(seat, names[seat], 24),
        h(
          "span",
          { class: "cut", dir: "auto" },
          seat === own ? words.end.you(names[seat]) : names[seat],
        ),
        worth ? h("b", null, points[seat]) : null,
      ),
    ),
  );
}

/** The most lines that a phone has room for. */
const MOST = 6;

/**
 * After a round, until one goes on.
 * @param {{ title: string, content: Child }} summary @param {() => void} close
 */
export function roundCard({ title, content }, close) {
  return h(
    "section",
    { class: "over-board card round-card", key: "round", role: "status" },
    h("h2", null, title),
    content,
    h("div", { class: "actions" }, button(words.end.nextRound, "button main", close)),
  );
}

/** @param {string} label @param {() => void} onclick */
function closeButton(label, onclick) {
  return h(
    "button",
    {
      class: "button icon plain close",
      type: "button",
      title: label,
      "aria-label": label,
      onclick,
    },
    icon("cross"),
  );
}

/** @param {string} text @param {string} kind @param {() => void} onclick */
function button(text, kind, onclick) {
  return h("button", { class: kind, type: "button", onclick }, text);
}
