import assert from "node:assert/strict";
import { test } from "node:test";

import { ago, clock, count, list } from "../../texts.js";

test("texts: numbers carry their words", () => {
  assert.deepEqual(
    [0, 1, 2].map((n) => count(n, "table")),
    ["0 tables", "1 table", "2 tables"],
  );
  assert.equal(count(2, "person", "people"), "2 people");
});

test("texts: lists read aloud", () => {
  assert.deepEqual([["Ann"], ["Ann", "Ben"], ["Ann", "Ben", "Cleo"]].map(list), [
    "Ann",
    "Ann and Ben",
    "Ann, Ben and Cleo",
  ]);
});

test("texts: clocks round up, so that 0:00 means over", () => {
  assert.deepEqual([61_000, 9_001, 1, 0, -5].map(clock), ["1:01", "0:10", "0:01", "0:00", "0:00"]);
});

test("texts: ages are short", () => {
  const minute = 60_000;
  assert.deepEqual([1, 3 * minute, 90 * minute, 72 * 60 * minute].map(ago), [
    "just now",
    "3 min",
    "1 h",
    "3 days",
  ]);
});
