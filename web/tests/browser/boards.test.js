// Every board draws real games: every turn, with everybody's eyes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { BOTS, GAMES, record } from "../kit/parlor.js";
import { openSite } from "../kit/site.js";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const game of GAMES) {
  test(`web: ${game}'s board draws every turn of a game with everybody's eyes`, async () => {
    const frames = record(game, BOTS[game], "11");
    const site = await openSite({ [`${game}/game`]: frames });
    const { page, complaints } = await openPage(browser);
    try {
      await page.goto(`${site.url}/${game}/games/game`);
      await page.waitForSelector("#stage");
      const drawn = await page.evaluate(drawEverything);
      assert.ok(drawn.turns > 5, `${drawn.turns} turns`);
      assert.deepEqual(drawn.wrong, []);
      expectNoComplaints(complaints);
    } finally {
      await page.context().close();
      await site.close();
    }
  });

  test(`web: ${game}'s board fits a phone and has no word below 12 px`, async () => {
    const frames = record(game, BOTS[game], "12");
    const site = await openSite({ [`${game}/game`]: frames });
    const { page } = await openPage(browser, {
      viewport: { width: 360, height: 780 },
      isMobile: true,
    });
    try {
      for (const viewer of ["public", "0", "all"]) {
        for (const turn of [1, 6, 9999]) {
          await page.goto(`${site.url}/${game}/games/game?turn=${turn}&viewer=${viewer}`);
          await page.waitForSelector("#stage");
          assert.deepEqual(await page.evaluate(tooSmall), [], `turn ${turn} for ${viewer}`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= 360, `${wide} px wide at turn ${turn} for ${viewer}`);
        }
      }
    } finally {
      await page.context().close();
      await site.close();
    }
  });
}

/** Runs in the page: scrubs through everything, as every viewer. */
function drawEverything() {
  const wrong = [];
  const range = () => /** @type {HTMLInputElement} */ (document.querySelector("input[type=range]"));
  const buttons = () => document.querySelectorAll(".seen .choice button");
  const turns = Number(range().max) + 1;
  for (let viewer = 0; viewer < buttons().length; viewer += 1) {
    /** @type {HTMLElement} */ (buttons()[viewer]).click();
    for (let turn = 0; turn < turns; turn += 1) {
      range().value = String(turn);
      range().dispatchEvent(new Event("input", { bubbles: true }));
      const stage = document.getElementById("stage");
      const words = document.querySelector(".caption")?.textContent ?? "";
      if (!stage?.firstElementChild) wrong.push(`nothing at turn ${turn + 1}`);
      if (words.length < 10 || /undefined|null|NaN|\[object/.test(words))
        wrong.push(`"${words}" at turn ${turn + 1}`);
      if (/undefined|NaN/.test(stage?.outerHTML ?? ""))
        wrong.push(`undefined or NaN at turn ${turn + 1}`);
    }
  }
  return { turns, wrong };
}

/** Runs in the page: texts that come out smaller than 12 pixels. */
function tooSmall() {
  const small = [];
  for (const text of document.querySelectorAll("#stage text")) {
    const mark = text.closest(".seat-mark, .chip-mark, [data-initial]");
    const matrix = /** @type {SVGTextElement} */ (text).getScreenCTM();
    const size =
      Number.parseFloat(getComputedStyle(text).fontSize) *
      Math.hypot(matrix?.a ?? 1, matrix?.b ?? 0);
    if (!mark && size < 11.9) small.push(`${text.textContent}: ${size.toFixed(1)} px`);
  }
  return small;
}
