// The labyrinth itself: frame, tiles, the row that slid, the way walked, homes, targets and pawns.

import { h } from "../../../../web/dom.js";
import { seatColour } from "../../../../web/marks.js";
import { cell, endsOf, isRow, nameOf, same, STEPS, wayTo } from "./maze.js";
import { home, pawn, TARGET_FRAME, targetDisc } from "./pieces.js";
import { onTile } from "./play.js";
import { draftOf, knownQuest, lastNews, slideOf, targetOf } from "./reading.js";
import { tile } from "./tiles.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./maze.js").Cell} Cell
 * @typedef {import("./maze.js").Slide} Slide
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {ReturnType<typeof import("./reading.js").scene>} Scene
 */

/** Below this a gem is a speck. */
const PLAIN = 26;

/** @param {View} view @param {Context} ctx @param {Scene} scene @param {Layout} place */
export function labyrinth(view, ctx, scene, place) {
  const { table, maze, tile: size } = place;
  const rim = place.wide ? 7 : 4;
  const draft = draftOf(ctx);
  const slide = ctx.turn && draft.slide ? draft.slide : slideOf(lastNews(view, ctx));
  const at = (/** @type {Cell} */ { row, column }) =>
    `translate(${round(maze.x + (column + 0.5) * size)} ${round(maze.y + (row + 0.5) * size)}) scale(${round(size / 100)})`;
  return h(
    "g",
    null,
    h("rect", {
      ...table,
      rx: place.wide ? 16 : 10,
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
    h("g", { key: "tiles", "data-size": round(size) }, tiles(view, ctx, scene, place)),
    slide && !(ctx.turn && draft.slide) ? leaving(slide, scene, place) : null,
    slide ? slideFrame(slide, scene, place) : null,
    wayOf(view, ctx, scene, place),
    h(
      "g",
      { key: "homes", class: "still" },
      stayed(view).map((seat) =>
        h("g", { transform: at(cell(view.seats[seat].home)) }, home(seat)),
      ),
    ),
    h("g", { key: "targets", class: "still" }, targets(view, ctx, at)),
    h("g", { key: "pawns" }, pawns(view, scene, at)),
  );
}

/** The seats still in, in their order. @param {View} view @returns {number[]} */
export function stayed(view) {
  return view.order.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b);
}

/** @param {View} view @param {Context} ctx @param {Scene} scene @param {Layout} place */
function tiles(view, ctx, { maze, reach, positions }, { maze: box, tile: size }) {
  const inset = `scale(${round(size / 100)})`;
  return maze.tiles.flatMap((row, r) =>
    row.map(({ connector, pair }, c) => {
      const here = { row: r, column: c };
      const lit = reach?.has(nameOf(here)) ?? false;
      const fixed = r % 2 === 1 && c % 2 === 1;
      const pressed = onTile(view, ctx, { here, lit, pair, stands: positions[view.order[0]] });
      return h(
        "g",
        {
          key: pairKey(pair),
          "data-flip": pairKey(pair),
          class: lit ? "tile lit" : "tile",
          ...pressed,
        },
        h(
          "g",
          {
            transform: `translate(${round(box.x + c * size)} ${round(box.y + r * size)}) ${inset}`,
          },
          tile(connector, pair, { fixed, plain: size < PLAIN }),
          lit && !same(here, draftOf(ctx).to) ? REACHABLE : null,
        ),
      );
    }),
  );
}

/** The tile that was pushed out, where it went: seen only while it goes. @param {Slide} slide @param {Scene} scene @param {Layout} place */
function leaving(slide, { maze }, { maze: box, tile: size }) {
  const { out } = endsOf(maze, slide);
  const [rows, columns] = STEPS[slide[1]];
  const x = round(box.x + (out.column + columns) * size);
  const y = round(box.y + (out.row + rows) * size);
  const { connector, pair } = maze.spare;
  return h(
    "g",
    { key: "leaving", class: "leaving", opacity: 0, "aria-hidden": "true" },
    h(
      "g",
      { transform: `translate(${x} ${y}) scale(${round(size / 100)})` },
      tile(connector, pair, { plain: size < PLAIN }),
    ),
  );
}

/** Colour alone would not do. */
const REACHABLE = h("circle", { cx: 50, cy: 50, r: 7, fill: "var(--slide)" });

/** No two tiles have the same pair. @param {string[]} pair */
export function pairKey(pair) {
  return `tile ${pair.toSorted().join(" ")}`;
}

/**
 * The row that slid: a frame, beads that point the way, the tile that came in dashed.
 * @param {Slide} slide @param {Scene} scene @param {Layout} place
 */
function slideFrame(slide, { maze }, { maze: box, tile: size, wide }) {
  const row = isRow(slide);
  const x = row ? box.x : box.x + slide[0] * size;
  const y = row ? box.y + slide[0] * size : box.y;
  const width = row ? box.width : size;
  const height = row ? size : box.height;
  const { hole } = endsOf(maze, slide);
  const bead = wide ? 6.5 : 4.5;
  const count = row ? maze.tiles[0].length : maze.tiles.length;
  const turn = { RIGHT: 0, DOWN: 90, LEFT: 180, UP: 270 }[slide[1]];
  const beads = Array.from({ length: count }, (_, index) => {
    const along = (index + 0.5) * size;
    return row
      ? [
          [x + along, y],
          [x + along, y + height],
        ]
      : [
          [x, y + along],
          [x + width, y + along],
        ];
  }).flat();
  return h(
    "g",
    { key: "slide", class: "still" },
    h("rect", {
      x: x - 1,
      y: y - 1,
      width: width + 2,
      height: height + 2,
      rx: 6,
      fill: "none",
      stroke: "var(--slide)",
      "stroke-width": wide ? 3 : 2,
    }),
    h("rect", {
      x: box.x + hole.column * size + 4,
      y: box.y + hole.row * size + 4,
      width: size - 8,
      height: size - 8,
      rx: 4,
      fill: "none",
      stroke: "var(--slide)",
      "stroke-width": wide ? 2 : 1.5,
      "stroke-dasharray": wide ? "6 4" : "4 3",
    }),
    beads.map(([bx, by]) =>
      h(
        "g",
        { transform: `translate(${round(bx)} ${round(by)}) rotate(${turn}) scale(${bead / 8})` },
        BEAD,
      ),
    ),
  );
}

const BEAD = h(
  "g",
  null,
  h("circle", { r: 8, fill: "var(--slide)" }),
  h("path", {
    d: "M-1.8-3.6 1.8 0-1.8 3.6",
    fill: "none",
    stroke: "var(--on-slide)",
    "stroke-width": 2.2,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  }),
);

/** The way just walked, or the one that the draft would walk. @param {View} view @param {Context} ctx @param {Scene} scene @param {Layout} place */
function wayOf(view, ctx, { maze, positions }, { maze: box, tile: size }) {
  const draft = draftOf(ctx);
  const news = lastNews(view, ctx);
  const mover = ctx.turn && draft.slide ? view.order[0] : news.mover;
  /** @type {Cell[]} */
  const way =
    ctx.turn && draft.slide
      ? draft.to
        ? wayTo(maze, positions[mover], draft.to)
        : []
      : news.way.map(cell);
  if (way.length < 2) return null;
  const points = way.map(({ row, column }) => [
    round(box.x + (column + 0.5) * size),
    round(box.y + (row + 0.5) * size),
  ]);
  const d = `M${points.map((point) => point.join(" ")).join("L")}`;
  const line = { d, fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return h(
    "g",
    { key: "way", class: "way still" },
    h("path", { ...line, stroke: "var(--band)", "stroke-width": round(size * 0.15) }),
    h("path", {
      ...line,
      stroke: seatColour(mover),
      "stroke-width": round(size * 0.06),
      "stroke-dasharray": `0.01 ${round(size / 7)}`,
    }),
  );
}

/** The tiles that seats have to reach, as far as they are known. @param {View} view @param {Context} ctx @param {(at: Cell) => string} at */
function targets(view, ctx, at) {
  const own = typeof ctx.viewer === "number" ? ctx.viewer : null;
  /** @type {Map<string, { cell: Cell, seats: number[] }>} */
  const wanted = new Map();
  for (const seat of stayed(view)) {
    const target = view.phase === "playing" ? targetOf(view, ctx, seat) : null;
    if (!target) continue;
    const known = wanted.get(nameOf(target)) ?? { cell: target, seats: [] };
    known.seats.push(seat);
    wanted.set(nameOf(target), known);
  }
  return [...wanted.values()].map(({ cell: target, seats }) =>
    h(
      "g",
      { key: nameOf(target), transform: at(target) },
      TARGET_FRAME,
      seats
        // Whoever is on the way home has a house there already.
        .filter((seat) => !knownQuest(view, ctx, seat)?.homeward)
        .map((seat, index, all) =>
          h(
            "g",
            { transform: `translate(${(index - (all.length - 1) / 2) * 32} 0)` },
            targetDisc(seat === own ? null : seat),
          ),
        ),
    ),
  );
}

/** Where pawns stand that share a tile: the middle's offset, and how large. @type {Record<number, [number, number, number][]>} */
const GROUPS = {
  1: [[0, 0, 1]],
  2: [
    [-15, 0, 0.95],
    [15, 0, 0.95],
  ],
  3: [
    [0, -14, 0.8],
    [-20, 8, 0.8],
    [20, 8, 0.8],
  ],
};

/** @param {View} view @param {Scene} scene @param {(at: Cell) => string} at */
function pawns(view, { positions }, at) {
  const seats = stayed(view);
  return seats.map((seat) => {
    const here = seats.filter((other) => same(positions[other], positions[seat]));
    const among = here.indexOf(seat);
    const [x, y, scale] = GROUPS[here.length]?.[among] ?? [
      ((among % 3) - 1) * 24,
      (Math.floor(among / 3) - 1) * 22,
      0.6,
    ];
    return h(
      "g",
      { key: seat, "data-flip": `pawn ${seat}`, class: "pawn" },
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
