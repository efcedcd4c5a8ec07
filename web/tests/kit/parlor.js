// A real server on free ports, and games on it.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The binary under test: what `cargo build` has made. */
export function binary() {
  const places = [process.env.PARLOR, "target/debug/parlor", "target/release/parlor"];
  const found = places.find(
    (place) => place && existsSync(join(place.startsWith("/") ? "" : ROOT, place)),
  );
  if (!found) throw new Error("no parlor: cargo build first, or set PARLOR to a binary");
  return join(found.startsWith("/") ? "" : ROOT, found);
}

/** The names of a server's ports, that of the pages excepted. */
function gamePorts() {
  const config = execFileSync(binary(), ["config"], { encoding: "utf8" });
  const ports = config.split("\n[port]\n")[1].split("\n[")[0];
  return [...ports.matchAll(/^([a-z-]+) = /gm)]
    .map((line) => line[1])
    .filter((name) => name !== "http");
}

/** Every game that has a board. */
export const GAMES = readdirSync(join(ROOT, "crates/games/src"), { withFileTypes: true })
  .filter((entry) => existsSync(join(ROOT, "crates/games/src", entry.name, "board.js")))
  .map((entry) => entry.name.replaceAll("_", "-"));

/**
 * @param {{ data?: string, port?: number, set?: string[] }} [how]
 * @returns {Promise<{ url: string, port: number, stop: () => Promise<void>, crash: () => Promise<void> }>}
 */
export async function serve({ data, port = 0, set = [] } = {}) {
  const ports = [`http=${port}`, ...gamePorts().map((name) => `${name}=0`)].flatMap((each) => [
    "--port",
    each,
  ]);
  const where = data ? ["--data", data] : ["--ephemeral"];
  const settings = set.flatMap((each) => ["--set", each]);
  const child = spawn(binary(), ["serve", ...where, ...ports, ...settings], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, PARLOR_LOG: "off" },
  });
  const ended = new Promise((done) => child.once("exit", done));
  const ready = await new Promise((done, fail) => {
    let heard = "";
    child.stdout.on("data", (some) => {
      heard += some;
      const line = heard.split("\n").find((each) => each.startsWith("ready "));
      if (line && heard.includes("\n")) done(JSON.parse(line.slice("ready ".length)));
    });
    child.once("exit", (code) => fail(new Error(`the server ended with ${code}`)));
  });
  return {
    url: `http://${ready.http}`,
    port: Number(ready.http.split(":").at(-1)),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
    crash: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The frames of a game that house bots play. @param {string} game @param {string[]} bots @param {string} seed @param {string[]} [set] Options. */
export function record(game, bots, seed, set = []) {
  const folder = mkdtempSync(join(tmpdir(), "parlor-web-"));
  try {
    const named = bots.flatMap((bot) => ["--bot", `house:${bot}`]);
    const settings = set.flatMap((each) => ["--set", each]);
    const play = ["play", game, ...named, "--games", "1", "--seed", seed, "--replays", folder];
    execFileSync(binary(), [...play, ...settings], { stdio: "ignore" });
    const file = join(folder, readdirSync(folder)[0]);
    const how = /** @type {const} */ ({ encoding: "utf8", maxBuffer: 1 << 30 });
    return execFileSync(binary(), ["replay", file, "--json", "--viewer", "all"], how);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The bots that play where none are named. @type {Record<string, string[]>} */
export const BOTS = {
  "sushi-go": ["greedy", "random", "greedy", "greedy"],
  subsim: ["hunter", "hunter"],
  gamba: ["thrifty", "random"],
  labyrinth: ["euclid", "riemann", "euclid"],
  "tiger-dragon": ["counter", "random", "counter", "random"],
};
