// The page for bot authors: a name that is claimed there is good everywhere, and its key opens the
// window on what a bot sends and receives.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { binary, serve } from "../kit/parlor.js";

/** @typedef {import("playwright-core").Page} Page */

const STARTER = fileURLToPath(new URL("../../../examples/gamba.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "parlor-connect-"));

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
  const set = ["gamba.house_bots=random", "gamba.house_bots_after_ms=0"];
  [browser, server] = await Promise.all([launch(), serve({ set })]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Claims a name on the page. @param {Page} page @param {string} name */
async function claim(page, name) {
  await page.goto(`${server.url}/connect?game=gamba`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Claim it" }).click();
  return page.locator(".slip .key code").innerText();
}

/** A starter bot with a mistake in it: it takes any card for one that fits. */
function mistakenBot() {
  const text = readFileSync(STARTER, "utf8");
  const wrong = text.replace(/(function fits\(card\) {\n)/, "$1  return true;\n");
  assert.notEqual(wrong, text);
  const file = join(folder, "mistaken.mjs");
  writeFileSync(file, wrong);
  return file;
}

/** Lets a bot play one game, as the page's command line says; until it ends. @param {Page} page @param {string} file */
async function play(page, file) {
  const line = await page.locator(".copy code").nth(1).innerText();
  const [, , host, port, name] = line.split(" ");
  const bot = spawn(process.execPath, [file, host, port, name], { stdio: "ignore" });
  assert.equal(await new Promise((done) => bot.once("exit", done)), 0, line);
}

test("web: an author claims a name, and the command line carries it", async () => {
  const { page, complaints } = await openPage(browser);
  const key = await claim(page, "ann");
  assert.match(key, /^pk_[0-9a-z]{26}$/);
  const line = (at = 1) => page.locator(".copy code").nth(at).innerText();
  assert.equal(await line(0), `curl -O ${server.url}/starters/gamba.py`);
  assert.match(await line(), new RegExp(`^python3 gamba.py 127.0.0.1 \\d+ ann:${key} `));
  await page.getByRole("button", { name: "JavaScript" }).click();
  await page.getByRole("button", { name: "SubSim" }).click();
  assert.match(await line(), /^node subsim.mjs /);
  // No one else gets the name.
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.getByLabel("Name").fill("ANN");
  await page.getByRole("button", { name: "Claim it" }).click();
  await page.getByText("the name 'ann' is claimed already").waitFor();
  expectNoComplaints(complaints.filter((each) => !each.includes("409")));
  await page.context().close();
});

test("web: a starter bot's refused line is marked and explained, live", async () => {
  const { page, complaints } = await openPage(browser);
  const key = await claim(page, "mia");
  await page.getByText("Nothing yet. Start your bot").waitFor();
  assert.deepEqual(await findings(page), []);
  const wire = page.locator(".wire-lines");
  const why = wire.locator(".why", { hasText: "The rules do not allow this move" });
  // Nearly every game has a card that is too low; some are over before.
  const onlyRefused = page.getByRole("button", { name: /^Refused \d+$/ });
  // On a busy machine the name of the game before is still taken for a moment, which is refused, too.
  const isMoveRefused = async () => {
    if ((await onlyRefused.count()) === 0) return false;
    await onlyRefused.click();
    await wire.locator(".why").first().waitFor();
    const isThere = (await why.count()) > 0;
    await page.getByRole("button", { name: "All", exact: true }).click();
    return isThere;
  };
  for (let games = 0; games < 20 && !(await isMoveRefused()); games += 1) {
    await play(page, mistakenBot());
    await wire.getByText("The game is over").waitFor();
  }
  // Both directions, without the key.
  await wire.locator(".you", { hasText: "|||name=mia:pk_…" }).first().waitFor();
  assert.ok((await wire.locator(".server", { hasText: "106|mia|" }).count()) > 0);
  assert.ok(!(await page.locator(".wire").innerText()).includes(key));
  // What was refused: the line, its answer, the cause, and the sentence of the game's page.
  // The list of everything shows only the newest lines, so an early refusal may have left it.
  await onlyRefused.click();
  await wire.getByText("103|||error=Invalid card play").first().waitFor();
  assert.match(await why.first().innerText(), /: \w+ is (lower|higher) than/);
  assert.match(
    await why.first().locator("q").innerText(),
    /A card must be at least as high as the top card|The next card must be 7 or lower/,
  );
  // The link leads to that sentence, and its section is there for browsers that cannot find sentences.
  const link = String(await why.first().locator("a").getAttribute("href"));
  const [section, words] = link.split(":~:text=");
  const docs = await page.context().newPage();
  await docs.goto(server.url + link);
  await docs.locator(`[id="${section.split("#")[1]}"]`).waitFor();
  assert.ok((await docs.locator(".manual").innerText()).includes(decodeURIComponent(words)), link);
  await docs.close();
  const texts = await wire.locator("li code").allInnerTexts();
  const answer = texts.indexOf("103|||error=Invalid card play");
  assert.match(texts[answer - 1], /^7\|\|\|cards=/);
  assert.ok((await wire.locator("mark").count()) > 0, "the card itself is marked");
  assert.deepEqual(await findings(page), []);
  // How long moves took, beside the clock.
  await page.getByText("limit 1 min").waitFor();
  assert.ok((await page.locator(".moves-plot rect").count()) > 2);
  // The tab keeps the key; another one shows it again, on a phone in the dark.
  await page.reload();
  await wire.getByText("The game is over").waitFor();
  await page.getByText("Signed in as mia").waitFor();
  expectNoComplaints(complaints);
  await page.context().close();

  const other = await openPage(browser, {
    colorScheme: "dark",
    viewport: { width: 390, height: 800 },
  });
  await other.page.goto(`${server.url}/connect?game=gamba`);
  await other.page.getByLabel("Key").fill("pk_aaaaaaaaaaaaaaaaaaaaaaaaaa");
  await other.page.getByRole("button", { name: "Show its messages" }).click();
  await other.page.getByText("this key is unknown here").waitFor();
  assert.equal(await other.page.locator(".wire").count(), 0);
  await other.page.getByLabel("Key").fill(`mia:${key}`);
  await other.page.getByRole("button", { name: "Show its messages" }).click();
  await other.page.locator(".wire-lines .why").first().waitFor();
  assert.deepEqual(await findings(other.page), []);
  const wide = await other.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} px wide`);
  expectNoComplaints(other.complaints.filter((each) => !each.includes("403")));
  await other.page.context().close();
});

test("web: an exam that was uploaded is shown, question by question", async () => {
  const { page, complaints } = await openPage(browser);
  const key = await claim(page, "eva");
  const keyFile = join(folder, "eva.key");
  writeFileSync(keyFile, key);
  await page.getByText(/parlor check gamba[^]*--key-file eva\.key$/).waitFor();
  const bot = `${process.execPath} ${mistakenBot()} {host} {port} {name}`;
  const words = ["check", "gamba", "--bot", bot, "--upload", server.url, "--key-file", keyFile];
  await new Promise((done) => execFile(binary(), words, done));
  const exam = page.locator(".exam");
  await exam.waitFor();
  assert.equal(await exam.locator("li").count(), 9);
  const wrong = exam.locator("li.wrong").first();
  assert.match(await wrong.innerText(), /Normal game[^]*the server refused: 103/);
  await page.getByText(/\d of \d passed/).waitFor();
  assert.deepEqual(await findings(page), []);
  expectNoComplaints(complaints);
  await page.context().close();
});
