// What happens on the chart: tracks, sonar, torpedo runs, blasts, contacts and the words beside them.

import { h } from "../../../../web/dom.js";
import { seatColour } from "../../../../web/marks.js";
import { burst, round, shape, torpedo } from "./art.js";

/** @import { Boat, Grid, Square } from "./types.d.ts" */

/** A seat's kind of line, so that tracks are told apart without colour. */
const DASHES = [null, "5 4", "1.5 4", "9 3 2 3"];

/** Where a boat came from, the older the paler. @param {Boat} boat @param {Grid} grid @param {boolean} worded */
export function track({ seat, id, track, state, sunk }, grid, worded) {
  if (state.dead && !sunk) return null;
  const steps = track.filter(
    (step, at) => at === 0 || String(step.square) !== String(track[at - 1].square),
  );
  if (steps.length < 2) return null;
  const points = steps.map(({ square }) => grid.middle(square));
  const [x, y] = points[0];
  const colour = seatColour(seat);
  return h(
    "g",
    { key: `track ${seat} ${id}` },
    h("path", {
      d: `M${points.join("L")}`,
      fill: "none",
      stroke: colour,
      "stroke-width": 1.8,
      "stroke-dasharray": DASHES[seat % DASHES.length],
      "stroke-linejoin": "round",
      "stroke-opacity": 0.75,
    }),
    points.slice(1, -1).map(([px, py], at) =>
      h(
        "g",
        {
          transform: `translate(${px} ${py})`,
          opacity: round(0.35 + (0.6 * (at + 1)) / points.length),
        },
        shape(seat, 7.5),
      ),
    ),
    h(
      "g",
      { transform: `translate(${x} ${y})` },
      shape(seat, 8.5, { fill: "var(--sea)", stroke: colour, "stroke-width": 4 }),
    ),
    worded && Math.hypot(x - points[points.length - 1][0], y - points[points.length - 1][1]) > 60
      ? h(
          "text",
          {
            class: "mid on-sea",
            x: Math.max(24, Math.min(grid.width - 24, x)),
            y: points[1][1] < y || y < 20 ? y + 17 : y - 9,
          },
          `turn ${steps[0].turn}`,
        )
      : null,
  );
}

/**
 * A ping: the squares it went over, with its rim and fainter ones at every step on the way.
 * @param {any} ping
 * @param {Grid} grid
 */
export function sonar({ seat, sub, from, range, squares, objects }, grid) {
  if (!squares.length) return null;
  const steps = distances(from, squares, objects);
  const reach = Math.max(...steps.values());
  const colour = seatColour(seat);
  const rims = [];
  const every = Math.ceil(reach / 8);
  for (let step = reach - every; step > 0; step -= every) {
    const within = new Set([...steps].filter(([, far]) => far <= step).map(([name]) => name));
    rims.push(
      h("path", {
        class: "rim",
        "data-step": step,
        d: outline(within, grid.cell),
        stroke: colour,
        "stroke-opacity": 0.3,
        "stroke-width": 1,
        "stroke-dasharray": "2 4",
      }),
    );
  }
  const all = new Set(steps.keys());
  return h(
    "g",
    {
      key: `sonar ${seat} ${sub}`,
      class: "sonar",
      "data-reach": reach,
    },
    h("path", { class: "water", d: area(all, grid.cell), fill: colour, "fill-opacity": 0.13 }),
    rims,
    h("path", {
      class: "rim",
      "data-step": reach,
      d: outline(all, grid.cell),
      stroke: colour,
      "stroke-width": 2,
      "stroke-linecap": "square",
    }),
  );
}

/** How many steps each square is away, going around what was found. @param {Square} from @param {Square[]} squares @param {any[]} objects */
function distances(from, squares, objects) {
  const open = new Set(squares.map(String));
  const closed = new Set(objects.map(({ square }) => String(square)));
  const steps = new Map([[String(from), 0]]);
  let edge = [from];
  for (let far = 1; edge.length; far += 1) {
    /** @type {Square[]} */
    const next = [];
    for (const [x, y] of edge) {
      for (const square of /** @type {Square[]} */ ([
        [x, y - 1],
        [x + 1, y],
        [x, y + 1],
        [x - 1, y],
      ])) {
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

/** Squares as one shape. @param {Set<string>} squares @param {number} cell */
export function area(squares, cell) {
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

/** A torpedo on its way, with round bends. @param {any} shot @param {Grid} grid */
export function run({ seat, sub, path, target, went_off: wentOff }, grid) {
  if (path.length < 2) return wentOff ? null : dud({ seat, sub, target }, grid);
  const points = path.map(grid.middle);
  const d = bent(points, grid.cell * 0.4);
  const at = Math.max(0, Math.min(points.length - 2, Math.floor((points.length - 1) * 0.6)));
  const [[ax, ay], [bx, by]] = [points[at], points[at + 1]];
  const angle = Math.round((Math.atan2(by - ay, bx - ax) * 180) / Math.PI);
  return h(
    "g",
    { key: `run ${seat} ${sub}`, class: "run" },
    h("path", {
      d,
      fill: "none",
      stroke: "var(--edge)",
      "stroke-width": 5,
      "stroke-linecap": "round",
    }),
    h("path", {
      d,
      fill: "none",
      stroke: seatColour(seat),
      "stroke-width": 2.8,
      "stroke-dasharray": "0.1 5.6",
      "stroke-linecap": "round",
    }),
    h(
      "g",
      { class: "torpedo", "data-points": points.join(" ") },
      h(
        "g",
        {
          transform: `translate(${round((ax + bx) / 2)} ${round((ay + by) / 2)}) rotate(${angle})`,
        },
        torpedo,
      ),
    ),
    wentOff ? null : dud({ seat, sub, target }, grid),
  );
}

/** @param {{ seat: number, sub: number, target: Square }} shot @param {Grid} grid */
function dud({ seat, sub, target }, grid) {
  const [x, y] = grid.middle(target);
  return h(
    "g",
    { key: `dud ${seat} ${sub}`, transform: `translate(${x} ${y})` },
    h("circle", {
      r: 7,
      fill: "none",
      stroke: seatColour(seat),
      "stroke-width": 2,
      "stroke-dasharray": "3 3",
    }),
    h("path", { d: "M-3-3 3 3M3-3-3 3", stroke: seatColour(seat), "stroke-width": 2 }),
  );
}

/** @param {[number, number][]} points @param {number} r */
function bent(points, r) {
  let d = `M${points[0]}`;
  for (let at = 1; at < points.length; at += 1) {
    const [[px, py], [x, y], next] = [points[at - 1], points[at], points[at + 1]];
    const turns = next && (next[0] - x) * (y - py) !== (next[1] - y) * (x - px);
    if (!turns) {
      d += `L${x},${y}`;
      continue;
    }
    const toward = (/** @type {[number, number]} */ [tx, ty]) => {
      const far = Math.hypot(tx - x, ty - y) || 1;
      return `${round(x + ((tx - x) * r) / far)},${round(y + ((ty - y) * r) / far)}`;
    };
    d += `L${toward([px, py])}Q${x},${y} ${toward(next)}`;
  }
  return d;
}

/** The squares a blast reaches, darker towards the middle. @param {{ square: Square, radius: number }} blast @param {Grid} grid */
export function blastArea({ square: [x, y], radius }, grid) {
  const { cell, columns, rows } = grid;
  const around = (/** @type {number} */ r) => {
    const [left, top] = [Math.max(1, x - r), Math.max(1, y - r)];
    const [right, bottom] = [Math.min(columns, x + r), Math.min(rows, y + r)];
    return {
      x: round((left - 1) * cell),
      y: round((top - 1) * cell),
      width: round((right - left + 1) * cell),
      height: round((bottom - top + 1) * cell),
      rx: 5,
    };
  };
  const rings = [];
  for (let r = radius; r >= 0; r -= 1) {
    rings.push(
      h("rect", {
        ...around(r),
        fill: "var(--blast)",
        "fill-opacity": 0.17,
        stroke: r === radius ? "var(--blast)" : "none",
        "stroke-width": 2,
        "stroke-dasharray": "5 4",
      }),
    );
  }
  return h("g", { class: "area" }, rings);
}

/** @param {{ square: Square, radius: number }} blast @param {Grid} grid */
export function blastBurst({ square, radius }, grid) {
  const [x, y] = grid.middle(square);
  const size = round(Math.max(0.8, (grid.cell / 28) * radius ** 0.5));
  return h(
    "g",
    { class: "burst" },
    h("g", { transform: `translate(${x} ${y}) scale(${size})` }, burst),
  );
}

/** Where something went off some turns ago. @param {{ square: Square, turn: number }} scar @param {Grid} grid */
export function scar({ square, turn }, grid) {
  const [x, y] = grid.middle(square);
  return h(
    "g",
    { transform: `translate(${x} ${y})` },
    h("title", null, `detonation in turn ${turn}`),
    h("path", {
      d: "M-5-5 5 5M5-5-5 5M0-7V7M-7 0H7",
      stroke: "var(--blast)",
      "stroke-width": 1.4,
      "stroke-opacity": 0.55,
      "stroke-linecap": "round",
    }),
  );
}

/** Brackets around what sonar found; what was found before is paler. @param {any} contact @param {Grid} grid */
export function contact({ seat, square, age }, grid) {
  const [x, y] = grid.middle(square);
  const r = round(Math.max(12, grid.cell * 0.75));
  const b = round(r * 0.5);
  return h("path", {
    key: `contact ${seat} ${square}`,
    class: age ? null : "contact",
    d:
      `M${x - r} ${y - r + b}v${-b}h${b}M${x + r - b} ${y - r}h${b}v${b}` +
      `M${x + r} ${y + r - b}v${b}h${-b}M${x - r + b} ${y + r}h${-b}v${-b}`,
    fill: "none",
    stroke: seatColour(seat),
    "stroke-width": age ? 1.6 : 2.6,
    "stroke-dasharray": age ? "3 3" : null,
    opacity: age ? Math.max(0.4, round(1 - age * 0.06)) : null,
  });
}
