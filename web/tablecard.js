// Tables and results as pages list them: a table from above with its seats round it, a result with its
// cause.

import { h } from "./dom.js";
import { emblem } from "./games.js";
import { causeIcon } from "./icons.js";
import { chipMark, playerChip } from "./marks.js";
import { section } from "./parts.js";
import { ago, causes, words } from "./texts.js";

/** @typedef {import("./directory.js").Table} Table */
/** @typedef {import("./directory.js").Result} Result */

/** @param {Table} table */
export function tableCard(table) {
  const address = `/${table.game}/tables/${encodeURIComponent(table.id)}`;
  const playing = table.status === "playing";
  const free = table.seats - table.players;
  return h(
    "article",
    { class: "sheet table-card", key: `${table.game}/${table.id}`, "data-game": table.game },
    fromAbove(table),
    h(
      "div",
      null,
      h("h3", { class: "cut", title: table.id }, table.id),
      h(
        "p",
        { class: "note small cut" },
        playing ? words.list(names(table)) : words.lobby.free(free),
      ),
      h(
        "a",
        {
          class: "button",
          href: playing ? address : `/${table.game}/play?table=${encodeURIComponent(table.id)}`,
        },
        playing ? words.lobby.watch : words.lobby.sitDown,
      ),
    ),
  );
}

/** @param {Table} table */
function names({ company }) {
  return company.flatMap((seat) => (seat ? [seat.display ?? seat.name] : []));
}

/** @param {Table} table */
function fromAbove({ status, seats, players, company, seq }) {
  const many = Math.min(seats, 9);
  const playing = status === "playing";
  return h(
    "svg",
    { class: "from-above", viewBox: "0 0 96 96", width: 96, height: 96, "aria-hidden": "true" },
    h("circle", {
      cx: 48,
      cy: 48,
      r: 22,
      fill: "var(--tint)",
      stroke: "var(--fill)",
      "stroke-opacity": 0.5,
    }),
    h(
      "text",
      {
        x: 48,
        y: playing ? 44 : 48,
        "text-anchor": "middle",
        "dominant-baseline": "central",
        "font-size": 16,
        "font-weight": 600,
        fill: "var(--accent)",
      },
      playing ? seq + 1 : `${players}/${seats}`,
    ),
    playing
      ? h(
          "text",
          { x: 48, y: 59, "text-anchor": "middle", "font-size": 12, fill: "var(--accent)" },
          "turn",
        )
      : null,
    Array.from({ length: many }, (_, at) => {
      const angle = (2 * Math.PI * at) / many - Math.PI / 2;
      const [x, y] = [48 + 36 * Math.cos(angle), 48 + 36 * Math.sin(angle)];
      const who = company[at];
      return who
        ? h(
            "g",
            { transform: `translate(${(x - 10).toFixed(1)} ${(y - 10).toFixed(1)})` },
            chipMark(who, 20),
          )
        : h("circle", {
            cx: x.toFixed(1),
            cy: y.toFixed(1),
            r: 9,
            fill: "none",
            stroke: "var(--rule)",
            "stroke-dasharray": "3 3",
          });
    }),
  );
}

/** Who did not play to the end, and why. @param {Result} result */
export function causeOf({ causes: all, players }) {
  const cause = all.find((each) => each !== "finished");
  if (!cause) return h("span", { class: "cause" });
  const who = words.list(players.filter((_, seat) => all[seat] === cause));
  const said = words.result.is(who, causes[cause] ?? cause);
  return h(
    "span",
    { class: "cause", title: said },
    causeIcon(cause),
    h("span", { class: "cut" }, said),
  );
}

/** Whether anything came of a game: of one that was given up before the first point there is nothing to tell. @param {Result} result */
export function isWorthListing({ closing, causes: all }) {
  const standings = /** @type {any[]} */ (closing?.over?.standings ?? closing?.over ?? []);
  const played = all.every((each) => each === "finished");
  return played || standings.some(({ points }) => points !== 0);
}

/** What was played at open tables, and in tournaments. @param {Result[]} open @param {Result[]} matches @param {boolean} withEmblem */
export function recentGames(open, matches, withEmblem) {
  const { recent, matches: title } = words.lobby;
  const none = open.length === 0 && matches.length > 0;
  return [
    none ? null : resultList(recent, open, withEmblem),
    matches.length > 0 ? resultList(title, matches, withEmblem) : null,
  ];
}

/** Games that are over, the newest first. @param {string} title @param {Result[]} results @param {boolean} withEmblem */
function resultList(title, results, withEmblem) {
  const now = Date.now();
  return section(
    title,
    {},
    results.length > 0
      ? h(
          "ul",
          { class: "rows results" },
          results.map((result) => resultRow(result, withEmblem, now)),
        )
      : h("p", { class: "note" }, words.lobby.noGames),
  );
}

/** @param {Result} result @param {boolean} withEmblem @param {number} now */
function resultRow(result, withEmblem, now) {
  const standings = /** @type {any[]} */ (
    result.closing?.over?.standings ?? result.closing?.over ?? []
  );
  const order = result.players
    .map((_, seat) => seat)
    .sort((a, b) => (standings[a]?.place ?? 9) - (standings[b]?.place ?? 9));
  const [winner, ...others] = order;
  const losers = others.map((seat) => result.players[seat]);
  const score = order.map((seat) => standings[seat]?.points ?? "").join(" : ");
  return h(
    "li",
    { key: `${result.game}/${result.id}`, class: withEmblem ? "with-emblem" : "" },
    withEmblem ? emblem(result.game, 24) : null,
    h(
      "a",
      { class: "winner", href: `/${result.game}/games/${encodeURIComponent(result.id)}` },
      playerChip({ name: result.players[winner] ?? "" }),
    ),
    h(
      "span",
      { class: "others cut note", title: words.list(losers), dir: "auto" },
      losers.join(", "),
    ),
    h("span", { class: "score" }, h("b", null, score)),
    causeOf(result),
    h("span", { class: "when note" }, ago(now - result.closed_at)),
  );
}
