// Round the labyrinth: numbers of rows and columns, and an arrow wherever the spare can be pushed in.

import { h } from "../../../../web/dom.js";
import { ANGLES, slides, undoes } from "./maze.js";
import { arrow } from "./pieces.js";
import { onArrow } from "./play.js";
import { round } from "./stones.js";

/** @import { Layout, Scene, Slide } from "./types.d.ts" */

/** @param {Scene} scene @param {Layout} place */
export function arrows(scene, place) {
  return h(
    "g",
    { key: "arrows" },
    numbers(scene, place),
    slides(scene.maze).map((slide) => {
      const { x, y, width, height } = pad(slide, place);
      const struck = undoes(scene.before.last, slide);
      const made = scene.slide?.join() === slide.join();
      const middle = `translate(${round(x + width / 2)} ${round(y + height / 2)})`;
      return h(
        "g",
        { key: slide.join(), class: "arrow", ...onArrow(scene, slide) },
        scene.ctx.turn
          ? [
              h("rect", { x, y, width, height, rx: 6, class: "pad" }),
              // Only until a slide is chosen: then the tiles under it are to be pressed.
              place.wide || scene.drafting ? null : touch({ x, y, width, height }, slide[1]),
            ]
          : null,
        h(
          "g",
          { transform: `${middle} rotate(${ANGLES[slide[1]]}) scale(${place.wide ? 1 : 0.8})` },
          arrow({ struck, made }),
        ),
      );
    }),
  );
}

/** Where an arrow is, with room to press it. @param {Slide} slide @param {Layout} place */
function pad([index, direction], { maze, size, margin, rim, wide }) {
  const deep = wide ? 24 : margin;
  const along = index * size;
  const near = direction === "RIGHT" || direction === "DOWN";
  const off = near ? -rim - deep : rim;
  if (direction === "LEFT" || direction === "RIGHT") {
    return {
      x: maze.x + (near ? 0 : maze.width) + off,
      y: maze.y + along,
      width: deep,
      height: size,
    };
  }
  return {
    x: maze.x + along,
    y: maze.y + (near ? 0 : maze.height) + off,
    width: size,
    height: deep,
  };
}

/** What a finger needs. */
const FINGER = 44;

/** Room for a finger round a pad, inwards, where nothing else is to be pressed. @param {{ x: number, y: number, width: number, height: number }} pad @param {string} direction */
function touch({ x, y, width, height }, direction) {
  const [wider, higher] = [Math.max(0, FINGER - width), Math.max(0, FINGER - height)];
  const across = direction === "LEFT" || direction === "RIGHT";
  return h("rect", {
    class: "touch",
    x: round(x - (across ? (direction === "LEFT" ? wider : 0) : wider / 2)),
    y: round(y - (across ? higher / 2 : direction === "UP" ? higher : 0)),
    width: round(width + wider),
    height: round(height + higher),
  });
}

/** @param {Scene} scene @param {Layout} place */
function numbers({ maze: { tiles }, draft }, { maze, size, margin, rim, wide }) {
  // A line that slides has an arrow where the number of the others is: the number moves aside, or on a
  // phone makes way.
  const middle = rim + margin / 2;
  const number = (/** @type {number} */ n, /** @type {number} */ x, /** @type {number} */ y) =>
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
            fill: n === draft.line ? "var(--slide)" : n % 2 === 0 ? "var(--ink)" : "var(--ink-2)",
          },
          n,
        )
      : null;
  return h(
    "g",
    { "aria-hidden": "true" },
    tiles.map((_, row) =>
      number(
        row,
        maze.x - (row % 2 === 0 ? rim + margin - 10 : middle),
        maze.y + (row + 0.5) * size,
      ),
    ),
    tiles[0].map((_, column) =>
      number(
        column,
        maze.x + (column + 0.5) * size + (column % 2 === 0 ? 16 : 0),
        maze.y - (wide ? rim + 14 : middle),
      ),
    ),
  );
}
