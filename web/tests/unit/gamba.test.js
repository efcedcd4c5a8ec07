import assert from "node:assert/strict";
import { test } from "node:test";

import about from "../../../crates/games/src/gamba/about.js";
import board from "../../../crates/games/src/gamba/board.js";
import { RANKS } from "../../../crates/games/src/gamba/cards.js";
import { fitsWords } from "../../../crates/games/src/gamba/words.js";
import { Timeline } from "../../timeline.js";
import { all, checkDrawing, drawEvery, texts } from "../kit/drawing.js";
import { recorded } from "../kit/recorded.js";

const FULL = ["gamba.deal=full-deck"];
const CARD = /^(10|[2-9JQKA])[SHCD]$/;

/** @param {object} [more] @returns {any} */
function position(more = {}) {
  return {
    viewer: { seat: 0 },
    deal: "guide",
    turns_played: 4,
    to_act: 0,
    pile: ["5C", "7H"],
    must_play_low: true,
    fits: ["2", "3", "4", "5", "6", "7"],
    deck_size: 0,
    burned: [],
    seats: [
      { hand_size: 4, hand: ["QH", "6S", "3D", "6C"], reserves: 3, reserve_cards: null },
      { hand_size: 2, hand: null, reserves: 3, reserve_cards: null },
    ],
    news: [{ played: { seat: 1, cards: ["7H"], from: "hand", burned: 0, drawn: 0 } }],
    ending: null,
    ...more,
  };
}

/** @param {any} view @param {object} [more] */
function context(view, more = {}) {
  const timeline = new Timeline();
  const update = { type: "update", seq: 4, seat: 0, view, names: ["Ann", "Ben"], to_move: [0] };
  timeline.take({ ...update, your_move: true, legal: null, moves: [], clock_ms: null });
  return { ...timeline.context("gamba", 0, 0, { width: 928 }), ...more };
}

/** A person's turn, and what was done with it. @param {any[]} legal @param {any} [draft] */
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

const LEGAL = [
  { play: ["6S"] },
  { play: ["6S", "6C"] },
  { play: ["3D"] },
  { play: ["6C"] },
  "pick-up",
];

test("gamba: every turn of real games is drawn for everybody, with either deal", () => {
  drawEvery(board, "gamba", recorded("gamba", ["random", "random"], { seed: 5 }));
  drawEvery(board, "gamba", recorded("gamba", ["random", "thrifty"], { seed: 11, set: FULL }));
});

test("gamba: only cards that the viewer knows have faces", () => {
  const timeline = recorded("gamba", ["random", "thrifty"], { seed: 3, set: FULL });
  for (const viewer of timeline.viewers()) {
    for (let place = 0; place <= timeline.last; place += 1) {
      const view = timeline.view(place, viewer);
      const ctx = timeline.context("gamba", place, viewer, { width: 928 });
      const names = checkDrawing(board.board(view, ctx), { width: 928, what: "a board" });
      const open = [view, ...(ctx.seatViews ?? [])].flatMap((each) =>
        each.seats.flatMap((/** @type {any} */ seat) => [
          seat.hand ?? [],
          seat.reserve_cards ?? [],
        ]),
      );
      const known = new Set([...view.pile, ...view.burned, ...open.flat()]);
      for (const name of names) if (CARD.test(name)) assert.ok(known.has(name), name);
      const hand = typeof viewer === "number" ? view.seats[viewer].hand : [];
      for (const code of hand) assert.ok(names.has(code), `${code} of the own hand is drawn`);
    }
  }
});

test("gamba: before the first turn, a seat that left, a draw", () => {
  const fresh = position({
    turns_played: 0,
    pile: [],
    must_play_low: false,
    fits: RANKS,
    news: [],
  });
  assert.match(board.caption(fresh, context(fresh)).now, /Three cards in hand/);
  assert.match(board.caption(fresh, context(fresh)).next ?? "", /Ann may play any card\./);
  const left = position({
    to_act: null,
    fits: [],
    news: [{ retired: { seat: 1, exit: "timed-out" } }],
    ending: { winner: 0, reason: "retirement" },
  });
  assert.equal(board.caption(left, context(left)).now, "Ben is out: timed out. Ann wins.");
  assert.ok(texts(board.board(left, context(left))).includes("timed out"));
  const struck = position({
    to_act: null,
    fits: [],
    news: [{ retired: { seat: 1, exit: { disqualified: "too slow" } } }],
    ending: { winner: 0, reason: "retirement" },
  });
  assert.match(board.caption(struck, context(struck)).now, /^Ben is out: disqualified/);
  const drawn = position({
    to_act: null,
    fits: [],
    ending: { winner: null, reason: "turn-limit" },
  });
  assert.match(board.caption(drawn, context(drawn)).now, /a draw/);
  for (const view of [fresh, left, struck, drawn])
    for (const width of [344, 928])
      checkDrawing(board.board(view, context(view, { width })), { width, what: "an edge" });
});

test("gamba: what fits, in words", () => {
  assert.equal(fitsWords(RANKS), "any card");
  assert.equal(fitsWords(["2", "3", "4", "5", "6", "7"]), "7 or lower");
  assert.equal(fitsWords(["2", "7", "10", "J", "Q", "K", "A"]), "2, 7 or 10 and up");
  assert.equal(fitsWords(["2", "7", "10", "A"]), "2, 7, 10 or ace");
  assert.equal(
    fitsWords(["2", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]),
    "2 or 5 and up",
  );
});

test("gamba: what happened is said as one would say it", () => {
  const view = position();
  const { now, next } = board.caption(view, context(view));
  assert.equal(now, "Ben played the 7 of hearts.");
  assert.match(next ?? "", /^Ann must go low: 7 or lower, not even a 10, or pick up the pile\./);
  const said = (/** @type {any} */ news, more = {}) => {
    const view = position({ news: [news], ...more });
    return board.caption(view, context(view)).now;
  };
  assert.equal(
    said({ played: { seat: 1, cards: ["10C", "10D"], from: "hand", burned: 6, drawn: 2 } }),
    "Ben played two 10s, which burn the pile: 6 cards out for good, and drew 2 cards.",
  );
  assert.equal(said({ "picked-up": { seat: 1, taken: 1 } }), "Ben picked up the pile, 1 card.");
  assert.equal(
    said({ "reserve-failed": { seat: 1, card: null, taken: 3 } }),
    "The reserve did not fit: Ben took it and the pile, 3 cards.",
  );
  assert.equal(
    said({ "reserve-failed": { seat: 0, card: "4S", taken: 3 } }),
    "The reserve, the 4 of spades, did not fit: Ann took it and the pile, 3 cards.",
  );
});

test("gamba: cards of one rank are chosen together and played by one button", () => {
  const view = position();
  const first = turn(LEGAL);
  const ctx = context(view, { turn: first.turn });
  const cards = all(board.board(view, ctx), (node) => node.props.role === "button");
  assert.deepEqual(
    cards.map((card) => card.props["aria-label"]),
    ["3 of diamonds", "6 of clubs", "6 of spades", "queen of hearts, too high"],
  );
  assert.equal(cards[3].props["aria-disabled"], "true");
  assert.equal(cards[3].props.onclick, undefined);
  cards[2].props.onclick();
  assert.deepEqual(first.done, [{ choose: ["6S"] }]);

  const second = turn(LEGAL, ["6S"]);
  assert.ok(board.key?.("2", view, context(view, { turn: second.turn })));
  assert.ok(board.key?.("1", view, context(view, { turn: second.turn })));
  assert.ok(
    board.key?.("4", view, context(view, { turn: second.turn })),
    "the queen is a key, but may not go",
  );
  assert.deepEqual(second.done, [{ choose: ["6S", "6C"] }, { choose: ["3D"] }]);

  const third = turn(LEGAL, ["6S", "6C"]);
  const controls = board.controls(view, context(view, { turn: third.turn }));
  const buttons = all(/** @type {any} */ (controls), (node) => node.tag === "button");
  assert.deepEqual(
    buttons.map((each) => texts(each).join("")),
    ["Play 6♠\uFE0E 6♣\uFE0E", "Pick up 2 cards"],
  );
  for (const each of buttons) each.props.onclick();
  board.key?.("Enter", view, context(view, { turn: third.turn }));
  board.key?.("p", view, context(view, { turn: third.turn }));
  assert.deepEqual(third.done, [
    { act: { play: ["6S", "6C"] } },
    { act: "pick-up" },
    { act: { play: ["6S", "6C"] } },
    { act: "pick-up" },
  ]);
});

test("gamba: with an empty hand a reserve is the main button and lit", () => {
  const seats = [
    { hand_size: 0, hand: [], reserves: 2, reserve_cards: null },
    { hand_size: 2, hand: null, reserves: 3, reserve_cards: null },
  ];
  const view = position({ seats });
  const { turn: own, done } = turn(["reserve", "pick-up"]);
  const ctx = context(view, { turn: own });
  const lit = all(board.board(view, ctx), (node) => node.props.role === "button");
  assert.deepEqual(
    lit.map((each) => each.props["aria-label"]),
    ["Turn over a reserve, unseen"],
  );
  lit[0].props.onclick();
  board.key?.("Enter", view, ctx);
  const [main] = all(
    /** @type {any} */ (board.controls(view, ctx)),
    (node) => node.tag === "button",
  );
  main.props.onclick();
  // A click on the card itself only chooses it: nothing is final before the button.
  assert.deepEqual(done, [{ choose: "reserve" }, { act: "reserve" }, { act: "reserve" }]);
});

test("gamba: once a move is sent nothing can be pressed", () => {
  const view = position();
  const { turn: own, done } = turn(LEGAL, ["3D"]);
  const ctx = context(view, { turn: { ...own, sent: true } });
  assert.deepEqual(
    all(board.board(view, ctx), (node) => node.props.role === "button"),
    [],
  );
  const buttons = all(
    /** @type {any} */ (board.controls(view, ctx)),
    (node) => node.tag === "button",
  );
  assert.ok(buttons.every((each) => each.props.disabled));
  assert.equal(board.key?.("Enter", view, ctx), false);
  assert.deepEqual(done, []);
});

test("gamba: the pictures of the rules can be drawn", () => {
  const pictures = about.rules.flatMap(({ picture }) => picture ?? []);
  assert.ok(pictures.length >= 4);
  for (const { view, alt } of pictures) {
    assert.ok(alt.length > 20);
    for (const width of [344, 640])
      checkDrawing(board.board(view, context(view, { width })), { width, what: alt });
  }
});
