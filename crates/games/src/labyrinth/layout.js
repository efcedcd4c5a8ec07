// Where everything is on the stage, for a width and a size of the labyrinth. Units are CSS pixels; the
// stage is scaled up only.

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {object} Layout
 * @property {boolean} wide Panels stand beside the labyrinth, not below.
 * @property {number} width
 * @property {number} height
 * @property {Box} table What the labyrinth lies on, with room for arrows.
 * @property {Box} maze
 * @property {number} tile From one tile to the next.
 * @property {number} margin Room for arrows and numbers.
 * @property {Box} spare
 * @property {Box} quest
 * @property {Box | null} key Where there is room to say what the signs mean.
 */

const WIDE = 700;
const WIDEST = 960;
/** A stage wider than high by this much leaves room below for the caption. */
const SHARE = 1.42;

/**
 * @param {number} width
 * @param {{ rows: number, columns: number, questHeight: (wide: boolean) => number }} what
 * @returns {Layout}
 */
export function layout(width, what) {
  return width >= WIDE ? beside(Math.min(width, WIDEST), what) : below(Math.max(width, 344), what);
}

/** @param {number} width @param {{ rows: number, columns: number, questHeight: (wide: boolean) => number }} what @returns {Layout} */
function beside(width, { rows, columns, questHeight }) {
  const [margin, rim, gutter, least] = [36, 7, 20, 224];
  const edge = 2 * (margin + rim);
  const tile = Math.min(
    (width - gutter - least - edge) / columns,
    (width / SHARE - edge) / rows,
    132,
  );
  const table = {
    x: 0.5,
    y: 0.5,
    width: columns * tile + edge - 1,
    height: rows * tile + edge - 1,
  };
  const x = table.width + 1 + gutter;
  const column = { x, width: Math.min(300, width - x - 0.5) };
  const spare = { ...column, y: 0.5, height: 212 };
  const quest = { ...column, y: spare.height + 16.5, height: questHeight(true) };
  const keyAt = quest.y + quest.height + 16;
  const height = Math.max(table.height + 1, keyAt - 15);
  const key = height - keyAt >= 84 ? { ...column, y: keyAt, height: 112 } : null;
  return {
    wide: true,
    width: Math.max(x + column.width + 0.5, width),
    height: key ? Math.max(height, keyAt + 92) : height,
    table,
    maze: inside(table, margin + rim, rows, columns, tile),
    tile,
    margin,
    spare,
    quest,
    key,
  };
}

/** @param {number} width @param {{ rows: number, columns: number, questHeight: (wide: boolean) => number }} what @returns {Layout} */
function below(width, { rows, columns, questHeight }) {
  const [margin, rim, gap] = [23, 4, 8];
  const edge = 2 * (margin + rim);
  const tile = Math.min((width - edge) / columns, 90);
  const table = { x: 0.5, y: 0.5, width: width - 1, height: rows * tile + edge - 1 };
  const y = table.height + 1 + gap;
  const height = Math.max(132, questHeight(false));
  const left = Math.min(120, width / 3);
  return {
    wide: false,
    width,
    height: y + height + 0.5,
    table,
    maze: inside(table, margin + rim, rows, columns, tile),
    tile,
    margin,
    spare: { x: 0.5, y, width: left, height },
    quest: { x: left + gap, y, width: width - left - gap - 0.5, height },
    key: null,
  };
}

/** @param {Box} table @param {number} edge @param {number} rows @param {number} columns @param {number} tile @returns {Box} */
function inside(table, edge, rows, columns, tile) {
  const width = columns * tile;
  return {
    x: table.x + (table.width - width) / 2,
    y: table.y - 0.5 + edge,
    width,
    height: rows * tile,
  };
}
