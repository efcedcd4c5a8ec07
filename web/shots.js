// Every page as a picture, from real games on a real server: `npm run --prefix web shots` writes
// web/.shots/pages, to be looked at; with `-- --docs` the pictures of README and docs too.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { launch, openPage } from "./tests/kit/browser.js";
import { playTournament } from "./tests/kit/organiser.js";
import { BOTS, GAMES, record, serve } from "./tests/kit/parlor.js";
import { MOVES, playToTheEnd, sitDown } from "./tests/kit/player.js";
import { smaller } from "./tests/kit/png.js";
import { openSite } from "./tests/kit/site.js";

/** @typedef {import("playwright-core").Browser} Browser */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGES = join(ROOT, "web", ".shots", "pages");
const PICTURES = join(ROOT, "docs", "pictures");

/** The largest picture that docs may hold. */
const MOST_BYTES = 150_000;

/** Islands, for a sea that is not empty. */
const ISLANDS =
  "[[4,5],[5,5],[5,6],[6,6],[15,4],[16,4],[16,5],[9,11],[10,11],[10,12],[4,16],[5,16],[17,15]]";

/** A turn that shows what the game is about, and who plays. @type {Record<string, { share: number, seed: string, bots?: string[], set?: string[], viewer: string }>} */
const SCENES = {
  "sushi-go": { share: 0.55, seed: "7", viewer: "0" },
  subsim: {
    share: 0.5,
    seed: "9",
    bots: ["hunter", "hunter", "hunter", "hunter"],
    set: [`subsim.obstacles=${ISLANDS}`],
    viewer: "all",
  },
  gamba: { share: 0.45, seed: "11", viewer: "0" },
  labyrinth: { share: 0.5, seed: "7", viewer: "all" },
  "tiger-dragon": { share: 0.4, seed: "7", viewer: "0" },
};

const browser = await launch();
if (process.argv.includes("--docs")) await picturesOfDocs(browser);
else await picturesOfPages(browser);
await browser.close();

/** @param {Browser} browser */
async function picturesOfPages(browser) {
  mkdirSync(PAGES, { recursive: true });
  const server = await serve();
  const { page } = await openPage(browser);
  await sitDown(page, server.url, "sushi-go", { name: "Ann" });
  await playToTheEnd(page, "sushi-go", "keys");
  const replay = await page.getByRole("link", { name: "Review" }).getAttribute("href");
  // A table in play, for the lists.
  await sitDown(page, server.url, "labyrinth", { name: "Ann" });
  await page.waitForSelector(".controls");
  const note = await page.locator(".bar .note").innerText();
  const live = `/labyrinth/tables/${note.split(" · ")[0]}`;
  /** @type {[string, string][]} */
  const addresses = [
    ["home", "/"],
    ...GAMES.flatMap((game) =>
      ["", "/rules", "/play"].map(
        (rest) => /** @type {[string, string]} */ ([`${game}${rest}`, `/${game}${rest}`]),
      ),
    ),
    ["live", live],
    ["replay", `${replay}?turn=12`],
    ["players", "/players"],
    ["player", "/players/Ann"],
  ];
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    for (const width of [390, 1280, 1920]) {
      const height = width < 700 ? 844 : width < 1600 ? 800 : 1080;
      const looking = await openPage(browser, { colorScheme, viewport: { width, height } });
      for (const [name, address] of addresses) {
        await looking.page.goto(server.url + address);
        await looking.page.waitForLoadState("networkidle").catch(() => undefined);
        await looking.page.waitForSelector("main h1");
        const path = join(PAGES, `${name.replaceAll("/", "-")}-${width}-${colorScheme}.png`);
        await looking.page.screenshot({ path, fullPage: true });
        console.log(path);
      }
      await looking.page.context().close();
    }
  }
  await server.stop();
}

/** @param {Browser} browser */
async function picturesOfDocs(browser) {
  mkdirSync(PICTURES, { recursive: true });
  for (const game of GAMES) {
    const { share, seed, bots = BOTS[game], set = [], viewer } = SCENES[game];
    const frames = record(game, bots, seed, set);
    const turns = frames.split("\n").filter((line) => line.startsWith('{"type":"update"')).length;
    const site = await openSite({ [`${game}/table`]: frames });
    const { page } = await openPage(browser, { viewport: { width: 760, height: 700 } });
    const turn = Math.max(1, Math.round(turns * share));
    await page.goto(`${site.url}/${game}/games/table?turn=${turn}&viewer=${viewer}`);
    await page.waitForSelector("#stage");
    await keep(page.locator("#stage"), game);
    await page.context().close();
    await site.close();
  }
  const server = await serve();
  const { page } = await openPage(browser, { viewport: { width: 1200, height: 750 } });
  await sitDown(page, server.url, "sushi-go", { name: "Ann" });
  for (let turn = 0; turn < 5; turn += 1) {
    await page.waitForFunction(
      () => document.querySelector(".bar .tag")?.textContent === "Your move",
    );
    await MOVES["sushi-go"].keys(page);
  }
  await page.waitForFunction(
    () => document.querySelector(".bar .tag")?.textContent === "Your move",
  );
  await keep(page, "play");
  await page.goto(server.url);
  await page.waitForSelector(".game-card");
  await keep(page, "home");
  await server.stop();
  await pictureOfAPlayer(browser);
}

/** @param {Browser} browser */
async function pictureOfAPlayer(browser) {
  const data = mkdtempSync(join(tmpdir(), "parlor-shots-"));
  const server = await serve({ data });
  try {
    const [good, bad] = ["thrifty", "random"];
    const bots = { ariadne: good, minotaur: bad, kestrel: good, nori9: bad, leftpad: bad };
    await playTournament(data, { game: "gamba", id: "cup", bots, bestOf: 15 });
    const { page } = await openPage(browser, { viewport: { width: 1200, height: 900 } });
    await page.goto(`${server.url}/players/ariadne`);
    await page.waitForSelector(".of-player");
    await keep(page, "player");
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** @param {import("playwright-core").Page | import("playwright-core").Locator} what @param {string} name */
async function keep(what, name) {
  const path = join(PICTURES, `${name}.png`);
  const picture = smaller(await what.screenshot({ animations: "disabled" }));
  const size = picture.length;
  writeFileSync(path, picture);
  console.log(`${path}: ${Math.round(size / 1000)} kB`);
  if (size > MOST_BYTES) throw new Error(`${name}.png has ${size} bytes: more than ${MOST_BYTES}`);
}
