import assert from "node:assert/strict";
import { test } from "node:test";

import about from "../../../crates/games/src/subsim/about.js";
import board from "../../../crates/games/src/subsim/board.js";
import { ranking } from "../../../crates/games/src/subsim/panels.js";
import { scene } from "../../../crates/games/src/subsim/scene.js";
import { Timeline } from "../../timeline.js";
import { all, checkDrawing, drawEvery, texts } from "../kit/drawing.js";
import { recorded } from "../kit/recorded.js";

const ISLANDS = "subsim.obstacles=[[4,3],[5,3],[4,4],[11,13],[12,13],[12,14],[18,16],[17,17]]";
const FEW = ["subsim.sub.0.torpedo_count=4", "subsim.sub.0.mine_count=2"];

/** @typedef {import("../../../crates/games/src/subsim/types.d.ts").View} View */

/** A picture of the rules as a page has it. @param {string} title @returns {any} */
function position(title) {
  const picture = about.rules.find((part) => part.title === title)?.picture;
  assert.ok(picture, `a picture of ${title}`);
  return picture;
}

/** @param {any} picture @param {object} [more] @returns {any} */
function context({ names, viewer = "public", seatViews = null }, more = {}) {
  return {
    ...{ game: "subsim", names, seats: [], viewer, near: 0, seatViews, updates: [] },
    ...{ toMove: [], moved: [], over: null, clockMs: null, timeLeftMs: null, width: 928 },
    ...{ turn: null, ...more },
  };
}

/** A person at seat 0 who has a boat at 5 | 7, and what came of it. @param {object} [choices] @param {object} [sub] */
function seated(choices = {}, sub = {}) {
  const picture = position("The chart");
  const full = {
    sub: 0,
    move: ["N", "E"],
    mine: ["N", "E"],
    sprint: [],
    fire: [],
    ping: [],
    ...choices,
  };
  const view = { ...picture.view, choices: [full] };
  view.subs = [{ ...view.subs[0], ...sub }];
  /** @type {any} */
  const hand = { acts: [], draft: null };
  const turn = () => ({
    ...{ legal: null, sent: false, draft: hand.draft },
    act: (/** @type {any} */ action) => hand.acts.push(action),
    choose: (/** @type {any} */ draft) => (hand.draft = draft),
  });
  hand.ctx = () => context(picture, { turn: turn() });
  hand.press = (/** @type {string[]} */ ...keys) =>
    keys.map((key) => board.key?.(key, view, hand.ctx()));
  hand.controls = () => board.controls(view, hand.ctx());
  hand.main = () => all(hand.controls(), ({ props }) => /main/.test(props.class ?? ""))[0];
  hand.says = () => texts(hand.controls()).join(" ");
  hand.view = view;
  return hand;
}

/** @param {import("../../dom.js").VNode} node @param {string} name */
const named = (node, name) =>
  all(node, ({ props }) => (props.class ?? "").split(" ").includes(name));

test("subsim: every turn of real games is drawn with everybody's eyes", () => {
  for (const [bots, set] of /** @type {[string[], string[]][]} */ ([
    [["hunter", "hunter"], [ISLANDS]],
    [["random", "hunter", "random"], FEW],
    [
      ["random", "hunter"],
      ["subsim.subs_per_player=3", "subsim.map_size=[40,16]"],
    ],
  ])) {
    const timeline = recorded("subsim", bots, { seed: 3, set: [...set, "subsim.max_turns=100"] });
    assert.ok(timeline.last > 5);
    assert.equal(timeline.view(timeline.last, "public").phase, "over");
    drawEvery(board, "subsim", timeline);
  }
});

test("subsim: sixty-four boats fit beside the chart and under it", () => {
  const timeline = recorded("subsim", Array(64).fill("random"), { set: ["subsim.max_turns=100"] });
  for (const width of [344, 928]) {
    const ctx = timeline.context("subsim", 3, "all", { width });
    const picture = board.board(timeline.view(3, "all"), ctx);
    checkDrawing(picture, { width, what: "sixty-four boats" });
    assert.equal(named(picture, "boat").length, 64);
  }
});

test("subsim: a seat's picture has nothing of the others, the public's nothing but blasts", () => {
  const timeline = recorded("subsim", ["hunter", "hunter"], { seed: 3 });
  for (let place = 1; place < timeline.last; place += 1) {
    const seat = timeline.context("subsim", place, 0, { width: 928 });
    const own = scene(timeline.view(place, 0), seat);
    assert.deepEqual([...new Set(own.boats.map((boat) => boat.seat))], [0]);
    assert.ok([...own.shots, ...own.pings, ...own.contacts].every(({ seat }) => seat === 0));
    assert.ok(board.moves(timeline.updates[place], seat).every((line) => line.seat === 0));
    assert.deepEqual(board.points(timeline.view(place, 0), seat).slice(1), [null]);
    const fog = timeline.context("subsim", place, "public", { width: 928 });
    const { boats, shots, pings, contacts, mines } = scene(timeline.view(place, "public"), fog);
    assert.deepEqual([boats, shots, pings, contacts, mines], [[], [], [], [], []]);
    assert.ok(board.moves(timeline.updates[place], fog).every((line) => line.seat === null));
  }
});

test("subsim: the last turn shows everybody's boats to everybody, and who won", () => {
  const timeline = recorded("subsim", ["hunter", "hunter"], { seed: 3 });
  for (const viewer of timeline.viewers()) {
    const ctx = timeline.context("subsim", timeline.last, viewer, { width: 928 });
    const view = timeline.view(timeline.last, viewer);
    assert.equal(named(board.board(view, ctx), "boat").length, 2, String(viewer));
    assert.deepEqual(board.points(view, ctx), timeline.over?.points);
    assert.match(board.caption(view, ctx).next ?? "", /wins with|share the first place/);
  }
});

test("subsim: before the start the chart is empty and says what a boat has", () => {
  const timeline = recorded("subsim", ["hunter", "hunter"], { set: [ISLANDS] });
  for (const viewer of timeline.viewers()) {
    const ctx = timeline.context("subsim", 0, viewer, { width: 928 });
    const picture = board.board(timeline.view(0, viewer), ctx);
    assert.equal(named(picture, "boat").length, 0);
    assert.ok(texts(picture).includes("What a boat has"));
    assert.match(board.caption(timeline.view(0, viewer), ctx).next ?? "", /choose where to start/);
  }
});

test("subsim: a seat that left is a wreck, but was not sunk", () => {
  const { view, names, seatViews } = position("Torpedoes");
  const ben = { ...seatViews[1], subs: [{ ...seatViews[1].subs[0], dead: true }] };
  const ctx = context({ names, viewer: "all", seatViews: [seatViews[0], ben] });
  const [, boat] = scene(view, ctx).boats;
  assert.deepEqual([boat.state.dead, boat.sunk, boat.lost], [true, false, 1]);
  const moves = [{ seat: 1, action: null, ms: 0, how: "left", refused: 0 }];
  const update = /** @type {any} */ ({ seq: 3, view, moves, names, to_move: [] });
  assert.deepEqual(board.moves(update, ctx), [{ seat: 1, words: "left the game" }]);
});

test("subsim: a torpedo is told and drawn: its run, the blast, who was hit", () => {
  const picture = position("Torpedoes");
  const ctx = context(picture);
  const drawn = board.board(picture.view, ctx);
  assert.deepEqual(
    ["run", "area", "burst", "torpedo"].map((name) => named(drawn, name).length),
    [1, 1, 1, 1],
  );
  assert.deepEqual(named(drawn, "hit").flatMap(texts), ["−1"]);
  assert.equal(
    board.caption(picture.view, ctx).now.replaceAll("\u00a0", " "),
    "Turn 2. Ann's torpedo goes off at 7 | 5. Ben loses a shield.",
  );
});

test("subsim: sonar's rim is a staircase around the squares it went over", () => {
  const picture = position("Sonar");
  const drawn = board.board(picture.view, context(picture));
  const [sonar] = named(drawn, "sonar");
  assert.equal(sonar.props["data-reach"], 4);
  const outer = named(sonar, "rim").find(({ props }) => props["data-step"] === 4);
  // Around a diamond of radius 4: four sides of nine squares each.
  assert.equal(outer?.props.d.match(/[hv]/g).length, 36);
  assert.ok(texts(drawn).includes("contact, size 100"));
  assert.match(board.caption(picture.view, context(picture)).now, /Ann's sonar finds Ben/);
});

test("subsim: one finds neither islands nor one's own", () => {
  const { view, names } = position("The chart");
  const objects = [
    { square: [3, 9], size: 4294967295 },
    { square: [4, 4], size: 10 },
    { square: [5, 7], size: 100 },
    { square: [9, 9], size: 100 },
  ];
  const news = [...view.news.slice(0, -1), { ...view.news.at(-1), objects }];
  const own = { ...view, mines: [[4, 4]], news };
  const { contacts } = scene(own, context({ names, viewer: 0 }));
  assert.deepEqual(
    contacts.map(({ square }) => square),
    [[9, 9]],
  );
});

test("subsim: the rules' pictures are drawn and their words are whole", () => {
  for (const { title, words, picture } of about.rules) {
    assert.ok(
      words.every((each) => /[.?]$/.test(each)),
      title,
    );
    if (!picture) continue;
    for (const width of [328, 640]) {
      checkDrawing(board.board(picture.view, context(picture, { width })), { width, what: title });
    }
  }
});

test("subsim: by keys, arrows choose a way, digits a charge, Enter gives the order", () => {
  const hand = seated();
  assert.equal(texts(hand.main()).join(""), "Choose a direction");
  hand.press("ArrowUp", "2");
  assert.equal(texts(hand.main()).join(""), "Move north, charge torpedo");
  hand.press("Enter");
  assert.deepEqual(hand.acts, [{ orders: [{ sub: 0, command: { move: ["N", "torpedo"] } }] }]);
});

test("subsim: what cannot be is explained, and nothing is sent", () => {
  const hand = seated();
  hand.press("Enter");
  assert.match(hand.says(), /Choose a direction first\./);
  for (const [key, why] of [
    ["f", /The torpedo has no range yet/],
    ["d", /The mine needs 3 charges and has 0/],
    ["r", /The sprint has no range yet/],
  ]) {
    hand.press("Escape", key);
    assert.match(hand.says(), /** @type {RegExp} */ (why));
  }
  hand.press("Escape", "ArrowLeft");
  assert.equal(texts(hand.main()).join(""), "Choose a direction");
  assert.deepEqual(hand.acts, []);
});

test("subsim: a square is aimed at by keys; out of range and islands are told apart", () => {
  const hand = seated(
    {
      fire: [
        [5, 7],
        [5, 6],
        [6, 6],
      ],
    },
    { torpedo_charge: 3, torpedo_range: 2 },
  );
  hand.press("f", "ArrowUp", "ArrowUp", "Enter");
  assert.equal(texts(hand.main()).join("").replaceAll("\u00a0", " "), "Fire at 5 | 6");
  hand.press("ArrowUp", "ArrowUp", "Enter");
  assert.match(hand.says(), /out of range/);
  hand.draft = { kind: "fire", cursor: [4, 9] };
  hand.press("Enter");
  assert.match(hand.says(), /There is an island/);
  hand.draft = { kind: "fire", cursor: [6, 6] };
  hand.press("Enter", "Enter");
  assert.deepEqual(hand.acts, [{ orders: [{ sub: 0, command: { fire: [6, 6] } }] }]);
});

test("subsim: sleep, ping, mine, sprint and surface as the wire wants them", () => {
  const ready = { mine_ready: true, mine_charge: 3, sprint_charge: 9, sprint_range: 4 };
  for (const [keys, command] of /** @type {[string[], any][]} */ ([
    [["s", "1", "4"], { sleep: ["sonar", "sprint"] }],
    [["p"], "ping"],
    [["d", "ArrowRight"], { mine: "E" }],
    [["r", "ArrowUp"], { sprint: ["N", 4] }],
    [["r", "ArrowUp", "3"], { sprint: ["N", 3] }],
    [["u"], "surface"],
  ])) {
    const hand = seated({ sprint: [["N", 4]] }, ready);
    hand.press(...keys, "Enter");
    assert.deepEqual(hand.acts, [{ orders: [{ sub: 0, command }] }], keys.join(" "));
  }
});

test("subsim: every lit square on the chart is a button with a name, as many as there are choices", () => {
  const hand = seated({ sprint: [["N", 4]] }, { sprint_charge: 9, sprint_range: 4 });
  const lit = () => named(board.board(hand.view, hand.ctx()), "target");
  assert.deepEqual(
    lit().map(({ props }) => props["aria-label"]),
    ["Move north", "Move east"],
  );
  lit()[1].props.onclick();
  assert.equal(hand.draft.way, "E");
  hand.press("r");
  assert.equal(lit().length, 3);
  assert.ok(lit().every(({ props }) => props.role === "button" && props.tabindex === 0));
});

test("subsim: several boats get their orders one after the other", () => {
  const hand = seated();
  const [sub] = hand.view.subs;
  hand.view.subs = [sub, { ...sub, square: [8, 8] }];
  hand.view.kinds = [hand.view.kinds[0], hand.view.kinds[0]];
  hand.view.choices = [hand.view.choices[0], { ...hand.view.choices[0], sub: 1, move: ["S"] }];
  hand.press("ArrowUp", "1", "Enter", "p", "Enter");
  const [north, ping] = [{ move: ["N", "sonar"] }, "ping"];
  assert.deepEqual(hand.acts, [
    {
      orders: [
        { sub: 0, command: north },
        { sub: 1, command: ping },
      ],
    },
  ]);
});

test("subsim: a start is chosen by keys, never on an island, and set starts are kept", () => {
  const timeline = recorded("subsim", ["hunter", "hunter"], {
    set: [ISLANDS, "subsim.subs_per_player=2", "subsim.sub.1.start_location=[2,2]"],
  });
  const view = timeline.view(0, 0);
  /** @type {any[]} */
  const acts = [];
  /** @type {any} */
  let draft = { cursor: [4, 3] };
  const press = (/** @type {string} */ key) => {
    const turn = {
      legal: null,
      sent: false,
      draft,
      act: (/** @type {any} */ a) => acts.push(a),
      choose: (/** @type {any} */ d) => (draft = d),
    };
    board.key?.(key, view, timeline.context("subsim", 0, 0, { width: 928, turn }));
  };
  press("Enter");
  assert.match(draft.said, /There is an island/);
  press("ArrowLeft");
  press("Enter");
  press("Enter");
  assert.deepEqual(acts, [
    {
      place: [
        [3, 3],
        [2, 2],
      ],
    },
  ]);
});

test("subsim: the same sea is described once", () => {
  const timeline = new Timeline();
  const { view, names } = position("The chart");
  timeline.take(
    /** @type {any} */ ({ type: "update", seq: 0, seat: 0, view, names, to_move: [], moves: [] }),
  );
  const water = () => {
    const picture = board.board(view, timeline.context("subsim", 0, 0, { width: 928 }));
    return all(picture, ({ key, tag }) => key === "water" && tag === "g")[0];
  };
  assert.equal(water(), water());
});

test("subsim: torpedoes of two at one square are told as two", () => {
  const picture = position("The chart");
  const square = /** @type {[number, number]} */ ([7, 5]);
  const blast = { square, radius: 1, damage: [2, 1] };
  const shot = { sub: 0, from: square, target: square, path: [], went_off: true };
  const seen = (/** @type {any} */ view) => ({
    ...view,
    news: [{ ...view.news[0], detonations: [blast, blast], shots: [shot] }],
  });
  const both = [seen(picture.view), seen(picture.view)];
  const names = ["Ann", "Ben"];
  const ctx = context({ ...picture, names, viewer: "all", seatViews: both });
  const { now } = board.caption(both[0], ctx);
  assert.match(now, /Ann's torpedo goes off at 7\s\|\s5\. Ben's torpedo goes off at 7\s\|\s5\./);
});

test("subsim: who has no boat left is out", () => {
  const { view } = position("The chart");
  const [sub] = view.subs;
  const fleet = (/** @type {boolean[]} */ ...dead) => ({
    ...view,
    subs: dead.map((each) => ({ ...sub, dead: each })),
  });
  assert.equal(board.out?.(fleet(true, true), 0), true);
  assert.equal(board.out?.(fleet(true, false), 0), false);
  assert.equal(board.out?.({ ...view, subs: [] }, 0), false, "before the first turn");
});

test("subsim: the best stand first and the sunk last, in every list of many", () => {
  const timeline = recorded("subsim", Array(16).fill("hunter"));
  const place = Math.floor(timeline.last * 0.8);
  const view = timeline.view(place, "all");
  const ctx = timeline.context("subsim", place, "all", { width: 928 });
  const places = ranking(view, ctx);
  assert.ok(places.some(({ sunk }) => sunk) && places.some(({ sunk }) => !sunk), "some are sunk");
  for (const [at, one] of places.slice(1).entries()) {
    const before = places[at];
    assert.ok(Number(before.sunk) <= Number(one.sunk), "the sunk come last");
    if (before.sunk === one.sunk) assert.ok(Number(before.score) >= Number(one.score));
  }
  const names = places.map(({ name }) => name);
  const listed = texts(board.side(view, ctx)[0]).filter((each) => names.includes(each));
  assert.deepEqual(listed, names);
  const drawn = texts(board.board(view, ctx)).filter((each) => names.includes(each));
  assert.deepEqual(drawn, names);
});

test("subsim: a wreck is described once", () => {
  const timeline = recorded("subsim", Array(16).fill("hunter"));
  const boats = (/** @type {number} */ place) =>
    all(
      board.board(
        timeline.view(place, "all"),
        timeline.context("subsim", place, "all", { width: 928 }),
      ),
      (node) => node.props.class === "boat",
    );
  const last = new Set(boats(timeline.last - 1));
  assert.ok(boats(timeline.last - 2).filter((each) => last.has(each)).length > 3);
});
