// Where everything is on the stage, for a width and a size of the labyrinth. Units are CSS pixels; the
// stage is scaled up only.

/** @import { Layout } from "./types.d.ts" */

/** @typedef {{ rows: number, columns: number, questHeight: (wide: boolean) => number }} What */

const [WIDE, WIDEST, LEAST] = [700, 960, 320];
/** A stage wider than high by this much leaves room below for the caption. */
const SHARE = 1.42;

/** @param {number} width @param {What} what @param {number | null} [height] At most, where that is known. */
export function layout(width, what, height = null) {
  const wide = width >= WIDE;
  const usual = wide ? beside(Math.min(width, WIDEST), what) : below(Math.max(width, LEAST), what);
  // A little too high is drawn a little smaller; far too high is laid out anew.
  const scaled = wide ? width / usual.width : 1;
  return height && usual.height * scaled > height * 1.2 ? low(width, height, what) : usual;
}

/** Where there is little height: the labyrinth, and beside it small panels. @param {number} width @param {number} height @param {What} what @returns {Layout} */
function low(width, height, { rows, columns }) {
  const [margin, rim, gap] = [28, 4, 8];
  const edge = margin + rim;
  const least = 112;
  const size = Math.min((width - gap - least - 2 * edge) / columns, (height - 2 * edge) / rows);
  const maze = { x: edge, y: edge, width: columns * size, height: rows * size };
  const table = {
    ...{ x: 0.5, y: 0.5 },
    ...{ width: maze.width + 2 * edge - 1, height: maze.height + 2 * edge - 1 },
  };
  const x = table.width + 1 + gap;
  const column = { x, width: Math.min(254, width - x - 0.5) };
  return {
    wide: false,
    width,
    height: Math.max(table.height + 1, 2 * 132 + gap),
    table,
    maze,
    size,
    margin,
    rim,
    spare: { ...column, y: 0.5, height: 132 },
    quest: { ...column, y: 132 + gap, height: 132 },
    key: null,
  };
}

/** @param {number} width @param {What} what @returns {Layout} */
function beside(width, { rows, columns, questHeight }) {
  const [margin, rim, gutter, least] = [40, 7, 20, 224];
  const edge = margin + rim;
  const most = width - gutter - least - 2 * edge;
  const size = Math.min(most / columns, (width / SHARE - 2 * edge) / rows, 132);
  const maze = { x: edge, y: edge, width: columns * size, height: rows * size };
  const table = {
    x: 0.5,
    y: 0.5,
    width: maze.width + 2 * edge - 1,
    height: maze.height + 2 * edge - 1,
  };
  const x = table.width + 1 + gutter;
  const column = { x, width: Math.min(300, width - x - 0.5) };
  const wanted = questHeight(true);
  // What is left over makes the spare larger, and then says what the signs mean.
  const left = table.height - 212 - wanted - 16;
  const spare = { ...column, y: 0.5, height: 212 + Math.max(0, Math.min(36, left - 116)) };
  const quest = { ...column, y: spare.height + 16.5, height: wanted };
  const bottom = quest.y + wanted;
  return {
    wide: true,
    width,
    height: Math.max(table.height + 1, bottom + 0.5),
    table,
    maze,
    size,
    margin,
    rim,
    spare,
    quest,
    key: left >= 116 ? { ...column, y: bottom + 16, height: 100 } : null,
  };
}

/** @param {number} width @param {What} what @returns {Layout} */
function below(width, { rows, columns, questHeight }) {
  const [margin, rim, gap] = [28, 4, 8];
  const edge = margin + rim;
  const size = Math.min((width - 2 * edge) / columns, 90);
  const maze = {
    x: (width - columns * size) / 2,
    y: edge,
    width: columns * size,
    height: rows * size,
  };
  const table = { x: 0.5, y: 0.5, width: width - 1, height: maze.height + 2 * edge - 1 };
  const y = table.height + 1 + gap;
  const height = Math.max(132, questHeight(false));
  const left = Math.min(112, width * 0.3);
  return {
    wide: false,
    width,
    height: y + height + 0.5,
    table,
    maze,
    size,
    margin,
    rim,
    spare: { x: 0.5, y, width: left, height },
    quest: { x: left + gap, y, width: width - left - gap - 0.5, height },
    key: null,
  };
}
