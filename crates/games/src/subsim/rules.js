// The rules in words, with positions that the board draws.

/** @import { Report, Square, View } from "./types.d.ts" */

const KIND = {
  ...{ size: 100, start: null, surface_turn_count: 3, max_shields: 3, max_reactor_damage: 9 },
  ...{ max_sonar_charge: 100, max_torpedo_charge: 100, max_mine_charge: 3, max_sprint_charge: 9 },
  ...{ torpedo_count: null, mine_count: null },
};

const SUB = {
  ...{ square: /** @type {Square} */ ([1, 1]), shields: 3, surface_remain: 0, reactor_damage: 0 },
  ...{ sonar_charge: 0, torpedo_charge: 0, mine_charge: 0, sprint_charge: 0, dead: false },
  ...{ sonar_range: 0, torpedo_range: 0, sprint_range: 0, mine_ready: false },
  ...{ torpedoes: null, mines: null },
};

/** @type {Report} */
const QUIET = {
  ...{ turn: 1, detonations: [], detected: [], heard: [], objects: [], pings: [], shots: [] },
  ...{ torpedo_hits: [], mine_hits: [], subs: [], score: 0 },
};

/** A seat's view: where its boat was turn by turn, how it is now, and what was told of the last turn. @param {Square[]} way @param {object} [now] @param {Partial<Report>} [told] @param {Partial<View>} [more] @returns {View} */
function seen(way, now = {}, told = {}, more = {}) {
  const news = way.map((square, at) => {
    const last = at === way.length - 1;
    const subs = [{ ...SUB, square, ...(last ? now : {}) }];
    return { ...QUIET, turn: at + 1, subs, ...(last ? told : {}) };
  });
  return {
    chart: {
      map_size: [12, 12],
      obstacles: squares("3,9 4,9 4,10 9,3 10,3"),
      max_turns: 1000,
    },
    kinds: [KIND],
    phase: "playing",
    executed: way.length,
    subs: way.length ? [{ ...SUB, square: way[way.length - 1], ...now }] : [],
    choices: [],
    mines: [],
    score: 0,
    news,
    end: null,
    ...more,
  };
}

/** The public's part of it. @param {View} view @returns {View} */
function fog(view) {
  const news = view.news.map(({ turn, detonations }) => ({ ...QUIET, turn, detonations }));
  return { ...view, subs: [], mines: [], news };
}

/** @param {string} alt @param {View[]} seatViews */
function picture(alt, ...seatViews) {
  const alone = seatViews.length === 1;
  return {
    ...{ alt, names: ["Ann", "Ben"] },
    ...(alone
      ? { view: seatViews[0], viewer: 0 }
      : { view: fog(seatViews[0]), viewer: "all", seatViews }),
  };
}

/** "2,5 3,5" as squares. @param {string} text @returns {Square[]} */
function squares(text) {
  return /** @type {Square[]} */ (text.split(" ").map((square) => square.split(",").map(Number)));
}

/** The squares within a distance, where nothing is in the way. @param {Square} middle @param {number} far @returns {Square[]} */
function around([x, y], far) {
  const all = Array.from(
    { length: 144 },
    (_, at) => /** @type {Square} */ ([(at % 12) + 1, Math.floor(at / 12) + 1]),
  );
  return all.filter(
    ([cx, cy]) => Math.abs(cx - x) + Math.abs(cy - y) <= far && (cx !== x || cy !== y),
  );
}

const WAY = squares("2,5 3,5 4,5 4,6 4,7 5,7");
const RUN = squares("5,7 6,7 7,7 7,6 7,5");
const BANG = [{ square: /** @type {Square} */ ([7, 5]), radius: 1, damage: [2, 1] }];
const REACTOR = [{ square: /** @type {Square} */ ([5, 7]), radius: 2, damage: [null, 2, 1] }];
/** @type {Square} */
const BEN = [8, 6];

/** @type {import("../../../../web/types.d.ts").About["rules"]} */
export const rules = /** @type {any} */ ([
  {
    title: "The chart",
    words: [
      "Every player has a submarine on a chart of squares, usually 20 by 20, or several of them. You choose where yours starts. You see your own boats and mines and hear every detonation. Everything else you have to find out.",
      "Squares are named by column and row: 13 | 7. Islands stop boats, torpedoes and mines. Boats may share a square.",
    ],
    picture: picture(
      "Ann's boat and the way it came.",
      seen(WAY, { sonar_charge: 3, sonar_range: 4, torpedo_charge: 2, torpedo_range: 1 }),
    ),
  },
  {
    title: "A turn",
    words: [
      "All players give each of their boats one order, unseen by the others. Then all orders are carried out together, kind by kind: sleep, move, sprint, mine, fire. Then damaged reactors explode, surfaced boats are repaired, and sonar looks last.",
      "Orders: move one square and charge one piece of equipment. Sleep, which charges two. Ping. Fire. Lay a mine. Sprint. Surface.",
    ],
  },
  {
    title: "Charging",
    words: [
      "Equipment works with what was charged before, and using it empties it. With charge c, sonar reaches c + 1 squares and a torpedo c − 1. A mine is ready when it is full, usually at 3. A sprint goes 2 squares at charge 3, 3 at 6 and 4 at 9.",
      "Charging what is full, or nothing at all, damages the reactor by 1. That never heals. At 9 the reactor explodes.",
    ],
  },
  {
    title: "Sonar",
    words: [
      "A ping reports every square within its range that holds something, and how big it is: 100 for a usual boat, 10 for a mine. Two on one square are added up. The owner of a boat that is found learns how far away you are.",
      "Distances go north, east, south and west, by water. They lead around obstacles, mines and boats, not through them.",
    ],
    picture: picture(
      "Ann pings with range 4 and finds Ben.",
      seen(
        [[7, 8]],
        {},
        {
          pings: [{ sub: 0, from: [7, 8], range: 4, squares: around([7, 8], 4) }],
          objects: [{ square: [9, 6], size: 100 }],
        },
      ),
      seen([[9, 6]], {}, { detected: [{ sub: 0, distance: 4 }] }),
    ),
  },
  {
    title: "Torpedoes",
    words: [
      "Fire at a square within range, counted like sonar. The torpedo goes off there: 2 damage to every boat on that square and 1 on the eight around it, your own included. If the square is too far or the way is blocked, it is a dud.",
      "Damage takes shields, usually 3. A boat that is hit for more than it has left is sunk.",
    ],
    picture: picture(
      "Ann's torpedo goes off beside Ben, who loses a shield.",
      seen(
        squares("5,7 5,7"),
        {},
        {
          detonations: BANG,
          shots: [{ sub: 0, from: [5, 7], target: [7, 5], path: RUN, went_off: true }],
          torpedo_hits: [{ square: [7, 5], damage: 1 }],
          score: 1,
        },
      ),
      seen([[9, 6], BEN], { shields: 2 }, { detonations: BANG }),
    ),
  },
  {
    title: "Mines",
    words: [
      "A mine goes on a square beside the boat and lies there until any boat enters. It does the same damage as a torpedo. Mines next to a detonation go off too. Laid on a square where something is, a mine goes off at once.",
    ],
    picture: picture(
      "Ann has laid two mines.",
      seen(
        WAY,
        { mine_charge: 2 },
        {},
        {
          mines: squares("4,4 6,7"),
        },
      ),
    ),
  },
  {
    title: "Sprinting and surfacing",
    words: [
      "A sprint takes a boat several squares straight on. Boats within 4 squares of its start or its end hear it. If the damage of the reactor and the squares together reach 9, the reactor explodes.",
      "A boat that surfaces takes no orders for a while, usually 3 turns, and then has one shield more. Sonar does not find it meanwhile, but it can be hit.",
    ],
  },
  {
    title: "Reactors",
    words: [
      "An exploding reactor destroys everything on its square. Boats next to it take 2 damage and those two squares away take 1. No one gets points for it.",
    ],
    picture: picture(
      "Ann's reactor explodes at 5 | 7.",
      seen(
        squares("5,6 5,7"),
        { dead: true, shields: 0, reactor_damage: 9 },
        { detonations: REACTOR },
      ),
      seen(squares("8,7 7,7"), { shields: 2 }, { detonations: REACTOR }),
    ),
  },
  {
    title: "The end",
    words: [
      "The game is over when at most one player has boats left, or after the last turn, usually 1000. Damage done to others counts one point each, and the last one afloat gets one more. A player who leaves, or whose time runs out, has none. The player with the most points wins.",
    ],
  },
]);
