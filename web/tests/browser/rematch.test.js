// After a game, and before one: playing again with the same people, links that lead nowhere, names.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { serve } from "../kit/parlor.js";
import { sitDown } from "../kit/player.js";

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

/** Two meet by a link, and the guest resigns. @param {string} game @param {[string, string]} [names] */
async function played(game, names = ["Ann", "Ben"]) {
  const [ann, ben] = [await openPage(browser), await openPage(browser)];
  await sitDown(ann.page, server.url, game, { name: names[0], against: "A friend" });
  const link = await ann.page.locator(".copy code").innerText();
  await ben.page.goto(`${link}&fps=20`);
  await ben.page.getByLabel("Your name").fill(names[1]);
  await ben.page.locator("form .button.main").click();
  await ben.page.getByRole("button", { name: "Resign" }).click();
  await ben.page.getByRole("button", { name: "Resign", exact: true }).click();
  await ann.page.waitForSelector(".result");
  await ben.page.waitForSelector(".result");
  return { ann, ben, link };
}

for (const first of /** @type {const} */ (["host", "guest"])) {
  test(`web: a rematch by link, which the ${first} asks for, brings both to one table`, async () => {
    // Gamba keeps the name of a player who went away from a running game for a while.
    const names = /** @type {[string, string]} */ ([`Ann-${first}`, `Ben-${first}`]);
    const { ann, ben } = await played("gamba", names);
    const [asks, agrees] = first === "host" ? [ann.page, ben.page] : [ben.page, ann.page];
    const before = (await asks.locator(".bar .note").innerText()).split(" · ")[0];
    await asks.getByRole("button", { name: "Rematch" }).click();
    const name = first === "host" ? names[0] : names[1];
    await agrees.getByText(`${name} wants a rematch.`).waitFor();
    await agrees.getByRole("button", { name: "Play", exact: true }).click();
    const tables = await Promise.all(
      [asks, agrees].map(async (page) => {
        await page.getByRole("button", { name: "Resign" }).waitFor();
        return (await page.locator(".bar .note").innerText()).split(" · ")[0];
      }),
    );
    assert.equal(tables[0], tables[1]);
    assert.notEqual(tables[0], before);
    for (const { page, complaints } of [ann, ben]) {
      expectNoComplaints(complaints);
      await page.context().close();
    }
  });
}

test("web: the end is a card over the board, and a rematch with a bot keeps the score", async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
    { width: 844, height: 390 },
    { width: 640, height: 400 },
  ]) {
    const { page, complaints } = await openPage(browser, { viewport });
    await sitDown(page, server.url, "tiger-dragon", { name: `Eva${viewport.width}` });
    for (const score of ["", "You trail 0 : 2.", "You trail 0 : 3."]) {
      await page.getByRole("button", { name: "Resign" }).click();
      await page.getByRole("button", { name: "Resign", exact: true }).click();
      await page.locator(".result", { hasText: "You resigned." }).waitFor();
      assert.equal(await page.locator(".series").count(), score ? 1 : 0);
      if (score) assert.equal(await page.locator(".series").innerText(), score);
      for (const name of ["Rematch", "New game", "Share", "Look at the board"])
        await onScreen(page.getByRole("button", { name }), viewport);
      await onScreen(page.getByRole("link", { name: "Review" }), viewport);
      if (score === "") assert.deepEqual(await findings(page), []);
      await page.getByRole("button", { name: "Rematch" }).click();
      await page.locator(".result-card").waitFor({ state: "detached" });
    }
    // The card can be put away and taken back.
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Resign", exact: true }).click();
    await page.getByRole("button", { name: "Look at the board" }).click();
    await page.getByRole("button", { name: "Result", exact: true }).click();
    await page.locator(".result-card").waitFor();
    expectNoComplaints(complaints);
    await page.context().close();
  }
});

/** @param {import("playwright-core").Locator} what @param {{ width: number, height: number }} screen */
async function onScreen(what, { width, height }) {
  const box = await what.boundingBox();
  assert.ok(box && box.x >= 0 && box.y >= 0, "not above or left of the screen");
  assert.ok(box.x + box.width <= width && box.y + box.height <= height, "not below or right of it");
}

test("web: who asks for a rematch is told that the other has left, and can go on", async () => {
  const { ann, ben } = await played("sushi-go");
  await ann.page.getByRole("button", { name: "Rematch" }).click();
  await ben.page.getByRole("button", { name: "No", exact: true }).click();
  await ann.page.getByText("Ben has left.").waitFor();
  await ann.page.getByRole("button", { name: "Play again" }).click();
  await ann.page.getByText("Waiting for players").waitFor();
  // The guest's way on is the form, not the table that is over.
  await ben.page.getByRole("button", { name: "Play again" }).click();
  await ben.page.getByLabel("Your name").waitFor();
  assert.ok(!ben.page.url().includes("table="));
  for (const { page } of [ann, ben]) await page.context().close();
});

test("web: a link to a table that is over says so beside the button, and offers another", async () => {
  const { ann, ben, link } = await played("sushi-go");
  const { page } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await page.goto(link);
  await page.getByLabel("Your name").fill("Cleo");
  await page.locator("form .button.main").click();
  const alert = page.locator(".setup [role=alert]");
  await alert.waitFor();
  const box = await alert.boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 844, "it is on the screen");
  await page.getByLabel("House bots").first().check();
  await page.locator("form .button.main").click();
  await page.waitForSelector(".controls");
  for (const each of [page, ann.page, ben.page]) await each.context().close();
});

test("web: a name that is refused is said beside its field, which has the cursor", async () => {
  const { page } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await fetch(`${server.url}/api/v1/names`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Nora" }),
  });
  await page.goto(`${server.url}/subsim/play`);
  await page.getByLabel("Your name").fill("Nora");
  await page.locator("form .button.main").click();
  await page.locator(".setup [role=alert]").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "INPUT");
  const box = await page.locator(".setup [role=alert]").boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 844, "it is on the screen");
  await page.context().close();
});

test("web: who has resigned waits for nobody", async () => {
  const { page } = await openPage(browser);
  await sitDown(page, server.url, "subsim");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Resign", exact: true }).click();
  await page.waitForSelector(".result");
  assert.equal(await page.locator(".bar .tag").innerText(), "You resigned");
  assert.equal(await page.locator(".caption").innerText(), "You resigned.");
  await page.context().close();
});

test("web: Enter confirms what the mouse chose, and a double click plays", async () => {
  const { page } = await openPage(browser);
  await sitDown(page, server.url, "sushi-go", { name: "Dora" });
  await page.waitForSelector(".controls");
  await page.locator(".sushi-hand button").nth(2).click();
  await page.keyboard.press("Enter");
  await page.locator(".moves li").first().waitFor();
  await page.locator(".sushi-hand button:not([disabled])").nth(1).dblclick();
  await page.locator(".moves li").nth(2).waitFor();
  await page.context().close();
});
