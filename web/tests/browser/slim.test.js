// What the server sends means what the files say: comments and spaces are left out, nothing else.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { parse } from "espree";

import { GAMES, serve } from "../kit/parlor.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;
before(async () => {
  server = await serve();
});
after(() => server?.stop());

test("web: scripts as they are sent mean what the files say", async () => {
  const folders = [
    ["web", "/web"],
    ["web/pages", "/web/pages"],
    ["web/event", "/web/event"],
    ...GAMES.map((game) => [`crates/games/src/${game.replaceAll("-", "_")}`, `/boards/${game}`]),
  ];
  let compared = 0;
  for (const [folder, address] of folders) {
    for (const name of readdirSync(join(ROOT, folder)).filter((each) => each.endsWith(".js"))) {
      const response = await fetch(`${server.url}${address}/${name}`);
      if (response.status !== 200) continue;
      const [sent, file] = [await response.text(), readFileSync(join(ROOT, folder, name), "utf8")];
      assert.deepEqual(meaning(sent), meaning(file), `${address}/${name}`);
      assert.equal(
        sent.split("\n").length,
        file.split("\n").length,
        `${address}/${name} has other lines`,
      );
      compared += 1;
    }
  }
  assert.ok(compared > 40, `${compared} scripts`);
});

/** The syntax tree without places. @param {string} script */
function meaning(script) {
  const tree = parse(script, { ecmaVersion: "latest", sourceType: "module" });
  return JSON.parse(
    JSON.stringify(tree, (key, value) => {
      if (key === "start" || key === "end") return undefined;
      return typeof value === "bigint" ? `${value}n` : value;
    }),
  );
}
