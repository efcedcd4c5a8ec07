// Real games for tests: house bots play one with the server that was built, and it is told as frames.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Timeline } from "../../timeline.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** The server's binary. */
export function parlor() {
  const places = [process.env.PARLOR, "target/release/parlor", "target/debug/parlor"]
    .filter((place) => place !== undefined)
    .map((place) => (place.startsWith("/") ? place : join(ROOT, place)));
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error("no parlor: cargo build first, or set PARLOR to a binary");
  return found;
}

/**
 * A game between house bots, with everybody's views.
 * @param {string} game
 * @param {string[]} bots
 * @param {{ seed?: number, set?: string[] }} [more]
 */
export function recorded(game, bots, { seed = 7, set = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "parlor-"));
  const named = bots.flatMap((bot) => ["--bot", `house:${bot}`]);
  const options = set.flatMap((option) => ["--set", option]);
  const play = ["play", game, ...named, ...options];
  const quiet = /** @type {import("node:child_process").StdioOptions} */ ([
    "ignore",
    "ignore",
    "inherit",
  ]);
  execFileSync(parlor(), [...play, "--games", "1", "--seed", String(seed), "--replays", folder], {
    stdio: quiet,
  });
  const replay = join(folder, readdirSync(folder)[0]);
  const told = execFileSync(parlor(), ["replay", replay, "--json", "--viewer", "all"], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  rmSync(folder, { recursive: true });
  const timeline = new Timeline();
  for (const line of told.trim().split("\n")) timeline.take(JSON.parse(line));
  return timeline;
}
