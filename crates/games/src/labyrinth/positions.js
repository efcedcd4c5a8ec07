// Small positions for the rules page, in the form of the server's views.

/** @import { View } from "./types.d.ts" */

const GEMS =
  "ruby emerald citrine amethyst diamond peridot zircon garnet moonstone sunstone aquamarine".split(
    " ",
  );

/** No two tiles have the same pair. @param {number} n */
const pair = (n) => [GEMS[n % 11], GEMS[(n + 1 + Math.floor(n / 11)) % 11]];

/** @param {number[]} cell */
const at = ([row, column]) => ({ "column#": column, "row#": row });

const HOMES = [
  [1, 1],
  [3, 3],
];

/**
 * A labyrinth of five by five with Ann and Ben in it. Ann's treasure is at row 1, column 3.
 * @param {object} what
 * @param {string[]} what.rows
 * @param {string} what.spare
 * @param {number[][]} what.stand Where everybody stands.
 * @param {number} what.toMove
 * @param {number[][]} [what.way] What was walked in the last turn, after row 2 was slid to the right.
 * @param {boolean} [what.found] Whether Ann has her treasure.
 * @param {boolean} [what.over] Whether she is home with it.
 * @param {boolean} [what.open] Whether the view is Ann's own.
 * @returns {View}
 */
function position({ rows, spare, stand, toMove, way, found = false, over = false, open = false }) {
  // The slide has pushed the spare's pair in, and the last one of row 2 out.
  const number = (/** @type {number} */ row, /** @type {number} */ column) =>
    way && row === 2 ? [25, 10, 11, 12, 13][column] : 5 * row + column;
  const [one, two] = pair(way ? 14 : 25);
  const played = way && [2, "RIGHT", 0, at(/** @type {number[]} */ (way.at(-1)))];
  const quests = [
    { treasure: pair(8), place: at([1, 3]), homeward: found, found: found ? 1 : 0 },
    { treasure: pair(16), place: at([3, 1]), homeward: false, found: 0 },
  ];
  return {
    viewer: open ? { seat: 0 } : "public",
    phase: over ? "over" : "playing",
    maze: {
      board: {
        connectors: rows.map((row) => [...row]),
        treasures: rows.map((row, r) => [...row].map((_, c) => pair(number(r, c)))),
      },
      spare: { tilekey: spare, "1-image": one, "2-image": two },
      last: played ? [2, "RIGHT"] : null,
    },
    order: toMove === 0 ? [0, 1] : [1, 0],
    seats: HOMES.map((home, seat) => ({
      color: ["red", "blue"][seat],
      home: at(home),
      position: at(stand[seat]),
      quest: over || (open && seat === 0) ? quests[seat] : null,
    })),
    leaving: [],
    round: 1,
    turns: played ? 1 : 0,
    news: {
      mover: played ? 0 : null,
      deed: played ? { played } : null,
      way: (way ?? []).map(at),
      dropped: [],
      next_target: null,
    },
    ending: over ? { home: 0 } : null,
    winners: over ? [0] : [],
  };
}

const SLID = ["┌─┬─┐", "│┌┘┌┤", "└┼─┘│", "┌┘┌┬┘", "└─┴─┘"];

/** Ann looks at the labyrinth before her first turn. */
export const START = position({
  rows: ["┌─┬─┐", "│┌┘┌┤", "┼─┘│┌", "┌┘┌┬┘", "└─┴─┘"],
  spare: "└",
  stand: HOMES,
  toMove: 0,
  open: true,
});

/** She has slid row 2 and walked to her treasure. */
export const WALKED = position({
  rows: SLID,
  spare: "┌",
  stand: [[1, 3], HOMES[1]],
  toMove: 1,
  way: [
    [1, 1],
    [2, 1],
    [2, 2],
    [2, 3],
    [1, 3],
  ],
});

/** She is home again. */
export const HOME = position({
  rows: SLID,
  spare: "┌",
  stand: [HOMES[0], [2, 1]],
  toMove: 1,
  found: true,
  over: true,
  way: [
    [1, 3],
    [2, 3],
    [2, 2],
    [2, 1],
    [1, 1],
  ],
});
