// The standings of a ladder: how strong everybody is, how sure that is, and what it is doing now.

import { h } from "../dom.js";
import { playerChip } from "../marks.js";
import { ratingBar } from "../ratingbar.js";
import { running } from "./model.js";
import { events, seconds } from "./words.js";

/**
 * @typedef {import("./types.d.ts").Tournament} Tournament
 * @typedef {import("./types.d.ts").Standing} Standing
 */

/** What an entrant is doing. @param {Tournament} ladder @param {number} entrant @param {number} now */
export function doing(ladder, entrant, now) {
  const one = ladder.entrants[entrant];
  const { ladder: says } = events;
  const until = one.quarantined_until ?? 0;
  if (one.withdrawn) return says.left;
  if (until > now) return says.quarantine(seconds(until - now), one.quarantined_because ?? "");
  if (running(ladder).some(({ entrants }) => entrants.includes(entrant))) return says.plays;
  if (one.bot) return events.houseBot;
  if (one.waiting_since) return says.waits(seconds(Math.max(0, now - one.waiting_since)));
  return events.away;
}

/** @param {Tournament} ladder @param {number} now */
export function drawLadder(ladder, now) {
  const { standings } = ladder;
  const [low, high] = [
    Math.min(...standings.map((one) => one.low ?? 1500)),
    Math.max(...standings.map((one) => one.high ?? 1500)),
  ];
  const column = (/** @type {string} */ name, /** @type {string} */ text) =>
    h("th", { scope: "col", class: name }, text);
  return h(
    "div",
    { class: "table-scroll", tabindex: "0", role: "region", "aria-label": events.standings },
    h(
      "table",
      { class: "standings ladder" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Place")),
          column("name", events.player),
          column("number", "Elo"),
          column("rating", events.ladder.interval),
          column("number record", events.record),
          column("", events.ladder.now),
        ),
      ),
      h(
        "tbody",
        null,
        standings.map((one) => row(ladder, one, [low, high], now)),
      ),
    ),
  );
}

/** @param {Tournament} ladder @param {Standing} one @param {[number, number]} bars @param {number} now */
function row(ladder, one, bars, now) {
  const { elo = 0, low = 0, high = 0 } = one;
  return h(
    "tr",
    { key: one.name, "data-flip": `standing-${one.name}` },
    h("td", { class: `place ${one.place <= 3 ? "high" : ""}` }, one.place),
    h("th", { scope: "row", class: "name" }, playerChip(ladder.entrants[one.entrant])),
    h("td", { class: "number points" }, elo),
    h(
      "td",
      { class: "rating" },
      ratingBar(elo, (high - low) / 6, ...bars),
      h("span", { class: "note" }, `${low} to ${high}`),
    ),
    h("td", { class: "number note record" }, `${one.won} ${one.drawn} ${one.lost}`),
    h("td", { class: "note" }, doing(ladder, one.entrant, now)),
  );
}
