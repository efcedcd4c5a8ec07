// People: playing at once as a guest, names in any letters, claimed names, help, attention.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { serve } from "../kit/parlor.js";
import { MOVES, sitDown } from "../kit/player.js";

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

test("web: one click on the first page deals a hand to a guest, who stays the same guest", async () => {
  const { page, complaints } = await openPage(browser);
  const names = [];
  for (const game of ["sushi-go", "subsim"]) {
    await page.goto(server.url);
    await page.locator(`.game-card[data-game=${game}] .button.main`).click();
    await page.waitForSelector(".controls");
    names.push(await page.evaluate(() => localStorage.getItem("name")));
    assert.ok(!page.url().includes("now"), "a reload is no new game");
  }
  assert.match(String(names[0]), /^Guest [A-Z][a-z]+$/);
  assert.equal(names[0], names[1]);
  await page.getByText(String(names[0])).first().waitFor();
  // The other way on is the form.
  await page.goto(server.url);
  await page.getByRole("link", { name: "Choose opponents and time: Gamba" }).click();
  await page.getByLabel("Your name").waitFor();
  assert.deepEqual(await findings(page), []);
  expectNoComplaints(complaints);
  await page.context().close();
});

for (const [game, name] of [
  ["sushi-go", "Zoë 李"],
  ["gamba", "Анна Мария"],
  ["subsim", "Bartholomäus von Hohenstein"],
  ["tiger-dragon", "🦦 Otter"],
]) {
  test(`web: ${name} plays ${game} under that name`, async () => {
    const { page, complaints } = await openPage(browser);
    await sitDown(page, server.url, game, { name });
    await page.waitForSelector(".controls");
    const shown = await page.locator("body").textContent();
    assert.ok(shown?.includes(name.slice(0, 8)), "the name is read somewhere");
    expectNoComplaints(complaints);
    await page.context().close();
  });
}

test("web: two people of one name play each other", async () => {
  const [host, guest] = [await openPage(browser), await openPage(browser)];
  await sitDown(host.page, server.url, "gamba", { name: "Mia Meyer", against: "A friend" });
  const link = await host.page.locator(".copy code").innerText();
  await guest.page.goto(`${link}&fps=20`);
  await guest.page.getByText(/^MiaMeye-.{4} invites you to a game of Gamba\.$/).waitFor();
  await guest.page.getByLabel("Your name").fill("Mia Meyer");
  await guest.page.locator("form .button.main").click();
  await guest.page.waitForSelector("#stage");
  await host.page.waitForSelector("#stage");
  for (const { page, complaints } of [host, guest]) {
    expectNoComplaints(complaints);
    await page.context().close();
  }
});

test("web: a claimed name is entered once, moves by a link, and is forgotten", async () => {
  const claimed = await fetch(`${server.url}/api/v1/names`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "carla" }),
  });
  const { key } = await claimed.json();
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/gamba/play?fps=20`);
  await page.getByLabel("Your name").fill(`carla:${key}`);
  await page.getByText("You play under your claimed name carla").waitFor();
  assert.ok(!(await page.content()).includes(key), "the key is not on the page");
  await page.locator("form .button.main").click();
  await page.waitForSelector(".controls");
  // On another device.
  const moved = await openPage(browser);
  await moved.page.goto(`${server.url}/#be=${encodeURIComponent(`carla:${key}`)}`);
  await moved.page.waitForSelector(".game-card");
  assert.ok(!moved.page.url().includes("pk_"), "the key is not in the address any more");
  await moved.page.getByRole("button", { name: "Settings" }).click();
  await moved.page.getByText("You play as carla.").waitFor();
  await moved.page.getByRole("button", { name: "Forget it here" }).click();
  assert.equal(await moved.page.getByLabel("Your name").inputValue(), "");
  assert.ok(!(await moved.page.evaluate(() => JSON.stringify(localStorage))).includes("pk_"));
  for (const each of [page, moved.page]) await each.context().close();
  expectNoComplaints([...complaints, ...moved.complaints]);
});

test("web: rules beside the board, three bubbles in the first game, keys that stay in the drawer", async () => {
  const { page, complaints } = await openPage(browser, {}, { novice: true });
  await sitDown(page, server.url, "tiger-dragon", { name: "Ida" });
  await page.locator(".bubble", { hasText: "1 of 3" }).waitFor();
  await page.getByRole("button", { name: "Rules and help" }).click();
  const drawer = page.getByRole("dialog", { name: "Rules of Tiger & Dragon" });
  await drawer.waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await page.locator(".bubble").getByRole("button", { name: "Next" }).click();
  await page.locator(".bubble", { hasText: "2 of 3" }).waitFor();
  await MOVES["tiger-dragon"].keys(page);
  await page.locator(".bubble").getByRole("button", { name: "Got it" }).click();
  await page.locator(".bubble").waitFor({ state: "detached" });
  await page.reload();
  await page.waitForSelector("#stage");
  assert.equal(await page.locator(".bubble").count(), 0, "once is enough");
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: the tab says whose move it is, and sounds are off until they are switched on", async () => {
  const { page, complaints } = await openPage(browser);
  await page.addInitScript(() => {
    const counted = /** @type {any} */ (window);
    counted.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      counted.tones += 1;
      return start.apply(this, when);
    };
  });
  await sitDown(page, server.url, "sushi-go", { name: "Lou" });
  await page.waitForFunction(() => document.title.startsWith("Your move"));
  assert.equal(await page.evaluate(() => /** @type {any} */ (window).tones), 0);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Play sounds").check();
  await page.getByRole("button", { name: "Close" }).click();
  await MOVES["sushi-go"].mouse(page);
  await page.waitForFunction(() => /** @type {any} */ (window).tones > 0);
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: a friend on another device gets a QR code, and this machine alone gets a warning", async () => {
  const { page, complaints } = await openPage(browser);
  await sitDown(page, server.url, "gamba", { name: "Quinn", against: "A friend" });
  await page.getByText("Only this machine can open that link.").waitFor();
  assert.equal(await page.locator(".qr").count(), 0);
  await page.getByText("The game begins when all 2 seats are taken.").waitFor();
  expectNoComplaints(complaints);
  await page.context().close();
});
