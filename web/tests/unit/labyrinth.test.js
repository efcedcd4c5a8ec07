// Labyrinth's board without a browser: what it describes for real games, drafts and rare positions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import about from "../../../crates/games/src/labyrinth/about.js";
import board from "../../../crates/games/src/labyrinth/board.js";
import { gem } from "../../../crates/games/src/labyrinth/gems.js";
import {
  carried,
  cell,
  connected,
  mazeOf,
  nameOf,
  slid,
  wayTo,
} from "../../../crates/games/src/labyrinth/maze.js";
import { BOTS, record } from "../kit/parlor.js";
import { Timeline } from "../../timeline.js";

/** @typedef {import("../../dom.js").VNode} VNode */

const timeline = timelineOf(record("labyrinth", BOTS.labyrinth, "7"));

/** @param {string} frames */
function timelineOf(frames) {
  const told = new Timeline();
  for (const line of frames.trim().split("\n")) told.take(JSON.parse(line));
  return told;
}

/** Every element of a picture. @param {VNode} node @returns {VNode[]} */
function all(node) {
  return [node, ...node.children.flatMap((child) => (typeof child === "string" ? [] : all(child)))];
}

/** Everything written in it. @param {VNode} node @returns {string} */
function said(node) {
  return node.children
    .map((child) => (typeof child === "string" ? child : said(child)))
    .filter(Boolean)
    .join(" | ");
}

/** @param {any} value What an attribute says. */
function words(value) {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** A position drawn everywhere; nothing in it is nonsense. @param {any} view @param {any} ctx */
function draw(view, ctx) {
  for (const width of [320, 374, 660, 720, 928, 1300]) {
    const picture = board.board(view, { ...ctx, width });
    const wide = Number(picture.props.viewBox.split(" ")[2]);
    assert.ok(wide <= width, `${wide} units on ${width} px`);
    /** @type {Set<string>} */
    const travelling = new Set();
    for (const { tag, props } of all(picture)) {
      const name = props["data-flip"];
      assert.ok(!travelling.has(name), `${name} is there twice`);
      if (name) travelling.add(name);
      for (const [key, value] of Object.entries(props))
        assert.doesNotMatch(words(value), /NaN|undefined|Infinity|object/, `${tag} ${key}`);
    }
  }
  const { now, next } = board.caption(view, ctx);
  const panels = board.side(view, ctx).map(said).join(" ");
  assert.doesNotMatch(`${now} ${next} ${panels}`, /NaN|undefined|null|object/);
  assert.equal(board.points(view, ctx).length, view.seats.length);
  return `${now} ${next}`;
}

/** A person's turn at the first position of the game, and what it did. @param {any} [draft] @param {any[] | null} [legal] */
function turn(draft = null, legal = null) {
  /** @type {any[]} */
  const acts = [];
  const state = {
    legal,
    sent: false,
    draft,
    act: (/** @type {any} */ action) => acts.push(action),
    choose: (/** @type {any} */ next) => (state.draft = next),
  };
  const view = timeline.view(0, 0);
  const ctx = () => timeline.context("labyrinth", 0, 0, { width: 928, turn: state });
  const press = (/** @type {string} */ label) => {
    const found = all(board.board(view, ctx())).find((node) => node.props["aria-label"] === label);
    assert.ok(found, `no button ${label}`);
    found.props.onclick();
  };
  const key = (/** @type {string} */ pressed) => board.key?.(pressed, view, ctx());
  return { acts, state, view, ctx, press, key };
}

test("labyrinth: every turn of a real game is drawn for everybody", () => {
  for (const viewer of timeline.viewers()) {
    for (let place = 0; place <= timeline.last; place += 1)
      draw(
        timeline.view(place, viewer),
        timeline.context("labyrinth", place, viewer, { width: 928 }),
      );
  }
});

test("labyrinth: a drafted slide looks like the board that follows", () => {
  let slides = 0;
  timeline.updates.slice(1).forEach(({ view }, at) => {
    const { mover, deed, way } = view.news;
    if (!deed?.played) return;
    const [index, direction, degree, to] = deed.played;
    const before = timeline.updates[at].view;
    const maze = slid(mazeOf(before), [index, direction], degree);
    assert.deepEqual(maze, mazeOf(view));
    const from = carried(mazeOf(before), [index, direction], cell(before.seats[mover].position));
    assert.deepEqual(from, cell(way[0]));
    assert.ok(connected(maze, from).has(nameOf(cell(to))));
    assert.equal(wayTo(maze, from, cell(to)).length, way.length);
    slides += 1;
  });
  assert.ok(slides > 3);
});

test("labyrinth: nobody is shown a treasure that is not known to them", () => {
  const quests = timeline.updates[0].seat_views?.map((view, seat) => view.seats[seat].quest) ?? [];
  const frames = (/** @type {any} */ viewer) => {
    const ctx = timeline.context("labyrinth", 0, viewer, { width: 928 });
    const drawn = all(board.board(timeline.view(0, viewer), ctx));
    return drawn.filter((node) => node.props.stroke === "var(--gold)").length;
  };
  assert.equal(quests.length, 3);
  assert.deepEqual(["public", 0, 1, 2, "all"].map(frames), [0, 1, 1, 1, 3]);
});

test("labyrinth: every gem has a picture of its own", () => {
  const rules = new URL("../../../crates/games/src/labyrinth/board/gems.rs", import.meta.url);
  const names = [...readFileSync(rules, "utf8").matchAll(/^ {4}"([a-z-]+)",$/gm)].map(
    ([, name]) => name,
  );
  assert.equal(names.length, 102);
  assert.equal(new Set(names.map((name) => JSON.stringify(gem(name)))).size, names.length);
});

test("labyrinth: slide, then walk, by pressing", () => {
  const { acts, state, press, view, ctx } = turn();
  press("Turn the spare tile counter-clockwise");
  press("Slide row 2 to the right");
  assert.deepEqual([state.draft.degree, state.draft.slide], [90, [2, "RIGHT"]]);
  const lit = all(board.board(view, ctx())).filter((node) => /lit/.test(node.props.class ?? ""));
  assert.ok(lit.length > 0);
  lit[0].props.onclick();
  assert.equal(acts.length, 0, "nothing is sent before it is confirmed");
  const main = all(/** @type {VNode} */ (board.controls(view, ctx()))).find((node) =>
    /main/.test(node.props.class ?? ""),
  );
  assert.match(said(/** @type {VNode} */ (main)), /^Walk to row \d, column \d$/);
  main?.props.onclick();
  const { row, column } = state.draft.to;
  assert.deepEqual(acts, [[2, "RIGHT", 90, { "column#": column, "row#": row }]]);
});

test("labyrinth: slide, then walk, by keys", () => {
  const { acts, state, key } = turn();
  for (const pressed of ["r", "2", "ArrowRight"]) assert.ok(key(pressed), pressed);
  assert.deepEqual([state.draft.degree, state.draft.slide], [90, [2, "RIGHT"]]);
  for (const pressed of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) key(pressed);
  assert.ok(state.draft.to);
  assert.ok(key("Enter"));
  assert.equal(acts.length, 1);
  key("Escape");
  assert.equal(state.draft.to, null);
  key("Escape");
  assert.equal(state.draft.slide, null);
  assert.ok(!key("Enter"), "there is nothing to send");
});

test("labyrinth: what may not be done is explained", () => {
  const { state, key, view, ctx } = turn();
  const why = () => board.caption(view, ctx()).next;
  for (const pressed of ["1", "ArrowLeft"]) key(pressed);
  assert.match(String(why()), /only even numbers slide/);
  key("9");
  assert.match(String(why()), /no row or column 9/);
  view.maze.last = [2, "LEFT"];
  for (const pressed of ["2", "ArrowRight"]) key(pressed);
  assert.match(String(why()), /would undo the last slide/);
  const struck = all(board.board(view, ctx())).filter(
    (node) => node.props["aria-disabled"] === "true",
  );
  assert.equal(struck.length, 1);
  view.maze.last = null;
  state.draft = { degree: 0, line: null, slide: [0, "LEFT"], to: null, why: "" };
  const tiles = all(board.board(view, ctx())).filter((node) => node.props["data-flip"]);
  tiles.find((node) => !/lit/.test(node.props.class) && node.props.onclick)?.props.onclick();
  assert.match(String(why()), /No corridor leads|must move/);
});

test("labyrinth: what is lit is what the server lists", () => {
  const legal = ["PASS", [0, "LEFT", 0, { "row#": 6, "column#": 5 }]];
  const draft = { degree: 0, line: null, slide: [0, "LEFT"], to: null, why: "" };
  const { view, ctx } = turn(draft, legal);
  const lit = all(board.board(view, ctx())).filter((node) => /^lit/.test(node.props.class ?? ""));
  assert.match(lit.map((node) => node.props["aria-label"]).join(), /^Walk to row 6, column 5: /);
});

test("labyrinth: seats that go, and games that nobody wins", () => {
  const ctx = timeline.context("labyrinth", 1, "public", { width: 928 });
  const view = timeline.view(1, "public");
  const removed = { ...view.news, deed: "removed", way: [], dropped: [0] };
  const gone = { ...view, order: [1, 2], news: removed };
  assert.match(draw(gone, ctx), /is out of the game/);
  const passed = { ...view.news, deed: "passed", way: [], dropped: [2] };
  assert.match(draw({ ...view, order: [1, 0], news: passed }, ctx), /passes.*is out/);
  assert.match(draw({ ...view, leaving: [2] }, ctx), /will be out after this turn/);
  for (const [ending, words] of [
    ["all-ejected", /No player is left. There is no winner/],
    ["all-passed", /All players have passed/],
    ["round-limit", /last round/],
  ])
    assert.match(
      draw({ ...gone, phase: "over", order: [], ending, winners: [] }, ctx),
      /** @type {RegExp} */ (words),
    );
  const shared = { ...view, phase: "closing", ending: "all-passed", winners: [0, 2] };
  assert.match(draw(shared, ctx), /share the win/);
});

test("labyrinth: large and narrow boards, and nine on a tile", () => {
  for (const [rows, columns] of [
    [15, 15],
    [3, 11],
    [2, 2],
  ]) {
    const ctx = timeline.context("labyrinth", 0, "public", { width: 928 });
    const view = structuredClone(timeline.view(0, "public"));
    const line = (/** @type {number} */ row) =>
      Array.from({ length: columns }, (_, at) => row * columns + at);
    view.maze.board = {
      connectors: Array.from({ length: rows }, (_, row) => line(row).map(() => "┼")),
      treasures: Array.from({ length: rows }, (_, row) => line(row).map((n) => ["ruby", `g${n}`])),
    };
    const here = { "row#": 1, "column#": 1 };
    view.seats = Array.from({ length: 9 }, () => ({
      color: "red",
      home: here,
      position: here,
      quest: null,
    }));
    view.order = [4, 5, 6, 7, 8, 0, 1, 2, 3];
    draw(view, { ...ctx, names: view.order.map(String) });
  }
});

test("labyrinth: the pictures of the rules hold together", () => {
  const pictures = about.rules.flatMap(({ picture }) => (picture ? [picture] : []));
  assert.ok(pictures.length > 2);
  for (const { view, names, viewer = "public" } of pictures) {
    const ctx = { ...timeline.context("labyrinth", 0, viewer, { width: 640 }), names, updates: [] };
    draw(view, ctx);
    const way = view.news.way.map(cell);
    if (way.length) assert.deepEqual(slid(mazeOf(pictures[0].view), [2, "RIGHT"], 0), mazeOf(view));
    if (way.length) assert.equal(wayTo(mazeOf(view), way[0], way.at(-1)).length, way.length);
  }
});
