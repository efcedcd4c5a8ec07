// Where everything lies, for a table that is wide and for one that is narrow. Units are CSS pixels of
// a stage as wide as the layout; a wider stage scales it up.

import { TALL } from "./cards.js";

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ x: number, y: number, card: number }} Spot A card's upper left corner and width.
 * @typedef {Spot & { step: number, label: { x: number, y: number } | null }} Row
 * @typedef {{ plate: Box, hand: Box & { card: number }, reserves: Row }} Side
 *
 * @typedef {object} Layout
 * @property {boolean} narrow
 * @property {number} width
 * @property {number} height
 * @property {Side} near
 * @property {Side} far
 * @property {Spot & { left: number, step: number }} pile The top card, and how far left the fan may reach.
 * @property {Spot} burned
 * @property {Spot} deck
 * @property {Box} panel
 */

const NARROW = 620;

/** @param {number} stage The stage's width. @param {{ open: boolean, deck: boolean }} what Whether the far hand is seen, and there is a deck. @param {number | null} [height] At most, where that is known. @returns {Layout} */
export function layoutFor(stage, { open, deck }, height = null) {
  const usual =
    stage < NARROW
      ? narrow(clamp(stage, 320, 420), { open, deck })
      : wide(clamp(stage, 640, 928), deck);
  // A little too high is drawn a little smaller; far too high is laid out anew.
  const drawn = usual.height * (stage / usual.width);
  return height && drawn > height * 1.2 ? low(stage, height, open) : usual;
}

/** Where there is little height: everything in the middle stands side by side. @param {number} width @param {number} room @param {boolean} open @returns {Layout} */
function low(width, room, open) {
  const plate = { width: Math.min(150, Math.round(width * 0.36)), height: 46 };
  const reserves = { card: 32, step: 22 };
  const right = width - 14;
  const trio = right - 2 * reserves.step - reserves.card;
  const handLeft = 12 + plate.width + 10;
  const middle = 64;
  // What is left over makes the cards larger.
  const spare = clamp((room - 352) / 2, 0, 40);
  const hand = middle + 140 + spare / 2;
  const below = hand + 98 + spare / 2;
  return {
    narrow: true,
    width,
    height: below + plate.height + 12,
    far: {
      plate: { x: 12, y: 10, ...plate },
      hand: {
        ...{ x: handLeft, y: 12, width: trio - 12 - handLeft, height: 42 },
        card: open ? 30 : 28,
      },
      reserves: { x: trio, y: 12, ...reserves, label: null },
    },
    burned: { x: 16, y: middle + 6, card: 36 },
    deck: { x: 16, y: middle + 84, card: 30 },
    pile: { x: width * 0.5 - 96, y: middle + 2, card: 74, left: 64, step: 26 },
    panel: { x: width * 0.5, y: middle, width: width * 0.5 - 14, height: 132 },
    near: {
      plate: { x: 12, y: below, ...plate, width: Math.min(184, trio - 24) },
      hand: { x: 14, y: hand, width: width - 28, height: 92, card: 64 + spare / 4 },
      reserves: { x: trio, y: below + 1, ...reserves, label: null },
    },
  };
}

/** @param {number} width @param {boolean} deck @returns {Layout} */
function wide(width, deck) {
  const k = width / 928;
  const s = (/** @type {number} */ n) => Math.round(n * k);
  const plate = { width: Math.max(176, s(208)), height: 56 };
  const edge = s(32);
  const handLeft = edge + plate.width + s(28);
  const reserveCard = s(60);
  const trio = s(70);
  const right = width - edge;
  const trioLeft = right - 2 * trio - reserveCard;
  const panelWidth = Math.max(s(256), 228);
  const panel = {
    x: right - panelWidth,
    y: s(176),
    width: panelWidth,
    height: Math.max(s(190), 176),
  };
  return {
    narrow: false,
    width,
    height: s(650),
    far: {
      plate: { x: edge, y: s(32), ...plate },
      hand: {
        x: handLeft,
        y: s(30),
        width: trioLeft - s(36) - handLeft,
        height: s(116),
        card: s(80),
      },
      reserves: {
        x: trioLeft,
        y: s(34),
        card: reserveCard,
        step: trio,
        label: { x: (trioLeft + right) / 2, y: s(34) + reserveCard * TALL + 19 },
      },
    },
    near: {
      plate: { x: edge, y: s(468), ...plate },
      hand: {
        x: handLeft,
        y: s(452),
        width: trioLeft - s(36) - handLeft,
        height: s(160),
        card: s(98),
      },
      reserves: {
        x: trioLeft,
        y: s(470),
        card: reserveCard,
        step: trio,
        label: { x: (trioLeft + right) / 2, y: s(470) + reserveCard * TALL + 19 },
      },
    },
    burned: { x: s(44), y: s(206), card: s(84) },
    deck: { x: s(164), y: s(206), card: s(84) },
    pile: {
      x: Math.min(deck ? s(472) : s(430), panel.x - s(28) - s(136)),
      y: s(176),
      card: s(136),
      left: deck ? s(286) : s(172),
      step: s(44),
    },
    panel,
  };
}

/** @param {number} width @param {{ open: boolean, deck: boolean }} what @returns {Layout} */
function narrow(width, { open, deck }) {
  const plate = { width: Math.min(150, Math.round(width * 0.4)), height: 52 };
  const handLeft = 14 + plate.width + 10;
  const card = Math.round(width * 0.225);
  const reserves = { card: 38, step: 26 };
  const right = width - 16;
  const trio = right - 2 * reserves.step - reserves.card;
  // A far hand that is seen has a row of its own.
  const more = open ? 62 : 0;
  return {
    narrow: true,
    width,
    height: 646 + more,
    far: {
      plate: { x: 14, y: 14, ...plate },
      hand: open
        ? { x: 16, y: 82, width: width - 32, height: 64, card: 44 }
        : { x: handLeft, y: 17, width: trio - 12 - handLeft, height: 53, card: 38 },
      reserves: { x: trio, y: 17, ...reserves, label: open ? null : { x: trio + 45, y: 88 } },
    },
    burned: { x: 22, y: 118 + more, card: 46 },
    deck: { x: 22, y: 212 + more, card: 46 },
    pile: { x: right - (deck ? 116 : 144), y: 108 + more, card: 112, left: 88, step: 34 },
    panel: { x: 14, y: 312 + more, width: width - 28, height: 108 },
    near: {
      plate: { x: 14, y: 580 + more, ...plate, width: Math.min(184, trio - 86) },
      hand: { x: 16, y: 443 + more, width: width - 32, height: 118, card },
      reserves: { x: trio, y: 580 + more, ...reserves, label: { x: trio - 10, y: 600 + more } },
    },
  };
}

/**
 * Where the cards of a hand lie: beside each other, else overlapping so that every index shows, else
 * in two rows.
 * @param {number} cards
 * @param {Box & { card: number }} box
 * @returns {{ card: number, step: number, spots: { x: number, y: number }[] }}
 */
export function fan(cards, box) {
  const least = Math.max(15, box.card * 0.21);
  const step = stepOf(cards, box.width, box.card);
  if (cards < 2 || step >= least) return row(cards, box, box.card, step);
  const half = Math.ceil(cards / 2);
  const card = Math.round(box.card * 0.86);
  const close = stepOf(half, box.width, card);
  const upper = row(half, box, card, close);
  const lower = row(cards - half, box, card, close);
  const down = Math.max(34, box.height - card * TALL);
  const spots = [
    ...upper.spots.map((spot) => ({ ...spot, y: spot.y - down * 0.4 })),
    ...lower.spots.map((spot) => ({ ...spot, y: spot.y + down * 0.6 })),
  ];
  return { card, step: close, spots };
}

/** @param {number} cards @param {Box} box @param {number} card @param {number} step */
function row(cards, box, card, step) {
  const spare = box.width - card - step * Math.max(0, cards - 1);
  const spots = Array.from({ length: cards }, (_, at) => ({
    x: Math.round(box.x + Math.max(0, spare) / 2 + step * at),
    y: box.y,
  }));
  return { card, step, spots };
}

/** @param {number} cards @param {number} width @param {number} card */
function stepOf(cards, width, card) {
  return cards < 2 ? card : Math.min(card * 1.09, (width - card) / (cards - 1));
}

/** @param {number} n @param {number} low @param {number} high */
function clamp(n, low, high) {
  return Math.max(low, Math.min(high, n));
}
