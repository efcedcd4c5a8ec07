// Labyrinth's motion, in a real browser: a step is shown, scrubbing jumps, and with reduced motion
// nothing moves.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { BOTS, record } from "../kit/parlor.js";
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
