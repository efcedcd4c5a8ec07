import assert from "node:assert/strict";
import { test } from "node:test";

import { dayOf, ranked, shareLine } from "../../daily.js";

/** @param {string} id @param {string} name @param {number} place @param {number} points @param {number} at */
function game(id, name, place, points, at) {
  const standings = [
    { place: 3 - place, points: 40 },
    { place, points },
  ];
  return { id, players: ["otto1", name], closed_at: at, closing: { over: { standings } } };
}

const RESULTS = [
  game("daily-9-300-Cy", "Cy", 1, 50, 300),
  game("daily-9-200-Ann", "Ann", 1, 60, 200),
  game("daily-8-150-Dan", "Dan", 1, 99, 150),
  game("ROOM_7", "Eve", 1, 99, 140),
  game("daily-9-120-Ben", "Ben", 2, 39, 120),
  game("daily-9-100-Ann", "Ann", 1, 47, 100),
];

test("daily: a game stands among the first ones of its day", () => {
  assert.deepEqual(ranked(9, "daily-9-100-Ann", RESULTS), { day: 9, points: 47, rank: 2, of: 3 });
  assert.deepEqual(ranked(9, "daily-9-120-Ben", RESULTS), { day: 9, points: 39, rank: 3, of: 3 });
  // A second try does not count.
  assert.equal(ranked(9, "daily-9-200-Ann", RESULTS), null);
});

test("daily: only tables of the day are of a day", () => {
  assert.deepEqual(["daily-20776-5-Ann", "ROOM_1", "daily-"].map(dayOf), [20776, null, null]);
});

test("daily: a line to share", () => {
  assert.equal(
    shareLine("Sushi Go", { day: 9, points: 47, rank: 2, of: 13 }),
    "Parlor daily · Sushi Go · 47 points · rank 2 of 13",
  );
});
