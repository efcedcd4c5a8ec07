// Labyrinth in a real browser: a step is shown, scrubbing jumps, with reduced motion nothing moves; and
// at a seat, what the bar says when the game is over or one is out of it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { BOTS, record, serve } from "../kit/parlor.js";
import { playToTheEnd, sitDown } from "../kit/player.js";
import { openSite } from "../kit/site.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof openSite>>} */
let site;

before(async () => {
  site = await openSite({ "labyrinth/game": record("labyrinth", BOTS.labyrinth, "7") });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/**
 * What moves on the stage right after something was done at the first turn.
 * @param {"step" | "scrub"} what
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
async function moving(what, options) {
  const { page } = await openPage(browser, options);
  try {
    await page.goto(`${site.url}/labyrinth/games/game?turn=1&viewer=all`);
    await page.waitForSelector("#stage");
    return await page.evaluate((what) => {
      if (what === "step") {
        document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }),
        );
      } else {
        const range = /** @type {HTMLInputElement} */ (document.querySelector("input[type=range]"));
        range.value = "1";
        range.dispatchEvent(new Event("input", { bubbles: true }));
      }
      return (
        document
          .getAnimations()
          // The pages' own styles cut every transition to a hundredth of a millisecond.
          .filter((animation) => Number(animation.effect?.getTiming().duration) > 1)
          .map((animation) => /** @type {KeyframeEffect} */ (animation.effect).target)
          .filter((target) => target?.closest("#stage"))
          .map((target) => target?.getAttribute("data-flip") ?? target?.getAttribute("class") ?? "")
      );
    }, what);
  } finally {
    await page.context().close();
  }
}

test("labyrinth: a step slides the line, pushes a tile out and walks the pawn", async () => {
  const names = await moving("step");
  // Six tiles of seven glide, the seventh comes in; one is pushed out.
  assert.equal(names.filter((name) => /^[a-z-]+ [a-z-]+$/.test(name)).length, 7);
  for (const name of ["leaving", "spare", "way", "pawn 0"]) assert.ok(names.includes(name), name);
});

test("labyrinth: scrubbing jumps", async () => {
  assert.deepEqual(await moving("scrub"), []);
});

test("labyrinth: with reduced motion the stage only fades", async () => {
  assert.deepEqual(await moving("step", { reducedMotion: "reduce" }), ["stage"]);
});

// The last turn only asks every player to take note of the end.
test("labyrinth: nobody is waited for once the game is decided", async () => {
  const server = await serve();
  const { page, complaints } = await openPage(browser);
  try {
    await sitDown(page, server.url, "labyrinth");
    await page.waitForSelector(".controls");
    await page.evaluate(watchBar);
    await playToTheEnd(page, "labyrinth", "mouse");
    await page.locator(".bar .note", { hasText: "Over after" }).waitFor();
    const said = await page.evaluate(() => /** @type {any} */ (window).said);
    const decided = said.filter((/** @type {string} */ each) => each.includes("Over after"));
    assert.ok(decided.length > 0, "the end was seen");
    for (const each of decided) assert.match(each, /: Over$/);
    expectNoComplaints(complaints);
  } finally {
    await page.context().close();
    await server.stop();
  }
});

test("labyrinth: who is out is told so, while the others play on", async () => {
  const server = await serve();
  const { page, complaints } = await openPage(browser);
  try {
    await page.goto(`${server.url}/labyrinth/play?fps=20`);
    await page.getByLabel("Your name").fill("Ann");
    await page.getByRole("button", { name: "One more" }).click();
    await page.getByLabel("Time for each move").selectOption("15");
    await page.locator("form .button.main").click();
    await page.waitForSelector(".controls");
    await page.evaluate(watchBar);
    await page.waitForSelector(".result");
    const said = await page.evaluate(() => /** @type {any} */ (window).said);
    const turns = said.map((/** @type {string} */ each) => each.split(": ")[1]);
    assert.equal(turns[0], "Your move");
    assert.ok(turns.includes("You are out"), String(turns));
    assert.ok(!turns.slice(turns.indexOf("You are out")).includes("Waiting for the others"));
    expectNoComplaints(complaints);
  } finally {
    await page.context().close();
    await server.stop();
  }
});

/** Runs in the page: keeps everything the bar says from now on. */
function watchBar() {
  const said = /** @type {string[]} */ ([]);
  const look = () => {
    const [where, state] = [".bar .note", ".bar .tag"].map(
      (each) => document.querySelector(each)?.textContent ?? "",
    );
    if (said.at(-1) !== `${where}: ${state}`) said.push(`${where}: ${state}`);
  };
  look();
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
  });
  Object.assign(window, { said });
}
