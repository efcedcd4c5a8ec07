import assert from "node:assert/strict";
import { test } from "node:test";

import { Timeline } from "../../timeline.js";

/** @param {number} seq @param {object} [more] @returns {any} */
const update = (seq, more = {}) => ({
  type: "update",
  seq,
  seat: null,
  view: { seq },
  names: ["Ann", "Ben"],
  to_move: [0, 1],
  ...more,
});

test("timeline: the last update of a turn counts", () => {
  const timeline = new Timeline();
  for (const message of [update(0), update(1), update(1, { view: "later" })])
    timeline.take(message);
  assert.equal(timeline.last, 1);
  assert.equal(timeline.view(1, "public"), "later");
});

test("timeline: what comes late stands where it belongs", () => {
  const timeline = new Timeline();
  for (const seq of [4, 5, 0, 2, 1, 3]) timeline.take(update(seq));
  assert.deepEqual(
    timeline.updates.map((each) => each.seq),
    [0, 1, 2, 3, 4, 5],
  );
});

test("timeline: a turn is found by its number, or the nearest before", () => {
  const timeline = new Timeline();
  for (const seq of [0, 1, 5, 6]) timeline.take(update(seq));
  assert.deepEqual(
    [1, 2, 3, 6, 7, 99].map((turn) => timeline.placeOf(turn)),
    [0, 1, 1, 2, 3, 3],
  );
});

test("timeline: a game may count its turns itself", () => {
  const timeline = new Timeline();
  for (const seq of [0, 1, 2, 3]) timeline.take(update(seq, { view: { done: [0, 0, 1, 4][seq] } }));
  const board = /** @type {any} */ ({ turn: (/** @type {any} */ view) => view.done });
  assert.deepEqual(
    [0, 1, 3, 4].map((turn) => timeline.placeOf(turn, board)),
    [1, 2, 2, 3],
  );
  assert.equal(timeline.turnAt(3, board), 4);
  assert.equal(timeline.turnAt(3), 4);
});

test("timeline: who has moved is known until the turn is over", () => {
  const timeline = new Timeline();
  timeline.take(update(0));
  timeline.take({ type: "waiting", seq: 0, to_move: [1] });
  const ctx = timeline.context("gamba", 0, "public", { width: 1 });
  assert.deepEqual([ctx.toMove, ctx.moved], [[1], [0]]);
  timeline.take({ type: "waiting", seq: 7, to_move: [] });
  timeline.take(update(1));
  assert.deepEqual(timeline.context("gamba", 1, "public", { width: 1 }).moved, []);
});

test("timeline: whose eyes are on offer follows from what was sent", () => {
  const timeline = new Timeline();
  assert.deepEqual(timeline.viewers(), ["public"]);
  timeline.take(update(0, { seat: 1 }));
  assert.deepEqual(timeline.viewers(), [1]);
  timeline.take(update(0, { seat_views: ["a", "b"] }));
  assert.deepEqual(timeline.viewers(), ["public", 0, 1, "all"]);
  assert.equal(timeline.view(0, 1), "b");
  const all = timeline.context("gamba", 0, "all", { width: 1 });
  assert.deepEqual([all.seatViews, all.near], [["a", "b"], 0]);
  assert.equal(timeline.context("gamba", 0, 1, { width: 1 }).seatViews, null);
});

test("timeline: a board shows the names for people, where a tournament has them", () => {
  const timeline = new Timeline();
  timeline.take(update(0));
  assert.deepEqual(timeline.names(0), ["Ann", "Ben"]);
  timeline.take({
    type: "table",
    seats: [
      { name: "Ann", display: "Ann's Bot" },
      { name: "Ben", display: null },
    ],
  });
  assert.deepEqual(timeline.context("gamba", 0, "public", { width: 800 }).names, [
    "Ann's Bot",
    "Ben",
  ]);
  // Before the start others may sit there.
  timeline.take({ type: "table", seats: [{ name: "Ben", display: "Ben's" }, null] });
  assert.deepEqual(timeline.names(0), ["Ann", "Ben"]);
});
