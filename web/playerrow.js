// A line of a player's games.

import { h } from "./dom.js";
import { playerChip } from "./marks.js";
import { causeOf } from "./tablecard.js";
import { ago, words } from "./texts.js";

/** @typedef {import("./directory.js").Result} Result */

/** One line of a player's games. @param {Result} result @param {string} name @param {number} now */
export function playerRow(result, name, now) {
  const standings = /** @type {any[]} */ (
    result.closing?.over?.standings ?? result.closing?.over ?? []
  );
  const seat = result.players.indexOf(name);
  const own = standings[seat];
  const first = standings.filter(({ place }) => place === 1).length;
  const { won, shared, lost, against } = words.result;
  const how = own?.place === 1 ? (first > 1 ? shared : won) : lost(own?.place, standings.length);
  const others = result.players.filter((_, other) => other !== seat);
  return h(
    "li",
    { key: result.id, class: "of-player" },
    h(
      "a",
      {
        class: own?.place === 1 ? "how won" : "how",
        href: `/${result.game}/games/${encodeURIComponent(result.id)}`,
      },
      how,
    ),
    h(
      "span",
      { class: "others cut" },
      h("span", { class: "note" }, `${against} `),
      others.slice(0, 3).map((other) => playerChip({ name: other })),
      others.length > 3 ? h("span", { class: "note" }, `+${others.length - 3}`) : null,
    ),
    h(
      "span",
      { class: "score" },
      own
        ? [own, ...standings.filter((each) => each !== own)].map((s) => s.points).join(" : ")
        : "",
    ),
    causeOf(result),
    h("span", { class: "when note" }, ago(now - result.closed_at)),
  );
}
