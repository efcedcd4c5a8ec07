// Every game explains itself with pictures that its own board draws.

import assert from "node:assert/strict";
import { test } from "node:test";

import { figure } from "../../figure.js";
import { checkDrawing, texts } from "../kit/drawing.js";
import { GAMES } from "../kit/parlor.js";

for (const game of GAMES) {
  test(`rules: ${game} has pictures, each with its words`, async () => {
    const folder = `../../../crates/games/src/${game.replaceAll("-", "_")}`;
    const about = (await import(`${folder}/about.js`)).default;
    const board = (await import(`${folder}/board.js`)).default;
    const pictures = about.rules.flatMap((/** @type {any} */ part) => part.picture ?? []);
    assert.ok(pictures.length >= 3, `${pictures.length} pictures`);
    for (const picture of pictures) {
      for (const innerWidth of [390, 1280]) {
        Object.assign(globalThis, { innerWidth });
        const drawn = figure(game, board, picture, 560);
        checkDrawing(drawn, { width: Math.min(560, innerWidth - 32), what: picture.alt });
        assert.ok(texts(drawn).includes(picture.alt), "its words stand below it");
      }
    }
  });
}
