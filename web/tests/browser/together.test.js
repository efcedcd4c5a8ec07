// Two people at a table show each other something, house bots have faces, and a deal a day.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { serve } from "../kit/parlor.js";
import { playToTheEnd, sitDown } from "../kit/player.js";

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

test("web: a reaction is shown to the other player and to those who watch", async () => {
  const viewport = { width: 390, height: 844 };
  const [ann, ben, eve] = [
    await openPage(browser, { viewport }),
    await openPage(browser),
    await openPage(browser),
  ];
  await sitDown(ann.page, server.url, "sushi-go", { name: "Ann", against: "A friend" });
  const link = await ann.page.locator(".copy code").innerText();
  await ben.page.goto(`${link}&fps=20`);
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.page.locator("form .button.main").click();
  await ben.page.locator(".controls").waitFor();
  const table = new URL(link).searchParams.get("table");
  await eve.page.goto(`${server.url}/sushi-go/tables/${table}`);
  await eve.page.locator("#stage").waitFor();
  await ann.page.getByRole("button", { name: "React" }).click();
  assert.deepEqual(await findings(ann.page), []);
  for (const each of await ann.page.locator(".react .choices button").all()) {
    const box = await each.boundingBox();
    assert.ok(box && box.width >= 44 && box.height >= 44 && box.x >= 0, JSON.stringify(box));
    assert.ok(box.x + box.width <= 390 && box.y + box.height <= 844, JSON.stringify(box));
  }
  await ann.page.getByRole("button", { name: "Wow!" }).click();
  for (const { page } of [ann, ben, eve])
    await page.locator(".reaction", { hasText: "Wow!" }).waitFor();
  assert.ok(await ann.page.getByRole("button", { name: "React" }).isDisabled());
  for (const { page, complaints } of [ann, ben, eve]) {
    expectNoComplaints(complaints);
    await page.context().close();
  }
});

test("web: a name that is written from right to left turns nothing else around", async () => {
  const { page, complaints } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  const name = "مريم (1) العربية";
  await sitDown(page, server.url, "tiger-dragon", { name });
  await page.locator(".controls").waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  const bidi = await page
    .locator("#stage text", { hasText: "مريم" })
    .first()
    .evaluate((text) => getComputedStyle(text).unicodeBidi);
  assert.equal(bidi, "plaintext");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Resign", exact: true }).click();
  await page.waitForSelector(".result");
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: house bots of five levels have names and faces, and the chosen one stays chosen", async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/gamba/play`);
  const bots = page.getByLabel("Bot 1");
  await bots.waitFor();
  const names = await bots.locator("> option").allInnerTexts();
  assert.deepEqual(
    names,
    ["Pip", "Mika", "Otto", "Vera", "Sage"].map((name, at) => `${name}, level ${at + 1} of 5`),
  );
  assert.equal(await bots.inputValue(), "otto");
  await bots.selectOption("mika");
  assert.deepEqual(await findings(page), []);
  await page.goto(`${server.url}/gamba/play?now&fps=20`);
  await page.locator("#stage", { hasText: "Mika" }).waitFor();
  // No person is there to see a reaction.
  assert.equal(await page.getByRole("button", { name: "React" }).count(), 0);
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: the deal of the day is the same for everybody, and says how one did", async () => {
  let game = "";
  for (const name of ["Ann", "Ben"]) {
    const { page, complaints } = await openPage(browser);
    await page.goto(server.url);
    const card = page.locator(".daily");
    const href = String(await card.locator("a.button").getAttribute("href"));
    game = href.split("/")[1];
    await page.evaluate((own) => localStorage.setItem("name", own), name);
    await page.goto(`${server.url}${href}&fps=20`);
    await page.locator(".controls").waitFor();
    await playToTheEnd(page, game, "keys");
    await page.locator(".series", { hasText: "Parlor daily" }).waitFor();
    await page.goto(server.url);
    await card.getByText("Parlor daily").waitFor();
    assert.deepEqual(await findings(page), []);
    expectNoComplaints(complaints);
    await page.context().close();
  }
  /** @param {string} path */
  const ask = async (path) => (await fetch(`${server.url}/api/v1/results${path}`)).json();
  const { results } = await ask(`?game=${game}&status=finished`);
  const daily = results.filter((/** @type {any} */ each) => each.id.startsWith("daily-"));
  const [one, two] = await Promise.all(
    daily.map(async (/** @type {any} */ each) => (await ask(`/${game}/${each.id}`)).deal.seed),
  );
  assert.equal(daily.length, 2);
  assert.equal(one, two);
});
