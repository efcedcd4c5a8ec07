// The board where there is little height: the others side by side, oneself under them.

import { h } from "../../../../web/dom.js";
import { cut, widthOf } from "../../../../web/fit.js";
import { seatGlyph } from "../../../../web/marks.js";
import { groupsOf, lay, stand } from "./groups.js";
import { arriving, handsAt, holds, keptPuddings, others } from "./pieces.js";
import { fan } from "./cards.js";
import { caption } from "./telling.js";

/**
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 */

const GAP = 6;

/** @param {View} view @param {Context} ctx */
export function low(view, ctx) {
  const wide = Math.max(312, ctx.width);
  const seats = others(ctx);
  // On an upright telephone there is room for two rows.
  const upright = (ctx.height ?? 0) > wide;
  const across = upright ? Math.min(2, seats.length) : seats.length;
  const width = (wide - GAP * (across - 1)) / across;
  const height = upright ? 104 : 92;
  const lines = Math.ceil(seats.length / across);
  const near = { x: 0, y: lines * (height + GAP) + 2, width: wide, height: upright ? 96 : 84 };
  return h(
    "svg",
    {
      viewBox: `0 0 ${wide} ${near.y + near.height}`,
      role: "img",
      "aria-label": caption(view, ctx).now,
    },
    seats.map((seat, at) => {
      const [x, y] = [(at % across) * (width + GAP), Math.floor(at / across) * (height + GAP)];
      return box(view, ctx, seat, { x, y, width, height });
    }),
    box(view, ctx, ctx.near, near),
  );
}

/** One seat: who it is, what it holds, what it has laid. @param {View} view @param {Context} ctx @param {number} seat @param {Box} place */
function box(view, ctx, seat, { x, y, width, height }) {
  const { table, puddings, exit } = view.seats[seat];
  const own = seat === ctx.near;
  const name = ctx.names[seat];
  const held = holds(view, ctx, seat).length;
  const slim = width < 170;
  const moved = ctx.moved.includes(seat);
  const count = moved && slim ? `✓ ${held}` : `${held}`;
  const said = exit ? "left" : own ? passing(view, ctx) : count;
  const state = moved && !slim ? "chosen" : "";
  const room = {
    width: width - 12 - (puddings > 0 ? 40 : 0),
    height: height - 34,
    largest: own ? 38 : 34,
  };
  const end = widthOf(said, 12) + (own || slim ? 12 : 34);
  return h(
    "g",
    { key: `box-${seat}`, opacity: exit ? 0.6 : 1 },
    h("rect", {
      ...{ x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1, rx: 10 },
      fill: own ? "none" : "var(--sheet)",
      stroke: own ? "var(--belt-edge)" : "var(--hairline)",
    }),
    seatGlyph(seat, { x: x + 16, y: y + 15, size: 20, name }),
    h(
      "text",
      {
        ...{ x: x + 31, y: y + 15, "font-size": 13, "font-weight": 600 },
        "dominant-baseline": "central",
      },
      cut(name, width - 37 - end - (state ? 48 : 0), 13, true),
      state ? h("tspan", { class: "accent", "font-size": 12, dx: 6 }, state) : null,
    ),
    own || slim
      ? null
      : h(
          "g",
          { "data-flip": `hand-${handsAt(view)[seat]}` },
          h(
            "g",
            { transform: `translate(${x + width - end + 10} ${y + 6})` },
            fan(["", "", ""], 12, 20),
          ),
        ),
    h(
      "text",
      {
        ...{ class: "quiet", x: x + width - 8, y: y + 15, "font-size": 12 },
        ...{ "text-anchor": "end", "dominant-baseline": "central" },
      },
      said,
    ),
    h(
      "g",
      { transform: `translate(${x + 6} ${y + 30})` },
      lay(stand(groupsOf(table), room), {
        ...{ ...room, seat, worded: false },
        ...arriving(view, ctx, seat),
      }),
    ),
    puddings > 0 ? keptPuddings(puddings, x + width - 42, y + 30, 30) : null,
  );
}

/** @param {View} view @param {Context} ctx */
function passing(view, ctx) {
  if (view.hand_sizes[ctx.near] === 0) return "";
  return `hands pass to ${cut(ctx.names[view.passes_to[ctx.near]], 110, 12)}`;
}
