// A tournament of house bots on a server with a data folder: players who have played.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { binary } from "./parlor.js";

const run = promisify(execFile);

/**
 * Plays a round-robin of house bots to its end.
 * @param {string} data
 * @param {{ game: string, id: string, bots: Record<string, string>, bestOf?: number }} what Names and their strategies.
 */
export async function playTournament(data, { game, id, bots, bestOf = 3 }) {
  const parlor = (/** @type {string[]} */ ...words) =>
    run(binary(), ["tournament", ...words, "--data", data]);
  const list = join(data, `${id}.csv`);
  const lines = Object.entries(bots).map(([name, bot]) => `${name},,,house:${bot}\n`);
  writeFileSync(list, lines.join(""));
  const how = ["--format", "round-robin", "--best-of", String(bestOf)];
  await parlor("create", "--game", game, "--id", id, ...how, "--entrants", list);
  await parlor("start", game, id);
  await parlor("watch", game, id);
}
