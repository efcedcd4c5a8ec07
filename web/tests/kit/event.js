// Tournaments on a real server, made as an organiser's program would: for tests of pages that show them.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { serve } from "./parlor.js";

/**
 * A server with a data folder, so that there is a token.
 * @param {{ set?: string[], port?: number, data?: string }} [how]
 */
export async function serveEvent({ set = [], port = 0, data } = {}) {
  const folder = data ?? mkdtempSync(join(tmpdir(), "parlor-event-"));
  const server = await serve({ data: folder, port, set });
  const token = readFileSync(join(folder, "admin-token"), "utf8").trim();
  return {
    ...server,
    folder,
    token,
    /** @param {string} method @param {string} path @param {unknown} [body] */
    async call(method, path, body) {
      const response = await fetch(`${server.url}/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
      return response.json();
    },
    async stop() {
      await server.stop();
      if (!data) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {number} many @param {string[]} bots Strategies in turn. */
export function houseTeams(many, bots) {
  const names =
    "Kestrel Tomas hoshi Brno-3 ariadne leftpad nori9 counter7 Minotaur Wanda pinsel quietstorm bytefish random8 Mirabel deckhand".split(
      " ",
    );
  return Array.from({ length: many }, (_, at) => ({
    name: names[at] ?? `team${at}`,
    bot: bots[at % bots.length],
  }));
}
