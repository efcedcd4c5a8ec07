// Beside the labyrinth: the spare tile, what is being looked for, and what the signs mean.

import { h } from "../../../../web/dom.js";
import { cut, widthOf } from "../../../../web/fit.js";
import { seatColour, seatGlyph } from "../../../../web/marks.js";
import { count } from "../../../../web/texts.js";
import { gem, gemName } from "./gems.js";
import { cell, nameOf } from "./maze.js";
import { STRUCK, TURN } from "./pieces.js";
import { onSpare } from "./play.js";
import { questOf, targetOf } from "./scene.js";
import { round } from "./stones.js";
import { tile, turned } from "./tiles.js";
import { lineWords, placeWords, slideInShort } from "./words.js";

/** @import { Box, Child, Layout, Quest, Scene } from "./types.d.ts" */

/** The height of a line in the list of treasures. */
const ROW = 32;

/** @param {Box} box @param {string} key @param {boolean} own @param {...Child} inside */
function panel({ x, y, width, height }, key, own, ...inside) {
  return h(
    "g",
    { key, transform: `translate(${round(x)} ${round(y)})` },
    h("rect", { class: own ? "sheet-own" : "sheet-plain", width, height, rx: 12 }),
    ...inside,
  );
}

/** @param {number} x @param {number} y @param {string} said @param {object} [more] */
function text(x, y, said, more = {}) {
  return h(
    "text",
    { x: round(x), y: round(y), "font-size": 13, fill: "var(--ink)", ...more },
    said,
  );
}

const HEADING = { "font-size": 12, "font-weight": 600, fill: "var(--ink-2)" };
const SMALL = { "font-size": 12, fill: "var(--ink-2)" };
const MIDDLE = { "text-anchor": "middle" };
const LEVEL = { "dominant-baseline": "central" };

/** @param {Scene} scene @param {Layout} place */
export function sparePanel(scene, { spare: box, wide }) {
  const { ctx, draft, drafting, maze, slide } = scene;
  const degree = drafting ? 0 : draft.degree;
  const size = wide ? box.height - 116 : 72;
  const left = (box.width - size) / 2;
  const top = wide ? 38 : 30;
  const middle = box.width / 2;
  const [one, two] = maze.spare.pair.map(gemName);
  // On a phone the sign that turns it stands beside these words.
  const heading = drafting ? "Next spare" : wide ? "Spare tile" : "Spare";
  const origin = degree
    ? `turned by ${degree}°`
    : slide
      ? `${wide ? "pushed out of" : "from"} ${lineWords(slide)}`
      : "goes in next";
  return panel(
    box,
    "spare",
    false,
    text(wide ? 16 : 12, wide ? 26 : 20, heading, HEADING),
    h(
      "g",
      { class: "spare", ...onSpare(scene) },
      h("rect", { x: left, y: top + 4, width: size, height: size, rx: 6, fill: "var(--shadow)" }),
      // A picture of its own, so that its corridor ends where the tile does.
      h(
        "svg",
        { x: round(left), y: top, width: size, height: size, viewBox: "1 1 98 98" },
        tile(turned(maze.spare.connector, degree), maze.spare.pair),
      ),
      ctx.turn && !drafting
        ? h(
            "g",
            { class: "turn", transform: `translate(${round(box.width - (wide ? 44 : 30))} 8)` },
            TURN,
          )
        : null,
    ),
    wide
      ? [
          text(middle, box.height - 54, one, MIDDLE),
          text(middle, box.height - 36, `and ${two}`, MIDDLE),
          text(middle, box.height - 15, origin, { ...SMALL, ...MIDDLE }),
        ]
      : text(middle, 121, origin, { ...SMALL, ...MIDDLE }),
  );
}

/** The seat whose own treasure is shown large. @param {Scene} scene */
function owner({ view, ctx, seats }) {
  const own = typeof ctx.viewer === "number" && view.phase === "playing" ? ctx.viewer : null;
  return own !== null && seats.includes(own) && questOf(view, ctx, own) ? own : null;
}

/** The seats whose treasures are known. @param {Scene} scene */
function known({ view, ctx, seats }) {
  return seats.filter((seat) => questOf(view, ctx, seat) !== null);
}

/** @param {Scene} scene @param {boolean} wide */
export function questHeight(scene, wide) {
  if (owner(scene) !== null) return wide ? 212 : 132;
  return Math.max(92, 44 + known(scene).length * ROW);
}

/** What is being looked for, as far as it may be known. @param {Scene} scene @param {Layout} place */
export function questPanel(scene, { quest: box, wide }) {
  const own = owner(scene);
  if (own !== null) return ownQuest(scene, own, box, wide);
  const seats = known(scene);
  const inside = seats.length
    ? seats.map((seat, at) => listed(scene, seat, box.width, 54 + at * ROW))
    : [text(16, 50, "Each player seeks a pair of"), text(16, 68, "gems that no one else knows.")];
  return panel(box, "quest", false, text(16, 26, "Treasures", HEADING), inside);
}

/** @param {Scene} scene @param {number} seat @param {number} width @param {number} y */
function listed({ view, ctx }, seat, width, y) {
  const { homeward, treasure } = /** @type {Quest} */ (questOf(view, ctx, seat));
  const target = targetOf(view, ctx, seat);
  const found = view.winners.includes(seat) ? "winner" : "found";
  const state = homeward ? found : target ? `at ${nameOf(target)}` : "on the spare";
  return h(
    "g",
    { key: seat },
    seatGlyph(seat, { x: 25, y, size: 18, name: ctx.names[seat] }),
    text(42, y, cut(ctx.names[seat], width - 124 - 8 - 42, 13), LEVEL),
    h("rect", { x: width - 124, y: y - 14, width: 56, height: 28, rx: 9, fill: "var(--cushion)" }),
    treasure.map((name, at) =>
      h(
        "g",
        { transform: `translate(${round(width - 110 + at * 28)} ${y})` },
        h("title", null, gemName(name)),
        gem(name),
      ),
    ),
    text(width - 16, y, state, {
      ...SMALL,
      ...LEVEL,
      "text-anchor": "end",
      ...(homeward ? { fill: "var(--accent)", "font-weight": 600 } : {}),
    }),
  );
}

/** @param {Scene} scene @param {number} own @param {Box} box @param {boolean} wide */
function ownQuest({ view, ctx, reach }, own, box, wide) {
  const { homeward, treasure } = /** @type {Quest} */ (questOf(view, ctx, own));
  const target = targetOf(view, ctx, own);
  const home = cell(view.seats[own].home);
  const found = homeward ? " treasure, found" : box.width < 190 ? " treasure" : " secret treasure";
  const room = box.width - 32 - widthOf(`'s${found}`, 12, true);
  const slim = !wide && box.width < 190;
  const title = `${ctx.turn ? "Your" : `${cut(ctx.names[own], room, 12, true)}'s`}${found}`;
  const near = target && reach ? (reach.has(nameOf(target)) ? "within reach" : "out of reach") : "";
  const r = wide ? 34 : 24;
  const middles = wide
    ? [box.width / 2 - 52, box.width / 2 + 52]
    : slim
      ? [box.width * 0.27, box.width * 0.73]
      : [box.width * 0.19, box.width * 0.5];
  const jewels = treasure.map((name, at) =>
    h(
      "g",
      { transform: `translate(${round(middles[at])} ${wide ? 76 : 54})` },
      h("circle", { r, fill: "var(--cushion)" }),
      h("g", { transform: `scale(${round(r / 19)})` }, gem(name)),
      slim
        ? h("title", null, gemName(name))
        : wrap(gemName(name), wide ? 16 : 12).map((line, at) =>
            text(0, r + 16 + at * 14, line, { ...MIDDLE, "font-size": 12, "font-weight": 600 }),
          ),
    ),
  );
  const where = target
    ? [`row ${target.row},`, `column ${target.column}`]
    : ["on the", "spare tile"];
  const lines = wide
    ? [
        `${homeward ? "now home to " : ""}${where.join(" ")}`,
        near || (homeward ? "" : `then home to ${placeWords(home)}`),
      ]
    : slim
      ? [where.join(" "), near || (homeward ? "now home" : "")]
      : [...(homeward ? ["now home:"] : []), ...where, near];
  const [x, y, step] = wide
    ? [box.width / 2, 177, 19]
    : slim
      ? [box.width / 2, 98, 16]
      : [box.width * 0.82, 50, 16];
  return panel(
    box,
    "quest",
    true,
    text(wide ? 16 : 12, wide ? 26 : 20, title, { ...HEADING, fill: "var(--accent)" }),
    jewels,
    lines.map((line, at) =>
      text(x, y + at * step, line, { ...MIDDLE, "font-size": wide && at === 0 ? 13 : 12 }),
    ),
  );
}

/** What the signs on the board mean, this turn. @param {Scene} scene @param {Layout} place */
export function keyPanel({ view, ctx, before, reach, slide, mover }, { key: box }) {
  /** @type {[Child, string][]} */
  const entries = [];
  const frame = { x: -11, y: -8, width: 22, height: 16, rx: 4, stroke: "var(--slide)" };
  if (reach) {
    entries.push([
      h("rect", { ...frame, fill: "var(--reach)" }),
      `${count(reach.size, "tile")} within reach`,
    ]);
  } else if (slide) {
    const dots = { "stroke-width": 4.4, "stroke-linecap": "round", "stroke-dasharray": "0.01 9" };
    entries.push(
      [
        h("rect", { ...frame, fill: "none", "stroke-width": 2.4 }),
        `${slideInShort(slide)}, just slid`,
      ],
      [
        h("path", { d: "M-9 0H10", stroke: seatColour(mover), ...dots }),
        `${cut(ctx.names[mover], box ? box.width - 72 - widthOf("'s way", 12) : 0, 12)}'s way`,
      ],
    );
  }
  if (before.last && view.phase === "playing") entries.push([STRUCK, "would undo the last slide"]);
  if (!box || entries.length === 0) return null;
  return panel(
    { ...box, height: 16 + entries.length * 28 },
    "key",
    false,
    entries.map(([sign, said], at) =>
      h(
        "g",
        { transform: `translate(28 ${22 + at * 28})` },
        sign,
        text(24, 0, said, { ...LEVEL, "font-size": 12 }),
      ),
    ),
  );
}

/** Lines of at most so many letters. @param {string} said @param {number} most */
function wrap(said, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of said.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
