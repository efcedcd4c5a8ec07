import assert from "node:assert/strict";
import { test } from "node:test";

import { lastCause } from "../../event/model.js";
import { movesOf } from "../../event/thinking.js";

/** @param {string} kind @param {object} [more] */
const line = (kind, more = {}) =>
  /** @type {any} */ ({ number: 1, at: 1, conn: 1, game: "gamba", wire: "gamba", kind, ...more });
/** @param {number} turn @param {number} took_ms */
const thought = (turn, took_ms) => ({ thought: { turn, took_ms, clock_ms: 1000 } });

test("web: a move that was refused and made again counts once, in each game", () => {
  const moves = movesOf([
    line("seated"),
    line("sent", thought(0, 5)),
    line("refused"),
    line("sent", thought(0, 9)),
    line("timed-out", thought(2, 1000)),
    line("sent"),
    line("seated"),
    line("sent", thought(0, 7)),
  ]);
  assert.deepEqual(
    moves.map(({ took_ms, late }) => [took_ms, late]),
    [
      [9, false],
      [1000, true],
      [7, false],
    ],
  );
});

test("web: the desk says how somebody's last game ended, if that was before its end", () => {
  /** @param {number} round @param {string} cause */
  const pairing = (round, cause) => ({
    round,
    names: ["ann", "ben"],
    entrants: [0, 1],
    games: [{ seats: [1, 0], causes: ["finished", cause] }],
    decision: null,
  });
  const now = /** @type {any} */ ({ pairings: [pairing(1, "timed out"), pairing(2, "finished")] });
  assert.equal(lastCause(now, "ann"), null);
  now.pairings.push(pairing(3, "lost"));
  assert.deepEqual(lastCause(now, "ann"), { cause: "lost", round: 3 });
  assert.equal(lastCause(now, "ben"), null);
  assert.equal(lastCause(now, "cy"), null);
});
