// A leaderboard: who is how strong, and how sure that is.

import { getJson } from "./api.js";
import { h } from "./dom.js";
import { playerChip } from "./marks.js";
import { ratingBar, sure } from "./ratingbar.js";
import { playerWords } from "./playertexts.js";
import { words } from "./texts.js";

/** @param {import("./directory.js").Rated[]} shown @param {string} game @param {Strength[]} [strengths] */
export function ranks(shown, game, strengths = []) {
  const low = Math.min(...shown.map((each) => each.mean - 3 * each.uncertainty));
  const high = Math.max(...shown.map((each) => each.mean + 3 * each.uncertainty));
  return h(
    "table",
    { class: "ranks" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        words.lobby.columns.map((title) => h("th", { scope: "col" }, title)),
        strengths.length > 0 ? h("th", { scope: "col" }, playerWords.elo) : null,
      ),
    ),
    h(
      "tbody",
      null,
      shown.map(({ name, display, mean, uncertainty, games }, at) =>
        h(
          "tr",
          { key: name },
          h("td", { class: "note" }, at + 1),
          h(
            "th",
            { scope: "row" },
            h(
              "a",
              { href: `/players/${encodeURIComponent(name)}?game=${game}` },
              playerChip({ name, display }),
            ),
          ),
          h("td", null, h("b", null, sure({ mean, uncertainty }))),
          h("td", { class: "wide" }, ratingBar(mean, uncertainty, low, high)),
          h("td", { class: "note" }, games),
          strengths.length > 0
            ? h("td", { class: "note" }, eloWords(strengths.find((each) => each.name === name)))
            : null,
        ),
      ),
    ),
  );
}

/** @typedef {{ name: string, version?: string, elo: number, low: number, high: number, games: number }} Strength */

/** From all games at once; nothing if the server cannot say. @param {string} game @param {string} [query] @returns {Promise<Strength[]>} */
export async function strengths(game, query = "") {
  const found = await getJson(`/api/v1/ratings/${game}/likelihood${query}`).catch(() => null);
  return found?.players ?? [];
}

/** Such as `1532 (1480 to 1590)`. @param {{ elo: number, low: number, high: number } | undefined} strength */
export function eloWords(strength) {
  if (!strength) return "";
  const { elo, low, high } = strength;
  return `${Math.round(elo)} (${Math.round(low)} to ${Math.round(high)})`;
}
