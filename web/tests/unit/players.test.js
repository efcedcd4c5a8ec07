// What people who play meet on the pages, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import labyrinth from "../../../crates/games/src/labyrinth/board.js";
import sushi from "../../../crates/games/src/sushi_go/board.js";
import { plot } from "../../plot.js";
import { Series } from "../../series.js";
import { Rematch } from "../../rematch.js";
import { isLate, ownClock } from "../../stage.js";
import { Timeline } from "../../timeline.js";
import { viewerChoice } from "../../viewers.js";
import { texts } from "../kit/drawing.js";
import { BOTS, record } from "../kit/parlor.js";

/** @param {string} game @param {string[]} bots */
function played(game, bots) {
  const timeline = new Timeline();
  for (const line of record(game, bots, "7").trim().split("\n")) timeline.take(JSON.parse(line));
  return timeline;
}

/** Everything a described page says. @param {any} node @returns {string} */
function said(node) {
  return JSON.stringify(node ?? "");
}

test("labyrinth: nobody is called by a colour that is not the pawn's", () => {
  const timeline = played("labyrinth", BOTS.labyrinth);
  const ctx = timeline.context("labyrinth", 0, "public", { width: 928 });
  const side = said(labyrinth.side(timeline.view(0, "public"), ctx));
  for (const { color } of timeline.view(0, "public").seats)
    assert.ok(!side.includes(`"${color}, `), `${color} is said`);
});

test("sushi-go: the points of a row add up to its total", () => {
  const timeline = played("sushi-go", BOTS["sushi-go"]);
  const view = timeline.view(timeline.last, "public");
  const ctx = timeline.context("sushi-go", timeline.last, "public", { width: 928 });
  const [points] = /** @type {any[]} */ (sushi.side(view, ctx));
  const rows = find(points, (node) => node.tag === "tr").filter(
    (row) => find(row, (node) => node.tag === "td").length > 0,
  );
  assert.equal(rows.length, view.seats.length);
  for (const row of rows) {
    const cells = find(row, (node) => node.tag === "td").map((cell) =>
      Number(String([cell.children].flat(3)[0]).replace("−", "-").replace("+", "")),
    );
    const total = cells.pop();
    assert.equal(
      cells.reduce((sum, each) => sum + each, 0),
      total,
    );
  }
});

test("web: the views of many seats are a list, those of a few are buttons", () => {
  const choice = (/** @type {number} */ many) =>
    /** @type {any} */ (
      viewerChoice({
        viewers: ["public", ...Array.from({ length: many }, (_, seat) => seat), "all"],
        viewer: "all",
        names: Array.from({ length: many }, (_, seat) => `boat${seat}`),
        see: () => {},
      })
    );
  assert.equal(choice(64).tag, "select");
  assert.equal(choice(5).tag, "div");
});

test("web: a plot of many names the ten best", () => {
  const names = Array.from({ length: 64 }, (_, seat) => `boat${seat}`);
  const points = [names.map(() => 0), names.map((_, seat) => seat)];
  const drawn = plot({ points, names, place: 1, width: 600, inset: 8, named: true });
  const labels = texts(drawn).filter((text) => /^boat/.test(String(text)));
  assert.equal(labels.length, 10);
  assert.ok(labels.includes("boat63") && !labels.includes("boat0"));
});

test("web: the last seconds are said, with what they mean", () => {
  const ctx = /** @type {any} */ ({ turn: { sent: false }, timeLeftMs: 4000, clockMs: 10_000 });
  assert.match(said(ownClock(ctx, true)), /0:04 left\. Without a move you are out\./);
  assert.match(said(ownClock(ctx, false)), /0:04 left for your move/);
  assert.ok(isLate(ctx));
  assert.ok(!isLate({ ...ctx, timeLeftMs: 9000 }));
  assert.equal(ownClock({ ...ctx, turn: null }, true), null);
});

test("web: wins are counted from rematch to rematch, and move along with the seats", () => {
  const series = new Series("gamba");
  series.begin("t1", false);
  series.count(0, [1, 2, 3]);
  series.count(0, [1, 2, 3]);
  assert.deepEqual(series.score, { seat: 0, wins: [1, 0, 0], games: 1 }, "counted once");
  // Everybody sits one seat further on: the first is now the last.
  series.begin("t2", true);
  series.count(2, [1, 2, 1]);
  assert.deepEqual(series.score, { seat: 2, wins: [1, 0, 2], games: 2 });
  series.begin("t3", false);
  series.count(0, [2, 1]);
  assert.deepEqual(series.score, { seat: 0, wins: [0, 1], games: 1 }, "other people");
});

test("web: a rematch is offered, agreed to, or known to be impossible", () => {
  /** @type {any[]} */
  const sent = [];
  const rematch = new Rematch(
    (message) => sent.push(message),
    () => {},
  );
  const seat = (/** @type {string} */ name, /** @type {string | null} */ bot = null) =>
    /** @type {any} */ ({ name, bot });
  rematch.stay({ table: "t1", token: "x", seat: 0 }, [seat("Ann"), seat("Ben")]);
  assert.deepEqual(
    sent.map(({ wants }) => wants),
    [false],
  );
  const hear = (/** @type {boolean[]} */ [here, wants, mine]) =>
    rematch.heard({
      table: "t1",
      seats: [
        { name: "Ann", here: true, wants: mine },
        { name: "Ben", here, wants },
      ],
    });
  hear([true, false, false]);
  assert.match(said(rematch.shown()), /Rematch/);
  hear([true, true, false]);
  assert.match(said(rematch.shown()), /Ben wants a rematch\..*Play.*No/);
  hear([true, false, true]);
  assert.match(said(rematch.shown()), /Waiting for Ben/);
  hear([false, false, true]);
  assert.match(said(rematch.shown()), /Ben has left\./);
  assert.ok(!rematch.isOpen());
});

/** @param {any} node @param {(node: any) => boolean} is @returns {any[]} */
function find(node, is) {
  if (Array.isArray(node)) return node.flatMap((each) => find(each, is));
  if (!node || typeof node !== "object") return [];
  return [...(is(node) ? [node] : []), ...find(node.children, is)];
}
