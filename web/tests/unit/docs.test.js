// The search of the documentation, on a small index.

import assert from "node:assert/strict";
import { test } from "node:test";

import { search, wordsOf } from "../../docs/search.js";

/** @type {import("../../docs/search.js").Row[]} */
const ROWS = [
  ["guides/one", "Clocks", "", "", "How long.", "how long move take"],
  ["guides/one", "Clocks", "late-moves", "Late moves", "A timeout.", "timeout"],
  ["guides/two", "Names", "", "", "The clocks of names.", "clocks the of"],
];

test("docs: titles come before headings, headings before text, and every word counts", () => {
  const found = (/** @type {string} */ query) => search(ROWS, query).map((row) => row[0] + row[2]);
  assert.deepEqual(found("clock"), ["guides/one", "guides/onelate-moves", "guides/two"]);
  assert.deepEqual(found("timeout late"), ["guides/onelate-moves"]);
  assert.deepEqual(found("timeout names"), []);
  assert.deepEqual(found("  "), []);
});

test("docs: words are small, and neither marks nor single letters are words", () => {
  assert.deepEqual([...wordsOf("Über PLAY_CARDS, a-b `x`!")], ["über", "play_cards"]);
});
