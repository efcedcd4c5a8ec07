// The labyrinth as a view tells it, and as it will look once a drafted slide is made: pushing tiles along
// is drawing. What is legal, the server says.

import { opens, turned } from "./tiles.js";

/** @import { Cell, Direction, Maze, Place, Slide, View } from "./types.d.ts" */

/** Rows and columns that a tile moves by, in the order of a tile's ends. @type {Record<Direction, [number, number]>} */
export const STEPS = { UP: [-1, 0], RIGHT: [0, 1], DOWN: [1, 0], LEFT: [0, -1] };

/** How far an arrow that points to the right is turned. @type {Record<Direction, number>} */
export const ANGLES = { RIGHT: 0, DOWN: 90, LEFT: 180, UP: 270 };

/** @param {Place} place @returns {Cell} */
export function cell(place) {
  return { row: place["row#"], column: place["column#"] };
}

/** @param {Cell} at @returns {Place} */
export function place(at) {
  return { "column#": at.column, "row#": at.row };
}

/** A cell as a key. @param {Cell} at */
export function nameOf(at) {
  return `${at.row}, ${at.column}`;
}

/** @param {Cell | null} one @param {Cell | null} two */
export function same(one, two) {
  return one !== null && two !== null && nameOf(one) === nameOf(two);
}

/** @param {View} view @returns {Maze} */
export function mazeOf({ maze: { board, spare, last } }) {
  return {
    tiles: board.connectors.map((/** @type {string[]} */ row, /** @type {number} */ r) =>
      row.map((connector, c) => ({ connector, pair: board.treasures[r][c] })),
    ),
    spare: { connector: spare.tilekey, pair: [spare["1-image"], spare["2-image"]] },
    last,
  };
}

/** Every cell, row by row. @param {Maze} maze @returns {Cell[]} */
export function cells({ tiles }) {
  return tiles.flatMap((row, r) => row.map((_, c) => ({ row: r, column: c })));
}

/** @param {Slide} slide */
export function isRow([, direction]) {
  return direction === "LEFT" || direction === "RIGHT";
}

/** Whether one slide would undo the other. @param {Slide | null} last @param {Slide} slide */
export function undoes(last, slide) {
  if (!last || last[0] !== slide[0] || last[1] === slide[1]) return false;
  return isRow(last) === isRow(slide);
}

/** Every slide there is: lines with an even number, both ways. @param {Maze} maze @returns {Slide[]} */
export function slides({ tiles }) {
  /** @type {Slide[]} */
  const all = [];
  for (let row = 0; row < tiles.length; row += 2) all.push([row, "LEFT"], [row, "RIGHT"]);
  for (let column = 0; column < tiles[0].length; column += 2)
    all.push([column, "UP"], [column, "DOWN"]);
  return all;
}

/** Where the spare comes in, and what is pushed out. @param {Maze} maze @param {Slide} slide */
export function endsOf({ tiles }, slide) {
  const [index, direction] = slide;
  const low = isRow(slide) ? { row: index, column: 0 } : { row: 0, column: index };
  const high = isRow(slide)
    ? { row: index, column: tiles[0].length - 1 }
    : { row: tiles.length - 1, column: index };
  return direction === "RIGHT" || direction === "DOWN"
    ? { hole: low, out: high }
    : { hole: high, out: low };
}

/** One step on, or back. @param {Cell} at @param {Direction} direction @param {number} [times] @returns {Cell} */
export function stepped(at, direction, times = 1) {
  const [rows, columns] = STEPS[direction];
  return { row: at.row + rows * times, column: at.column + columns * times };
}

/** Where a slide carries whoever stands there. @param {Maze} maze @param {Slide} slide @param {Cell} at @returns {Cell} */
export function carried(maze, slide, at) {
  if ((isRow(slide) ? at.row : at.column) !== slide[0]) return at;
  const { hole, out } = endsOf(maze, slide);
  return same(at, out) ? hole : stepped(at, slide[1]);
}

/** The labyrinth after a slide with the spare turned first. @param {Maze} maze @param {Slide} slide @param {number} degree @returns {Maze} */
export function slid(maze, slide, degree) {
  const { hole, out } = endsOf(maze, slide);
  const tiles = maze.tiles.map((row) => row.slice());
  for (const at of cells(maze)) {
    const to = carried(maze, slide, at);
    tiles[to.row][to.column] = maze.tiles[at.row][at.column];
  }
  tiles[hole.row][hole.column] = { ...maze.spare, connector: turned(maze.spare.connector, degree) };
  return { tiles, spare: maze.tiles[out.row][out.column], last: slide };
}

/** Along the corridors from a cell: for every cell that they lead to, the one before it on a shortest way. @param {Maze} maze @param {Cell} from */
function spread({ tiles }, from) {
  const before = new Map([[nameOf(from), from]]);
  const queue = [from];
  for (const at of queue) {
    Object.keys(STEPS).forEach((side, index) => {
      const to = stepped(at, /** @type {Direction} */ (side));
      const next = tiles[to.row]?.[to.column];
      if (!next || before.has(nameOf(to))) return;
      if (!opens(tiles[at.row][at.column].connector, index)) return;
      if (!opens(next.connector, (index + 2) % 4)) return;
      before.set(nameOf(to), at);
      queue.push(to);
    });
  }
  return before;
}

/** The cells that corridors connect with this one, without it. @param {Maze} maze @param {Cell} from */
export function connected(maze, from) {
  const found = new Set(spread(maze, from).keys());
  found.delete(nameOf(from));
  return found;
}

/** A shortest way along the corridors; empty if there is none. @param {Maze} maze @param {Cell} from @param {Cell} to @returns {Cell[]} */
export function wayTo(maze, from, to) {
  const before = spread(maze, from);
  if (!before.has(nameOf(to))) return [];
  const way = [to];
  while (!same(way[0], from)) way.unshift(/** @type {Cell} */ (before.get(nameOf(way[0]))));
  return way;
}
