// Every board draws every turn of every game that is rehearsed: the odd ones too, with players who leave,
// clocks that run out and options that are hardly used. The games are written by
// `REHEARSAL_FRAMES=$PWD/target/rehearsals cargo test -p games every_game_is_rehearsed`.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { drawEverything } from "../kit/everything.js";
import { GAMES } from "../kit/parlor.js";
import { openSite } from "../kit/site.js";

const FOLDER = fileURLToPath(new URL("../../../target/rehearsals", import.meta.url));

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const game of GAMES) {
  test(`web: ${game}'s board draws every rehearsal`, async () => {
    const folder = join(FOLDER, game);
    assert.ok(existsSync(folder), `${folder} is missing: the top of this file says how to make it`);
    const files = readdirSync(folder);
    const games = files.map((file) => [
      `${game}/${file}`,
      readFileSync(join(folder, file), "utf8"),
    ]);
    const site = await openSite(Object.fromEntries(games));
    const { page, complaints } = await openPage(browser, { viewport: { width: 900, height: 700 } });
    try {
      await page.goto(`${site.url}/${game}/games/${files[0]}`);
      await page.waitForSelector("#stage");
      for (const file of files) {
        // Dropped as a person would: that is tried too, and needs no new page.
        await page.evaluate(drop, [`/api/v1/results/${game}/${file}/frames`, file]);
        await page.locator(".bar .note", { hasText: file }).waitFor();
        const { wrong } = await page.evaluate(drawEverything, 24);
        assert.deepEqual(wrong, [], file);
      }
      expectNoComplaints(complaints);
    } finally {
      await page.context().close();
      await site.close();
    }
  });
}

/** Runs in the page: drops a file on it. @param {string[]} what */
async function drop([address, name]) {
  const text = await (await fetch(address)).text();
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
}
