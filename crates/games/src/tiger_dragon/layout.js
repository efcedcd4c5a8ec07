// Where everything lies: players round the clash on a wide table, under each other on a phone. Units
// are CSS pixels of a stage as wide as the layout; a wider stage scales it up.

import { TALL } from "./tiles.js";

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 *
 * @typedef {object} Block One player's part of the table.
 * @property {number} seat
 * @property {Box} box What lights up when it is this player's turn.
 * @property {Box} head Mark, name, and what the player does.
 * @property {Box & { tile: number }} hand
 * @property {Box & { tile: number }} laid
 * @property {boolean} near
 *
 * @typedef {object} Layout
 * @property {boolean} narrow
 * @property {number} width
 * @property {number} height
 * @property {Block[]} blocks
 * @property {Box & { tile: number }} clash
 */

const NARROW = 620;
const PAD = 18;
/** Under a tile on the table: a sign for what it was played for. */
export const SIGN = 19;
/** From a tile to the next beside it, in widths. */
const STEP = 1.14;
/** The width of mark, name and what a player does. */
const HEAD = 168;

/**
 * @typedef {object} What
 * @property {number} seats
 * @property {number} near
 * @property {boolean} open Whether the others' hands are seen.
 * @property {number[]} laid Each player's tiles on the table.
 * @property {number[]} held Each player's tiles in hand.
 */

/** @param {number} stage The stage's width. @param {What} what @param {number | null} [height] At most, where that is known. @returns {Layout} */
export function layoutFor(stage, what, height = null) {
  const { seats, near } = what;
  const others = Array.from({ length: seats - 1 }, (_, at) => (near + 1 + at) % seats);
  const usual =
    stage < NARROW
      ? stacked(clamp(stage, 320, 420), others, what)
      : round(clamp(stage, 640, 928), others, what);
  // A little too high is drawn a little smaller; far too high is laid out anew.
  const drawn = usual.height * (stage / usual.width);
  return height && drawn > height * 1.15 ? low(stage, height, others, what) : usual;
}

/** Where there is little height: the others in small boxes, and the own hand as large as fingers need it. @param {number} width @param {number} room @param {number[]} others @param {What} what @returns {Layout} */
function low(width, room, others, { near, laid, held }) {
  const [pad, gap, tile] = [6, 6, 15];
  const inner = width - 2 * pad;
  const across = room > 480 ? Math.min(2, others.length) : others.length;
  const boxes = { width: (inner - gap * (across - 1)) / across, height: 90 };
  /** @type {Block[]} */
  const blocks = others.map((seat, at) => {
    const box = {
      ...boxes,
      x: pad + (at % across) * (boxes.width + gap),
      y: pad + Math.floor(at / across) * (boxes.height + gap),
    };
    const inside = { x: box.x + 8, width: box.width - 16 };
    return {
      ...{ seat, near: false, box },
      head: { ...inside, width: inside.width - 40, y: box.y + 6, height: 40 },
      hand: { x: box.x + box.width - 46, y: box.y + 8, width: 40, height: 20, tile: 12 },
      laid: { ...inside, y: box.y + 48, height: tile * TALL + SIGN, tile },
    };
  });
  const top = pad + Math.ceil(others.length / across) * (boxes.height + gap);
  const wideHand = inner - 20;
  const step = (/** @type {number} */ size) => (wideHand - size) / Math.max(1, held[near] - 1);
  const lines = step(44) >= 40 ? 1 : 2;
  const most = Math.ceil(held[near] / lines);
  const size = clamp(wideHand / (most * STEP), 44, 60);
  const handHeight = lines * (size * TALL + 12) - 12;
  const nearHeight = 54 + handHeight + 8;
  const left = room - top - nearHeight - gap - pad;
  const clash = { x: pad, y: top, width: inner, height: clamp(left, 96, 188), tile: 0 };
  clash.tile = clamp((clash.height - 56) / TALL, 28, 76);
  const y = top + clash.height + gap;
  const box = { x: pad, y, width: inner, height: nearHeight };
  const third = Math.max(150, inner * 0.34);
  blocks.push({
    ...{ seat: near, near: true, box },
    head: { x: pad + 10, y: y + 8, width: third, height: 40 },
    laid: {
      ...{ x: pad + 18 + third, y: y + 7, width: inner - third - 28 },
      ...{ height: (tile + 2) * TALL + SIGN, tile: tile + 2 },
    },
    hand: { x: pad + 10, y: y + 54, width: wideHand, height: handHeight, tile: size },
  });
  return { narrow: true, width, height: y + nearHeight + pad, blocks, clash };
}

/** @param {number} width @param {number[]} others @param {What} what @returns {Layout} */
function round(width, others, what) {
  const k = width / 928;
  const s = (/** @type {number} */ n) => Math.round(n * k);
  const tile = Math.max(30, s(44));
  const line = tile * TALL + SIGN;
  const columns = others.length > 1 ? [others[0], /** @type {number} */ (others.at(-1))] : [];
  const top = others.length > 1 ? others.slice(1, -1) : others;
  const inner = width - 2 * PAD;
  const topHeight = top.length > 0 ? line + (top.length > 1 ? 54 : 24) : 0;
  const topWidth = (inner - 12 * (top.length - 1)) / Math.max(1, top.length);
  /** @type {Block[]} */
  const blocks = top.map((seat, at) => {
    const box = { x: PAD + at * (topWidth + 12), y: PAD, width: topWidth, height: topHeight };
    return top.length > 1 ? strip(seat, box, tile) : across(seat, what, box, tile);
  });
  const y = PAD + topHeight + (topHeight > 0 ? 12 : 0);
  const lines = top.length > 0 ? 2 : 3;
  const columnWidth = tile + 4 * tile * STEP + 28;
  const height =
    columns.length > 0 ? lines * line + tile * 0.75 * TALL + 62 : Math.max(s(276), 220);
  for (const [at, seat] of columns.entries()) {
    const x = at === 0 ? PAD : width - PAD - columnWidth;
    blocks.push(column(seat, { x, y, width: columnWidth, height }, tile));
  }
  const aside = columns.length > 0 ? columnWidth + 12 : s(160);
  const between = inner - 2 * aside;
  const large = Math.min(s(104), between * 0.32);
  const clash = { x: PAD + aside, y, width: between, height, tile: large };
  const bottom = y + height + 12;
  const last = { x: PAD, y: bottom, width: inner, height: s(78) * TALL + 40 };
  blocks.push(ahead(what, last, tile, { most: s(78), least: s(54) }));
  const end = bottom + last.height;
  return { narrow: false, width, height: end + PAD, blocks, clash };
}

/** The near player: head, laid tiles and a large hand in one line. @param {What} what @param {Box} box @param {number} tile @param {{ most: number, least: number }} size @returns {Block} */
function ahead(what, box, tile, { most, least }) {
  const { near, laid, held } = what;
  const room = box.width - HEAD - 52;
  const left = room - Math.min(wide(laid[near], tile), room * 0.6);
  const large = clamp(left / (held[near] * STEP), least, most);
  const block = across(near, what, box, tile, large);
  block.hand.y = box.y + box.height - 16 - large * TALL;
  return { ...block, near: true, laid: { ...block.laid, y: box.y + 22 } };
}

/** Head, laid tiles and hand in one line. @param {number} seat @param {What} what @param {Box} box @param {number} tile @param {number} [inHand] @returns {Block} */
function across(seat, { laid, held }, box, tile, inHand = tile * 0.72) {
  const left = box.x + HEAD + 14;
  const right = box.x + box.width - 16;
  const room = right - left - 24;
  // Hands that are not seen are said in words beside them.
  const hand = Math.min(
    Math.max(wide(held[seat], inHand), inHand < tile ? 110 : 0),
    room - Math.min(wide(laid[seat], tile), room * 0.6),
  );
  return {
    seat,
    near: false,
    box,
    head: { x: box.x + 14, y: box.y + 14, width: HEAD, height: 50 },
    laid: { x: left, y: box.y + 14, width: room - hand, height: tile * TALL + SIGN, tile },
    hand: { x: right - hand, y: box.y + 14, width: hand, height: inHand * TALL, tile: inHand },
  };
}

/** @param {number} count @param {number} tile */
function wide(count, tile) {
  return count > 0 ? tile + (count - 1) * tile * STEP : 0;
}

/** Head and hand in a line, the laid tiles under it. @param {number} seat @param {Box} box @param {number} tile @returns {Block} */
function strip(seat, box, tile) {
  const head = Math.min(220, box.width * 0.44);
  const hand = { x: box.x + head + 28, y: box.y + 8, height: 34, tile: 24 };
  return {
    seat,
    near: false,
    box,
    head: { x: box.x + 14, y: box.y + 10, width: head, height: 24 },
    hand: { ...hand, width: box.width - head - 42 },
    laid: { x: box.x + 14, y: box.y + 52, width: box.width - 28, height: tile * TALL + SIGN, tile },
  };
}

/** @param {number} seat @param {Box} box @param {number} tile @returns {Block} */
function column(seat, box, tile) {
  const small = tile * 0.75;
  const inside = { x: box.x + 14, width: box.width - 28 };
  const under = box.y + 52 + small * TALL;
  return {
    seat,
    near: false,
    box,
    head: { ...inside, y: box.y + 10, height: 24 },
    hand: { ...inside, y: box.y + 42, height: small * TALL, tile: small },
    laid: { ...inside, y: under, height: box.y + box.height - under, tile },
  };
}

/** @param {number} width @param {number[]} others @param {What} what @returns {Layout} */
function stacked(width, others, { near, open, laid, held }) {
  const tile = 34;
  const inner = width - 16;
  const lines = others.length < 3 ? 2 : 1;
  const line = tile * TALL + SIGN;
  const more = open ? 46 : 0;
  const height = lines * line + 16 + more;
  let y = 8;
  /** @type {Block[]} */
  const blocks = others.map((seat) => {
    const box = { x: 8, y, width: inner, height };
    y += height + 6;
    return {
      seat,
      near: false,
      box,
      head: { x: 18, y: box.y + 8, width: 104, height: 60 },
      hand: open
        ? { x: 126, y: box.y + 8, width: inner - 130, height: 40, tile: 26 }
        : { x: 18, y: box.y + 54, width: 92, height: 20, tile: 13 },
      laid: { x: 126, y: box.y + 9 + more, width: inner - 130, height: lines * line, tile },
    };
  });
  const clash = { x: 8, y, width: inner, height: 188, tile: 76 };
  y += clash.height + 6;
  const hand = held[near] > 4 ? 52 : 72;
  const laidLines = laid[near] > 10 ? 2 : 1;
  const handLines = held[near] > 6 ? 2 : 1;
  const handTop = y + 76 + laidLines * line;
  const box = { x: 8, y, width: inner, height: handTop + handLines * (hand * TALL + 12) + 8 - y };
  blocks.push({
    seat: near,
    near: true,
    box,
    head: { x: 18, y: y + 10, width: inner - 20, height: 40 },
    laid: { x: 18, y: y + 61, width: inner - 20, height: laidLines * line, tile },
    hand: { x: 18, y: handTop, width: inner - 20, height: handLines * hand * TALL, tile: hand },
  });
  return { narrow: true, width, height: y + box.height + 8, blocks, clash };
}

/**
 * Places for tiles: beside each other, in as many rows as there is room for, and overlapping only if
 * that is not enough.
 * @param {number} count
 * @param {Box & { tile: number }} box
 * @param {{ below?: number, middle?: boolean }} [how] What stands below each tile, and whether rows are
 *   even and in the middle of the box.
 */
export function rows(count, box, { below = 0, middle = false } = {}) {
  const { tile } = box;
  const height = tile * TALL + below;
  const beside = 1 + Math.max(0, Math.floor((box.width - tile + 1) / (tile * STEP)));
  const most = Math.max(1, Math.round(box.height / height));
  const lines = Math.max(1, Math.min(most, Math.ceil(count / beside)));
  const even = Math.ceil(count / lines);
  const each = middle ? even : Math.max(Math.min(beside, count), even);
  const step = each > 1 ? Math.min(tile * STEP, (box.width - tile) / (each - 1)) : 0;
  return Array.from({ length: count }, (_, at) => {
    const row = Math.floor(at / each);
    const inRow = Math.min(each, count - row * each);
    const spare = middle ? (box.width - tile - step * (inRow - 1)) / 2 : 0;
    return { x: box.x + spare + step * (at % each), y: box.y + row * (height + (below ? 0 : 12)) };
  });
}

/** @param {number} n @param {number} low @param {number} high */
function clamp(n, low, high) {
  return Math.max(low, Math.min(high, n));
}
