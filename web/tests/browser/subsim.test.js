// SubSim's board in a real browser: a turn that comes about, squares under the pointer, and orders that
// everybody can give.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { BOTS, record, serve } from "../kit/parlor.js";
import { sitDown } from "../kit/player.js";
import { openSite } from "../kit/site.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof openSite>>} */
let site;
/** A turn in which a torpedo goes off. @type {number} */
let loud;

before(async () => {
  const frames = record("subsim", BOTS.subsim, "7");
  const updates = frames.split("\n").filter((line) => line.startsWith('{"type":"update"'));
  loud = updates.findIndex((line) => JSON.parse(line).view.news[0]?.detonations.length) - 1;
  site = await openSite({ "subsim/game": frames });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/**
 * What moves on the stage right after something was done in the turn before the torpedo.
 * @param {"step" | "scrub"} what
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
async function moving(what, options) {
  const { page } = await openPage(browser, options);
  try {
    await page.goto(`${site.url}/subsim/games/game?turn=${loud - 1}&viewer=all`);
    await page.waitForSelector("#stage");
    return await page.evaluate((what) => {
      if (what === "step") {
        const step = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
        document.body.dispatchEvent(step);
      } else {
        const range = /** @type {HTMLInputElement} */ (document.querySelector("input[type=range]"));
        range.value = String(Number(range.value) + 1);
        range.dispatchEvent(new Event("input", { bubbles: true }));
      }
      const targets = document
        .getAnimations()
        .filter(({ id }) => id === "subsim")
        .map(({ effect }) => /** @type {KeyframeEffect} */ (effect).target?.getAttribute("class"));
      return [...new Set(targets)].sort();
    }, what);
  } finally {
    await page.context().close();
  }
}

test("subsim: a torpedo runs and goes off when a turn is played, not when it is scrubbed to", async () => {
  const moved = await moving("step");
  for (const part of ["area", "burst", "torpedo"])
    assert.ok(moved.includes(part), `${part}: ${moved}`);
  assert.deepEqual(await moving("scrub"), []);
  assert.deepEqual(await moving("step", { reducedMotion: "reduce" }), []);
});

test("subsim: the square under the pointer is the one that is chosen, and axe finds nothing", async () => {
  const server = await serve();
  const { page, complaints } = await openPage(browser);
  try {
    await sitDown(page, server.url, "subsim");
    const chart = page.locator(".subsim .whole");
    const box = await chart.boundingBox();
    assert.ok(box);
    // The middle of the square in column 7 and row 13 of twenty.
    const position = { x: (box.width * 6.5) / 20, y: (box.height * 12.5) / 20 };
    await chart.click({ position });
    const main = page.locator(".controls .button.main");
    assert.equal((await main.innerText()).replaceAll("\u00a0", " "), "Start at 7 | 13");
    await main.click();
    await page.locator(".orders .kinds").waitFor();
    await page.getByRole("button", { name: "Move east" }).click();
    assert.match(await main.innerText(), /^Move east, charge/);
    await page.evaluate(AXE);
    const found = await page.evaluate(async () => {
      const { violations } = await /** @type {any} */ (window).axe.run();
      return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`);
    });
    assert.deepEqual(found, []);
    assert.deepEqual(complaints, []);
  } finally {
    await page.context().close();
    await server.stop();
  }
});
