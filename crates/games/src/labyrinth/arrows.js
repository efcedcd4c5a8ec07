// Round the labyrinth: numbers of rows and columns, and an arrow wherever the spare can be pushed in.

import { h } from "../../../../web/dom.js";
import { slides, undoing } from "./maze.js";
import { ARROW, STRUCK } from "./pieces.js";
import { onArrow } from "./play.js";
import { draftOf, lastNews, slideOf } from "./reading.js";
import { round } from "./stones.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./maze.js").Slide} Slide
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {ReturnType<typeof import("./reading.js").scene>} Scene
 */

/** @param {View} view @param {Context} ctx @param {Scene} scene @param {Layout} place */
export function arrows(view, ctx, scene, place) {
  const draft = draftOf(ctx);
  const made = ctx.turn && draft.slide ? draft.slide : slideOf(lastNews(view, ctx));
  const undo = undoing(draft.slide && ctx.turn ? draft.slide : scene.before.last);
  return h(
    "g",
    { key: "arrows" },
    numbers(scene, place, draft.line),
    slides(scene.maze).map((slide) => {
      const { x, y, width, height } = pad(slide, place);
      const turn = { RIGHT: 0, DOWN: 90, LEFT: 180, UP: 270 }[slide[1]];
      const same = (/** @type {Slide | null} */ other) =>
        other !== null && other[0] === slide[0] && other[1] === slide[1];
      const struck = same(undo);
      const scale = place.wide ? 1 : 0.78;
      const middle = `translate(${round(x + width / 2)} ${round(y + height / 2)}) rotate(${turn}) scale(${scale})`;
      return h(
        "g",
        { key: slide.join(), class: "arrow", ...onArrow(view, ctx, slide, struck) },
        ctx.turn ? h("rect", { x, y, width, height, rx: 6, class: "pad" }) : null,
        h(
          "g",
          { transform: middle },
          struck
            ? [
                h("path", {
                  d: ARROW,
                  fill: "none",
                  stroke: "var(--arrow)",
                  "stroke-width": 1.4,
                  "stroke-dasharray": "3 2",
                }),
                h("path", { d: STRUCK, stroke: "var(--arrow)", "stroke-width": 2.2 }),
              ]
            : h("path", { d: ARROW, fill: same(made) ? "var(--slide)" : "var(--arrow)" }),
        ),
      );
    }),
  );
}

/** Where an arrow is, with room to press it. @param {Slide} slide @param {Layout} place */
function pad(slide, { maze, tile, margin, wide }) {
  const rim = wide ? 7 : 4;
  const deep = wide ? 24 : margin;
  const gap = rim + 1;
  const along = slide[0] * tile;
  switch (slide[1]) {
    case "RIGHT":
      return { x: maze.x - gap - deep, y: maze.y + along, width: deep, height: tile };
    case "LEFT":
      return { x: maze.x + maze.width + gap, y: maze.y + along, width: deep, height: tile };
    case "DOWN":
      return { x: maze.x + along, y: maze.y - gap - deep, width: tile, height: deep };
    default:
      return { x: maze.x + along, y: maze.y + maze.height + gap, width: tile, height: deep };
  }
}

/** @param {Scene} scene @param {Layout} place @param {number | null} chosen */
function numbers({ maze: { tiles } }, { maze, tile, margin, wide }, chosen) {
  const rim = wide ? 7 : 4;
  const number = (/** @type {number} */ n, /** @type {number} */ x, /** @type {number} */ y) =>
    // On a phone a line that slides has an arrow in the place of its number.
    wide || n % 2 === 1
      ? h(
          "text",
          {
            x: round(x),
            y: round(y),
            "text-anchor": "middle",
            "dominant-baseline": "central",
            "font-size": wide ? 13 : 12,
            "font-weight": n % 2 === 0 ? 600 : 400,
            fill: n === chosen ? "var(--accent)" : n % 2 === 0 ? "var(--ink)" : "var(--ink-2)",
          },
          n,
        )
      : null;
  // Beside an arrow there is a place for the number; where there is none, it is in the middle.
  const off = (/** @type {number} */ n) => (n % 2 === 0 ? rim + 29 : rim + margin / 2);
  return h(
    "g",
    { "aria-hidden": "true" },
    tiles.map((_, row) =>
      number(
        row,
        wide ? maze.x - off(row) : maze.x - rim - margin / 2,
        maze.y + (row + 0.5) * tile,
      ),
    ),
    tiles[0].map((_, column) =>
      number(
        column,
        maze.x + (column + 0.5) * tile + (wide && column % 2 === 0 ? 15 : 0),
        maze.y - rim - margin / 2 + (wide ? 3 : 0),
      ),
    ),
  );
}
