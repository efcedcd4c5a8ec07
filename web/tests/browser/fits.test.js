// At one's own seat everything that a move needs is on the screen at once, whatever the screen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { serve } from "../kit/parlor.js";
import { MOVES } from "../kit/player.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const SCREENS = [
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  // A laptop at 200 %.
  { width: 640, height: 400 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

/** What a move is made with, and the most other players that people are offered. @type {Record<string, { choices: string, others: number }>} */
const GAMES = {
  "sushi-go": { choices: ".sushi-hand button", others: 4 },
  gamba: { choices: "#stage .pressable", others: 1 },
  "tiger-dragon": { choices: "#stage .ring[role=button]", others: 4 },
  labyrinth: { choices: ".arrow:not([aria-disabled=true])", others: 8 },
  subsim: { choices: ".subsim .whole", others: 3 },
};

for (const [game, { choices, others }] of Object.entries(GAMES)) {
  for (const many of new Set([1, others])) {
    test(`${game}: a move against ${many} needs no scrolling on any screen`, async () => {
      const { page, complaints } = await openPage(browser);
      await page.goto(`${server.url}/${game}/play?fps=20`);
      await page.getByLabel("Your name").fill(`Fay${many}`);
      for (let more = 1; more < many; more += 1)
        await page.getByRole("button", { name: "One more" }).click();
      await page.locator("form .button.main").click();
      await page.waitForSelector(".controls");
      for (const screen of SCREENS) {
        await page.setViewportSize(screen);
        await settled(page);
        const out = await page.evaluate(outside, [choices, ".controls .button.main", ".caption"]);
        assert.deepEqual(out, [], `${screen.width}x${screen.height}`);
      }
      await page.setViewportSize(SCREENS[1]);
      await MOVES[game].mouse(page);
      assert.deepEqual(await findings(page), []);
      expectNoComplaints(complaints);
      await page.context().close();
    });
  }
}

test("subsim: on a phone the squares to go to are as large as a finger", async () => {
  const { page, complaints } = await openPage(browser, {
    ...{ viewport: SCREENS[0], hasTouch: true, isMobile: true },
  });
  await page.goto(`${server.url}/subsim/play?fps=20`);
  await page.getByLabel("Your name").fill("Nemo");
  await page.locator("form .button.main").tap();
  await page.locator(".subsim .whole").tap();
  await page.locator(".controls .button.main").tap();
  const square = page.locator(".subsim .target[role=button]");
  await square.first().waitFor();
  const box = await square.first().boundingBox();
  assert.ok(box && box.width >= 42 && box.height >= 42, JSON.stringify(box));
  await square.first().tap();
  await page.locator(".controls .button.main").tap();
  await page.locator(".moves li").nth(1).waitFor();
  expectNoComplaints(complaints);
  await page.context().close();
});

/** Until the board is drawn for the screen it is on: its height is the same twice. @param {import("playwright-core").Page} page */
async function settled(page) {
  await page.waitForFunction(
    () => {
      const now = [".stage", ".action"].map((each) => {
        const { width, height } = document.querySelector(each)?.getBoundingClientRect() ?? {};
        return `${width} ${height}`;
      });
      const same = document.body.dataset.drawn === now.join();
      document.body.dataset.drawn = now.join();
      return same;
    },
    null,
    { polling: 200 },
  );
}

/** Runs in the page: what is not wholly on the screen. @param {string[]} wanted */
function outside(wanted) {
  return wanted.flatMap((each) => {
    const found = [...document.querySelectorAll(each)];
    if (found.length === 0) return [`${each}: none`];
    return found.flatMap((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const inside =
        left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
      return inside ? [] : [`${each}: ${[left, top, right, bottom].map(Math.round).join(" ")}`];
    });
  });
}
