// Every board draws real games: every turn, as every viewer.

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

/** As many players as a board must find room for. @type {Record<string, string[]>} */
const FULL = {
  ...BOTS,
  "sushi-go": Array(5).fill("greedy"),
  "tiger-dragon": Array(5).fill("counter"),
  labyrinth: Array(6).fill("euclid"),
};
const LONG = [
  "Maximiliane-W.",
  "counter1",
  "Wolkenkuckucks_heim",
  "Bo",
  "WWWWWWWWWWWW",
  "stack-smashers",
];

for (const game of GAMES) {
  test(`web: ${game}'s board keeps long names out of other words`, async () => {
    const frames = record(game, FULL[game], "12").replaceAll(
      /"names":(\[[^\]]*\])/g,
      (_, names) => {
        const many = JSON.parse(names).length;
        return `"names":${JSON.stringify(LONG.slice(0, many))}`;
      },
    );
    const site = await openSite({ [`${game}/game`]: frames });
    try {
      for (const width of [360, 1280]) {
        const { page } = await openPage(browser, { viewport: { width, height: 800 } });
        await page.goto(`${site.url}/${game}/games/game`);
        await page.waitForSelector("#stage");
        assert.deepEqual(await page.evaluate(crossing), [], `${width} px`);
        await page.context().close();
      }
    } finally {
      await site.close();
    }
  });
}

/** Runs in the page: words on the stage that run into others or out of it, at some of the turns. */
function crossing() {
  /** @type {Set<string>} */
  const found = new Set();
  const range = /** @type {HTMLInputElement} */ (document.querySelector("input[type=range]"));
  for (let at = 0; at <= 12; at += 1) {
    range.value = String(Math.round((Number(range.max) * at) / 12));
    range.dispatchEvent(new Event("input", { bubbles: true }));
    const stage = /** @type {HTMLElement} */ (document.getElementById("stage"));
    const edge = stage.getBoundingClientRect();
    const boxes = [...stage.querySelectorAll("text")]
      // One or two letters are the face of a card or tile.
      .filter((text) => (text.textContent?.trim().length ?? 0) > 2)
      .map((text) => ({ text, box: text.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    for (const pill of stage.querySelectorAll(".pill")) {
      const [words, sign] = [pill.querySelector(":scope > text"), pill.lastElementChild].map(
        (each) => /** @type {Element} */ (each).getBoundingClientRect(),
      );
      if (words.right > sign.left - 2) found.add(`${pill.textContent} under its sign`);
    }
    for (const [at, { text, box }] of boxes.entries()) {
      if (box.left < edge.left - 1 || box.right > edge.right + 1)
        found.add(`${text.textContent} is cut`);
      for (const other of boxes.slice(at + 1)) {
        // Lines stand close to each other: only what lies on the same line can be run into.
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > Math.min(box.height, other.box.height) * 0.5)
          found.add(`${text.textContent} | ${other.text.textContent}`);
      }
    }
  }
  return [...found];
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
