// Where a ping went: the squares as one shape, and the staircases around them.

import { h } from "../../../../web/dom.js";
import { seatColour } from "../../../../web/marks.js";
import { round } from "./art.js";

/** @import { Grid, Scene, Square } from "./types.d.ts" */

/** The squares it went over, with its rim and fainter ones on the way. @param {Scene["pings"][0]} ping @param {Grid} grid */
export function sonar({ seat, from, squares, objects }, { cell }) {
  if (!squares.length) return null;
  const steps = distances(from, squares, objects);
  const reach = Math.max(...steps.values());
  const colour = seatColour(seat);
  const every = Math.ceil(reach / 8);
  const rims = [];
  for (let step = reach; step > 0; step -= every) {
    const within = new Set([...steps].filter(([, far]) => far <= step).map(([name]) => name));
    const kind = step === reach ? "rim outer" : "rim";
    rims.push(
      h("path", { class: kind, "data-step": step, d: outline(within, cell), stroke: colour }),
    );
  }
  return h(
    "g",
    { class: "sonar", "data-reach": reach },
    h("path", { class: "water", d: area([...steps.keys()], cell), fill: colour }),
    rims,
  );
}

/** How many steps each square is away, going around what was found. @param {Square} from @param {Square[]} squares @param {{ square: Square }[]} objects */
function distances(from, squares, objects) {
  const open = new Set(squares.map(String));
  const closed = new Set(objects.map(({ square }) => String(square)));
  const steps = new Map([[String(from), 0]]);
  let edge = [from];
  for (let far = 1; edge.length; far += 1) {
    /** @type {Square[]} */
    const next = [];
    for (const [x, y] of edge) {
      for (const [dx, dy] of [-1, 1].flatMap((step) => [
        [step, 0],
        [0, step],
      ])) {
        const square = /** @type {Square} */ ([x + dx, y + dy]);
        const name = String(square);
        if (!open.has(name) || steps.has(name)) continue;
        steps.set(name, far);
        if (!closed.has(name)) next.push(square);
      }
    }
    edge = next;
  }
  // What only something unseen kept apart belongs to the last step.
  for (const name of open) if (!steps.has(name)) steps.set(name, Math.max(...steps.values()));
  return steps;
}

/** Squares as one shape. @param {string[]} names @param {number} cell */
export function area(names, cell) {
  const squares = new Set(names);
  let d = "";
  for (const name of squares) {
    const [x, y] = name.split(",").map(Number);
    // One path for a run of squares, from its left end.
    if (squares.has(`${x - 1},${y}`)) continue;
    let end = x + 1;
    while (squares.has(`${end},${y}`)) end += 1;
    const w = round((end - x) * cell);
    d += `M${round((x - 1) * cell)} ${round((y - 1) * cell)}h${w}v${cell}h${-w}z`;
  }
  return d;
}

/** The staircase around squares. @param {Set<string>} squares @param {number} cell */
function outline(squares, cell) {
  let d = "";
  for (const name of squares) {
    const [x, y] = name.split(",").map(Number);
    const [left, top] = [round((x - 1) * cell), round((y - 1) * cell)];
    if (!squares.has(`${x},${y - 1}`)) d += `M${left} ${top}h${cell}`;
    if (!squares.has(`${x},${y + 1}`)) d += `M${left} ${round(top + cell)}h${cell}`;
    if (!squares.has(`${x - 1},${y}`)) d += `M${left} ${top}v${cell}`;
    if (!squares.has(`${x + 1},${y}`)) d += `M${round(left + cell)} ${top}v${cell}`;
  }
  return d;
}
