// Lists of results on the first page and in a lobby: what they leave out, what they keep apart, and that
// nothing in a line covers anything else. The server's answers are made up, so that names are long.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { serve } from "../kit/parlor.js";

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

/** @param {string} id @param {string[]} players @param {number[]} points @param {object} [more] */
function result(id, players, points, more = {}) {
  const places = points.map((own) => 1 + points.filter((other) => other > own).length);
  const standings = points.map((each, seat) => ({ points: each, place: places[seat], exit: null }));
  return {
    ...{ game: "sushi-go", id, status: "finished", players, closed_at: Date.now() - 60_000 },
    ...{ causes: players.map(() => "finished"), rated: false, closing: { over: standings } },
    ...more,
  };
}

const FIVE = ["Maximiliane-Wolkenstein", "stack-smashers", "counter1", "counter2", "counter3"];
const RESULTS = [
  result("five", FIVE, [33, 32, 26, 23, 23], {
    causes: ["finished", "finished", "lost", "finished", "finished"],
  }),
  result("given-up", ["Quitter", "greedy1"], [0, 0], { causes: ["left", "finished"] }),
  result("nil", ["Hilda", "Inge"], [0, 0]),
  result("cup-7", ["red-foxes", "blue-owls"], [41, 38], { rated: true }),
];

/** @param {import("playwright-core").Page} page @param {any[]} results */
async function tell(page, results) {
  await page.route(/\/api\/v1\/results\?/, (route) =>
    route.fulfill({ json: { results, next: null } }),
  );
  await page.route(/\/api\/v1\/home/, async (route) => {
    const answer = await route.fetch();
    const isMatch = (/** @type {any} */ each) =>
      each.tournament === undefined ? each.rated : each.tournament !== null;
    const of = (/** @type {boolean} */ matches) => ({
      results: results.filter((each) => isMatch(each) === matches),
      next: null,
    });
    const json = { ...(await answer.json()), results: of(false), matches: of(true) };
    return route.fulfill({ response: answer, json });
  });
}

for (const [address, width] of /** @type {[string, number][]} */ ([
  ["/", 1280],
  ["/sushi-go", 1280],
  ["/", 1024],
  ["/sushi-go", 390],
])) {
  test(`web: results at ${address}, ${width} px: nothing covers anything, nobody is left out`, async () => {
    const { page } = await openPage(browser, { viewport: { width, height: 900 } });
    await tell(page, RESULTS);
    await page.goto(server.url + address);
    const rows = page.locator(".results > li");
    await rows.first().waitFor();
    const five = rows.filter({ hasText: "Maximiliane" });
    assert.match(await five.locator(".cause").innerText(), /^counter1 lost the connection$/);
    assert.deepEqual(await page.evaluate(covered), []);
    const others = (await five.locator(".others").boundingBox())?.width ?? 0;
    assert.ok(others >= 90, `${others} px for the others`);
    await page.context().close();
  });
}

test("web: games given up before the first point are not listed; a goalless one is", async () => {
  const { page } = await openPage(browser);
  await tell(page, RESULTS);
  for (const address of ["/", "/sushi-go"]) {
    await page.goto(server.url + address);
    await page.locator(".results", { hasText: "Hilda" }).waitFor();
    assert.equal(await page.locator(".results", { hasText: "Quitter" }).count(), 0, address);
  }
  await page.context().close();
});

test("web: games of tournaments stand apart from open ones", async () => {
  const { page } = await openPage(browser);
  const told = [
    RESULTS,
    // As soon as the server says where a game was played, that counts and not whether it was rated.
    RESULTS.map((each) => ({
      ...each,
      rated: !each.rated,
      tournament: each.id === "cup-7" ? "cup" : null,
    })),
  ];
  for (const results of told) {
    await page.unrouteAll();
    await tell(page, results);
    for (const address of ["/", "/sushi-go"]) {
      await page.goto(server.url + address);
      const section = (/** @type {string} */ title) =>
        page.locator("section", { has: page.getByRole("heading", { name: title, exact: true }) });
      const cup = section("Recent tournament games").locator(".results > li");
      await cup.first().waitFor();
      assert.deepEqual(await cup.locator(".winner .who").allInnerTexts(), ["red-foxes"]);
      const open = section("Recent games").locator(".results > li");
      assert.equal(await open.filter({ hasText: "red-foxes" }).count(), 0);
      assert.equal(await open.count(), 2);
    }
  }
  await page.context().close();
});

test("web: that the server is away is said once", async () => {
  const { page } = await openPage(browser);
  for (const address of ["/", "/sushi-go", "/tournaments"]) {
    await page.unrouteAll();
    await page.goto(server.url + address);
    await page.locator("h1").first().waitFor();
    await page.route(/\/api\/v1\//, (route) => route.abort());
    const notice = page.locator(".notice.look");
    await notice.waitFor();
    assert.equal(
      await notice.innerText(),
      "The server does not answer. It may be starting; this page tries again.",
      address,
    );
  }
  await page.context().close();
});

/** Runs in the page: parts of a line that lie upon each other or stick out of it. */
function covered() {
  const found = [];
  for (const row of document.querySelectorAll(".results > li")) {
    const edge = row.getBoundingClientRect();
    const parts = [...row.children]
      .map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        const [box, words] = [part.getBoundingClientRect(), range.getBoundingClientRect()];
        // What is cut ends where its box ends.
        const cut = part.closest(".cut") ?? part.querySelector(".cut, .who");
        return { part, box: cut ? box : words };
      })
      .filter(({ box }) => box.width > 0);
    for (const [at, { part, box }] of parts.entries()) {
      if (box.right > edge.right + 1) found.push(`${part.textContent} sticks out`);
      for (const other of parts.slice(at + 1)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > 2) found.push(`${part.textContent} | ${other.part.textContent}`);
      }
    }
  }
  return found;
}
