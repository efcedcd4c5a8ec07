// What happens on the chart: tracks, torpedo runs, blasts and contacts.

import { h } from "../../../../web/dom.js";
import { seatColour } from "../../../../web/marks.js";
import { burst, line, put, round, shape, torpedo } from "./art.js";

/** @import { Blast, Boat, Grid, Scene, Square } from "./types.d.ts" */

/** Squares of this size have room for a number. */
const ROOMY = 20;

/** A seat's kind of line, so that tracks are told apart without colour. */
const DASHES = [null, "5 4", "1.5 4", "9 3 2 3"];

/** Where a boat came from, the older the paler. @param {Boat} boat @param {Grid} grid @param {boolean} worded */
export function track({ seat, id, track, state, sunk }, grid, worded) {
  const isNew = (/** @type {any} */ { square }, /** @type {number} */ at) =>
    at === 0 || String(square) !== String(track[at - 1].square);
  const steps = track.filter(isNew);
  if (steps.length < 2 || (state.dead && !sunk)) return null;
  const points = steps.map(({ square }) => grid.middle(square));
  const [x, y] = points[0];
  const [ex, ey] = points[points.length - 1];
  const colour = seatColour(seat);
  return h(
    "g",
    { key: `track ${seat} ${id}` },
    line(`M${points.join("L")}`, colour, 1.8, {
      "stroke-dasharray": DASHES[seat % DASHES.length],
      "stroke-opacity": 0.75,
    }),
    points
      .slice(1, -1)
      .map((point, at) =>
        put(point, shape(seat, 7.5, { opacity: round(0.35 + at / points.length / 2) })),
      ),
    put([x, y], shape(seat, 8.5, { fill: "var(--sea)", stroke: colour, "stroke-width": 4 })),
    worded && Math.hypot(x - ex, y - ey) > 60
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

/** A torpedo on its way, with round bends. @param {Scene["shots"][0]} shot @param {Grid} grid */
export function run({ seat, path, target, went_off: wentOff }, grid) {
  const colour = seatColour(seat);
  const dud = wentOff
    ? null
    : put(
        grid.middle(target),
        h("circle", {
          class: "line",
          r: 7,
          stroke: colour,
          "stroke-width": 2,
          "stroke-dasharray": "3 3",
        }),
        line("M-3-3 3 3M3-3-3 3", colour, 2),
      );
  if (path.length < 2) return dud;
  const points = path.map(grid.middle);
  const d = bent(points, grid.cell * 0.4);
  const at = Math.floor((points.length - 2) * 0.6);
  const [[ax, ay], [bx, by]] = [points[at], points[at + 1]];
  const turned = Math.round((Math.atan2(by - ay, bx - ax) * 180) / Math.PI);
  const place = `translate(${round((ax + bx) / 2)} ${round((ay + by) / 2)}) rotate(${turned})`;
  return h(
    "g",
    { class: "run" },
    line(d, "var(--edge)", 5),
    line(d, colour, 2.8, { "stroke-dasharray": "0.1 5.6" }),
    h(
      "g",
      { class: "torpedo", "data-points": points.join(" ") },
      h("g", { transform: place }, torpedo),
    ),
    dud,
  );
}

/** @param {[number, number][]} points @param {number} r */
function bent(points, r) {
  let d = `M${points[0]}`;
  for (let at = 1; at < points.length; at += 1) {
    const [[px, py], [x, y], next] = [points[at - 1], points[at], points[at + 1]];
    const turns = next && (next[0] - x) * (y - py) !== (next[1] - y) * (x - px);
    const toward = (/** @type {number[]} */ [tx, ty]) => {
      const share = r / (Math.hypot(tx - x, ty - y) || 1);
      return `${round(x + (tx - x) * share)},${round(y + (ty - y) * share)}`;
    };
    d += turns ? `L${toward([px, py])}Q${x},${y} ${toward(next)}` : `L${x},${y}`;
  }
  return d;
}

/** The squares a blast reaches, darker towards the middle. @param {Blast} blast @param {Grid} grid */
export function blastArea({ square: [x, y], radius, damage = [] }, { cell, columns, rows }) {
  const rings = Array.from({ length: radius + 1 }, (_, less) => {
    const r = radius - less;
    const [left, top] = [Math.max(1, x - r), Math.max(1, y - r)];
    return h("rect", {
      class: less ? null : "outer",
      x: round((left - 1) * cell),
      y: round((top - 1) * cell),
      width: round((Math.min(columns, x + r) - left + 1) * cell),
      height: round((Math.min(rows, y + r) - top + 1) * cell),
      rx: 5,
    });
  });
  return h("g", { class: "area" }, rings, cell >= ROOMY && damage.length ? numbers() : null);

  // What a boat loses there: one number for each square but the middle, where the burst is.
  function numbers() {
    const found = [];
    for (let row = Math.max(1, y - radius); row <= Math.min(rows, y + radius); row += 1)
      for (
        let column = Math.max(1, x - radius);
        column <= Math.min(columns, x + radius);
        column += 1
      ) {
        const far = Math.max(Math.abs(column - x), Math.abs(row - y));
        if (far === 0) continue;
        const place = { x: round((column - 0.5) * cell), y: round((row - 0.5) * cell + 4.2) };
        found.push(h("text", { class: "mid damage", ...place }, damage[far]));
      }
    return found;
  }
}

/** @param {Blast} blast @param {Grid} grid */
export function blastBurst({ square, radius, damage = [] }, grid) {
  const size = round(Math.max(0.8, (grid.cell / 28) * radius ** 0.5));
  const [x, y] = grid.middle(square);
  const transform = `translate(${x} ${y}) scale(${size})`;
  const word = (grid.cell >= ROOMY && damage[0]) || null;
  return h(
    "g",
    { class: "burst" },
    h("g", { transform }, burst),
    word === null ? null : h("text", { class: "mid strong in-burst", x, y: round(y + 4.4) }, word),
  );
}

/** Where something went off some turns ago. @param {{ square: Square, turn: number }} scar @param {Grid} grid */
export function scar({ square, turn }, grid) {
  return put(
    grid.middle(square),
    h("title", null, `detonation in turn ${turn}`),
    line("M-5-5 5 5M5-5-5 5M0-7V7M-7 0H7", "var(--blast)", 1.4, { "stroke-opacity": 0.55 }),
  );
}

/** Brackets around what sonar found; what was found before is paler. @param {Scene["contacts"][0]} contact @param {Grid} grid */
export function contact({ seat, square, age }, grid) {
  const [x, y] = grid.middle(square);
  const r = round(Math.max(12, grid.cell * 0.75));
  const b = round(r * 0.5);
  const d =
    `M${x - r} ${y - r + b}v${-b}h${b}M${x + r - b} ${y - r}h${b}v${b}` +
    `M${x + r} ${y + r - b}v${b}h${-b}M${x - r + b} ${y + r}h${-b}v${-b}`;
  return line(d, seatColour(seat), age ? 1.6 : 2.6, {
    key: `contact ${seat} ${square}`,
    class: age ? "line" : "line contact",
    "stroke-dasharray": age ? "3 3" : null,
    opacity: age ? Math.max(0.4, round(1 - age * 0.06)) : null,
  });
}
