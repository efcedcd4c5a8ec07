// Standings: as a list with tie-breaks and ratings, and as a cross table.

import { h } from "../dom.js";
import { causeIcon } from "../icons.js";
import { playerChip } from "../marks.js";
import { ratingBar } from "../ratingbar.js";
import { TIE_BREAKS, deciders, formatOf, meetings } from "./model.js";
import { causeWords, events, tieBreaks } from "./words.js";

/**
 * @typedef {import("./types.d.ts").Tournament} Tournament
 * @typedef {import("./types.d.ts").Standing} Standing
 * @typedef {import("./types.d.ts").Rating} Rating
 */

/** A cross table with more columns than this is no longer read. */
const MOST_CROSSED = 20;

/** Whether the cross table says more than the list. @param {Tournament} tournament */
export function isCrossed(tournament) {
  return (
    formatOf(tournament).name === "round-robin" &&
    tournament.plan.table_seats === 2 &&
    tournament.entrants.length <= MOST_CROSSED
  );
}

/** @param {Tournament} tournament @param {Map<string, Rating>} ratings */
export function drawStandings(tournament, ratings) {
  const { standings } = tournament;
  const knockout = formatOf(tournament).name === "knockout";
  const crossed = isCrossed(tournament);
  const broken = knockout ? [] : usedTieBreaks(tournament);
  const decide = deciders(standings);
  const rated = standings.some(({ name }) => ratings.has(name));
  const bars = scale(standings, ratings);
  const met = crossed ? meetings(tournament) : null;
  return [
    h(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", "aria-label": events.standings },
      h(
        "table",
        { class: `standings ${crossed ? "crossed" : ""}` },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Place")),
            h("th", { scope: "col", class: "name" }, events.player),
            met
              ? standings.map((column, at) =>
                  h("th", { scope: "col", class: "met", title: column.name }, at + 1),
                )
              : null,
            knockout ? null : h("th", { scope: "col", class: "number" }, events.points),
            met ? null : h("th", { scope: "col", class: "number" }, events.record),
            broken.map((name) => {
              const { short, name: full, about } = tieBreaks[name];
              return h(
                "th",
                { scope: "col", class: "number tie" },
                h("abbr", { title: `${full}: ${about}` }, short),
              );
            }),
            rated ? h("th", { scope: "col", class: "rating" }, events.rating) : null,
          ),
        ),
        h(
          "tbody",
          null,
          standings.map((standing, at) =>
            row(tournament, standing, {
              knockout,
              broken,
              decider: decide[at],
              met: met ? standings.map((column) => cell(tournament, met, standing, column)) : null,
              rating: rated ? (ratings.get(standing.name) ?? null) : undefined,
              bars,
            }),
          ),
        ),
      ),
    ),
    met ? legend() : null,
    broken.length > 0 ? explained(broken) : null,
    seatsGiven(standings),
  ];
}

/** How evenly seats were given to those who stayed. @param {Standing[]} standings */
function seatsGiven(standings) {
  const counts = standings
    .filter(({ seats }) => seats?.some((n) => n > 0))
    .map(({ seats }) => seats ?? []);
  if (counts.length === 0) return null;
  const uneven = Math.max(...counts.map((seats) => Math.max(...seats) - Math.min(...seats)));
  return h("p", { class: "note small" }, events.seatsGiven(uneven));
}

/**
 * @param {Tournament} tournament @param {Standing} standing
 * @param {{ knockout: boolean, broken: string[], decider: string | null, met: import("../dom.js").VNode[] | null, rating: Rating | null | undefined, bars: [number, number] }} how
 */
function row(tournament, standing, { knockout, broken, decider, met, rating, bars }) {
  const entrant = tournament.entrants[standing.entrant];
  return h(
    "tr",
    { key: standing.name, "data-flip": `standing-${standing.name}` },
    h("td", { class: `place ${standing.place <= 3 ? "high" : ""}` }, standing.place),
    h(
      "th",
      { scope: "row", class: "name" },
      playerChip(entrant),
      entrant.withdrawn
        ? h("span", { class: "note small" }, ` ${entrant.withdrawn_because ?? events.withdrawn}`)
        : null,
    ),
    met,
    knockout ? null : h("td", { class: "number points" }, standing.points),
    met
      ? null
      : h("td", { class: "number note" }, `${standing.won} ${standing.drawn} ${standing.lost}`),
    broken.map((name) =>
      h(
        "td",
        {
          class: `number tie note ${name === decider ? "decides" : ""}`,
          title: name === decider ? `${tieBreaks[name].name} puts it ahead of the next.` : null,
        },
        standing.tie_breaks[/** @type {keyof Standing["tie_breaks"]} */ (name)],
      ),
    ),
    rating === undefined
      ? null
      : h(
          "td",
          { class: "rating" },
          rating
            ? [
                ratingBar(rating.mean, rating.uncertainty, ...bars),
                h("span", { class: "note" }, rating.mean.toFixed(1)),
              ]
            : null,
        ),
  );
}

/** @param {Tournament} tournament @param {Map<string, import("./model.js").Meeting[]>} met @param {Standing} row @param {Standing} column */
function cell({ game }, met, row, column) {
  if (row.entrant === column.entrant) return h("td", { class: "met own" });
  const list = met.get(`${row.entrant}/${column.entrant}`) ?? [];
  return h(
    "td",
    { class: "met" },
    list.map(({ score, live, table, replay, cause }) => {
      if (score === null) {
        const what = live ? events.beingPlayed : events.stillToCome;
        const mark = h("span", {
          class: live ? "dot" : "hollow",
          role: "img",
          "aria-label": what,
          title: what,
        });
        return live && table
          ? h(
              "a",
              {
                href: `/${game}/tables/${encodeURIComponent(table)}`,
                "aria-label": `${what}: ${row.name}, ${column.name}`,
              },
              mark,
            )
          : mark;
      }
      const words = `${row.name} ${score} against ${column.name}${cause ? `, ${causeWords(cause)}` : ""}`;
      const inside = [
        score,
        cause ? h("span", { class: "cause", title: causeWords(cause) }, causeIcon(cause)) : null,
      ];
      const kind = `scored ${score === 2 ? "won" : score === 1 ? "level" : "lost"}`;
      return replay
        ? h(
            "a",
            {
              class: kind,
              href: `/${game}/games/${encodeURIComponent(replay)}`,
              "aria-label": words,
            },
            inside,
          )
        : h("span", { class: kind }, inside);
    }),
  );
}

function legend() {
  return h(
    "p",
    { class: "legend note small" },
    h("span", null, h("span", { class: "dot" }), events.beingPlayed),
    h("span", null, h("span", { class: "hollow" }), events.stillToCome),
    ["timed out", "never came", "crashed", "left"].map((cause) =>
      h("span", { class: "cause" }, causeIcon(cause), causeWords(cause)),
    ),
  );
}

/** @param {string[]} broken */
function explained(broken) {
  return h(
    "details",
    { class: "ties" },
    h("summary", null, events.howTies),
    h("p", { class: "note" }, events.equal),
    h(
      "ol",
      null,
      [...broken, "lot"].map((name) =>
        h("li", null, h("b", null, tieBreaks[name].name), ". ", tieBreaks[name].about),
      ),
    ),
  );
}

/** Those that can differ. @param {Tournament} tournament @returns {string[]} */
function usedTieBreaks({ plan }) {
  return TIE_BREAKS.filter((name) => name !== "games_won" || plan.best_of > 1);
}

/** @param {Standing[]} standings @param {Map<string, Rating>} ratings @returns {[number, number]} */
function scale(standings, ratings) {
  const known = standings.flatMap(({ name }) => ratings.get(name) ?? []);
  return [
    Math.min(...known.map(({ mean, uncertainty }) => mean - 3 * uncertainty)),
    Math.max(...known.map(({ mean, uncertainty }) => mean + 3 * uncertainty)),
  ];
}
