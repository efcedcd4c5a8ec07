// The board on a phone: one line for each seat, the belt between the others and oneself.

import { h } from "../../../../web/dom.js";
import { cut } from "../../../../web/fit.js";
import { clockGlyph, seatGlyph } from "../../../../web/marks.js";
import { clock as clockWords } from "../../../../web/texts.js";
import { fan } from "./cards.js";
import { groupsOf, lay, stand } from "./groups.js";
import { arriving, handsAt, holds, keptPuddings, others } from "./pieces.js";
import { caption } from "./telling.js";

/**
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").View} View
 */

/** Where a seat's cards begin. */
const LEFT = 112;

/** @param {View} view @param {Context} ctx */
export function narrow(view, ctx) {
  const wide = Math.max(312, Math.min(520, ctx.width));
  const held = handsAt(view);
  const row = (/** @type {number} */ seat, /** @type {boolean} */ own) => {
    const { table, puddings } = view.seats[seat];
    const room = {
      width: wide - LEFT - (puddings > 0 ? 48 : 10),
      height: 150,
      largest: own ? 54 : 42,
    };
    const groups = groupsOf(table);
    // One line if the cards stay readable, else two.
    const inOne = stand(groups, { ...room, height: own ? 100 : 84 });
    const standing = inOne.size.width >= 30 ? inOne : stand(groups, room);
    return { seat, own, room, standing, height: Math.max(own ? 104 : 90, standing.tall + 16) };
  };
  let y = 0;
  const strips = others(ctx).map((seat) => {
    const strip = { ...row(seat, false), y };
    y += strip.height + 6;
    return strip;
  });
  const near = { ...row(ctx.near, true), y: y + 40 };
  const to = ctx.names[view.passes_to[ctx.near]];
  const words =
    view.hand_sizes[ctx.near] > 0 ? `hands pass to ${cut(to, 120, 12)}` : "all cards are laid";
  return h(
    "svg",
    {
      viewBox: `0 0 ${wide} ${near.y + near.height}`,
      role: "img",
      "aria-label": caption(view, ctx).now,
    },
    strips.map((strip) => drawStrip(view, ctx, held[strip.seat], wide, strip)),
    h(
      "g",
      { key: "belt", transform: `translate(0 ${y})` },
      h("rect", {
        x: -2,
        y: 2,
        width: wide + 4,
        height: 26,
        fill: "var(--belt)",
        stroke: "var(--belt-edge)",
      }),
      h(
        "g",
        { fill: "none", stroke: "var(--belt-arrow)", "stroke-width": 2, "stroke-linecap": "round" },
        [0.05, 0.12, 0.19, 0.81, 0.88, 0.95].map((share) =>
          h("path", { d: "M4 -5L-4 0L4 5", transform: `translate(${share * wide} 15)` }),
        ),
      ),
      h("rect", {
        x: wide * 0.24,
        y: 3,
        width: wide * 0.52,
        height: 24,
        rx: 12,
        fill: "var(--raised)",
        stroke: "var(--belt-edge)",
      }),
      h(
        "text",
        {
          x: wide / 2,
          y: 15,
          "text-anchor": "middle",
          "dominant-baseline": "central",
          "font-size": 12,
          "font-weight": 600,
        },
        words,
      ),
    ),
    drawStrip(view, ctx, held[ctx.near], wide, near),
  );
}

/**
 * One seat in a line.
 * @param {View} view @param {Context} ctx @param {number} name The hand it holds. @param {number} width
 * @param {{ seat: number, own: boolean, y: number, height: number, room: { width: number }, standing: import("./groups.js").Standing }} strip
 */
function drawStrip(view, ctx, name, width, { seat, own, y, height, room, standing }) {
  const { puddings, exit } = view.seats[seat];
  const cards = holds(view, ctx, seat);
  const atHand = own && ctx.viewer !== "public";
  return h(
    "g",
    { key: `strip-${seat}`, opacity: exit ? 0.6 : 1 },
    own
      ? null
      : h("rect", {
          x: 0.5,
          y: y + 0.5,
          width: width - 1,
          height,
          rx: 12,
          fill: "var(--sheet)",
          stroke: "var(--hairline)",
        }),
    seatGlyph(seat, { x: 22, y: y + 22, size: 22, name: ctx.names[seat] }),
    h(
      "text",
      { x: 40, y: y + 22, "dominant-baseline": "central", "font-size": 14, "font-weight": 600 },
      cut(ctx.names[seat], LEFT - 46, 14, true),
    ),
    atHand
      ? h(
          "text",
          { class: "quiet", x: 12, y: y + 50, "font-size": 12 },
          ctx.viewer === seat ? "your table" : "laid so far",
        )
      : h(
          "g",
          { "data-flip": `hand-${name}` },
          h("g", { transform: `translate(44 ${y + 44})` }, fan(cards, 24, 62)),
          h("text", { class: "quiet", x: 90, y: y + 64, "font-size": 12 }, cards.length || ""),
        ),
    ctx.timeLeftMs !== null && own && ctx.toMove.includes(seat)
      ? [
          clockGlyph({
            x: 22,
            y: y + 72,
            r: 8,
            left: ctx.timeLeftMs,
            of: ctx.clockMs ?? ctx.timeLeftMs,
            owes: true,
          }),
          h(
            "text",
            {
              class: "accent",
              x: 38,
              y: y + 72,
              "dominant-baseline": "central",
              "font-size": 14,
              "font-weight": 600,
            },
            clockWords(ctx.timeLeftMs),
          ),
        ]
      : null,
    ctx.moved.includes(seat)
      ? h("text", { class: "accent", x: 40, y: y + 42, "font-size": 12 }, "chosen")
      : null,
    h(
      "g",
      { transform: `translate(${LEFT} ${y + 8})` },
      lay(standing, { ...room, seat, worded: false, ...arriving(view, ctx, seat) }),
    ),
    puddings > 0 ? keptPuddings(puddings, width - 46, y + 4, 34) : null,
  );
}
