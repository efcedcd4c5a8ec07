// SubSim's board in a real browser: a turn that comes about, squares under the pointer, and orders that
// every player can give.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
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
    // The middle of the square in column 7 and row 10 of twelve.
    const position = { x: (box.width * 6.5) / 12, y: (box.height * 9.5) / 12 };
    await chart.click({ position });
    const main = page.locator(".controls .button.main");
    assert.equal((await main.innerText()).replaceAll("\u00a0", " "), "Start at 7 | 10");
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

test("subsim: a square is clicked, and Enter gives the order", async () => {
  const server = await serve();
  const { page, complaints } = await openPage(browser);
  try {
    await sitDown(page, server.url, "subsim");
    await page.locator(".subsim .whole").click();
    await page.keyboard.press("Enter");
    await page.locator(".orders .kinds").waitFor();
    const turn = await page.locator(".bar .note").innerText();
    const ways = page.locator("#stage .target[role=button]");
    await ways.first().click();
    assert.equal(await page.locator("#stage .target[aria-pressed=true]").count(), 1);
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      (turn) => document.querySelector(".bar .note")?.textContent !== turn,
      turn,
    );
    assert.deepEqual(complaints, []);
  } finally {
    await page.context().close();
    await server.stop();
  }
});

// A list of all moves alone had more than fifty thousand elements.
test("subsim: a replay of sixty-four boats stays small, and its list of moves can be read to the end", async () => {
  const frames = record("subsim", Array(64).fill("hunter"), "7", [
    "subsim.map_size=[30,30]",
    "subsim.max_turns=120",
  ]);
  const many = await openSite({ "subsim/game": frames });
  const { page, complaints } = await openPage(browser);
  try {
    await page.goto(`${many.url}/subsim/games/game?turn=60&viewer=all`);
    await page.waitForSelector("#stage");
    const elements = () => page.evaluate(() => document.querySelectorAll("*").length);
    assert.ok((await elements()) < 6000, `${await elements()} elements`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 1280, `${wide} px wide`);
    await page.locator("#moves").scrollIntoViewIfNeeded();
    // Scrolled by hand, rows are there wherever one looks; pressed, they lead to their turn.
    for (const share of [0, 1, 0.4]) {
      await page.evaluate((share) => {
        const box = /** @type {HTMLElement} */ (document.getElementById("moves"));
        box.scrollTop = share * (box.scrollHeight - box.clientHeight);
      }, share);
      await page.waitForFunction(() => {
        const box = /** @type {HTMLElement} */ (document.getElementById("moves"));
        const { left, top, height } = box.getBoundingClientRect();
        return [0.1, 0.5, 0.9].every((part) =>
          document.elementFromPoint(left + 60, top + height * part)?.closest("#moves li"),
        );
      });
    }
    assert.ok((await elements()) < 6000, `${await elements()} elements, scrolled`);
    await page.evaluate(() => document.getElementById("moves")?.scrollTo(0, 0));
    await page.locator("#moves li button").first().click();
    await page.getByText(/^Turn [01] of/).waitFor();
    expectNoComplaints(complaints);
  } finally {
    await page.context().close();
    await many.close();
  }
});
