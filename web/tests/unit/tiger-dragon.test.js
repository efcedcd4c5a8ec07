import assert from "node:assert/strict";
import { test } from "node:test";

import about from "../../../crates/games/src/tiger_dragon/about.js";
import board from "../../../crates/games/src/tiger_dragon/board.js";
import { handOf, passed } from "../../../crates/games/src/tiger_dragon/story.js";
import { Timeline } from "../../timeline.js";
import { all, checkDrawing, drawEvery, texts } from "../kit/drawing.js";
import { recorded } from "../kit/recorded.js";

/** @param {string[]} bots @param {string} field */
const match = (bots, field) =>
  recorded("tiger-dragon", bots, { seed: 7, set: [`tiger-dragon.battlefield=${field}`] });

/** @param {string} title */
function drawn(title) {
  const found = about.rules.find((section) => section.title === title)?.picture;
  assert.ok(found, title);
  return structuredClone(found.view);
}

/** @param {any} view @param {object} [more] */
function context(view, more = {}) {
  const timeline = new Timeline();
  const names = ["Ann", "Ben", "Cleo"];
  const update = { type: "update", seq: 4, seat: 0, view, names, to_move: [view.current] };
  timeline.take({ ...update, your_move: true, legal: null, moves: [], clock_ms: null });
  return { ...timeline.context("tiger-dragon", 0, 0, { width: 928 }), ...more };
}

/** A person's turn, and what was done with it. @param {any[] | null} legal @param {any} [draft] */
function turn(legal, draft = null) {
  /** @type {any[]} */
  const done = [];
  return {
    done,
    turn: {
      legal,
      draft,
      sent: false,
      act: (/** @type {any} */ action) => done.push({ act: action }),
      choose: (/** @type {any} */ draft) => done.push({ choose: draft }),
    },
  };
}

/** @param {import("../../dom.js").VNode | null} node */
const buttons = (node) => all(/** @type {any} */ (node), (each) => each.tag === "button");

test("tiger-dragon: every turn of real matches is drawn, for two to five seats", () => {
  drawEvery(board, "tiger-dragon", match(["counter", "random"], "storm"));
  drawEvery(board, "tiger-dragon", match(["counter", "random", "counter"], "game-market"));
  drawEvery(board, "tiger-dragon", match(["counter", "random", "counter", "random"], "dojo"));
  drawEvery(board, "tiger-dragon", match(Array(5).fill("random"), "cave"));
});

test("tiger-dragon: a hand is drawn for its owner and for nobody else", () => {
  const timeline = match(["counter", "random", "counter"], "beach");
  for (const viewer of timeline.viewers()) {
    for (let place = 0; place <= timeline.last; place += 1) {
      const view = timeline.view(place, viewer);
      const ctx = timeline.context("tiger-dragon", place, viewer, { width: 928 });
      const names = [...checkDrawing(board.board(view, ctx), { width: 928, what: "a board" })];
      for (const seat of [0, 1, 2]) {
        const open = viewer === "all" || viewer === seat;
        const held = names.filter((name) => name.startsWith(`held-${seat}-`)).length;
        assert.equal(held, open ? view.hand_sizes[seat] : 0, `seat ${seat} as ${viewer}`);
        assert.equal(handOf(view, ctx, seat) !== null, open);
      }
    }
  }
});

test("tiger-dragon: before the first turn, a seat that left, the end", () => {
  const timeline = match(["counter", "random"], "dojo");
  const first = timeline.view(0, 0);
  const ctx = timeline.context("tiger-dragon", 0, 0, { width: 928 });
  assert.equal(board.caption(first, ctx).now, "Round 1 at the Dojo, first to 10.");
  assert.match(board.caption(first, ctx).next ?? "", /attacks now/);
  const last = timeline.view(timeline.last, "public");
  const end = timeline.context("tiger-dragon", timeline.last, "public", { width: 928 });
  assert.match(board.caption(last, end).now, /goes out on .* wins the match: /);
  assert.match(board.where(last), /^over after/);
  const left = drawn("No one answers");
  left.exits = [null, "timed-out", { disqualified: "why" }];
  left.news = [{ retired: { seat: 1, exit: "timed-out" } }];
  assert.match(board.caption(left, context(left)).now, /^Ben is out: timed out\./);
  for (const width of [344, 928]) {
    const picture = board.board(left, context(left, { width }));
    checkDrawing(picture, { width, what: "a seat that left" });
    assert.ok(texts(picture).includes("timed out"));
    assert.ok(texts(picture).includes("disqualified"));
  }
});

test("tiger-dragon: who passed since the attack, from the updates before", () => {
  const timeline = match(["random", "random", "random", "random"], "dojo");
  for (let place = 0; place <= timeline.last; place += 1) {
    const view = timeline.view(place, "public");
    const ctx = timeline.context("tiger-dragon", place, "public", { width: 928 });
    const seats = passed(view, ctx);
    if (view.phase === "BonusReceive") assert.equal(seats.length, 3, "everybody else has passed");
    else if (view.phase !== "Defend") assert.deepEqual(seats, []);
    else {
      const asked = (view.current - view.attack.seat + 3) % 4;
      assert.equal(seats.length, asked, "those between the attacker and who is asked now");
    }
  }
});

test("tiger-dragon: what happened is said as one would say it", () => {
  const said = (/** @type {any} */ view) =>
    Object.values(board.caption(view, context(view))).join(" ");
  assert.equal(
    said(drawn("Attack and answer")),
    "Cleo passes. Ann answers Ben's 6 or passes. Ann holds a 1, two 6s and an 8.",
  );
  assert.equal(
    said(drawn("Tiger and Dragon")),
    "Ann answers Cleo's Tiger with a 4. Ann attacks now. Ann holds a 1, an 8 and the Dragon.",
  );
  assert.match(said(drawn("No one answers")), /^Ann puts a tile face down\. Ann attacks now\./);
});

test("tiger-dragon: a tile is chosen, then played by the one main button", () => {
  const view = drawn("Attack and answer");
  const first = turn(null);
  const tiles = all(
    board.board(view, context(view, { turn: first.turn })),
    (node) => node.props.role === "button",
  );
  assert.deepEqual(
    tiles.map((tile) => [tile.props["aria-label"], tile.props["aria-disabled"] ?? "false"]),
    [
      ["1 does not answer a 6", "true"],
      ["6", "false"],
      ["6", "false"],
      ["8 does not answer a 6", "true"],
    ],
  );
  tiles[0].props.onclick();
  tiles[2].props.onclick();
  board.key?.("6", view, context(view, { turn: first.turn }));
  assert.ok(board.key?.("8", view, context(view, { turn: first.turn })), "a key, but may not go");
  assert.deepEqual(first.done, [
    { choose: { why: "1 does not answer a 6." } },
    { choose: { tile: "6", copy: 1 } },
    { choose: { tile: "6", copy: 0 } },
  ]);

  const second = turn(["6", "pass"], { tile: "6", copy: 1 });
  const ctx = context(view, { turn: second.turn });
  const pressed = buttons(board.controls(view, ctx));
  assert.deepEqual(
    pressed.map((each) => texts(each).join("")),
    ["Answer with a 6", "Pass"],
  );
  for (const each of pressed) each.props.onclick();
  board.key?.("Enter", view, ctx);
  board.key?.("p", view, ctx);
  assert.deepEqual(second.done, [{ act: "6" }, { act: "pass" }, { act: "6" }, { act: "pass" }]);
});

test("tiger-dragon: with nothing to answer, passing is the main button; once sent, nothing can be pressed", () => {
  const view = drawn("Attack and answer");
  const only = turn(["pass"]);
  const [pass, ...more] = buttons(board.controls(view, context(view, { turn: only.turn })));
  assert.deepEqual(
    [texts(pass), more.length, pass.props.class],
    [["Pass"], 0, "button main large"],
  );
  const sent = context(view, {
    turn: { ...turn(["6", "pass"], { tile: "6", copy: 0 }).turn, sent: true },
  });
  assert.deepEqual(
    all(board.board(view, sent), (node) => node.props.role === "button"),
    [],
  );
  assert.ok(buttons(board.controls(view, sent)).every((each) => each.props.disabled));
  assert.equal(board.key?.("Enter", view, sent), false);
});

test("tiger-dragon: the pictures of the rules can be drawn", () => {
  const pictures = about.rules.flatMap(({ picture }) => picture ?? []);
  assert.ok(pictures.length >= 3);
  for (const { view, alt } of pictures)
    for (const width of [344, 640])
      checkDrawing(board.board(view, context(view, { width })), { width, what: alt });
});

test("tiger-dragon: a grey tile says why, and plays nothing", () => {
  const view = drawn("Attack and answer");
  const { turn: own, done } = turn(["6", "pass"], { why: "1 does not answer a 6." });
  const ctx = context(view, { turn: own });
  const controls = /** @type {any} */ (board.controls(view, ctx));
  assert.match(JSON.stringify(controls), /1 does not answer a 6\./);
  assert.equal(board.key?.("Enter", view, ctx), false);
  assert.deepEqual(done, []);
});

test("tiger-dragon: who can only pass need not say so", () => {
  const view = drawn("Attack and answer");
  const stuck = context(view, { turn: turn(["pass"]).turn });
  assert.equal(board.forced?.(view, stuck), "pass");
  const free = context(view, { turn: turn(["6", "pass"]).turn });
  assert.equal(board.forced?.(view, free), undefined);
});

test("tiger-dragon: D is the Dragon's key, whether it is held or not", () => {
  assert.ok(board.ownKeys?.includes("d"));
  const view = drawn("Attack and answer");
  assert.equal(board.key?.("d", view, context(view, { turn: turn(["6", "pass"]).turn })), true);
});

test("tiger-dragon: who has left is out, nobody else", () => {
  const view = { ...drawn(about.rules.find(({ picture }) => picture)?.title ?? "") };
  view.exits = [null, "left", null];
  assert.deepEqual(
    [0, 1, 2].map((seat) => board.out?.(view, seat)),
    [false, true, false],
  );
});

test("tiger-dragon: in the middle stands who attacks now, and who begins the next round", () => {
  const free = drawn("No one answers");
  const said = texts(board.board(free, context(free))).join(" ");
  assert.match(said, /attacks now/);
  assert.doesNotMatch(said, /attacks next/);
  const timeline = match(["counter", "random", "counter"], "dojo");
  const end = timeline.updates.findIndex(({ view }) =>
    board.mark?.(/** @type {any} */ ({ view }), null)?.startsWith("end of round"),
  );
  const view = { ...timeline.view(end, "public"), phase: "Attack" };
  for (const width of [344, 660, 928]) {
    const ctx = {
      ...timeline.context("tiger-dragon", end, "public", { width }),
      names: ["Maximiliane-Wolkenstein", "Maximiliane-Wolkenstein", "Maximiliane-Wolkenstein"],
    };
    const words = texts(board.board(view, ctx)).find((each) => each.includes(" begins next"));
    assert.ok(words?.startsWith("Ma"), `${width}: ${words}`);
  }
});
