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
      // Gamba keeps the name of a player who is away for a while.
      await sitDown(page, server.url, game, { name: how === "mouse" ? "Mia" : "Kai" });
      assert.match(await playToTheEnd(page, game, how), /^You (win|share|lost|came)/);
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
  await page.getByRole("button", { name: "Rematch" }).click();
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
  let chosen = false;
  // In a few mazes there is no way out of the first square.
  for (let game = 1; game <= 5 && !chosen; game += 1) {
    await sitDown(page, server.url, "labyrinth", { name: `Dora${game}` });
    await page.waitForSelector(".controls");
    chosen = await chooseWay(page);
  }
  assert.ok(chosen);
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
  await page.getByRole("button", { name: "Keep playing" }).click();
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

test("web: on a phone the bar has the whole title of a game, whoever is to move", async () => {
  const phone = { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true };
  const { page, complaints } = await openPage(browser, phone);
  for (const game of ["tiger-dragon", "labyrinth"]) {
    await sitDown(page, server.url, game, { name: "Phoebe" });
    await page.locator(".bar .tag", { hasText: "Your move" }).waitFor({ state: "attached" });
    // Every state the bar comes to, until it is one's turn again.
    const seen = page.evaluate(barStates);
    await MOVES[game].mouse(page);
    const states = await seen;
    assert.ok(states.length > 1, `${game}: ${JSON.stringify(states)}`);
    for (const state of states) assert.deepEqual(state, { ...state, cut: 0, out: 0 }, game);
    // What stands under the board begins where the words above it do.
    const lefts = await page.evaluate(() =>
      [".action .said", ".action .press"].map(
        (each) => document.querySelector(each)?.getBoundingClientRect().left,
      ),
    );
    assert.equal(lefts[0], lefts[1]);
  }
  expectNoComplaints(complaints);
  await page.context().close();
});

/** Runs in the page: how the bar stands, from now until something else and the same again was said. */
function barStates() {
  /** @type {{ said: string, cut: number, out: number }[]} */
  const states = [];
  const look = () => {
    const title = document.querySelector(".bar .place .cut");
    const tag = document.querySelector(".bar .tag");
    if (!title || !tag || states.at(-1)?.said === tag.textContent) return;
    const out = Math.max(0, tag.getBoundingClientRect().right - innerWidth);
    const cut = title.scrollWidth - title.clientWidth;
    states.push({ said: tag.textContent ?? "", cut, out });
  };
  look();
  return new Promise((done) => {
    const observer = new MutationObserver(() => {
      look();
      if (states.length > 1) done(states);
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

for (const [game, width] of /** @type {[string, number][]} */ ([
  ["sushi-go", 390],
  ["labyrinth", 390],
  ["tiger-dragon", 1280],
])) {
  test(`web: a move that is refused in ${game} is told beside the controls, on the screen, ${width} px`, async () => {
    const { page, complaints } = await openPage(browser, { viewport: { width, height: 700 } });
    // The server refuses nothing that a board offers: one refusal is put in its mouth.
    let refused = false;
    await page.routeWebSocket(/\/house\//, (socket) => {
      const real = socket.connectToServer();
      real.onMessage((message) => socket.send(message));
      socket.onMessage((message) => {
        const { id, ...said } = JSON.parse(String(message));
        if (said.do !== "act" || refused) return real.send(message);
        refused = true;
        const hint = "Choose something else.";
        const answer = { type: "refused", id, code: "illegal-move", message: "no such move", hint };
        socket.send(JSON.stringify(answer));
      });
    });
    await sitDown(page, server.url, game, { name: "Rita" });
    await page.locator(".bar .tag", { hasText: "Your move" }).waitFor({ state: "attached" });
    await page.waitForSelector(".controls");
    await MOVES[game].mouse(page);
    const alert = page.getByRole("alert");
    await alert.getByText("No such move.").waitFor();
    const [objection, controls] = await Promise.all(
      [alert, page.locator(".controls")].map((each) => each.boundingBox()),
    );
    assert.ok(objection && controls);
    assert.ok(objection.y >= 0 && objection.y + objection.height <= 700, `at ${objection.y}`);
    const above = controls.y - (objection.y + objection.height);
    const below = objection.y - (controls.y + controls.height);
    assert.ok(above < 40 && below < 40, `${above} px above, ${below} px below the controls`);
    // What was chosen stands; what is sent next is no longer wrong.
    await page.locator(".controls .button.main").click();
    await alert.waitFor({ state: "detached" });
    expectNoComplaints(complaints);
    await page.context().close();
  });
}

test("web: who plays anyone knows the clock and how strong the bot is before sitting down", async () => {
  const open = await serve({
    set: ["sushi-go.turn_timeout_ms=12000", 'sushi-go.house_bots=["gourmet"]'],
  });
  const { page, complaints } = await openPage(browser);
  try {
    await page.goto(`${open.url}/sushi-go/play`);
    const card = page.locator(".option", { hasText: "Anyone" });
    await card
      .getByText("12 s for each move. If no one joins, you play against gourmet, a strong bot.")
      .waitFor();
    // The time is not chosen here, so nothing offers to.
    await page.getByLabel("Anyone").check();
    assert.equal(await page.getByLabel("Time for each move").count(), 0);
    await page.getByLabel("Your name").fill("Ann");
    await page.getByRole("button", { name: "Sit down" }).click();
    await page
      .getByRole("heading", { name: "Waiting for players" })
      .or(page.locator("#stage"))
      .waitFor();
    expectNoComplaints(complaints);
  } finally {
    await page.context().close();
    await open.stop();
  }
});

test("web: a link to a turn keeps whose eyes it was seen with", async () => {
  const { page, complaints } = await openPage(browser);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await sitDown(page, server.url, "sushi-go", { name: "Lina" });
  await playToTheEnd(page, "sushi-go", "keys");
  await page.getByRole("link", { name: "Review" }).click();
  await page.waitForSelector("#stage");
  for (const [eyes, viewer] of [
    ["Public", "public"],
    ["All", "all"],
  ]) {
    await page.locator(".seen .choice").getByRole("button", { name: eyes, exact: true }).click();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Copy link to this turn" }).click();
    await page.getByText("Copied").waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    assert.equal(link.searchParams.get("viewer"), viewer);
    assert.equal(link.searchParams.get("turn"), "2");
    const other = await page.context().newPage();
    await other.goto(link.href);
    await other.waitForSelector("#stage");
    const pressed = other.locator(".seen .choice [aria-pressed=true]");
    assert.equal(await pressed.innerText(), eyes);
    await other.getByText(/^Turn 2 of/).waitFor();
    await other.close();
  }
  expectNoComplaints(complaints);
  await page.context().close();
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
    assert.match(await playToTheEnd(page, "sushi-go", "keys"), /^You (win|share|lost|came)/);
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
