// A leaderboard: who is how strong, and how sure that is.

import { h } from "./dom.js";
import { playerChip } from "./marks.js";
import { ratingBar, sure } from "./ratingbar.js";
import { words } from "./texts.js";

/** @param {import("./directory.js").Rated[]} shown @param {string} game */
export function ranks(shown, game) {
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
      ),
    ),
    h(
      "tbody",
      null,
      shown.map(({ name, mean, uncertainty, games }, at) =>
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
              playerChip({ name }),
            ),
          ),
          h("td", null, h("b", null, sure({ mean, uncertainty }))),
          h("td", { class: "wide" }, ratingBar(mean, uncertainty, low, high)),
          h("td", { class: "note" }, mean.toFixed(1)),
          h("td", { class: "note" }, games),
        ),
      ),
    ),
  );
}
