// The pages without the server: files as they lie, under the same policy, and recorded games in place
// of an archive. For the workbench and for tests of what needs no server.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../../", import.meta.url));
const GAMES = fileURLToPath(new URL("../../../crates/games/src/", import.meta.url));

/** The same as the server's: `crates/server/src/http/pages.rs`. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types worker; manifest-src 'self'";

/** @type {Record<string, string>} */
const KINDS = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".html": "text/html; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

/**
 * @param {Record<string, string>} [games] Frames by `game/id`.
 * @param {number} [port]
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function openSite(games = {}, port = 0) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://site");
    const path = decodeURIComponent(url.pathname);
    const frames = /^\/api\/v1\/results\/(.+)\/frames$/.exec(path);
    if (frames && games[frames[1]]) {
      response.writeHead(200, { "content-type": "application/jsonl" });
      return response.end(games[frames[1]]);
    }
    const file = fileOf(path, request.headers.accept ?? "");
    const data = file && (await readFile(file).catch(() => null));
    if (!file || !data) {
      response.writeHead(404, { "content-type": "application/json" });
      return response.end(JSON.stringify({ error: `no ${path} here`, code: "not-found" }));
    }
    response.writeHead(200, {
      "content-type": KINDS[extname(file)] ?? "application/octet-stream",
      "content-security-policy": POLICY,
      "cache-control": "no-cache",
    });
    response.end(data);
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", () => done(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** @param {string} path @param {string} accept */
function fileOf(path, accept) {
  const inside = normalize(path);
  if (["/worker.js", "/manifest.webmanifest"].includes(inside)) return join(WEB, inside);
  if (inside.startsWith("/web/")) return join(WEB, inside.slice("/web/".length));
  const board = /^\/boards\/([a-z-]+)\/([\w.-]+)$/.exec(inside);
  if (board) return join(GAMES, board[1].replaceAll("-", "_"), board[2]);
  return accept.includes("text/html") ? join(WEB, "index.html") : null;
}
