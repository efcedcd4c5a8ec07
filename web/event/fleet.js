// Where a server shares its games with others: which of them are there, and which game is where.

import { getJson } from "../api.js";
import { h } from "../dom.js";
import { section } from "../parts.js";
import { fleet as texts } from "./desktexts.js";

/**
 * @typedef {object} Fleet
 * @property {string | null} node
 * @property {number} database_ms
 * @property {boolean} database_answers
 * @property {{ name: string, age_ms: number, leaving: boolean, games: string[] }[]} nodes
 * @property {{ game: string, node: string | null, links: number, lag: number, takeovers: number, takeover_ms: number }[]} games
 */

/** None: this server is alone. @returns {Promise<Fleet | null>} */
export async function fleet() {
  const found = await getJson("/api/v1/fleet");
  return found.node === null ? null : found;
}

/**
 * @param {Fleet} fleet
 * @param {(game: string) => string} title
 */
export function drawFleet(fleet, title) {
  return section(
    texts.title,
    {},
    fleet.database_answers
      ? null
      : h("p", { class: "notice wrong", role: "alert" }, texts.databaseAway),
    h(
      "div",
      { class: "table-scroll", tabindex: "0", role: "region", "aria-label": texts.title },
      h(
        "table",
        { class: "standings" },
        h("caption", { class: "note small" }, texts.asked(fleet.node ?? "", fleet.database_ms)),
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            texts.columns.map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h(
          "tbody",
          null,
          fleet.nodes.map((node) =>
            h(
              "tr",
              { key: node.name },
              h("th", { scope: "row" }, node.name, node.leaving ? ` ${texts.leaving}` : ""),
              h("td", null, texts.since(node.age_ms)),
              h("td", null, node.games.map(title).join(", ") || texts.none),
            ),
          ),
        ),
      ),
    ),
    h(
      "ul",
      { class: "rows" },
      fleet.games
        .filter((game) => game.node === null || game.takeovers > 0)
        .map((game) =>
          h(
            "li",
            { key: game.game },
            h("span", null, title(game.game)),
            h(
              "span",
              { class: "note small" },
              game.node === null ? texts.nobody : texts.taken(game.takeovers, game.takeover_ms),
            ),
          ),
        ),
    ),
  );
}
