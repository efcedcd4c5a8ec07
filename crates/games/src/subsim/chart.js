// The sea chart without anybody on it: water, shoals, islands, squares and their numbers.

import { h } from "../../../../web/dom.js";
import { compass, round } from "./art.js";

/** @import { Grid, Square, VNode } from "./types.d.ts" */

/** @param {number} columns @param {number} rows @param {number} width @returns {Grid} */
export function grid(columns, rows, width) {
  const cell = Math.floor((100 * width) / Math.max(columns, rows)) / 100;
  return {
    columns,
    rows,
    cell,
    width: round(cell * columns),
    height: round(cell * rows),
    middle: ([x, y]) => [round((x - 0.5) * cell), round((y - 0.5) * cell)],
  };
}

/** The last sea that was drawn: it is the same turn after turn. @type {{ key: string, sea: { water: VNode, land: VNode } } | null} */
let kept = null;

/** The water, and the land above whatever is in the water. @param {Grid} grid @param {Square[]} obstacles */
export function sea(grid, obstacles) {
  const key = `${grid.columns} ${grid.rows} ${grid.cell} ${obstacles.join(" ")}`;
  if (kept?.key !== key) kept = { key, sea: draw(grid, obstacles) };
  return kept.sea;
}

/** @param {Grid} grid @param {Square[]} obstacles */
function draw({ columns, rows, cell, width, height, middle }, obstacles) {
  const blocked = new Set(obstacles.map(String));
  const land = coast(obstacles, blocked, cell);
  const shoal = (/** @type {number} */ at) =>
    h("path", {
      d: land,
      fill: "none",
      stroke: `var(--shoal-${at})`,
      "stroke-width": round(cell * [2.07, 1.29, 0.57][at]),
      "stroke-linejoin": "round",
    });
  const near = (/** @type {Square} */ [x, y], /** @type {number} */ reach) =>
    obstacles.some(([ox, oy]) => Math.abs(ox - x) <= reach && Math.abs(oy - y) <= reach);
  const waves = [];
  for (let y = 1; cell >= 14 && y <= rows; y += 1) {
    for (let x = 1; x <= columns; x += 1) {
      if (scatter(x, y) % 29 === 0 && !near([x, y], 1)) {
        const [mx, my] = middle([x, y]);
        waves.push(`M${mx - 8} ${my}q4-5 8 0t8 0`);
      }
    }
  }
  // The compass stands in a corner without land.
  const room = Math.ceil(80 / cell);
  const corner = [
    [columns, rows],
    [1, rows],
    [columns, 1],
    [1, 1],
  ].find(([x, y]) => !near([x, y], room));
  const lines = cell >= 7 ? 1 : 5;
  return {
    water: h(
      "g",
      { key: "water", "aria-hidden": "true" },
      h("rect", { width, height, fill: "var(--sea)" }),
      [0, 1, 2].map(shoal),
      h("path", { d: ruled(columns, rows, cell, lines), stroke: "var(--grid)", "stroke-width": 1 }),
      h("path", { d: waves.join(""), fill: "none", stroke: "var(--wave)", "stroke-width": 1.3 }),
      cell >= 14 && corner
        ? h(
            "g",
            {
              transform: `translate(${corner[0] > 1 ? width - 38 : 38} ${corner[1] > 1 ? height - 38 : 50})`,
              opacity: 0.75,
            },
            compass,
          )
        : null,
    ),
    land: h(
      "g",
      { key: "land", "aria-hidden": "true" },
      h("path", {
        d: land,
        stroke: "var(--coast)",
        "stroke-width": 2.8,
        "stroke-linejoin": "round",
      }),
      h("path", { d: land, fill: "var(--land)" }),
      cell >= 14 ? obstacles.map((square) => relief(square, middle(square), cell / 28)) : null,
    ),
  };
}

/** @param {number} columns @param {number} rows @param {number} cell @param {number} every */
function ruled(columns, rows, cell, every) {
  let d = "";
  for (let x = every; x < columns; x += every) d += `M${round(x * cell)} 0v${round(rows * cell)}`;
  for (let y = every; y < rows; y += every) d += `M0 ${round(y * cell)}h${round(columns * cell)}`;
  return d;
}

/** Rounded squares, joined to their neighbours. @param {Square[]} obstacles @param {Set<string>} blocked @param {number} cell */
function coast(obstacles, blocked, cell) {
  const inset = cell * 0.05;
  const side = cell - 2 * inset;
  const r = cell * 0.3;
  let d = "";
  for (const [x, y] of obstacles) {
    const left = (x - 1) * cell + inset;
    const top = (y - 1) * cell + inset;
    d += box(left, top, side, side, r);
    const [east, south] = [blocked.has(`${x + 1},${y}`), blocked.has(`${x},${y + 1}`)];
    if (east) d += box(left + r, top, cell, side, 0);
    if (south) d += box(left, top + r, side, cell, 0);
    if (east && south && blocked.has(`${x + 1},${y + 1}`))
      d += box(left + r, top + r, cell, cell, 0);
  }
  return d;
}

/** @param {number} x @param {number} y @param {number} w @param {number} h @param {number} r */
function box(x, y, w, h, r) {
  const [a, b, c] = [round(w - 2 * r), round(h - 2 * r), round(r)];
  const bend = (/** @type {string} */ to) => (c ? `a${c} ${c} 0 0 1 ${to}` : "");
  return (
    `M${round(x + r)} ${round(y)}h${a}${bend(`${c} ${c}`)}v${b}${bend(`${-c} ${c}`)}` +
    `h${-a}${bend(`${-c} ${-c}`)}v${-b}${bend(`${c} ${-c}`)}z`
  );
}

/** Peaks or a bright hill. @param {Square} square @param {[number, number]} middle @param {number} scale */
function relief([x, y], [mx, my], scale) {
  const place = { transform: `translate(${mx} ${my}) scale(${round(scale)})` };
  return scatter(x, y) % 5 < 2
    ? h("path", {
        ...place,
        d: "M-7 4l3.4-7.4 2.6 4.6 2-3.2L7 4",
        fill: "none",
        stroke: "var(--coast)",
        "stroke-width": 1.5,
        "stroke-linejoin": "round",
        "stroke-linecap": "round",
      })
    : h("ellipse", { ...place, cx: -1, cy: -2, rx: 6, ry: 3.6, fill: "var(--land-high)" });
}

/** The same for a square every time, and different from its neighbours. @param {number} x @param {number} y */
function scatter(x, y) {
  return ((x * 73856093) ^ (y * 19349663)) >>> 4;
}

/**
 * Numbers along the top and the left; those of the action are bold and always there.
 * @param {Grid} grid
 * @param {Square[]} action
 */
export function numbers({ columns, rows, cell }, action) {
  return [0, 1].flatMap((axis) => {
    const bold = new Set(action.map((square) => square[axis]));
    const length = axis ? rows : columns;
    const gap = axis ? 14 : 19;
    const every = [1, 5, 10, 20, 50].find((n) => n * cell >= gap) ?? 100;
    const room = Math.ceil(gap / cell);
    const shown = [...bold]
      .sort((a, b) => a - b)
      .filter((n, at, all) => !at || n - all[at - 1] >= room);
    for (let n = 1; n <= length; n = n === 1 && every > 1 ? every : n + every) {
      if (!shown.some((each) => Math.abs(each - n) < room)) shown.push(n);
    }
    return shown.map((n) => {
      const along = round((n - 0.5) * cell);
      const place = axis ? { x: -8, y: round(along + 4.2) } : { x: along, y: -9 };
      const kind = `${axis ? "end" : "mid"}${bold.has(n) ? " strong" : ""}`;
      return h("text", { key: `${axis} ${n}`, class: kind, ...place }, n);
    });
  });
}
