// A ladder's page: bots that play under claimed names, one that waits, and who enters on the page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { serveEvent } from "../kit/event.js";
import { binary } from "../kit/parlor.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serveEvent>>} */
let server;
/** @type {import("node:child_process").ChildProcess[]} */
const bots = [];

before(async () => {
  [browser, server] = await Promise.all([launch(), serveEvent()]);
});
after(async () => {
  bots.forEach((bot) => bot.kill());
  await browser?.close();
  await server?.stop();
});

/** Claims a name, enters it, and lets a bot play for it. @param {string} name */
async function climb(name) {
  const { key } = await server.call("POST", "names", { name });
  const entered = await fetch(`${server.url}/api/v1/tournaments/gamba/bots/entry`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  assert.equal(entered.status, 201);
  const play = ["bot", "gamba", "--connect", server.url, "--games", "500", "--name", name];
  bots.push(spawn(binary(), [...play, "--key", key], { stdio: "ignore" }));
}

test("web: a ladder shows strengths with intervals, boards, and what everybody is doing", async () => {
  const plan = { format: { ladder: { wait_s: 4 } }, max_entrants: 50 };
  await server.call("POST", "tournaments", {
    game: "gamba",
    id: "bots",
    plan,
    entrants: [{ name: "house", bot: "random" }],
    options: { pace_ms: 100 },
  });
  for (const name of ["ann", "bob", "cleo"]) await climb(name);
  for (const [width, colorScheme] of /** @type {const} */ ([
    [390, "light"],
    [1280, "dark"],
  ])) {
    const { page, complaints } = await openPage(browser, {
      viewport: { width, height: 900 },
      colorScheme,
    });
    await page.goto(`${server.url}/gamba/tournaments/bots`);
    await page.locator(".standings.ladder tbody tr").nth(3).waitFor();
    await page.locator(".small-board svg").first().waitFor();
    await page.locator(".pairings li").first().waitFor();
    await page.locator(".small-board svg").first().waitFor();
    await page.getByText("Enter your team").waitFor();
    assert.match(await page.locator(".standings.ladder tbody").innerText(), /\d+ to \d+/);
    assert.match(await page.locator(".standings.ladder tbody").innerText(), /playing/);
    assert.deepEqual(await findings(page), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `it is ${wide} px wide`);
    const inside = await page
      .locator(".table-scroll")
      .evaluate((table) => table.scrollWidth <= table.clientWidth);
    assert.ok(inside, "what everybody is doing is seen without scrolling");
    if (process.env.SHOTS) {
      await page.screenshot({ path: `${process.env.SHOTS}/ladder-${width}.png`, fullPage: true });
    }
    expectNoComplaints(complaints);
    await page.context().close();
  }
});
