// The tournament page: live, in every format, with results that lead to their replays.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { houseTeams, serveEvent } from "../kit/event.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serveEvent>>} */
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serveEvent()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** @param {string} id @param {object} plan @param {object} [options] */
async function make(id, plan, options = {}) {
  const entrants = houseTeams(6, ["thrifty", "random"]);
  await server.call("POST", "tournaments", { game: "gamba", id, plan, entrants, options });
}

test("web: a knockout's page goes from the list of teams to the winner without a reload", async () => {
  await make("cup", { format: "knockout", best_of: 3 });
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/gamba/tournaments/cup`);
  await page.getByText("Waiting for the organiser to start it.").waitFor();
  assert.equal(await page.locator(".teams li").count(), 6);
  await server.call("POST", "tournaments/gamba/cup/start");
  await page.locator(".notice.winner").waitFor();
  const winner = await page.locator(".notice.winner b").innerText();
  const last = page.locator(".bracket .column").last();
  assert.equal(`${await last.locator(".row.won .who").innerText()} has won.`, winner);
  assert.equal(await page.locator(".bracket .column").count(), 3);
  assert.ok((await page.locator(".bracket .line.done").count()) >= 4);
  // The final leads to its replay.
  await last.locator("a.pairing-card").click();
  await page.waitForSelector("#stage");
  assert.match(page.url(), /\/gamba\/games\//);
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: a cross table has a result for everybody against everybody", async () => {
  await make("league", { format: "round-robin" });
  await server.call("POST", "tournaments/gamba/league/start");
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/gamba/tournaments/league`);
  await page.locator(".notice.winner").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".standings .scored").length === 30);
  const points = await page.locator(".standings .points").allInnerTexts();
  assert.equal(
    points.map(Number).reduce((a, b) => a + b),
    30,
    "two for every pairing",
  );
  await page.getByText("How ties are broken").click();
  await page.getByText("The points of all opponents, once for each meeting").waitFor();
  const title = await page.locator(".standings abbr").first().getAttribute("title");
  assert.match(String(title), /^Direct encounter: /);
  await page.locator(".standings a.scored").first().click();
  await page.waitForSelector("#stage");
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: a Swiss shows rounds, small live boards, and prints its schedule", async () => {
  await make("swiss", { format: { swiss: { rounds: 3 } } }, { pace_ms: 300 });
  await server.call("POST", "tournaments/gamba/swiss/start");
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/gamba/tournaments/swiss`);
  await page.locator(".small-board svg").first().waitFor();
  assert.equal(await page.locator(".small-board").count(), 2, "two are drawn, others are listed");
  assert.equal(await page.locator("details.round li").count(), 3);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".live-tables").isVisible(), false);
  assert.equal(await page.locator("details.round li").first().isVisible(), true);
  await page.emulateMedia({ media: "screen" });
  await server.call("POST", "tournaments/gamba/swiss/cancel");
  await page.getByText("The organiser has cancelled this tournament.").waitFor();
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: whoever has claimed a name enters an open tournament on its page", async () => {
  await server.call("POST", "tournaments", { game: "subsim", id: "open", open: true });
  const { key } = await server.call("POST", "names", { name: "ann" });
  const { page, complaints } = await openPage(browser, { viewport: { width: 390, height: 800 } });
  await page.goto(`${server.url}/subsim/tournaments/open`);
  await page.getByLabel("Claimed name").fill("ann");
  await page.getByLabel("Its key").fill("pk_00000000000000000000000000");
  await page.getByRole("button", { name: "Enter", exact: true }).click();
  await page.locator(".notice.wrong").waitFor();
  await page.getByLabel("Its key").fill(key);
  await page.getByRole("button", { name: "Enter", exact: true }).click();
  await page.getByText("ann is in.").waitFor();
  await page.locator(".teams li").waitFor();
  // A refusal is answered with 403, which the console repeats.
  expectNoComplaints(complaints.filter((each) => !each.includes("403")));
  await page.context().close();
});

test("web: axe finds nothing on tournament pages, in both schemes, at every width", async () => {
  for (const [colorScheme, width] of /** @type {const} */ ([
    ["light", 1280],
    ["dark", 390],
  ])) {
    const { page, complaints } = await openPage(browser, {
      colorScheme,
      viewport: { width, height: 800 },
    });
    for (const address of [
      "gamba/tournaments/cup",
      "gamba/tournaments/league",
      "gamba/tournaments/swiss",
      "subsim/tournaments/open",
      "tournaments",
    ]) {
      await page.goto(`${server.url}/${address}`);
      await page.locator("main .section").first().waitFor();
      assert.deepEqual(await findings(page), [], address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${address} is ${wide} px wide`);
    }
    expectNoComplaints(complaints);
    await page.context().close();
  }
});

test("web: a tournament that does not exist says so", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/gamba/tournaments/nowhere`);
  await page.getByText("there is no tournament 'nowhere'").waitFor();
  await page.context().close();
});
