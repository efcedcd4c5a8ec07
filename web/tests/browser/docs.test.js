// The documentation and the starter bots on a real server: read, searched, fetched and run.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { serve } from "../kit/parlor.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
const folder = mkdtempSync(join(tmpdir(), "parlor-docs-"));

before(async () => {
  const set = ['gamba.house_bots=["random"]', "gamba.house_bots_after_ms=0"];
  [browser, server] = await Promise.all([launch(), serve({ set })]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Every kind of page, and what shows that it is drawn. @type {[string, string][]} */
const PAGES = [
  ["/docs", ".shelf"],
  ["/docs/reference/games/gamba", ".contents"],
  ["/docs/reference/json-protocol", ".table"],
  ["/docs/start/play-in-the-browser", ".manual"],
  ["/docs?q=time+limit", ".found"],
  ["/docs/gambla", ".found"],
  ["/starters", ".starter"],
];

for (const [colorScheme, width] of /** @type {const} */ ([
  ["light", 1280],
  ["dark", 1280],
  ["light", 390],
  ["dark", 390],
])) {
  test(`web: axe finds nothing in the docs, ${colorScheme}, ${width} px`, async () => {
    const viewport = { width, height: 800 };
    const { page, complaints } = await openPage(browser, { colorScheme, viewport });
    for (const [address, sign] of PAGES) {
      await page.goto(server.url + address);
      await page.waitForSelector(sign);
      assert.deepEqual(await findings(page), [], address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${address} is ${wide} px wide`);
    }
    expectNoComplaints(complaints.filter((each) => !each.includes("404")));
    await page.context().close();
  });
}

test("web: words are found as they are typed, without the mouse, and lead to the paragraph", async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/docs`);
  await page.waitForSelector("[data-ready]");
  await page.keyboard.press("/");
  await page.keyboard.type("reconnect gamba");
  const first = page.locator("a[data-hit]").first();
  await first.waitFor();
  assert.match(String(await first.getAttribute("href")), /^\/docs\/reference\/games\/gamba/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/docs\/reference\/games\/gamba/);
  assert.equal(await page.locator(".manual h1").innerText(), "Gamba");
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: the docs can be read without a script, and the search still works", async () => {
  const { page } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${server.url}/docs/reference/games/gamba`);
  const field = page.getByRole("searchbox");
  await field.fill("json protocol");
  await field.press("Enter");
  await page.waitForURL(/\/docs\?q=json/);
  assert.ok((await page.locator(".found li").count()) > 0);
  await page.context().close();
});

test("web: pages of the docs show this server's own address", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/docs/reference/json-protocol`);
  const text = await page.locator(".manual").innerText();
  assert.match(text, new RegExp(`ws://127\\.0\\.0\\.1:${server.port}/house/`));
  await page.context().close();
});

test("web: a starter bot is fetched with nothing but a browser, and it plays", async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/starters`);
  await page.getByLabel("Name").fill("ann");
  await page.getByRole("button", { name: "JavaScript" }).click();
  const link = page.locator(".starter[data-game=gamba] a.end");
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  assert.equal(download.suggestedFilename(), "gamba.mjs");
  const file = join(folder, "gamba.mjs");
  writeFileSync(file, readFileSync(String(await download.path())));
  // It knows where to go and as whom.
  const played = spawnSync(process.execPath, [file], { encoding: "utf8", timeout: 60_000 });
  assert.equal(played.status, 0, played.stderr);
  assert.match(played.stdout, /112\|ann\|/);
  const lines = await page.locator(".starter[data-game=gamba] .copy code").allInnerTexts();
  assert.equal(lines[0], `curl -O ${server.url}/starters/gamba.mjs`);
  assert.match(lines[1], /^node gamba.mjs 127\.0\.0\.1 \d+ ann --games 0$/);
  await page.getByRole("button", { name: "Windows" }).click();
  await page.getByRole("button", { name: "Python" }).click();
  const windows = await page.locator(".starter[data-game=gamba] .copy code").allInnerTexts();
  assert.match(windows[0], /^curl\.exe -O /);
  assert.match(windows[1], /^py gamba\.py /);
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: every page leads to the docs and the starters", async () => {
  const { page } = await openPage(browser);
  for (const address of ["/", "/gamba", "/connect", "/gamba/rules", "/docs"]) {
    await page.goto(server.url + address);
    await page.waitForSelector(".foot a[href='/starters']");
    assert.ok((await page.locator("a[href='/docs']").count()) > 0, address);
  }
  await page.context().close();
});
