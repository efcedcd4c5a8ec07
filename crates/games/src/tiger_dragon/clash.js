// The middle of the table: attack and answer lean towards each other; between rounds, how the last one
// ended.

import { h } from "../../../../web/dom.js";
import { cut, widthOf } from "../../../../web/fit.js";
import { seatGlyph } from "../../../../web/marks.js";
import { count } from "../../../../web/texts.js";
import { EMPTY, label, placed } from "./pieces.js";
import { sign, source } from "./seats.js";
import { passed, roundResult, told } from "./story.js";
import { BACK, SPARK, TALL, tileFace } from "./tiles.js";
import { fieldName, tileName } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./layout.js").Layout} Layout
 *
 * @typedef {object} Half One side of the clash.
 * @property {string | null} tile Its face, "back", or null where it is still owed.
 * @property {number} seat
 * @property {string} words
 * @property {string} act
 * @property {string} [from]
 */

/** @param {View} view @param {Context} ctx @param {Layout} layout */
export function clash(view, ctx, { clash: box, narrow }) {
  const result = roundResult(view);
  const middle = box.x + box.width / 2;
  const where = `Round ${view.round} at the ${fieldName(view.battlefield)}`;
  return h(
    "g",
    { key: "clash" },
    h("rect", { ...plain(box), rx: 16, fill: "var(--zone)", stroke: "var(--board-line)" }),
    narrow
      ? null
      : label(cut(where, box.width - 24, 13), {
          x: middle,
          y: box.y + 26,
          faint: true,
          anchor: "middle",
        }),
    result ? ending(view, ctx, result, box) : halves(view, ctx, box, narrow),
  );
}

/** @param {import("./layout.js").Box} box */
function plain({ x, y, width, height }) {
  return { x, y, width, height };
}

/** @param {View} view @param {Context} ctx @param {import("./layout.js").Box & { tile: number }} box @param {boolean} narrow */
function halves(view, ctx, box, narrow) {
  const [left, right] = sides(view, ctx);
  const middle = box.x + box.width / 2;
  const gap = box.tile * 0.3;
  const high = box.tile * TALL;
  const y = box.y + (box.height - high - 50) / 2 + (narrow ? 0 : 12);
  const spark = `translate(${middle} ${y + high / 2}) scale(${Math.min(1, gap / 27)})`;
  const pill = Math.min(190, box.width / 2 - 18);
  return [
    half("attack", left, { x: middle - gap - box.tile, y, tile: box.tile, turn: -6 }),
    half("answer", right, { x: middle + gap, y, tile: box.tile, turn: 6 }),
    left?.tile && right?.tile && right.act === "defend"
      ? h("g", { key: "spark", class: "spark", transform: spark }, h("g", null, SPARK))
      : null,
    left ? pillOf(left, ctx, { x: middle - pill - 6, y: y + high + 18, width: pill }) : null,
    right ? pillOf(right, ctx, { x: middle + 6, y: y + high + 18, width: pill }) : null,
    gone(view, ctx, { x: middle, y: box.y + box.height - 12 }, narrow),
  ];
}

/** What lies on either side. @param {View} view @param {Context} ctx @returns {[Half | null, Half | null]} */
function sides(view, ctx) {
  const attack = view.attack ?? view.answered;
  const answer = told(view, "defended");
  const down = told(view, "put-face-down");
  const { current } = view;
  if (view.answered && answer) {
    const from = source(view, ctx, answer.seat, answer.tile);
    return [
      { ...view.answered, words: "attacks", act: "attack", from: "clash-attack" },
      { ...answer, words: "answers", act: "defend", from },
    ];
  }
  if (attack) {
    const fresh = told(view, "attacked");
    const from = fresh ? source(view, ctx, fresh.seat, fresh.tile) : "clash-attack";
    /** @type {Half} */
    const left = { ...attack, words: "attacks", act: "attack", from };
    if (view.phase === "Defend")
      return [left, { tile: null, seat: current, words: "to answer", act: "defend" }];
    return [left, { tile: null, seat: current, words: "no answer", act: "face-down" }];
  }
  const right = down
    ? {
        tile: "back",
        seat: down.seat,
        words: "face down",
        act: "face-down",
        from: `hand-${down.seat}`,
      }
    : null;
  return [{ tile: null, seat: current, words: "attacks now", act: "attack" }, right];
}

/** @param {string} name @param {Half | null} half @param {{ x: number, y: number, tile: number, turn: number }} at */
function half(name, half, at) {
  if (!half) return null;
  const face =
    half.tile === null ? EMPTY : half.tile === "back" ? BACK : tileFace(half.tile, at.tile);
  const flip = half.tile === null ? `clash-${name}-owed` : `clash-${name}`;
  const tile = placed(flip, { ...at, from: half.from }, face, { class: `clash-${name}` });
  if (half.tile !== null) return tile;
  const middle = { x: at.x + at.tile / 2, y: at.y + at.tile * 0.67 };
  return [tile, owed(half.words, middle)];
}

/** A word or three in an empty place. @param {string} words @param {{ x: number, y: number }} at */
function owed(words, { x, y }) {
  const lines = words.split(" ");
  return lines.map((word, at) =>
    label(word, {
      x,
      y: y + 5 + (at - (lines.length - 1) / 2) * 16,
      faint: true,
      anchor: "middle",
    }),
  );
}

/** Who did what, under the tile. @param {Half} half @param {Context} ctx @param {{ x: number, y: number, width: number }} at */
function pillOf({ seat, words, act }, { names }, { x, y, width }) {
  // Between the mark and the sign; the name comes first, and who does what is seen from the signs too.
  const room = width - 34 - 34;
  const whole = widthOf(names[seat], 14, true) + widthOf(` ${words}`, 14) <= room;
  const said = whole ? ` ${words}` : "";
  const name = width > 90 ? cut(names[seat], room, 14, true) : "";
  return h(
    "g",
    { class: "pill" },
    h("rect", {
      x,
      y,
      width,
      height: 32,
      rx: 16,
      fill: "var(--turn)",
      stroke: "var(--board-line)",
    }),
    seatGlyph(seat, { x: x + 18, y: y + 16, size: 20, name: names[seat] }),
    h(
      "text",
      { x: x + 34, y: y + 21, "font-size": 14, fill: "var(--board-ink)" },
      h("tspan", { "font-weight": 600 }, name),
      said,
    ),
    sign(act, { x: x + width - 18, y: y + 16 }),
  );
}

/** Who let it go by so far. @param {View} view @param {Context} ctx @param {{ x: number, y: number }} at @param {boolean} narrow */
function gone(view, ctx, { x, y }, narrow) {
  const seats = passed(view, ctx);
  if (seats.length === 0 || narrow) return null;
  const left = x - (seats.length * 22 + 46) / 2;
  return [
    label("passed", { x: left, y: y + 1, size: 12.5, faint: true }),
    seats.map((seat, at) =>
      seatGlyph(seat, { x: left + 58 + at * 22, y: y - 4, size: 17, name: ctx.names[seat] }),
    ),
  ];
}

/** @param {View} view @param {Context} ctx @param {any} result @param {import("./layout.js").Box & { tile: number }} box */
function ending(view, ctx, result, box) {
  const high = box.tile * TALL;
  const y = box.y + (box.height - high) / 2 + 6;
  const x = box.x + box.width / 2 - box.tile - 8;
  const words = x + box.tile + 24;
  const room = box.x + box.width - words - 8;
  const over = view.phase === "Finished";
  const bonus = result.face_down > 0 ? `, ${result.face_down} face down` : "";
  const from = source(view, ctx, result.winner, result.last_tile);
  const middle = y + high / 2;
  return [
    placed(
      "clash-answer",
      { x, y, tile: box.tile, turn: -4, from },
      tileFace(result.last_tile, box.tile),
    ),
    seatGlyph(result.winner, {
      x: words + 13,
      y: middle - 52,
      size: 26,
      name: ctx.names[result.winner],
    }),
    label(cut(ctx.names[result.winner], room - 34, 16, true), {
      x: words + 34,
      y: middle - 46,
      size: 16,
      bold: true,
    }),
    label(over ? "wins the match" : `wins round ${result.round}`, {
      x: words,
      y: middle - 18,
      size: 14,
    }),
    label(`+${count(result.points, "point")}`, {
      x: words,
      y: middle + 14,
      size: 24,
      bold: true,
      fill: "var(--brass-deep)",
    }),
    label(cut(`${tileName(result.last_tile)} last${bonus}`, room, 12.5), {
      x: words,
      y: middle + 36,
      size: 12.5,
      faint: true,
    }),
    over ? null : next(ctx.names[view.current], box),
  ];
}

const BEGINS = [" begins the next round", " begins next"];

/** Under both, where there is room for a name. @param {string} name @param {import("./layout.js").Box} box */
function next(name, { x, y, width, height }) {
  const room = width - 24;
  const whole = BEGINS.find((words) => widthOf(name + words, 12.5) <= room);
  const words = whole ?? BEGINS[1];
  const at = { x: x + width / 2, y: y + height - 12, anchor: "middle" };
  const cutName = cut(name, room - widthOf(words, 12.5), 12.5);
  return label(`${cutName}${words}`, { ...at, size: 12.5, faint: true });
}
