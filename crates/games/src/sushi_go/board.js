// Sushi Go's board: the others on top, the belt on which hands travel, the own table inside it, the own
// hand below. Drawn from views alone.

import { h } from "../../../../web/dom.js";
import { cut, widthOf } from "../../../../web/fit.js";
import { clockGlyph, seatGlyph } from "../../../../web/marks.js";
import { clock as clockWords } from "../../../../web/texts.js";
import { caption, mark, moves, points, where } from "./telling.js";
import { KINDS } from "./art.js";
import { fan } from "./cards.js";
import { decided, summary } from "./ending.js";
import { groupsOf, lay, stand } from "./groups.js";
import { controls, hand, handHeight, key } from "./hand.js";
import { low } from "./low.js";
import { narrow } from "./narrow.js";
import { arriving, handsAt, holds, keptPuddings, others } from "./pieces.js";
import { side } from "./side.js";

/**
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").View} View
 */

/** @type {import("../../../../web/types.d.ts").Board} */
export default {
  board: (view, ctx) => {
    const usual = ctx.width < 840 ? narrow(view, ctx) : wide(view, ctx);
    const [, , width, high] = usual.props.viewBox.split(" ").map(Number);
    const drawn = (high * ctx.width) / width + handHeight(view, ctx);
    if (!ctx.height || drawn <= ctx.height * 1.02)
      return h("div", { class: "sushi-stage" }, usual, hand(view, ctx));
    // Too high for the screen: the others stand side by side, and the hand takes what is left.
    const table = low(view, ctx);
    const [, , , taken] = table.props.viewBox.split(" ").map(Number);
    return h("div", { class: "sushi-stage" }, table, hand(view, ctx, ctx.height - taken));
  },
  side,
  controls,
  key,
  caption,
  decided,
  summary,
  points,
  plot: { title: "Points", note: "counted when a round ends" },
  moves,
  mark,
  where,
  out: (view, seat) => view.seats[seat].exit !== null,
};

const W = 928;

/** @param {View} view @param {Context} ctx */
function wide(view, ctx) {
  const seats = others(ctx);
  const gap = 16;
  const width = (W - gap * (seats.length - 1)) / Math.max(1, seats.length);
  const held = handsAt(view);
  const laid = seats.map((seat) => {
    const { table, puddings } = view.seats[seat];
    const room = { width: width - 28 - (puddings > 0 ? 58 : 0), height: 150, largest: 54 };
    return { room, standing: stand(groupsOf(table), room) };
  });
  // All panels are as tall as the fullest one needs.
  const height = Math.max(168, ...laid.map(({ standing }) => standing.tall + 66));
  const low = height - 178;
  const middles = seats.map((_, at) => at * (width + gap) + width / 2);
  return h(
    "svg",
    { viewBox: `0 0 ${W} ${436 + low}`, role: "img", "aria-label": caption(view, ctx).now },
    seats.map((seat, at) =>
      panel(view, ctx, seat, { x: at * (width + gap), y: 1, width, height, ...laid[at] }),
    ),
    h(
      "g",
      { key: "lower", transform: `translate(0 ${low})` },
      belt(view, ctx, middles),
      own(view, ctx),
      seats.map((seat, at) =>
        travelling(view, ctx, seat, held[seat], {
          x: middles[at] - Math.min(60, width * 0.24),
          y: 186,
          room: Math.min(150, width * 0.5),
        }),
      ),
      ctx.viewer === "public"
        ? travelling(view, ctx, ctx.near, held[ctx.near], { x: 300, y: 372, room: 150 })
        : null,
    ),
  );
}

/** A seat's name with its clock or what it has done. @param {View} view @param {Context} ctx @param {number} seat @param {{ x: number, y: number, width: number }} place */
function nameplate(view, ctx, seat, { x, y, width }) {
  const exit = view.seats[seat].exit;
  const owes = ctx.toMove.includes(seat);
  const state = exit ? "left the game" : ctx.moved.includes(seat) ? "chosen" : "";
  const beside = state ? 10 + widthOf(state, 13) : owes && ctx.clockMs ? 66 : 0;
  const name = ctx.names[seat];
  return h(
    "g",
    null,
    seatGlyph(seat, { x: x + 13, y, size: 26, name }),
    h(
      "text",
      { x: x + 34, y, "dominant-baseline": "central", "font-size": 16, "font-weight": 600 },
      cut(name, width - 34 - beside, 16, true),
    ),
    state
      ? h(
          "text",
          {
            class: "quiet",
            x: x + width,
            y,
            "text-anchor": "end",
            "dominant-baseline": "central",
            "font-size": 13,
          },
          state,
        )
      : owes && ctx.clockMs
        ? [
            clockGlyph({
              x: x + width - 48,
              y,
              r: 8,
              left: ctx.timeLeftMs ?? ctx.clockMs,
              of: ctx.clockMs,
              owes,
            }),
            h(
              "text",
              {
                class: "accent",
                x: x + width,
                y,
                "text-anchor": "end",
                "dominant-baseline": "central",
                "font-size": 13,
                "font-weight": 600,
              },
              clockWords(ctx.timeLeftMs ?? ctx.clockMs),
            ),
          ]
        : null,
  );
}

/** @param {View} view @param {Context} ctx @param {number} seat @param {{ x: number, y: number, width: number, height: number, room: { width: number }, standing: import("./groups.js").Standing }} box */
function panel(view, ctx, seat, box) {
  const { table, puddings, exit } = view.seats[seat];
  const inner = box.width - 28;
  return h(
    "g",
    { key: `panel-${seat}`, opacity: exit ? 0.6 : 1 },
    h("rect", {
      x: box.x + 0.5,
      y: box.y,
      width: box.width - 1,
      height: box.height,
      rx: 12,
      fill: "var(--sheet)",
      stroke: "var(--hairline)",
    }),
    nameplate(view, ctx, seat, { x: box.x + 14, y: box.y + 26, width: inner }),
    h(
      "g",
      { transform: `translate(${box.x + 14} ${box.y + 54})` },
      lay(box.standing, {
        width: box.room.width,
        seat,
        worded: inner > 200,
        ...arriving(view, ctx, seat),
      }),
    ),
    puddings > 0 ? keptPuddings(puddings, box.x + box.width - 62, box.y + 54, 44) : null,
    table.length === 0 && puddings === 0
      ? h(
          "text",
          { class: "quiet", x: box.x + 14, y: box.y + 74, "font-size": 13 },
          "Nothing laid yet",
        )
      : null,
  );
}

/** The belt runs round the own table in the direction in which hands pass. @param {View} view @param {Context} ctx @param {number[]} stops */
function belt(view, ctx, stops) {
  const [x, y, width, height, thick] = [14, 196, W - 28, 222, 34];
  /** @type {import("../../../../web/dom.js").VNode[]} */
  const arrows = [];
  // Seats are drawn from left to right above and near below: passing to the next one goes clockwise.
  const way =
    ctx.names.length < 2 || view.passes_to[ctx.near] === (ctx.near + 1) % ctx.names.length ? 1 : -1;
  const arrow = (/** @type {number} */ ax, /** @type {number} */ ay, /** @type {number} */ turn) =>
    arrows.push(
      h("path", {
        d: "M-4 -6L4 0L-4 6",
        transform: `translate(${ax} ${ay}) rotate(${way > 0 ? turn : turn + 180})`,
      }),
    );
  for (let at = 0; at < 22; at += 1) {
    const ax = x + 70 + (at * (width - 140)) / 21;
    if (stops.every((stop) => Math.abs(ax - stop) > 116)) arrow(ax, y + thick / 2, 0);
    if (ctx.viewer !== "public" || Math.abs(ax - 300) > 116) arrow(ax, y + height - thick / 2, 180);
  }
  for (let at = 0; at < 4; at += 1) {
    const ay = y + 72 + (at * (height - 144)) / 3;
    arrow(x + thick / 2, ay, -90);
    arrow(x + width - thick / 2, ay, 90);
  }
  return h(
    "g",
    { key: "belt" },
    h("rect", {
      x,
      y,
      width,
      height,
      rx: 52,
      fill: "var(--belt)",
      stroke: "var(--belt-edge)",
      "stroke-width": 1.4,
    }),
    h("rect", {
      x: x + thick,
      y: y + thick,
      width: width - 2 * thick,
      height: height - 2 * thick,
      rx: 18,
      fill: "var(--raised)",
      stroke: "var(--belt-edge)",
      "stroke-width": 1.4,
    }),
    h(
      "g",
      {
        fill: "none",
        stroke: "var(--belt-arrow)",
        "stroke-width": 2,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      },
      arrows,
    ),
  );
}

/** @param {View} view @param {Context} ctx */
function own(view, ctx) {
  const { table, puddings } = view.seats[ctx.near];
  const [x, y] = [66, 244];
  const room = { width: 660 - (puddings > 0 ? 132 : 0), height: 132, largest: 68 };
  return h(
    "g",
    { key: "own" },
    seatGlyph(ctx.near, { x: x + 14, y: y + 18, size: 28, name: ctx.names[ctx.near] }),
    h(
      "text",
      { x: x + 36, y: y + 18, "dominant-baseline": "central", "font-size": 16, "font-weight": 600 },
      cut(ctx.names[ctx.near], 94, 16, true),
    ),
    h(
      "text",
      { class: "quiet", x, y: y + 48, "font-size": 13 },
      ctx.viewer === ctx.near ? "your table" : "laid so far",
    ),
    ctx.timeLeftMs !== null && ctx.toMove.includes(ctx.near)
      ? ownClock(ctx.timeLeftMs, ctx.clockMs ?? ctx.timeLeftMs, x, y + 78)
      : null,
    h(
      "g",
      { transform: `translate(${x + 136} ${y - 2})` },
      table.length === 0
        ? h("text", { class: "quiet", y: 60, "font-size": 14 }, "Nothing laid yet this round.")
        : lay(stand(groupsOf(table), room), {
            ...room,
            seat: ctx.near,
            worded: true,
            ...arriving(view, ctx, ctx.near),
          }),
    ),
    puddings > 0
      ? h(
          "g",
          { transform: `translate(${W - 184} ${y})` },
          h("rect", {
            width: 122,
            height: 90,
            rx: 10,
            fill: "var(--sheet)",
            stroke: "var(--hairline)",
          }),
          h("g", { transform: "translate(8 14) scale(0.78)" }, KINDS.Pudding.motif),
          h("text", { x: 76, y: 40, "font-size": 20, "font-weight": 600 }, puddings),
          h("text", { class: "quiet", x: 76, y: 58, "font-size": 12 }, "kept"),
          h("text", { class: "quiet", y: 110, "font-size": 12 }, "counted at the end"),
        )
      : null,
  );
}

/** @param {number} left @param {number} of @param {number} x @param {number} y */
function ownClock(left, of, x, y) {
  return h(
    "g",
    { key: "clock" },
    clockGlyph({ x: x + 12, y, r: 11, left, of, owes: true }),
    h(
      "text",
      {
        class: "accent",
        x: x + 34,
        y,
        "dominant-baseline": "central",
        "font-size": 20,
        "font-weight": 600,
      },
      clockWords(left),
    ),
  );
}

/** A hand on the belt, and where it goes next. @param {View} view @param {Context} ctx @param {number} seat @param {number} name @param {{ x: number, y: number, room: number }} place */
function travelling(view, ctx, seat, name, { x, y, room }) {
  const cards = holds(view, ctx, seat);
  if (cards.length === 0) return null;
  const to = view.passes_to[seat];
  const left = x + Math.min(room, cards.length * 17 + 20) / 2 + 10;
  const most = Math.min(84, W - 30 - left - widthOf("10 to ", 12, true));
  const words = `${cards.length} to ${cut(ctx.names[to], most, 12, true)}`;
  const width = 24 + widthOf(words, 12, true);
  const shown = cards[0] !== null;
  return h(
    "g",
    { key: `hand-${name}`, "data-flip": `hand-${name}` },
    h("g", { transform: `translate(${x} ${y})` }, fan(cards, shown ? 40 : 34, room)),
    h(
      "g",
      { transform: `translate(${left} ${y + 27})` },
      h("rect", {
        y: -12,
        width,
        height: 24,
        rx: 12,
        fill: "var(--raised)",
        stroke: "var(--belt-edge)",
      }),
      h(
        "text",
        {
          x: width / 2,
          "text-anchor": "middle",
          "dominant-baseline": "central",
          "font-size": 12,
          "font-weight": 600,
        },
        words,
      ),
    ),
  );
}
