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
import { inBrief, roundName, rulesOfTheDay, whereItStands } from "../../event/words.js";

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
  assert.equal(inBrief(twice), "Round-robin of 10, everybody meets everybody twice");
  assert.deepEqual(whereItStands(tournament(3, [], { phase: "over", winner: "p1" })), [
    "p1",
    "has won",
  ]);
});

// Only whoever had made the tournament knew it.
test("tournament: its page says if names are open, and what that gives up", () => {
  const rows = (/** @type {object} */ more) => rulesOfTheDay(tournament(2, [], more));
  const names = rows({ open_names: true }).find(([what]) => what === "Names");
  assert.match(names?.[1] ?? "", /plays in its place/);
  assert.equal(
    rows({ open_names: false }).find(([what]) => what === "Names"),
    undefined,
  );
});
