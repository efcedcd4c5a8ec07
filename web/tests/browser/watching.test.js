// Watching a game while it is played: from its first turn, with every hand for who may see them.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { serve } from "../kit/parlor.js";
import { MOVES, sitDown } from "../kit/player.js";

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** @param {import("playwright-core").Page} page */
async function tableOf(page) {
  await page.waitForSelector(".controls");
  return (await page.locator(".bar .note").innerText()).split(" · ")[0];
}

/** Plays one turn. @param {import("playwright-core").Page} page */
async function play(page) {
  const before = await page.locator(".bar .note").innerText();
  await MOVES["sushi-go"].keys(page);
  await page.waitForFunction(
    (before) =>
      document.querySelector(".bar .note")?.textContent !== before &&
      document.querySelector(".bar .tag")?.textContent === "Your move",
    before,
  );
}

test("web: who comes late to a running game scrubs back to its first turn", async () => {
  const server = await serve();
  const [ann, ben] = [await openPage(browser), await openPage(browser)];
  try {
    await sitDown(ann.page, server.url, "sushi-go");
    const table = await tableOf(ann.page);
    for (let turn = 0; turn < 4; turn += 1) await play(ann.page);
    // Who plays in a browser is a person, also for those who look at the first page.
    await ben.page.goto(server.url);
    await ben.page.locator(".counts").getByText("person", { exact: true }).waitFor();
    assert.match(await ben.page.locator(".counts").innerText(), /1\s+bot here\s+1\s+person/);
    await ben.page.goto(`${server.url}/sushi-go/tables/${table}`);
    const range = ben.page.locator("input[type=range]");
    await ben.page.waitForFunction(
      () => Number(document.querySelector("input[type=range]")?.getAttribute("max")) >= 4,
    );
    await ben.page.getByText("You see what every player knows.").waitFor();
    await range.press("Home");
    await ben.page.getByText("Turn 1 of 10").waitFor();
    await ben.page.getByRole("button", { name: "Catch up" }).click();
    await ben.page.getByText("Turn 5 of 10").waitFor();
    for (const { complaints } of [ann, ben]) expectNoComplaints(complaints);
    // A link to a turn works while the game continues, and leads back to it.
    await ben.page.goto(`${server.url}/sushi-go/games/${table}?turn=2`);
    await ben.page.getByText("Turn 2 of 5").waitFor();
    await ben.page.getByRole("link", { name: "Watch live" }).click();
    await ben.page.waitForURL(/\/tables\//);
  } finally {
    await Promise.all([ann, ben].map(({ page }) => page.context().close()));
    await server.stop();
  }
});

test("web: a full broadcast shows every hand live, with an organiser's token typed once", async () => {
  const data = mkdtempSync(join(tmpdir(), "parlor-web-"));
  const server = await serve({ data, set: ["sushi-go.broadcast=full"] });
  const [ann, ben] = [await openPage(browser), await openPage(browser)];
  /** @type {string[]} */
  const received = [];
  ben.page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => received.push(String(payload))),
  );
  try {
    await sitDown(ann.page, server.url, "sushi-go");
    const table = await tableOf(ann.page);
    await ben.page.goto(`${server.url}/sushi-go/tables/${table}`);
    const field = ben.page.getByLabel("to anyone with an organiser's token");
    await field.fill("wrong");
    await ben.page.getByRole("button", { name: "Show every hand" }).click();
    await ben.page.getByRole("alert").waitFor();
    assert.ok(!received.join().includes("seat_views"), "a hand was sent without a token");

    const token = readFileSync(join(data, "admin-token"), "utf8").trim();
    await field.fill(token);
    await ben.page.getByRole("button", { name: "Show every hand" }).click();
    await ben.page.getByText("You see every hand, live.").waitFor();
    const pressed = ben.page.locator(".seen .choice [aria-pressed=true]");
    assert.equal(await pressed.innerText(), "All");
    // The tab keeps it, its address never has it.
    await ben.page.reload();
    await ben.page.getByText("You see every hand, live.").waitFor();
    assert.ok(!ben.page.url().includes(token));
    // A token that is refused is answered with 403, which the console repeats.
    expectNoComplaints(ben.complaints.filter((each) => !/40[13]/.test(each)));
  } finally {
    await Promise.all([ann, ben].map(({ page }) => page.context().close()));
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
