// The board with which the author of a new game begins.

import assert from "node:assert/strict";
import { test } from "node:test";

import about from "../../../crates/trials/src/tic_tac_toe/about.js";
import board from "../../../crates/trials/src/tic_tac_toe/board.js";
import { figure } from "../../figure.js";
import { Timeline } from "../../timeline.js";
import { all, checkDrawing, drawEvery } from "../kit/drawing.js";

const BOARDS = [".........", "X........", "X...O....", "XX..O....", "XX..O...O", "XXX.O...O"];

// A game as spectators receive it.
function watched() {
  const timeline = new Timeline();
  BOARDS.forEach((squares, seq) => {
    const toMove = seq === BOARDS.length - 1 ? null : seq % 2;
    timeline.take({
      type: "update",
      seq,
      seat: null,
      view: { board: squares, to_move: toMove },
      names: ["Ann", "Ben"],
      to_move: toMove === null ? [] : [toMove],
      your_move: false,
      legal: null,
      moves: [],
      clock_ms: null,
    });
  });
  return timeline;
}

test("tic-tac-toe: every turn is drawn", () => {
  const timeline = watched();
  drawEvery(board, "tic-tac-toe", timeline);
  const { last } = timeline;
  const ctx = timeline.context("tic-tac-toe", last, "public", { width: 374 });
  assert.deepEqual(board.moves(timeline.updates[last], ctx), [
    { seat: 0, words: "X marks square 3" },
  ]);
});

test("tic-tac-toe: what is free can be pressed, by mouse and by key", () => {
  const timeline = watched();
  /** @type {number[]} */
  const marked = [];
  const turn = {
    legal: [2, 3, 4, 6, 7, 8, 9],
    draft: null,
    sent: false,
    act: (/** @type {number} */ square) => marked.push(square),
    choose: () => {},
  };
  const view = timeline.view(2, "public");
  const ctx = { ...timeline.context("tic-tac-toe", 2, 0, { width: 374 }), turn };
  const buttons = all(board.board(view, ctx), (node) => node.props.role === "button");
  assert.equal(buttons.length, 7);
  buttons[0].props.onclick();
  assert.ok(board.key?.("9", view, ctx));
  assert.ok(!board.key?.("5", view, ctx));
  assert.deepEqual(marked, [2, 9]);
});

test("tic-tac-toe: the rules have pictures", () => {
  Object.assign(globalThis, { innerWidth: 390 });
  for (const { picture } of about.rules)
    if (picture)
      checkDrawing(figure("tic-tac-toe", board, picture), { width: 358, what: picture.alt });
});
