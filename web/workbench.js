// A bench for whoever draws a board: real games of it, turn by turn, as pictures, without building
// Rust again. `node web/workbench.js` says how.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { launch, openPage } from "./tests/kit/browser.js";
import { openSite } from "./tests/kit/site.js";

const HELP = `node web/workbench.js GAME [options]

Draws a real game of GAME on its replay page and writes pictures to web/.shots/GAME.

  --turns 1,12,last   which turns (default: a third, two thirds and the last)
  --viewer all        whose eyes: all, public, or a seat from 0 (default: all)
  --widths 390,1280   which widths (default: 390, 1280 and 1920)
  --schemes light     light, dark or both (default)
  --bots a,b,c        record a new game between these house bots
  --seed 7            its seed
  --frames FILE       draw these frames (parlor replay --json) instead
  --every             draw every turn with everybody's eyes; say what the browser complained of, and
                      how long a step takes
  --serve PORT        serve the page until Ctrl-C, to look at it in a browser of your own`;

/** Who plays if nobody is named. @type {Record<string, string[]>} */
const BOTS = {
  "sushi-go": ["greedy", "random", "greedy", "greedy"],
  subsim: ["hunter", "hunter"],
  gamba: ["thrifty", "random"],
  labyrinth: ["euclid", "riemann", "euclid"],
  "tiger-dragon": ["counter", "random", "counter", "random"],
};

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: "string" },
    viewer: { type: "string", default: "all" },
    widths: { type: "string", default: "390,1280,1920" },
    schemes: { type: "string", default: "light,dark" },
    bots: { type: "string" },
    seed: { type: "string", default: "7" },
    frames: { type: "string" },
    every: { type: "boolean", default: false },
    serve: { type: "string" },
  },
});

const game = positionals[0];
if (!game) {
  console.log(HELP);
  process.exit(2);
}

const out = join(ROOT, "web", ".shots", game);
mkdirSync(out, { recursive: true });
const frames = values.frames ? readFileSync(values.frames, "utf8") : recorded();
const turns = frames.split("\n").filter((line) => line.startsWith('{"type":"update"')).length;
const port = values.serve ? Number(values.serve) : 0;
const site = await openSite({ [`${game}/bench`]: frames }, port);
console.log(`${turns} turns at ${site.url}/${game}/games/bench`);
if (!values.serve) {
  const browser = await launch();
  const complained = values.every ? await drawEvery(browser) : await shoot(browser);
  await browser.close();
  await site.close();
  process.exitCode = complained ? 1 : 0;
}

/** The frames of a game that was recorded before, or of a new one. */
function recorded() {
  const kept = join(out, "frames.jsonl");
  if (existsSync(kept) && !values.bots) return readFileSync(kept, "utf8");
  const parlor = [process.env.PARLOR, "target/release/parlor", "target/debug/parlor"]
    .map((place) => place && join(place.startsWith("/") ? "" : ROOT, place))
    .find((place) => place && existsSync(place));
  if (!parlor) throw new Error("no parlor: cargo build first, or set PARLOR to a binary");
  const bots = values.bots?.split(",") ?? BOTS[game] ?? ["random", "random"];
  const folder = join(out, "replays");
  rmSync(folder, { recursive: true, force: true });
  const named = bots.flatMap((bot) => ["--bot", `house:${bot}`]);
  const play = [
    "play",
    game,
    ...named,
    "--games",
    "1",
    "--seed",
    values.seed ?? "7",
    "--replays",
    folder,
  ];
  execFileSync(parlor, play, { stdio: ["ignore", "ignore", "inherit"] });
  const replay = join(folder, readdirSync(folder)[0]);
  const told = execFileSync(parlor, ["replay", replay, "--json", "--viewer", "all"], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  writeFileSync(kept, told);
  return told;
}

/** @param {import("playwright-core").Browser} browser */
async function shoot(browser) {
  const asked = values.turns ?? `${Math.ceil(turns / 3)},${Math.ceil((2 * turns) / 3)},last`;
  let bad = 0;
  for (const scheme of (values.schemes ?? "").split(",")) {
    for (const width of (values.widths ?? "").split(",").map(Number)) {
      const height = width < 700 ? 844 : width < 1600 ? 800 : 1080;
      const { page, complaints } = await openPage(browser, {
        viewport: { width, height },
        colorScheme: /** @type {"light" | "dark"} */ (scheme),
        deviceScaleFactor: width < 700 ? 2 : 1,
      });
      for (const turn of asked.split(",")) {
        const number = turn === "last" ? turns : Number(turn);
        await page.goto(`${site.url}/${game}/games/bench?turn=${number}&viewer=${values.viewer}`);
        await drawn(page, complaints);
        const path = join(out, `${turn}-${values.viewer}-${width}-${scheme}.png`);
        await page.screenshot({ path, fullPage: true });
        console.log(path);
      }
      bad += report(complaints);
      await page.context().close();
    }
  }
  return bad;
}

/** @param {import("playwright-core").Browser} browser */
async function drawEvery(browser) {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${site.url}/${game}/games/bench`);
  await drawn(page, complaints);
  const viewers = await page.locator(".seen .choice button").count();
  /** @type {number[]} */
  const steps = [];
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    await page.locator(".seen .choice button").nth(viewer).click();
    await page.keyboard.press("Home");
    for (let turn = 1; turn < turns; turn += 1) {
      steps.push(
        await page.evaluate(() => {
          const begun = performance.now();
          const range = /** @type {HTMLInputElement} */ (
            document.querySelector("input[type=range]")
          );
          range.value = String(Number(range.value) + 1);
          range.dispatchEvent(new Event("input", { bubbles: true }));
          document.body.getBoundingClientRect();
          return performance.now() - begun;
        }),
      );
    }
  }
  steps.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    (steps[Math.floor((steps.length - 1) * share)] ?? 0).toFixed(1);
  console.log(`${steps.length} steps: median ${at(0.5)} ms, slowest ${at(1)} ms`);
  return report(complaints);
}

/** Waits for the board; if it does not come, says why. @param {import("playwright-core").Page} page @param {string[]} complaints */
async function drawn(page, complaints) {
  try {
    await page.waitForSelector("#stage", { timeout: 5000 });
  } catch {
    report(complaints);
    console.error(await page.locator("main").innerText());
    process.exit(1);
  }
}

/** @param {string[]} complaints */
function report(complaints) {
  for (const complaint of new Set(complaints)) console.error(complaint);
  return complaints.length;
}
