// Every page, in both schemes: nothing for axe to find, nothing on the console, nothing from elsewhere,
// nothing wider than a phone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { GAMES, serve } from "../kit/parlor.js";
import { playToTheEnd, sitDown } from "../kit/player.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
/** A game that was played. */
let played = "";

before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
  const { page } = await openPage(browser);
  await sitDown(page, server.url, "sushi-go");
  await playToTheEnd(page, "sushi-go", "keys");
  played = String(await page.getByRole("link", { name: "Review" }).getAttribute("href"));
  await page.context().close();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Every address there is, and what shows that it is drawn. @returns {[string, string][]} */
function addresses() {
  return [
    ["/", ".game-card"],
    ["/tournaments", ".state"],
    ["/organise", "form"],
    ["/connect", ".choice"],
    ["/show", ".slide"],
    ...GAMES.flatMap(
      (game) =>
        /** @type {[string, string][]} */ ([
          [`/${game}`, ".programme"],
          [`/${game}/rules`, ".prose"],
          [`/${game}/play`, "form"],
        ]),
    ),
    [played, "#stage"],
    ["/replay", ".drop-here"],
    ["/players", ".tabs"],
    ["/players/Ann", ".thirds"],
    ["/nowhere/at/all", ".state"],
  ];
}

for (const [colorScheme, width] of /** @type {const} */ ([
  ["light", 1280],
  ["dark", 390],
])) {
  test(`web: axe finds nothing on any page, ${colorScheme}, ${width} px`, async () => {
    const { page, complaints } = await openPage(browser, {
      colorScheme,
      viewport: { width, height: 800 },
    });
    for (const [address, sign] of addresses()) {
      await page.goto(server.url + address);
      await page.waitForSelector(sign);
      const found = await findings(page);
      assert.deepEqual(found, [], address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${address} is ${wide} px wide`);
    }
    // An address that does not exist is answered with 404, which the console repeats.
    expectNoComplaints(complaints.filter((each) => !each.includes("404")));
    await page.context().close();
  });
}

// A game without texts of that kind broke the pages that name every game.
test("web: a game that brings neither words nor a board leaves the pages of the others alone", async () => {
  const { page } = await openPage(browser, { serviceWorkers: "block" });
  await page.route(/\/boards\/gamba\//, (route) => route.fulfill({ status: 404 }));
  // Where its modules are, the first file knows.
  await page.route(/\/assets\/\w+\/main\.js/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll(
      /"\/boards\/gamba\/(about|board)\.js":/g,
      '"$1":',
    );
    return route.fulfill({ response: answer, body });
  });
  const pages = [
    ["/", ".game-card"],
    ["/connect", ".choice"],
    ["/organise", "form"],
    ["/players", ".tabs"],
    ["/gamba", "h1"],
  ];
  for (const [address, sign] of pages) {
    await page.goto(server.url + address);
    await page.waitForSelector(sign);
    assert.equal(await page.locator(".notice.look, .state.wrong").count(), 0, address);
  }
  await page.goto(`${server.url}/`);
  await page.locator('.game-card[data-game="gamba"]').waitFor();
  await page.goto(`${server.url}/gamba/play`);
  await page.getByText("This game has no board yet").waitFor();
  await page.context().close();
});

test("web: a game that is not here has no page, whatever is asked of it", async () => {
  const { page } = await openPage(browser);
  for (const address of ["/nope", "/nope/play", "/nope/rules", "/nope/tables/x", "/nope/games/x"]) {
    await page.goto(server.url + address);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    assert.equal(await page.locator("img").count(), 0, "no picture that is not there");
    assert.ok(!(await page.locator("main").innerText()).includes("Nope"), address);
  }
  // Its words have the room of a page.
  const hint = await page.locator(".state p").boundingBox();
  assert.ok(hint && hint.height < 50, `${hint?.height} px high`);
  await page.context().close();
});
