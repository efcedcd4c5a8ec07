// Beside the labyrinth: the spare tile, what is being looked for, and what the signs mean.

import { h } from "../../../../web/dom.js";
import { seatColour, seatGlyph } from "../../../../web/marks.js";
import { count } from "../../../../web/texts.js";
import { gem, gemName } from "./gems.js";
import { cell, nameOf, undoing } from "./maze.js";
import { ARROW, STRUCK, TURN } from "./pieces.js";
import { onSpare } from "./play.js";
import { draftOf, knownQuest, lastNews, slideOf, targetOf } from "./reading.js";
import { round, stayed } from "./stones.js";
import { tile, turned } from "./tiles.js";
import { lineWords, placeWords, slideInShort } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./layout.js").Box} Box
 * @typedef {ReturnType<typeof import("./reading.js").scene>} Scene
 * @typedef {import("../../../../web/dom.js").Child} Child
 */

const ROW = 32;

/** @param {Box} box @param {{ own?: boolean, key: string }} how @param {...Child} inside */
function panel({ x, y, width, height }, { own = false, key }, ...inside) {
  return h(
    "g",
    { key, transform: `translate(${round(x)} ${round(y)})` },
    h("rect", {
      width: round(width),
      height: round(height),
      rx: 12,
      fill: own ? "var(--tint)" : "var(--sheet)",
      stroke: own ? "var(--accent)" : "var(--hairline)",
      "stroke-width": own ? 1.4 : 1,
    }),
    ...inside,
  );
}

/** @param {number} x @param {number} y @param {Child} said @param {object} [more] */
function text(x, y, said, more = {}) {
  return h("text", { x: round(x), y, "font-size": 13, fill: "var(--ink)", ...more }, said);
}

const HEADING = { "font-size": 12, "font-weight": 600, fill: "var(--ink-2)" };
const SMALL = { "font-size": 12, fill: "var(--ink-2)" };
const MIDDLE = { "text-anchor": "middle" };

/** @param {View} view @param {Context} ctx @param {Scene} scene @param {Layout} place */
export function sparePanel(view, ctx, { maze }, { spare: box, wide }) {
  const draft = draftOf(ctx);
  const drafted = ctx.turn && draft.slide;
  const turn = ctx.turn && !drafted ? draft.degree : 0;
  const connector = turned(maze.spare.connector, turn);
  const size = wide ? 96 : 72;
  const left = (box.width - size) / 2;
  const top = wide ? 40 : 30;
  const [one, two] = maze.spare.pair.map(gemName);
  const middle = box.width / 2;
  return panel(
    box,
    { key: "spare" },
    text(16, 24, drafted ? "Next spare tile" : "Spare tile", {
      ...HEADING,
      x: wide ? 16 : 12,
      y: wide ? 26 : 20,
    }),
    h(
      "g",
      { class: "spare", ...onSpare(ctx) },
      h(
        "g",
        { transform: `translate(${round(left)} ${top}) scale(${size / 100})` },
        h("rect", { x: 1, y: 4, width: 98, height: 98, rx: 6, fill: "var(--pawn-shadow)" }),
        tile(connector, maze.spare.pair),
      ),
      ctx.turn && !drafted
        ? h(
            "g",
            {
              transform: `translate(${round(left + size + 8)} ${top + size / 2 - 12})`,
              color: "var(--accent)",
            },
            TURN,
          )
        : null,
    ),
    wide
      ? [
          text(middle, 160, one, MIDDLE),
          text(middle, 177, `and ${two}`, MIDDLE),
          text(middle, 198, originOf(view, ctx), { ...SMALL, ...MIDDLE }),
        ]
      : text(middle, 121, shortOriginOf(view, ctx), { ...SMALL, ...MIDDLE }),
  );
}

/** @param {View} view @param {Context} ctx */
function originOf(view, ctx) {
  const draft = draftOf(ctx);
  if (ctx.turn && draft.slide) return `pushed out of ${lineWords(draft.slide)}`;
  if (ctx.turn && draft.degree) return `turned by ${draft.degree}°`;
  const slide = slideOf(lastNews(view, ctx));
  return slide ? `pushed out of ${lineWords(slide)}` : "to be pushed in next";
}

/** @param {View} view @param {Context} ctx */
function shortOriginOf(view, ctx) {
  const draft = draftOf(ctx);
  if (ctx.turn && !draft.slide && draft.degree) return `turned by ${draft.degree}°`;
  const slide = ctx.turn && draft.slide ? draft.slide : slideOf(lastNews(view, ctx));
  return slide ? `from ${lineWords(slide)}` : "goes in next";
}

/** The seats whose quests are listed. @param {View} view @param {Context} ctx */
function listed(view, ctx) {
  if (typeof ctx.viewer === "number" && view.phase !== "over") return [];
  return stayed(view).filter((seat) => knownQuest(view, ctx, seat) !== null);
}

/** @param {View} view @param {Context} ctx @param {boolean} wide */
export function questHeight(view, ctx, wide) {
  const seats = listed(view, ctx).length;
  if (seats > 0) return 44 + seats * ROW;
  if (typeof ctx.viewer === "number" && knownQuest(view, ctx, ctx.viewer)) return wide ? 212 : 132;
  return 92;
}

/** What is being looked for, by whoever may be known. @param {View} view @param {Context} ctx @param {Scene} scene @param {Layout} place */
export function questPanel(view, ctx, scene, { quest: box, wide }) {
  const seats = listed(view, ctx);
  if (seats.length > 0) return list(view, ctx, seats, box);
  const own = typeof ctx.viewer === "number" ? ctx.viewer : null;
  const quest = own === null ? null : knownQuest(view, ctx, own);
  if (own !== null && quest) return ownQuest(view, ctx, own, scene, box, wide);
  return panel(
    box,
    { key: "quest" },
    text(16, 26, "Treasures", HEADING),
    text(16, 50, "Everybody looks for a pair"),
    text(16, 68, "of gems, known to them alone."),
  );
}

/** @param {View} view @param {Context} ctx @param {number[]} seats @param {Box} box */
function list(view, ctx, seats, box) {
  return panel(
    box,
    { key: "quest" },
    text(16, 26, "Treasures", HEADING),
    seats.map((seat, at) => {
      const quest = /** @type {import("./reading.js").Quest} */ (knownQuest(view, ctx, seat));
      const y = 54 + at * ROW;
      const target = targetOf(view, ctx, seat);
      const state = view.winners.includes(seat)
        ? "home"
        : quest.homeward
          ? "found"
          : target
            ? `at ${nameOf(target).replace(",", ", ")}`
            : "on the spare";
      return h(
        "g",
        { key: seat },
        seatGlyph(seat, { x: 25, y, size: 18, name: ctx.names[seat] }),
        text(42, y, cut(ctx.names[seat], box.width < 240 ? 9 : 13), {
          "dominant-baseline": "central",
        }),
        quest.treasure.map((name, index) =>
          h(
            "g",
            { transform: `translate(${round(box.width - 106 + index * 28)} ${y})` },
            h("title", null, gemName(name)),
            gem(name),
          ),
        ),
        text(box.width - 16, y, state, {
          ...SMALL,
          "text-anchor": "end",
          "dominant-baseline": "central",
          fill: quest.homeward ? "var(--accent)" : "var(--ink-2)",
          "font-weight": quest.homeward ? 600 : 400,
        }),
      );
    }),
  );
}

/** @param {View} view @param {Context} ctx @param {number} own @param {Scene} scene @param {Box} box @param {boolean} wide */
function ownQuest(view, ctx, own, { reach }, box, wide) {
  const quest = /** @type {import("./reading.js").Quest} */ (knownQuest(view, ctx, own));
  const target = targetOf(view, ctx, own);
  const home = cell(view.seats[own].home);
  const title = quest.homeward ? "Treasure found" : "Your treasure, yours alone to see";
  const near =
    target && reach ? (reach.has(nameOf(target)) ? ": within reach" : ": out of reach") : "";
  const short =
    target && reach ? (reach.has(nameOf(target)) ? "within reach" : "out of reach") : "";
  const lines = quest.homeward
    ? ["Now home", `to ${placeWords(home)}${near}`]
    : [
        target ? `${placeWords(target)}${near}` : "on the spare tile",
        `then home to ${placeWords(home)}`,
      ];
  const heading = { ...HEADING, fill: "var(--accent)" };
  const jewels = (
    /** @type {number[]} */ middles,
    /** @type {number} */ y,
    /** @type {number} */ r,
  ) =>
    quest.treasure.map((name, at) =>
      h(
        "g",
        { transform: `translate(${round(middles[at])} ${y})` },
        h("circle", { r, fill: "var(--raised)" }),
        h("g", { transform: `scale(${round(r / 19)})` }, gem(name)),
        wrap(gemName(name), wide ? 16 : 12).map((line, index) =>
          text(0, r + 16 + index * 14, line, { ...MIDDLE, "font-size": 12, "font-weight": 600 }),
        ),
      ),
    );
  if (wide) {
    const middle = box.width / 2;
    const [first, second] = lines;
    return panel(
      box,
      { own: true, key: "quest" },
      text(16, 26, title, heading),
      jewels([middle - 52, middle + 52], 78, 34),
      text(middle, 178, first, MIDDLE),
      text(middle, 197, second, { ...MIDDLE, ...SMALL }),
    );
  }
  const right = box.width - 44;
  const told = quest.homeward
    ? ["now home:", `row ${home.row},`, `column ${home.column}`, short]
    : target
      ? [`row ${target.row},`, `column ${target.column}`, short]
      : ["on the", "spare tile"];
  return panel(
    box,
    { own: true, key: "quest" },
    text(12, 20, title, heading),
    jewels([44, 118], 56, 24),
    told.map((line, at) => text(right, 50 + at * 16, line, { ...MIDDLE, "font-size": 12 })),
  );
}

/** What the signs on the board mean, this turn. @param {View} view @param {Context} ctx @param {Scene} scene @param {Layout} place */
export function keyPanel(view, ctx, { before, reach }, { key: box }) {
  if (!box) return null;
  const news = lastNews(view, ctx);
  const slide = slideOf(news);
  const undo = undoing(before.last);
  /** @type {[Child, string][]} */
  const entries = [];
  if (reach) {
    entries.push([
      h("rect", {
        x: -11,
        y: -8,
        width: 22,
        height: 16,
        rx: 4,
        fill: "var(--reach)",
        stroke: "var(--slide)",
      }),
      `${count(reach.size, "tile")} within reach`,
    ]);
  } else if (slide) {
    entries.push([
      h("rect", {
        x: -11,
        y: -7,
        width: 22,
        height: 14,
        rx: 4,
        fill: "none",
        stroke: "var(--slide)",
        "stroke-width": 2.4,
      }),
      `${slideInShort(slide)}, just slid`,
    ]);
    entries.push([
      h("path", {
        d: "M-9 0H10",
        stroke: seatColour(news.mover),
        "stroke-width": 4.4,
        "stroke-linecap": "round",
        "stroke-dasharray": "0.01 9",
      }),
      `${cut(ctx.names[news.mover], 12)}'s way`,
    ]);
  }
  if (undo && view.phase === "playing") {
    entries.push([
      [
        h("path", {
          d: ARROW,
          fill: "none",
          stroke: "var(--arrow)",
          "stroke-width": 1.4,
          "stroke-dasharray": "3 2",
        }),
        h("path", { d: STRUCK, stroke: "var(--arrow)", "stroke-width": 2.2 }),
      ],
      "would undo the last slide",
    ]);
  }
  if (entries.length === 0) return null;
  const height = 16 + entries.length * 28;
  return panel(
    { ...box, height },
    { key: "key" },
    entries.map(([sign, said], at) =>
      h(
        "g",
        { transform: `translate(28 ${22 + at * 28})` },
        sign,
        text(24, 0, said, { "dominant-baseline": "central", "font-size": 12.5 }),
      ),
    ),
  );
}

/** @param {string} name @param {number} most */
export function cut(name, most) {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

/** Lines of at most so many letters. @param {string} said @param {number} most */
function wrap(said, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of said.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
