// The labyrinth itself: frame, tiles, the row that slid, the way walked, homes, targets and pawns.

import { h } from "../../../../web/dom.js";
import { seatColour } from "../../../../web/marks.js";
import { ANGLES, cell, cells, endsOf, isRow, nameOf, same, stepped } from "./maze.js";
import { home, pawn, TARGET_FRAME, targetDisc } from "./pieces.js";
import { onTile } from "./play.js";
import { questOf, targetOf } from "./scene.js";
import { tile } from "./tiles.js";

/** @import { Cell, Layout, Scene, Slide } from "./types.d.ts" */

/** Below this a gem is a speck. */
const PLAIN = 26;

/** @param {Scene} scene @param {Layout} place */
export function labyrinth(scene, place) {
  const { view, slide, drafting, seats } = scene;
  const { table, maze, rim, size, wide } = place;
  const at = middleIn(place);
  return h(
    "g",
    null,
    h("rect", {
      ...table,
      rx: wide ? 16 : 10,
      fill: "var(--table)",
      stroke: "var(--table-line)",
    }),
    h("rect", {
      x: maze.x - rim,
      y: maze.y - rim,
      width: maze.width + 2 * rim,
      height: maze.height + 2 * rim,
      rx: rim,
      fill: "var(--frame)",
    }),
    h(
      "g",
      { key: "tiles", "data-size": round(size), style: { "--step": `${round(size)}px` } },
      tiles(scene, place),
    ),
    slide && !drafting ? leaving(slide, scene, place) : null,
    slide ? slideFrame(slide, scene, place) : null,
    scene.way.length > 1 ? way(scene, place) : null,
    h(
      "g",
      { key: "homes" },
      seats.map((seat) => h("g", { transform: at(cell(view.seats[seat].home)) }, home(seat))),
    ),
    h("g", { key: "targets" }, view.phase === "playing" ? targets(scene, at) : won(scene, at)),
    h("g", { key: "pawns", style: { "--step": `${round(size)}px` } }, pawns(scene, at)),
  );
}

/** From a cell to where pieces on it are drawn. @param {Layout} place */
function middleIn({ maze, size }) {
  return (/** @type {Cell} */ { row, column }) =>
    `translate(${round(maze.x + (column + 0.5) * size)} ${round(maze.y + (row + 0.5) * size)}) scale(${round(size / 100)})`;
}

/** @param {Cell} at @param {Layout} place */
function corner({ row, column }, { maze, size }) {
  return `translate(${round(maze.x + column * size)} ${round(maze.y + row * size)}) scale(${round(size / 100)})`;
}

/** @param {Scene} scene @param {Layout} place */
function tiles(scene, place) {
  return cells(scene.maze).map((here) => {
    const { connector, pair } = scene.maze.tiles[here.row][here.column];
    const lit = scene.reach?.has(nameOf(here)) ?? false;
    const fixed = here.row % 2 === 1 && here.column % 2 === 1;
    const chosen = same(here, scene.draft.to);
    return h(
      "g",
      {
        key: pairKey(pair),
        "data-flip": pairKey(pair),
        class: `${lit ? "lit" : ""} ${pushed(scene, here)}`,
        ...onTile(scene, here, pair, lit),
      },
      h(
        "g",
        { transform: corner(here, place) },
        tile(connector, pair, { fixed, plain: place.size < PLAIN }),
        lit ? (chosen ? CHOSEN : REACHABLE) : null,
      ),
    );
  });
}

/** What a drafted slide moves comes in sliding. @param {Scene} scene @param {Cell} at */
function pushed({ drafting, slide }, at) {
  if (!drafting || !slide) return "";
  return (isRow(slide) ? at.row : at.column) === slide[0] ? `push ${slide[1]}` : "";
}

// Colour alone would not do.
const REACHABLE = h("circle", { cx: 50, cy: 50, r: 7, fill: "var(--reach-dot)" });
const CHOSEN = h("rect", {
  x: 2,
  y: 2,
  width: 96,
  height: 96,
  rx: 6,
  fill: "none",
  stroke: "var(--slide)",
  "stroke-width": 5,
});

/** No two tiles have the same pair. @param {string[]} pair */
export function pairKey(pair) {
  return pair.toSorted().join(" ");
}

/** The tile that was pushed out, where it went: seen only while it goes. @param {Slide} slide @param {Scene} scene @param {Layout} place */
function leaving(slide, { maze }, place) {
  const { connector, pair } = maze.spare;
  const to = stepped(endsOf(maze, slide).out, slide[1]);
  return h(
    "g",
    { key: "leaving", class: "leaving", opacity: 0 },
    h("g", { transform: corner(to, place) }, tile(connector, pair, { plain: place.size < PLAIN })),
  );
}

/** The row that slid: a frame, beads that point the way, the tile that came in dashed. @param {Slide} slide @param {Scene} scene @param {Layout} place */
function slideFrame(slide, { maze }, { maze: box, size, wide }) {
  const [index, direction] = slide;
  const row = isRow(slide);
  const frame = row
    ? { x: box.x, y: box.y + index * size, width: box.width, height: size }
    : { x: box.x + index * size, y: box.y, width: size, height: box.height };
  const { hole } = endsOf(maze, slide);
  const line = { fill: "none", stroke: "var(--slide)" };
  const beads = Array.from({ length: row ? maze.tiles[0].length : maze.tiles.length }, (_, at) => {
    const along = (at + 0.5) * size;
    return row
      ? [
          `${round(frame.x + along)} ${round(frame.y)}`,
          `${round(frame.x + along)} ${round(frame.y + size)}`,
        ]
      : [
          `${round(frame.x)} ${round(frame.y + along)}`,
          `${round(frame.x + size)} ${round(frame.y + along)}`,
        ];
  });
  const turn = `rotate(${ANGLES[direction]}) scale(${round(Math.min(wide ? 0.8 : 0.55, size / 70))})`;
  return h(
    "g",
    { key: "slide", class: "slid" },
    h("rect", { ...frame, rx: 6, ...line, "stroke-width": wide ? 3 : 2 }),
    h("rect", {
      x: box.x + hole.column * size + 4,
      y: box.y + hole.row * size + 4,
      width: size - 8,
      height: size - 8,
      rx: 4,
      ...line,
      "stroke-width": wide ? 2 : 1.5,
      "stroke-dasharray": wide ? "6 4" : "4 3",
    }),
    beads.flat().map((at) => h("g", { transform: `translate(${at}) ${turn}` }, BEAD)),
  );
}

const BEAD = h(
  "g",
  null,
  h("circle", { r: 8, fill: "var(--slide)" }),
  h("path", { class: "chevron", d: "M-1.8-3.6 1.8 0-1.8 3.6" }),
);

/** The way just walked, or the one that the draft would walk. @param {Scene} scene @param {Layout} place */
function way({ way, mover }, { maze, size }) {
  const points = way.map(
    ({ row, column }) =>
      `${round(maze.x + (column + 0.5) * size)} ${round(maze.y + (row + 0.5) * size)}`,
  );
  const line = {
    d: `M${points.join("L")}`,
    fill: "none",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "pointer-events": "none",
  };
  return h(
    "g",
    { key: "way", class: "way" },
    h("path", { ...line, stroke: "var(--band)", "stroke-width": round(size * 0.15) }),
    h("path", {
      ...line,
      stroke: seatColour(mover),
      "stroke-width": round(size * 0.06),
      "stroke-dasharray": `0.01 ${round(size / 7)}`,
    }),
  );
}

/** The tiles that seats have to reach, as far as they are known. @param {Scene} scene @param {(at: Cell) => string} at */
function targets({ view, ctx, seats, positions }, at) {
  const taken = (/** @type {Cell} */ here) =>
    seats.some((seat) => same(positions[seat], here) || same(cell(view.seats[seat].home), here));
  /** @type {Map<string, { target: Cell, after: number[] }>} */
  const wanted = new Map();
  for (const seat of seats) {
    const target = targetOf(view, ctx, seat);
    if (!target) continue;
    const { after } = wanted.get(nameOf(target)) ?? { after: [] };
    wanted.set(nameOf(target), { target, after: [...after, seat] });
  }
  return [...wanted.values()].map(({ target, after }) =>
    h(
      "g",
      { key: nameOf(target), transform: at(target) },
      TARGET_FRAME,
      after
        // Whoever is on the way home has a house there already.
        .filter((seat) => !questOf(view, ctx, seat)?.homeward)
        .map((seat, index, all) => {
          // Where somebody stands or lives, the disc is in a corner that has no gem.
          const x = (index - (all.length - 1) / 2) * 32;
          const where = taken(target)
            ? `translate(${34 - index * 22} -34) scale(0.72)`
            : `translate(${x} 0)`;
          return h("g", { transform: where }, targetDisc(seat === ctx.viewer ? null : seat));
        }),
    ),
  );
}

/** At the end the gold is where somebody came home. @param {Scene} scene @param {(at: Cell) => string} at */
function won({ view: { ending, seats } }, at) {
  if (ending?.home === undefined) return null;
  return h("g", { transform: at(cell(seats[ending.home].home)) }, TARGET_FRAME);
}

/** Where pawns stand that share a tile, and how large: one, two, three, more. @type {[number, number, number][][]} */
const GROUPS = [
  [[0, 0, 1]],
  [
    [-15, 0, 0.95],
    [15, 0, 0.95],
  ],
  [
    [0, -14, 0.8],
    [-20, 8, 0.8],
    [20, 8, 0.8],
  ],
  [0, 1, 2, 3, 4, 5, 6, 7, 8].map((at) => [
    ((at % 3) - 1) * 24,
    (Math.floor(at / 3) - 1) * 22,
    0.6,
  ]),
];

/** @param {Scene} scene @param {(at: Cell) => string} at */
function pawns(scene, at) {
  const { seats, positions } = scene;
  return seats.map((seat) => {
    const here = seats.filter((other) => same(positions[other], positions[seat]));
    const [x, y, scale] = GROUPS[Math.min(here.length, 4) - 1][here.indexOf(seat)];
    return h(
      "g",
      { key: seat, "data-flip": `pawn ${seat}`, class: pushed(scene, positions[seat]) },
      h(
        "g",
        { transform: `${at(positions[seat])} translate(${x} ${y}) scale(${scale})` },
        pawn(seat),
      ),
    );
  });
}

/** @param {number} n */
export function round(n) {
  return Math.round(n * 100) / 100;
}
