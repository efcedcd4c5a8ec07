// How much a visit costs, what is shown while the network is away, and in which language.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
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

test("web: a first visit needs what the page names and one answer, a second visit two requests", async () => {
  const { page, complaints } = await openPage(browser, { serviceWorkers: "block" });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  /** @type {{ path: string, kept: boolean, bytes: number }[]} */
  const answers = [];
  const byId = new Map();
  session.on("Network.responseReceived", ({ requestId, response }) => {
    const answer = {
      path: new URL(response.url).pathname,
      kept: Boolean(response.fromDiskCache),
      bytes: 0,
    };
    byId.set(requestId, answer);
    answers.push(answer);
  });
  session.on("Network.requestServedFromCache", ({ requestId }) => {
    const answer = byId.get(requestId);
    if (answer) answer.kept = true;
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const answer = byId.get(requestId);
    if (answer) answer.bytes = encodedDataLength;
  });
  const visit = async () => {
    answers.length = 0;
    await page.goto(server.url, { waitUntil: "networkidle" });
    await page.waitForSelector(".game-card .buttons");
    return answers.filter(({ kept }) => !kept);
  };
  const first = await visit();
  const bytes = first.reduce((sum, each) => sum + each.bytes, 0);
  // About three seconds at 50 kB a second and 400 ms there and back: connecting, the page, and its files over
  // new connections take 1.6 seconds, and 73 kB take 1.5.
  assert.ok(bytes > 20_000 && bytes < 73_000, `${bytes} bytes`);
  // The page, its files side by side, one answer, the emblems: nothing else waits for something.
  assert.ok(first.length <= 14, JSON.stringify(first));
  const second = (await visit()).filter(({ path }) => !path.startsWith("/assets/"));
  assert.deepEqual(second.map(({ path }) => path).sort(), ["/", "/api/v1/home"]);
  expectNoComplaints(complaints.filter((each) => !each.includes("Service Worker")));
  await page.context().close();
});

test("web: a page that was open once opens without a network and says so", async () => {
  const own = await serve();
  const { page } = await openPage(browser);
  await page.goto(own.url);
  await page.waitForSelector(".game-card");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const kept = await caches.open("parlor");
    while (!(await kept.match("/", { ignoreVary: true }))) await new Promise(requestAnimationFrame);
    while ((await kept.keys()).length < 5) await new Promise(requestAnimationFrame);
  });
  await own.stop();
  await page.reload();
  await page.getByText("The server does not answer").waitFor();
  await page.getByRole("link", { name: "Games" }).first().waitFor();
  await page.context().close();
});

for (const [locale, title, heading] of /** @type {const} */ ([
  ["de-AT", "Fünf Spiele, ein Salon.", "Sofort spielen"],
  ["cs-CZ", "Pět her, jeden salon.", "Hrát hned"],
  ["ja-JP", "5つのゲームを、ひとつの場所で。", "すぐに遊ぶ"],
])) {
  test(`web: a browser that asks for ${locale} reads its language everywhere`, async () => {
    const { page, complaints } = await openPage(browser, {
      locale,
      viewport: { width: 390, height: 844 },
    });
    await page.goto(server.url);
    await page.getByRole("heading", { name: title }).waitFor();
    await page.getByRole("link", { name: heading }).first().waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), locale.split("-")[0]);
    for (const address of ["/", "/sushi-go", "/sushi-go/play", "/players", "/gamba/rules"]) {
      await page.goto(server.url + address);
      await page.locator("main h1").first().waitFor();
      assert.deepEqual(await findings(page), [], address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${address} is ${wide} px wide`);
    }
    expectNoComplaints(complaints);
    await page.context().close();
  });
}

test("web: the language can be chosen, and stays chosen", async () => {
  const { page, complaints } = await openPage(browser, { locale: "en-GB" });
  await page.goto(server.url);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Language").selectOption("de");
  await page.getByRole("heading", { name: "Fünf Spiele, ein Salon." }).waitFor();
  await page.goto(`${server.url}/gamba`);
  await page.getByText("Regeln in Kürze").waitFor();
  await page.getByRole("button", { name: "Einstellungen" }).click();
  await page.getByLabel("Sprache").selectOption("en");
  await page.getByText("Rules in brief").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  expectNoComplaints(complaints);
  await page.context().close();
});
