// What follows from a tournament as the server tells it.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bracket,
  candidates,
  causeOf,
  deciders,
  foremost,
  formatOf,
  meetings,
  verdictOf,
} from "../../event/model.js";
import { desk } from "../../event/desktexts.js";
import { newestFirst, tournamentList } from "../../event/list.js";
import { ROWS, standingsSlide } from "../../event/slides.js";
import {
  cardLine,
  inBrief,
  roundName,
  rulesOfTheDay,
  tieBreaks,
  whereItStands,
} from "../../event/words.js";
import { all, texts } from "../kit/drawing.js";

/** @typedef {import("../../event/types.d.ts").Tournament} Tournament */
/** @typedef {import("../../event/types.d.ts").Pairing} Pairing */

/** @param {number} id @param {number} round @param {number[]} entrants @param {object} [more] @returns {Pairing} */
function pairing(id, round, entrants, more = {}) {
  const names = entrants.map((each) => `p${each}`);
  const games_won = entrants.map(() => 0);
  return { id, round, names, entrants, games: [], games_won, decision: null, ...more };
}

/** @param {number} winner @param {number[]} entrants @param {string} [how] */
function won(winner, entrants, how = "played") {
  return {
    decision: { how, winner, places: entrants.map((each) => (each === winner ? 1 : 2)) },
  };
}

/** @param {number} many @param {Pairing[]} pairings @param {object} [more] @returns {Tournament} */
function tournament(many, pairings, more = {}) {
  return /** @type {any} */ ({
    game: "gamba",
    id: "cup",
    phase: "running",
    plan: { format: "knockout", table_seats: 2, max_entrants: 64, best_of: 3, rated: true },
    entrants: Array.from({ length: many }, (_, at) => ({
      name: `p${at}`,
      withdrawn: false,
      present: true,
    })),
    round: Math.max(0, ...pairings.map((each) => each.round)),
    pairings,
    standings: [],
    ...more,
  });
}

test("tournament: a bracket goes on to the final, with those who may come", () => {
  const columns = bracket(
    tournament(8, [
      pairing(0, 1, [0, 1], won(1, [0, 1])),
      pairing(1, 1, [2, 3], { table: "T1" }),
      pairing(2, 1, [4, 5]),
      pairing(3, 1, [6, 7]),
    ]),
  );
  assert.deepEqual(
    columns.map((slots) => slots.length),
    [4, 2, 1],
  );
  assert.deepEqual(candidates(columns[1][0]), [
    { names: ["p1"], sure: true },
    { names: ["p2", "p3"], sure: false },
  ]);
  assert.deepEqual(candidates(columns[2][0]), [
    { names: [], sure: false },
    { names: [], sure: false },
  ]);
});

test("tournament: of an odd number nobody knows yet who has no opponent", () => {
  const five = tournament(
    10,
    [0, 2, 4, 6, 8].map((at) => pairing(at / 2, 1, [at, at + 1])),
  );
  const columns = bracket(five);
  assert.deepEqual(
    columns.map((slots) => slots.map((slot) => slot.seats)),
    [[2, 2, 2, 2, 2], [2, 2, 1], [2, 1], [2]],
  );
  assert.ok(columns[1].every((slot) => slot.from.length === 0));
});

test("tournament: winners are found in their next pairing, byes too", () => {
  const columns = bracket(
    tournament(3, [
      pairing(0, 1, [0, 1], won(0, [0, 1])),
      pairing(1, 1, [2], won(2, [2], "bye")),
      pairing(2, 2, [2, 0]),
    ]),
  );
  assert.equal(columns.length, 2);
  assert.deepEqual(
    columns[1][0].from.map((slot) => slot.pairing?.id),
    [0, 1],
  );
});

test("tournament: tables of three are as even as they can be", () => {
  const seven = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [9, 10, 11],
  ].map((entrants, at) => pairing(at, 1, entrants));
  const plan = { format: "knockout", table_seats: 3, max_entrants: 64, best_of: 1, rated: true };
  const columns = bracket(tournament(12, seven, { plan }));
  assert.deepEqual(
    columns.map((slots) => slots.map((slot) => slot.seats)),
    [[3, 3, 3, 3], [2, 2], [2]],
  );
});

test("tournament: results say how they came about", () => {
  const game = {
    attempt: 1,
    seats: [1, 0],
    outcome: [],
    how: "forfeit",
    causes: ["never came", "finished"],
  };
  const forfeit = pairing(0, 1, [0, 1], { ...won(0, [0, 1], "forfeit"), games: [game] });
  assert.deepEqual([causeOf(forfeit, 0), causeOf(forfeit, 1)], ["", "never came"]);
  const gone = pairing(1, 1, [0, 1], {
    decision: { how: "withdrawn", winner: 0, places: [1, null] },
  });
  assert.equal(causeOf(gone, 1), "withdrew");
  assert.equal(verdictOf(pairing(2, 1, [0, 1], won(0, [0, 1], "lot"))), "lot");
  assert.equal(verdictOf(gone), "");
});

test("tournament: a cross table has both sides of a meeting", () => {
  const met = meetings(
    tournament(3, [
      pairing(0, 1, [0, 1], won(1, [0, 1])),
      pairing(1, 2, [0, 2], { decision: { how: "played", winner: null, places: [1, 1] } }),
      pairing(2, 3, [1, 2], { table: "T" }),
    ]),
  );
  /** @param {string} key */
  const scores = (key) => met.get(key)?.map(({ score }) => score);
  assert.deepEqual(["0/1", "1/0", "0/2", "2/0", "1/2"].map(scores), [[0], [2], [1], [1], [null]]);
  assert.equal(met.get("2/1")?.[0].live, true);
});

test("tournament: what separates equals is named", () => {
  const none = { direct: 0, games_won: 0, buchholz: 0, sonneborn_berger: 0, wins: 0 };
  /** @param {number} place @param {number} points @param {object} more */
  const standing = (place, points, more) =>
    /** @type {any} */ ({ place, points, tie_breaks: { ...none, ...more } });
  const list = [
    standing(1, 6, {}),
    standing(2, 4, { buchholz: 9 }),
    standing(3, 4, { buchholz: 8, wins: 2 }),
    standing(4, 4, { buchholz: 8, wins: 2 }),
    standing(5, 0, {}),
  ];
  assert.deepEqual(deciders(list), [null, "buchholz", "lot", null, null]);
});

test("tournament: the projector shows the newest table of the highest round", () => {
  const one = tournament(8, [
    pairing(0, 1, [0, 1], { table: "A" }),
    pairing(1, 2, [2, 3], { table: "B" }),
    pairing(2, 2, [4, 5], { table: "C" }),
    pairing(3, 3, [6, 7]),
  ]);
  assert.equal(foremost(one)?.table, "C");
  assert.equal(foremost(tournament(2, [])), null);
});

test("tournament: a format reads as people say it", () => {
  assert.deepEqual(
    [2, 4, 8, 16, 6].map((players) => roundName(players, 2, 2)),
    ["Final", "Semi-finals", "Quarter-finals", "Round of 16", "Round 2"],
  );
  assert.equal(inBrief(tournament(16, [])), "Knockout of 16, best of three");
  const plan = {
    format: { "round-robin": { cycles: 2 } },
    table_seats: 2,
    max_entrants: 64,
    best_of: 1,
    rated: true,
  };
  const twice = tournament(10, [], { plan });
  assert.equal(formatOf(twice).cycles, 2);
  assert.equal(inBrief(twice), "Round-robin of 10, everyone plays everyone twice");
  assert.deepEqual(whereItStands(tournament(3, [], { phase: "over", winner: "p1" })), [
    "p1",
    "has won",
  ]);
});

// Only the browser that had created the tournament knew it.
test("tournament: its page says if names are open, and what that gives up", () => {
  const rows = (/** @type {object} */ more) => rulesOfTheDay(tournament(2, [], more));
  const names = rows({ open_names: true }).find(([what]) => what === "Names");
  assert.match(names?.[1] ?? "", /plays in their place/);
  assert.equal(
    rows({ open_names: false }).find(([what]) => what === "Names"),
    undefined,
  );
});

/** @param {number} many @param {Pairing[]} pairings @param {object} [more] */
function league(many, pairings, more = {}) {
  const standings = Array.from({ length: many }, (_, entrant) => ({
    ...{ name: `p${entrant}`, entrant, place: entrant + 1, points: 2 * (many - entrant) },
    ...{ won: 0, drawn: 0, lost: 0, played: 0, byes: 0 },
  }));
  const plan = { format: "swiss", table_seats: 2, max_entrants: 64, best_of: 1, rated: true };
  return tournament(many, pairings, { plan, standings, rounds: 5, ...more });
}

test("tournament: only the first place is marked as first, on every slide of the standings", () => {
  const cup = league(30, []);
  const firsts = Array.from({ length: Math.ceil(30 / ROWS) }, (_, page) =>
    all(standingsSlide(cup, page), ({ props }) => /\bfirst\b/.test(props.class ?? "")).map((node) =>
      texts(node).join(""),
    ),
  );
  assert.deepEqual(firsts, [["1"], [], [], []]);
});

test("tournament: who has not come is not playing now", () => {
  const cup = league(4, [
    pairing(0, 1, [0, 1], { table: "T1" }),
    pairing(1, 1, [2, 3], { table: "T2" }),
  ]);
  cup.entrants[1].present = false;
  cup.entrants[3] = { ...cup.entrants[3], present: false, bot: "random" };
  const rows = all(standingsSlide(cup, 0), ({ tag }) => tag === "li");
  const playing = rows.filter((row) => texts(row).includes("playing now"));
  assert.deepEqual(
    playing.map((row) => row.key),
    ["p0", "p2", "p3"],
  );
});

test("tournament: a pause is told in every list", () => {
  const card = { ...league(6, []), round: 2 };
  assert.equal(cardLine(card), "round 2 of 5, 6 teams");
  assert.equal(cardLine({ ...card, phase: "paused" }), "paused, round 2 of 5, 6 teams");
  const ladder = { ...card.plan, format: { ladder: { wait_s: 30 } } };
  assert.equal(cardLine({ ...card, plan: ladder, phase: "paused" }), "paused, 6 teams");
  const list = texts(tournamentList([{ ...card, phase: "paused" }])).join(" ");
  assert.match(list, /paused, round 2 of 5, 6 teams/);
});

test("tournament: lists have the newest first, whatever the game, with its date", () => {
  const made = [
    { ...league(2, []), id: "old", game: "sushi-go", convened_at: Date.UTC(2026, 2, 1, 12) },
    { ...league(2, []), id: "new", game: "gamba", convened_at: Date.UTC(2026, 10, 18, 12) },
    { ...league(2, []), id: "middle", game: "subsim", convened_at: Date.UTC(2026, 5, 9, 12) },
  ];
  const rows = all(tournamentList(newestFirst(made)), ({ tag }) => tag === "li");
  assert.deepEqual(
    rows.map((row) => texts(all(row, ({ tag }) => tag === "b")[0])[0]),
    ["new", "middle", "old"],
  );
  assert.match(texts(rows[0]).join(" "), /18 Nov 2026/);
  assert.match(texts(rows[2]).join(" "), /1 Mar 2026/);
});

test("tournament: games won are explained as they are counted", () => {
  assert.match(
    tieBreaks.games_won.about,
    /bye, by a withdrawal or by the organiser's decision counts as won by the majority/,
  );
});

test("tournament: the desk counts teams as people do", () => {
  assert.equal(desk.allAway(1, 1), "1 of 1 teams is not connected");
  assert.equal(desk.allAway(1, 6), "1 of 6 teams is not connected");
  assert.equal(desk.allAway(2, 6), "2 of 6 teams are not connected");
});
