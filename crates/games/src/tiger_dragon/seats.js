// One player's part of the table: who it is and what they do, the hand, the tiles laid so far.

import { h } from "../../../../web/dom.js";
import { cut, widthOf } from "../../../../web/fit.js";
import { clockGlyph, seatGlyph } from "../../../../web/marks.js";
import { clock } from "../../../../web/texts.js";
import { SIGN, rows } from "./layout.js";
import { label, place, placed } from "./pieces.js";
import { tileButton } from "./play.js";
import { handOf, laidBy, layer } from "./story.js";
import { BACK, BLADE, SHIELD, TALL, sorted, tileFace } from "./tiles.js";
import { doing } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./layout.js").Block} Block
 */

/** @param {View} view @param {Context} ctx @param {Block} block @param {boolean} narrow */
export function block(view, ctx, block, narrow) {
  const { seat, box, hand } = block;
  const turn = view.phase !== "Finished" && view.current === seat;
  const won = view.phase === "Finished" && view.outcome?.[seat].place === 1;
  return h(
    "g",
    { key: `seat-${seat}` },
    h("rect", {
      ...box,
      rx: 14,
      fill: turn || won ? "var(--turn)" : "none",
      stroke: won ? "var(--brass)" : turn ? "var(--button)" : "var(--board-line)",
      "stroke-width": turn || won ? 2 : 1,
    }),
    place(`hand-${seat}`, { x: hand.x + hand.width / 2 - hand.tile, y: hand.y, tile: hand.tile }),
    head(view, ctx, block, narrow),
    laid(view, ctx, block),
    held(view, ctx, block, narrow),
  );
}

/** @param {View} view @param {Context} ctx @param {Block} block @param {boolean} narrow */
function head(view, ctx, { seat, head: at, near }, narrow) {
  const size = near ? 28 : 24;
  const turn = view.phase !== "Finished" && view.current === seat;
  const under = at.height > 30;
  const timed = turn && ctx.timeLeftMs !== null && ctx.clockMs !== null;
  const left = at.x + size + 9;
  const room = at.width - size - 9;
  const words = cut(
    doing(seat, view, ctx),
    under ? (near ? room : at.width) : room * 0.6,
    12.5,
    turn,
  );
  // Beside the name stands what its player does, or on a phone the clock.
  const beside = !under ? widthOf(words, 12.5, turn) + 8 : timed && near && narrow ? 76 : 0;
  const large = near ? 17 : 15;
  const letters = widthOf(ctx.names[seat], large, true) <= room - beside ? large : 13;
  const fill = turn ? "var(--accent)" : undefined;
  return h(
    "g",
    { key: "head" },
    seatGlyph(seat, { x: at.x + size / 2, y: at.y + size / 2, size, name: ctx.names[seat] }),
    label(cut(ctx.names[seat], room - beside, letters, true), {
      x: left,
      y: at.y + size / 2 + 5.5,
      size: letters,
      bold: true,
    }),
    under
      ? label(words, {
          x: near ? left : at.x,
          y: at.y + size + (near ? 13 : 15),
          size: 12.5,
          bold: turn,
          faint: true,
          fill,
        })
      : label(words, {
          x: at.x + at.width,
          y: at.y + 17,
          size: 12.5,
          bold: turn,
          faint: true,
          fill,
          anchor: "end",
        }),
    timed && near
      ? time(
          ctx,
          narrow ? { x: at.x + at.width - 62, y: at.y + 14 } : { x: left - 2, y: at.y + 64 },
        )
      : null,
  );
}

/** @param {Context} ctx @param {{ x: number, y: number }} at */
function time(ctx, { x, y }) {
  const left = /** @type {number} */ (ctx.timeLeftMs);
  const of = /** @type {number} */ (ctx.clockMs);
  const fill = left < 3000 ? "var(--wrong)" : "var(--accent)";
  return [
    clockGlyph({ x: x + 8, y, r: 8.5, left, of, owes: true }),
    label(clock(left), { x: x + 24, y: y + 5.5, size: 15, bold: true, fill }),
  ];
}

/** @param {View} view @param {Context} ctx @param {Block} block */
function laid(view, ctx, { seat, laid: box }) {
  const tiles = laidBy(view, ctx, seat);
  const newest = layer(view) === seat ? tiles.length - 1 : -1;
  const spots = rows(tiles.length, box, { below: SIGN });
  const at = (/** @type {number} */ index) => ({ ...spots[index], tile: box.tile });
  return h(
    "g",
    { key: "laid" },
    tiles.map(({ tile, act }, index) => {
      const from = index === newest ? source(view, ctx, seat, tile) : `hand-${seat}`;
      return placed(`laid-${view.round}-${seat}-${index}`, { ...at(index), from }, [
        index === newest ? RING : null,
        tile && act !== "face-down" ? tileFace(tile, box.tile) : BACK,
      ]);
    }),
    tiles.map(({ tile, act }, index) => {
      const { x, y } = spots[index];
      return [
        tile && act === "face-down" ? badge(tile, at(index)) : null,
        sign(act, { x: x + box.tile / 2, y: y + box.tile * TALL + 10 }),
      ];
    }),
  );
}

/** Where a tile that was just laid came from. @param {View} view @param {Context} ctx @param {number} seat @param {string | null} tile */
export function source(view, ctx, seat, tile) {
  const hand = handOf(view, ctx, seat);
  if (!hand || !tile) return `hand-${seat}`;
  const left = hand.filter((each) => each === tile).length;
  return `held-${seat}-${tile}-${left}`;
}

/** The number of one's own tile that lies face down. @param {string} tile @param {{ x: number, y: number, tile: number }} at */
function badge(tile, { x, y, tile: width }) {
  const [cx, cy] = [x + width - 3, y + 3];
  return [
    h("circle", {
      cx,
      cy,
      r: 9,
      fill: "var(--tile)",
      stroke: "var(--tile-back)",
      "stroke-width": 1.4,
    }),
    label(tile, { x: cx, y: cy + 4.4, size: 12.5, bold: true, anchor: "middle", fill: "#2a2420" }),
  ];
}

/** @param {string} act @param {{ x: number, y: number }} at */
export function sign(act, { x, y }) {
  if (act === "face-down")
    return label("+1", {
      x,
      y: y + 4,
      size: 12,
      bold: true,
      anchor: "middle",
      fill: "var(--brass-deep)",
    });
  return h("g", { transform: `translate(${x} ${y})` }, act === "attack" ? BLADE : SHIELD);
}

/** @param {View} view @param {Context} ctx @param {Block} block @param {boolean} narrow */
function held(view, ctx, { seat, hand: box, near }, narrow) {
  const size = view.hand_sizes[seat];
  const hand = handOf(view, ctx, seat);
  if (!hand)
    return backs(
      seat,
      size,
      near ? { ...box, tile: Math.min(box.tile, 46) } : box,
      near && !narrow,
    );
  const tiles = sorted(hand);
  const spots = rows(tiles.length, box, { middle: near });
  return h(
    "g",
    { key: "held" },
    tiles.map((tile, at) => {
      const copy = tiles.slice(0, at).filter((each) => each === tile).length;
      const button = near ? tileButton(tile, copy, view, ctx) : null;
      const lift = button?.chosen ? -10 : button?.refused ? 5 : 0;
      return placed(
        `held-${seat}-${tile}-${copy}`,
        { x: spots[at].x, y: spots[at].y + lift, tile: box.tile, from: `hand-${seat}` },
        [
          tileFace(tile, box.tile),
          button?.refused ? VEILED : null,
          button ? ring(button.chosen, button.props) : null,
        ],
      );
    }),
  );
}

/** @param {number} seat @param {number} size @param {import("./layout.js").Box & { tile: number }} box @param {boolean} near */
function backs(seat, size, box, near) {
  const tile = box.tile;
  const tiny = box.height < 24;
  const words = tiny ? `${size}` : `${size} in hand`;
  const room = box.width - (near ? 0 : tiny ? 22 : 62);
  const step = size > 1 ? Math.min(tile * 1.1, (room - tile) / (size - 1)) : 0;
  const end = box.x + (size > 0 ? tile + step * (size - 1) + 8 : 0);
  return h(
    "g",
    { key: "held" },
    Array.from({ length: size }, (_, at) =>
      placed(
        `back-${seat}-${at}`,
        { x: box.x + step * at, y: box.y, tile, from: `hand-${seat}` },
        BACK,
      ),
    ),
    label(words, {
      x: near ? box.x - 8 : end,
      anchor: near ? "end" : "start",
      y: box.y + (tile * TALL) / 2 + 4,
      size: 12.5,
      faint: true,
    }),
  );
}

const VEILED = h("rect", { width: 100, height: 142, rx: 14, fill: "var(--tile-veil)" });

const RING = h("rect", {
  x: -8,
  y: -8,
  width: 116,
  height: 158,
  rx: 20,
  fill: "none",
  stroke: "var(--brass)",
  "stroke-width": 5,
});

/** What is pressed, over the whole tile: lit when chosen, and when it has the keyboard. @param {boolean} chosen @param {Record<string, any>} button */
function ring(chosen, button) {
  return h("rect", {
    ...button,
    key: "ring",
    class: `ring ${chosen ? "chosen" : ""} ${button.class ?? ""}`,
    x: -6,
    y: -6,
    width: 112,
    height: 154,
    rx: 18,
    fill: "transparent",
    "stroke-width": 5,
  });
}
