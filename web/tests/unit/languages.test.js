// Every text of the pages is there in every language, with everything in it that the English one says.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

import { playerWords } from "../../playertexts.js";
import { causes, words } from "../../texts.js";

import gamba from "../../../crates/games/src/gamba/about.js";
import labyrinth from "../../../crates/games/src/labyrinth/about.js";
import subsim from "../../../crates/games/src/subsim/about.js";
import sushiGo from "../../../crates/games/src/sushi_go/about.js";
import tigerDragon from "../../../crates/games/src/tiger_dragon/about.js";

const ABOUT = { "sushi-go": sushiGo, subsim, gamba, labyrinth, "tiger-dragon": tigerDragon };

const FOLDER = new URL("../../languages/", import.meta.url);
const games = Object.fromEntries(
  Object.entries(ABOUT).map(([game, { tagline, facts, guide, brief }]) => [
    game,
    { tagline, facts, guide, brief },
  ]),
);
const ENGLISH = { words, playerWords, causes, games };

/** Every text with the way to it. @param {any} texts @param {string} [way] @returns {[string, any][]} */
function all(texts, way = "") {
  return Object.entries(texts).flatMap(([key, value]) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? all(value, `${way}${key}.`)
      : /** @type {[string, any][]} */ ([[`${way}${key}`, value]]),
  );
}

/** What functions are asked with; none of these numbers comes in any text. */
const ASKED = [
  [7919, 6863],
  ["⟦one⟧", "⟦two⟧", "⟦three⟧"],
  ["⟦one⟧", 6863],
  ["⟦one⟧", "⟦two⟧", 6863],
  [["⟦one⟧", "⟦two⟧"], "⟦three⟧"],
  [7919, ["⟦one⟧", "⟦two⟧"]],
];

/** Which of what it is asked with a text says. @param {Function} text @param {any[]} asked */
function said(text, asked) {
  const answer = String(text(...asked));
  return asked.flat().filter((each) => answer.includes(String(each)));
}

for (const file of readdirSync(FOLDER)) {
  test(`languages: ${file} has every text, and every text says the same`, async () => {
    const own = (await import(new URL(file, FOLDER).href)).default;
    const [english, translated] = [all(ENGLISH), new Map(all(own))];
    assert.deepEqual([...translated.keys()].sort(), english.map(([way]) => way).sort());
    for (const [way, text] of english) {
      const other = translated.get(way);
      assert.equal(typeof other, typeof text, way);
      if (Array.isArray(text)) assert.equal(other.length, text.length, way);
      if (typeof text !== "function") {
        assert.equal(other === "", text === "", way);
        continue;
      }
      let compared = 0;
      for (const asked of ASKED) {
        let wanted;
        try {
          wanted = said(text, asked);
        } catch {
          continue;
        }
        compared += 1;
        // Asked with things of another kind, a text says nothing of them.
        if (wanted.length > 0)
          assert.deepEqual(said(other, asked), wanted, `${way}(${JSON.stringify(asked)})`);
      }
      assert.ok(compared > 0, way);
    }
  });
}
