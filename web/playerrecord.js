// What a player has done: its places in tournaments that are over, and its latest games.

import { h } from "./dom.js";
import { section } from "./parts.js";
import { playerWords } from "./playertexts.js";
import { playerRow } from "./playerrow.js";
import { ago } from "./texts.js";

/** @typedef {{ game: string, tournament: string, place: number, entrants: number, closed_at: number }} Placement */

/** Nothing if there are none. @param {Placement[]} placements */
export function placements(placements) {
  if (placements.length === 0) return null;
  const now = Date.now();
  return section(
    playerWords.placements,
    {},
    h(
      "ul",
      { class: "rows placements" },
      placements.map(({ game, tournament, place, entrants, closed_at }) =>
        h(
          "li",
          { key: `${tournament} ${closed_at}` },
          h("a", { href: `/${game}/tournaments/${encodeURIComponent(tournament)}` }, tournament),
          " ",
          h("b", null, playerWords.place(place, entrants)),
          " ",
          h("span", { class: "note" }, playerWords.ended(ago(now - closed_at))),
        ),
      ),
    ),
  );
}

/** So many of each kind are shown. */
const FEW = 12;

/**
 * Games of tournaments, and all others. Games of earlier releases do not say their tournament; those that
 * are rated had one.
 * @param {import("./directory.js").Result[]} results @param {string} name
 */
export function latestGames(results, name) {
  const now = Date.now();
  /** @param {string} title @param {boolean} kind */
  const part = (title, kind) => {
    const some = results.filter((each) => (each.rated || Boolean(each.tournament)) === kind);
    if (some.length === 0) return null;
    const rows = some.slice(0, FEW).map((result) => playerRow(result, name, now));
    return section(title, {}, h("ul", { class: "rows results" }, rows));
  };
  return [part(playerWords.latestTournament, true), part(playerWords.latestOpen, false)];
}
