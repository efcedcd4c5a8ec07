// The labyrinth as a view tells it, and as it will look once a drafted slide is made: pushing tiles along
// is drawing. What is legal, the server says.

import { opens, turned } from "./tiles.js";

/**
 * @typedef {{ row: number, column: number }} Cell
 * @typedef {{ "row#": number, "column#": number }} Place A cell as the wire writes it.
 * @typedef {[number, "LEFT" | "RIGHT" | "UP" | "DOWN"]} Slide
 * @typedef {{ connector: string, pair: string[] }} Tile
 * @typedef {{ tiles: Tile[][], spare: Tile, last: Slide | null }} Maze
 * @typedef {import("../../../../web/types.d.ts").View} View
 */

/** @type {Record<string, [number, number]>} Rows and columns that a tile moves by. */
export const STEPS = { UP: [-1, 0], RIGHT: [0, 1], DOWN: [1, 0], LEFT: [0, -1] };

/** @type {Record<string, "LEFT" | "RIGHT" | "UP" | "DOWN">} */
const OPPOSITE = { LEFT: "RIGHT", RIGHT: "LEFT", UP: "DOWN", DOWN: "UP" };

/** @param {Place} place @returns {Cell} */
export function cell(place) {
  return { row: place["row#"], column: place["column#"] };
}

/** @param {Cell} at @returns {Place} */
export function place(at) {
  return { "column#": at.column, "row#": at.row };
}

/** @param {Cell | null} one @param {Cell | null} two */
export function same(one, two) {
  return one !== null && two !== null && one.row === two.row && one.column === two.column;
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

/** @param {Slide} slide */
export function isRow([, direction]) {
  return direction === "LEFT" || direction === "RIGHT";
}

/** The slide that would undo this one. @param {Slide | null} slide @returns {Slide | null} */
export function undoing(slide) {
  return slide && [slide[0], OPPOSITE[slide[1]]];
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

/** Where the spare comes in, and what is pushed out. @param {Maze} maze @param {Slide} slide @returns {{ hole: Cell, out: Cell }} */
export function endsOf({ tiles }, [index, direction]) {
  const low = isRow([index, direction]) ? { row: index, column: 0 } : { row: 0, column: index };
  const high = isRow([index, direction])
    ? { row: index, column: tiles[0].length - 1 }
    : { row: tiles.length - 1, column: index };
  return direction === "RIGHT" || direction === "DOWN"
    ? { hole: low, out: high }
    : { hole: high, out: low };
}

/** Where a slide carries whoever stands there. @param {Maze} maze @param {Slide} slide @param {Cell} at @returns {Cell} */
export function carried(maze, slide, at) {
  if ((isRow(slide) ? at.row : at.column) !== slide[0]) return at;
  const { hole, out } = endsOf(maze, slide);
  const [rows, columns] = STEPS[slide[1]];
  return same(at, out) ? hole : { row: at.row + rows, column: at.column + columns };
}

/** The labyrinth after a slide with the spare turned first. @param {Maze} maze @param {Slide} slide @param {number} degree @returns {Maze} */
export function slid(maze, slide, degree) {
  const { hole, out } = endsOf(maze, slide);
  const tiles = maze.tiles.map((row) => row.slice());
  maze.tiles.forEach((row, r) =>
    row.forEach((tile, c) => {
      const to = carried(maze, slide, { row: r, column: c });
      tiles[to.row][to.column] = tile;
    }),
  );
  tiles[hole.row][hole.column] = { ...maze.spare, connector: turned(maze.spare.connector, degree) };
  return { tiles, spare: maze.tiles[out.row][out.column], last: slide };
}

/**
 * Along the corridors from a cell: for every cell that is connected with it, the one before on a
 * shortest way.
 * @param {Maze} maze
 * @param {Cell} from
 * @returns {Map<string, Cell>}
 */
function spread({ tiles }, from) {
  const sides = ["UP", "RIGHT", "DOWN", "LEFT"];
  const before = new Map([[nameOf(from), from]]);
  const queue = [from];
  for (const at of queue) {
    sides.forEach((side, index) => {
      const to = { row: at.row + STEPS[side][0], column: at.column + STEPS[side][1] };
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

/** The cells that corridors connect with this one, without it. @param {Maze} maze @param {Cell} from @returns {Set<string>} */
export function connected(maze, from) {
  const cells = new Set(spread(maze, from).keys());
  cells.delete(nameOf(from));
  return cells;
}

/** A shortest way along the corridors; empty if there is none. @param {Maze} maze @param {Cell} from @param {Cell} to @returns {Cell[]} */
export function wayTo(maze, from, to) {
  const before = spread(maze, from);
  if (!before.has(nameOf(to))) return [];
  const way = [to];
  while (!same(way[0], from)) way.unshift(/** @type {Cell} */ (before.get(nameOf(way[0]))));
  return way;
}

/** A cell as a key. @param {Cell} at */
export function nameOf(at) {
  return `${at.row},${at.column}`;
}
