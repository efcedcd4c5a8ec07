// People at real tables.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { GAMES, serve } from "../kit/parlor.js";
import { MOVES, chooseWay, playToTheEnd, sitDown } from "../kit/player.js";

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

for (const game of GAMES.filter((each) => each in MOVES)) {
  for (const how of /** @type {const} */ (["mouse", "keys"])) {
    test(`web: a person beats or loses to house bots in ${game} by ${how} alone`, async () => {
      const { page, complaints } = await openPage(browser);
      // Gamba keeps the name of whoever went away for a while.
      await sitDown(page, server.url, game, { name: how === "mouse" ? "Mia" : "Kai" });
      assert.match(await playToTheEnd(page, game, how), /^You (win|are number)/);
      expectNoComplaints(complaints);
      await page.context().close();
    });
  }
}

test("web: a reload comes back to the same seat, and again plays again", async () => {
  const { page, complaints } = await openPage(browser);
  await sitDown(page, server.url, "sushi-go");
  await page.waitForSelector(".controls");
  const table = await page.locator(".bar .note").innerText();
  await MOVES["sushi-go"].keys(page);
  await page.locator(".moves li").first().waitFor();
  await page.reload();
  await page.waitForSelector(".controls");
  // What was played before the reload is there as well.
  await page.locator(".moves li").first().waitFor();
  assert.equal(
    (await page.locator(".bar .note").innerText()).split(" · ")[0],
    table.split(" · ")[0],
  );
  await playToTheEnd(page, "sushi-go", "keys");
  await page.getByRole("button", { name: "Play again" }).click();
  await page.waitForSelector(".controls");
  assert.notEqual(
    (await page.locator(".bar .note").innerText()).split(" · ")[0],
    table.split(" · ")[0],
  );
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: a tab that was closed has left its seat to the next one, also where names are kept", async () => {
  const { page, complaints } = await openPage(browser);
  await sitDown(page, server.url, "gamba", { name: "Nora" });
  await page.waitForSelector(".controls");
  const table = (await page.locator(".bar .note").innerText()).split(" · ")[0];
  const next = await page.context().newPage();
  await page.close();
  await next.goto(`${server.url}/gamba/play`);
  await next.getByRole("button", { name: "Back to my seat" }).click();
  await next.waitForSelector("#stage");
  assert.equal((await next.locator(".bar .note").innerText()).split(" · ")[0], table);
  expectNoComplaints(complaints);
  await next.context().close();
});

test("web: a delayed broadcast is shown with every hand, once the game is over", async () => {
  const delayed = await serve({ set: ["sushi-go.broadcast=delayed"] });
  const [ann, ben] = [await openPage(browser), await openPage(browser)];
  try {
    /** @type {string[]} */
    const received = [];
    ben.page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => received.push(String(payload))),
    );
    await sitDown(ann.page, delayed.url, "sushi-go");
    await ann.page.waitForSelector(".controls");
    const table = (await ann.page.locator(".bar .note").innerText()).split(" · ")[0];
    await ben.page.goto(`${delayed.url}/sushi-go/tables/${table}`);
    await ben.page.getByText("shown when it is over").waitFor();
    const turn = await ann.page.locator(".bar .note").innerText();
    await MOVES["sushi-go"].keys(ann.page);
    await ann.page.waitForFunction(
      (turn) => document.querySelector(".bar .note")?.textContent !== turn,
      turn,
    );
    // Its replay is not there yet; nothing of the game is, in any byte.
    await ben.page.goto(`${delayed.url}/sushi-go/games/${table}`);
    await ben.page.waitForURL(/\/sushi-go\/tables\//);
    await ben.page.getByText("shown when it is over").waitFor();
    assert.ok(!received.join().includes('"view"'), "a turn was sent before the end");
    await playToTheEnd(ann.page, "sushi-go", "keys");
    await ben.page.waitForURL(/\/sushi-go\/games\//);
    await ben.page.waitForSelector("#stage");
    assert.ok(!received.join().includes("seat_views"), "a hand was sent before the end");
    const pressed = ben.page.locator(".seen .choice [aria-pressed=true]");
    assert.equal(await pressed.innerText(), "All");
    // What is not there yet is answered with 409, which the console repeats.
    const refused = (/** @type {string} */ each) => /409/.test(each);
    for (const { complaints } of [ann, ben])
      expectNoComplaints(complaints.filter((each) => !refused(each)));
  } finally {
    await ann.page.context().close();
    await ben.page.context().close();
    await delayed.stop();
  }
});

test("web: what one has chosen stays on the board until the page goes on to what came of it", async () => {
  const { page, complaints } = await openPage(browser);
  await sitDown(page, server.url, "labyrinth", { name: "Dora" });
  await page.waitForSelector(".controls");
  assert.ok(await chooseWay(page));
  // Every picture of the maze that is drawn, from the choice to the turn after it.
  await page.evaluate(() => {
    const seen = /** @type {string[]} */ ([]);
    const tiles = () =>
      [...document.querySelectorAll("#stage [data-size] [data-flip]")]
        .map((tile) => `${tile.getAttribute("data-flip")} at ${tile.innerHTML.slice(0, 60)}`)
        .sort()
        .join();
    const look = () => {
      if (seen.at(-1) !== tiles()) seen.push(tiles());
    };
    look();
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
    });
    Object.assign(window, { seen });
  });
  await page.locator(".controls .button.main").click();
  await page.locator(".moves li").nth(1).waitFor();
  const seen = await page.evaluate(() => /** @type {any} */ (window).seen);
  assert.equal(new Set(seen).size, seen.length, "a picture came twice");
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: resigning asks once, and ends the game", async () => {
  const { page, complaints } = await openPage(browser);
  await sitDown(page, server.url, "sushi-go");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Play on" }).click();
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Resign", exact: true }).click();
  await page.waitForSelector(".result");
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: two windows play each other by a link", async () => {
  const ann = await openPage(browser);
  const ben = await openPage(browser);
  await sitDown(ann.page, server.url, "sushi-go", { against: "A friend" });
  const link = await ann.page.locator(".copy code").innerText();
  await ben.page.goto(`${link}&fps=20`);
  await ben.page.getByLabel("Your name").fill("Ben");
  await ben.page.locator("form .button.main").click();
  const [first, second] = await Promise.all([
    playToTheEnd(ann.page, "sushi-go", "mouse"),
    playToTheEnd(ben.page, "sushi-go", "keys"),
  ]);
  assert.match(`${first} ${second}`, /You win/);
  for (const { page, complaints } of [ann, ben]) {
    expectNoComplaints(complaints);
    await page.context().close();
  }
});

test("web: what a spectator's page received holds no hidden card, and its turns are those of the replay", async () => {
  const ann = await openPage(browser);
  await sitDown(ann.page, server.url, "sushi-go");
  await ann.page.waitForSelector(".controls");
  const table = (await ann.page.locator(".bar .note").innerText()).split(" · ")[0];
  const ben = await openPage(browser);
  /** @type {string[]} */
  const received = [];
  ben.page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => received.push(String(payload))),
  );
  ben.page.on("response", async (response) => {
    if (response.url().includes("/api/")) received.push(await response.text().catch(() => ""));
  });
  await ben.page.goto(`${server.url}/sushi-go/tables/${table}`);
  await ben.page.waitForSelector("#stage");
  await playToTheEnd(ann.page, "sushi-go", "keys");
  await ben.page
    .getByRole("button", { name: "Catch up" })
    .or(ben.page.getByText("Replay from the start"))
    .first()
    .waitFor();
  await ben.page.keyboard.press("c");
  await ben.page.getByText("Replay from the start").waitFor();
  const bytes = received.join("\n");
  assert.ok(bytes.includes('"type":"update"'));
  assert.ok(!/"hand":\[/.test(bytes), "a hand was sent to a spectator");
  assert.ok(!bytes.includes("seat_views"), "a seat's view was sent to a spectator");

  const replay = await openPage(browser);
  await replay.page.goto(`${server.url}/sushi-go/games/${table}?viewer=public`);
  await replay.page.waitForSelector("#stage");
  for (const turn of [3, 9, 17, 25]) {
    const pictures = await Promise.all(
      [ben.page, replay.page].map((page) => page.evaluate(pictureAt, turn)),
    );
    assert.equal(pictures[0], pictures[1], `turn ${turn}`);
  }
  for (const { page, complaints } of [ann, ben, replay]) {
    expectNoComplaints(complaints);
    await page.context().close();
  }
});

test("web: a restart of the server in mid-game is survived by the page", async () => {
  const data = mkdtempSync(join(tmpdir(), "parlor-web-"));
  let second = await serve({ data });
  const { port, url } = second;
  const { page } = await openPage(browser);
  try {
    await sitDown(page, url, "sushi-go");
    await page.waitForSelector(".controls");
    await MOVES["sushi-go"].keys(page);
    await page.waitForSelector(".controls");
    await second.stop();
    await page.getByText("No connection.").waitFor();
    second = await serve({ data, port });
    await page.getByText("No connection.").waitFor({ state: "hidden" });
    assert.match(await playToTheEnd(page, "sushi-go", "keys"), /^You (win|are number)/);
  } finally {
    await page.context().close();
    await second.stop();
    rmSync(data, { recursive: true, force: true });
  }
});

/**
 * Runs in the page: goes to a turn and takes what is drawn. In which order an element got its
 * attributes depends on what was drawn before, and is no difference.
 *
 * @param {number} turn
 */
function pictureAt(turn) {
  const range = /** @type {HTMLInputElement} */ (document.querySelector("input[type=range]"));
  range.value = String(turn - 1);
  range.dispatchEvent(new Event("input", { bubbles: true }));
  const picture = /** @type {Element} */ (document.getElementById("stage")?.cloneNode(true));
  for (const element of picture.querySelectorAll("*")) {
    const attributes = [...element.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name } of attributes) element.removeAttribute(name);
    for (const { name, value } of attributes) element.setAttribute(name, value);
  }
  return picture.outerHTML;
}
