// Replay files from a disk, as the tools write them, chosen or dropped: the server's archive has none of
// them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { binary, serve } from "../kit/parlor.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
const folder = mkdtempSync(join(tmpdir(), "parlor-web-"));

before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The first replay below a folder. @param {string} out */
function replayIn(out) {
  const found = readdirSync(out, { recursive: true, encoding: "utf8" });
  const file = found.sort().find((name) => /replays.*\.jsonl$|game.*\.jsonl$/.test(name));
  assert.ok(file, `a replay among ${found}`);
  return join(out, file);
}

/** @param {string[]} words */
const parlor = (...words) => execFileSync(binary(), words, { stdio: "ignore" });

test("web: replay files of play and of tournament run are shown, one after the other", async () => {
  const [played, run] = [join(folder, "replays"), join(folder, "run")];
  const bots = (/** @type {string[]} */ ...names) =>
    names.flatMap((bot) => ["--bot", `house:${bot}`]);
  parlor(
    "play",
    "gamba",
    ...bots("thrifty", "random"),
    "--games",
    "1",
    "--seed",
    "5",
    "--replays",
    played,
  );
  parlor(
    "tournament",
    "run",
    "--game",
    "tiger-dragon",
    ...bots("counter", "random"),
    "--seed",
    "5",
    "--out",
    run,
  );

  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/replay`);
  await page.getByLabel("Choose a file").setInputFiles(replayIn(played));
  await page.getByText("Cards to get rid of").first().waitFor();
  assert.equal(await page.locator(".seen .choice button").count(), 4, "public, two seats, all");
  await page.keyboard.press("Home");
  await page.getByText(/^Turn 1 of/).waitFor();

  // A file of another game, dropped on this one.
  const dropped = { name: "final.jsonl", text: readFileSync(replayIn(run), "utf8") };
  await page.evaluate(({ name, text }) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  }, dropped);
  await page.locator(".bar .note", { hasText: "final.jsonl" }).waitFor();
  await page.locator(".bar").getByText("Tiger & Dragon").waitFor();
  await page.keyboard.press("Home");
  await page.getByText(/^Turn 1 of/).waitFor();
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: a file that is no replay says so", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/replay`);
  const nonsense = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("milk, eggs") };
  await page.getByLabel("Choose a file").setInputFiles(nonsense);
  await page
    .getByRole("alert")
    .getByText("notes.txt cannot be shown: This is not a replay file.")
    .waitFor();
  await page.context().close();
});

test("web: a file is chosen by a button like any other, in the middle of its field", async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/replay`);
  const [field, button] = await Promise.all(
    [".drop-here", ".drop-here .button"].map((each) => page.locator(each).boundingBox()),
  );
  assert.ok(field && button);
  assert.ok(button.height >= 44, `${button.height} px high`);
  const off = button.x + button.width / 2 - (field.x + field.width / 2);
  assert.ok(Math.abs(off) < 1, `${off} px off the middle`);
  // By keyboard it is seen where one is, and it opens the same way.
  await page.getByLabel("Choose a file").focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  const ring = await page
    .locator(".drop-here .button")
    .evaluate((each) => getComputedStyle(each).outlineStyle);
  assert.equal(ring, "solid");
  const chooser = page.waitForEvent("filechooser");
  await page.locator(".drop-here .button").click();
  await chooser;
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: a file that is no replay, dropped on one: it is said where one looks, and the game stays", async () => {
  const out = join(folder, "kept");
  const bots = ["thrifty", "random"].flatMap((bot) => ["--bot", `house:${bot}`]);
  parlor("play", "gamba", ...bots, "--games", "1", "--seed", "5", "--replays", out);
  const { page, complaints } = await openPage(browser, { viewport: { width: 390, height: 700 } });
  await page.goto(`${server.url}/replay`);
  await page.getByLabel("Choose a file").setInputFiles(replayIn(out));
  await page.waitForSelector("#stage");
  // As one does who scrubs on a phone: the top of the page is out of sight.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["milk, eggs"], "notes.txt"));
    dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  });
  const alert = page.getByRole("alert");
  await alert.getByText("notes.txt cannot be shown: This is not a replay file.").waitFor();
  await page.waitForFunction(() => {
    const box = document.querySelector("[role=alert]")?.getBoundingClientRect();
    return box && box.top >= 0 && box.bottom <= innerHeight;
  });
  assert.equal(await page.locator("#stage").count(), 1);
  // A replay dropped next is shown, and nothing is wrong any more.
  const text = readFileSync(replayIn(out), "utf8");
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "good.jsonl"));
    dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  }, text);
  await alert.waitFor({ state: "detached" });
  expectNoComplaints(complaints);
  await page.context().close();
});
