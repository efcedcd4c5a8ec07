// Players' pages: leaderboards, and one player's rating, opponents, times and games.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { playTournament } from "../kit/organiser.js";
import { serve } from "../kit/parlor.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
const data = mkdtempSync(join(tmpdir(), "parlor-web-"));

before(async () => {
  [browser, server] = await Promise.all([launch(), serve({ data })]);
  const bots = { ariadne: "thrifty", minotaur: "random" };
  await playTournament(data, { game: "gamba", id: "cup", bots, bestOf: 9 });
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(data, { recursive: true, force: true });
});

test("web: from the leaderboard to a player, its opponent, and a game of theirs", async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/gamba`);
  await page.getByRole("link", { name: "Players" }).last().click();
  await page.locator(".ranks tbody tr").nth(1).waitFor();
  assert.equal(await page.locator(".ranks tbody tr").count(), 2);
  await page.getByRole("link", { name: "ariadne" }).click();
  const plot = page.getByRole("img", { name: /^Rating over time: now \d/ });
  await plot.waitFor();
  const games = Number(
    /after (\d+) rated/.exec(String(await plot.getAttribute("aria-label")))?.[1],
  );
  assert.ok(games >= 5 && games <= 9, `${games} games`);
  const [won, lost] = await Promise.all(
    ["b", "span.note"].map((part) => page.locator(`.met li > ${part}`).innerText()),
  );
  assert.equal(Number(won) + Number(lost), games);
  assert.equal(await page.locator(".of-player").count(), games);
  assert.match(await page.locator(".placements li").innerText(), /^cup\s+place [12] of 2/);
  assert.equal(
    await page.locator(".counts div", { hasText: "rated games" }).locator("b").innerText(),
    String(games),
  );
  assert.equal(await page.locator(".of-player .how.won").count(), Number(won));

  await page.locator(".met").getByRole("link", { name: "minotaur" }).click();
  await page.getByRole("heading", { name: "minotaur" }).waitFor();
  assert.equal(await page.locator(".of-player").count(), games);
  await page.locator(".of-player a").first().click();
  await page.waitForSelector("#stage");
  assert.match(page.url(), /\/gamba\/games\//);
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: a name that nobody has says so, and leads to everybody", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/players/nobody`);
  await page.getByRole("heading", { name: "There is no such player" }).waitFor();
  await page.locator(".state").getByRole("link", { name: "Players" }).click();
  await page.locator(".ranks, .section .note").first().waitFor();
  await page.context().close();
});
