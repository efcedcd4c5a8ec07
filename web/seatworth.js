// What each seat of a game is worth: how many opponents whoever sits there leaves behind.

import { getJson } from "./api.js";
import { h } from "./dom.js";
import { section } from "./parts.js";
import { count } from "./texts.js";

/**
 * @typedef {{ seats: number, games: number, shares: number[], error: number }} TableSeats
 * @typedef {{ house: { strategy: string, tables: TableSeats[] } | null, archive: TableSeats[] }} Worth
 */

const words = {
  title: "What a seat is worth",
  house: (/** @type {string} */ bot) =>
    `How often each seat finishes ahead of another when the house bot ${bot} plays in every seat. 50 % is fair.`,
  here: "In rated games on this server:",
};

/** What draws it, once it is known. @param {string} game */
export async function seatWorth(game) {
  const { house, archive } = /** @type {Worth} */ (await getJson(`/api/v1/games/${game}/seats`));
  return () =>
    house || archive.length > 0
      ? section(
          words.title,
          {},
          house
            ? [h("p", { class: "note" }, words.house(house.strategy)), list(house.tables)]
            : null,
          archive.length > 0 ? [h("p", { class: "note" }, words.here), list(archive)] : null,
        )
      : null;
}

/** One line for each seat, a mark left or right of what is fair. @param {TableSeats[]} tables */
function list(tables) {
  const off = tables.flatMap(({ shares, error }) =>
    shares.map((share) => Math.abs(share - 0.5) + error),
  );
  const most = Math.max(0.05, ...off);
  const x = (/** @type {number} */ share) => 80 + (72 * (share - 0.5)) / most;
  return h(
    "ul",
    { class: "rows seat-worth" },
    tables.map(({ seats, games, shares, error }) =>
      h(
        "li",
        { key: seats },
        h(
          "span",
          { class: "note small" },
          `${count(seats, "seat")}, ${games.toLocaleString("en")} games`,
        ),
        shares.map((share, at) =>
          h(
            "div",
            { key: at },
            h("span", null, `Seat ${at + 1}`),
            h(
              "svg",
              { viewBox: "0 0 160 16", width: 160, height: 16, "aria-hidden": "true" },
              h("path", { d: "M80 1V15", stroke: "var(--hairline)" }),
              h("path", {
                d: `M${x(share - error)} 8H${x(share + error)}`,
                stroke: "var(--fill)",
                "stroke-opacity": 0.4,
                "stroke-width": 5,
                "stroke-linecap": "round",
              }),
              h("circle", { cx: x(share), cy: 8, r: 4, fill: "var(--fill)" }),
            ),
            h("b", null, `${(100 * share).toFixed(1)} %`),
            h("span", { class: "note small" }, `± ${(100 * error).toFixed(1)}`),
          ),
        ),
      ),
    ),
  );
}
