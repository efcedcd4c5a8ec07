// Every board draws real games: every turn, with everybody's eyes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { drawEverything } from "../kit/everything.js";
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
      const drawn = await page.evaluate(drawEverything, 10_000);
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
