// Pairings as lists show them: by round, being played, to come, decided.

import { h } from "../dom.js";
import { causeIcon, icon } from "../icons.js";
import { playerChip } from "../marks.js";
import { count } from "../texts.js";
import { causeOf, gameNow, isBye, rounds, verdictOf, winnerOf } from "./model.js";
import { causeWords, events, verdicts } from "./words.js";

/**
 * @typedef {import("./types.d.ts").Tournament} Tournament
 * @typedef {import("./types.d.ts").Pairing} Pairing
 */

/** One line: who, the score, how it came about, where to see it. @param {Tournament} tournament @param {Pairing} pairing */
export function pairingRow(tournament, pairing) {
  const won = winnerOf(pairing);
  const pair = pairing.entrants.length === 2;
  return h(
    "li",
    { class: "pairing-row", key: pairing.id },
    h(
      "span",
      { class: "players" },
      pairing.entrants.map((id, at) => [
        pair && at === 1
          ? h("b", { class: "score" }, scoreOf(pairing))
          : at > 0
            ? h("span", { class: "note" }, "·")
            : null,
        h(
          "span",
          { class: won === at ? "won" : won >= 0 ? "lost" : "" },
          playerChip(tournament.entrants[id]),
        ),
      ]),
    ),
    h("span", { class: "how note small" }, how(pairing)),
    h("span", { class: "games small" }, links(tournament, pairing)),
  );
}

/** @param {Pairing} pairing */
function scoreOf({ games_won: [a, b], decision, games }) {
  return decision || games.length > 0 ? `${a} : ${b}` : "–";
}

/** @param {Pairing} pairing */
function how(pairing) {
  if (isBye(pairing)) return events.bye;
  if (!pairing.decision) return pairing.table ? "" : events.toCome;
  const verdict = verdictOf(pairing);
  if (verdict) return [icon(verdict === "lot" ? "die" : "scales", 16), verdicts[verdict]];
  const won = winnerOf(pairing);
  return pairing.entrants.flatMap((_, at) => {
    const cause = at === won ? "" : causeOf(pairing, at);
    if (!cause) return [];
    return [
      h("span", { class: "cause" }, causeIcon(cause), `${pairing.names[at]} ${causeWords(cause)}`),
    ];
  });
}

/** @param {Tournament} tournament @param {Pairing} pairing */
function links({ game }, pairing) {
  const played = pairing.games.filter((each) => each.table && each.outcome);
  return [
    played.map((each, at) =>
      h(
        "a",
        { href: `/${game}/games/${encodeURIComponent(each.table ?? "")}` },
        events.game(at + 1),
      ),
    ),
    pairing.table && !pairing.decision
      ? h(
          "a",
          { class: "live", href: `/${game}/tables/${encodeURIComponent(pairing.table)}` },
          h("span", { class: "dot" }),
          events.game(gameNow(pairing)),
        )
      : null,
  ];
}

/** All rounds, the running one open. @param {Tournament} tournament */
export function drawRounds(tournament) {
  return rounds(tournament).map(([round, pairings]) => {
    const met = pairings.filter((pairing) => !isBye(pairing));
    const done = met.filter((pairing) => pairing.decision).length;
    const byes = pairings.length - met.length;
    return h(
      "details",
      { class: "round", key: round, open: round === tournament.round || tournament.round === 0 },
      h(
        "summary",
        null,
        h("b", null, events.round(round)),
        h(
          "span",
          { class: "note" },
          `${done} of ${met.length}${byes > 0 ? `, ${count(byes, "bye")}` : ""}`,
        ),
      ),
      h(
        "ul",
        { class: "rows pairings" },
        pairings.map((pairing) => pairingRow(tournament, pairing)),
      ),
    );
  });
}
