// What both layouts of the board need: who sits where, which hand is where, what is kept.

import { h } from "../../../../web/dom.js";
import { KINDS } from "./art.js";

/**
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").View} View
 */

/** The seats that are not near, in the order in which hands come round. @param {Context} ctx */
export function others(ctx) {
  const many = ctx.names.length;
  return Array.from({ length: many - 1 }, (_, at) => (ctx.near + 1 + at) % many);
}

/** Which hand of the deal each seat holds now: hands keep their name while they travel. @param {View} view @param {number} [turn] */
export function handsAt(view, turn = view.turn) {
  const held = view.passes_to.map((/** @type {number} */ _, /** @type {number} */ seat) => seat);
  for (let passed = 1; passed < turn; passed += 1) {
    const before = [...held];
    view.passes_to.forEach(
      (/** @type {number} */ to, /** @type {number} */ from) => (held[to] = before[from]),
    );
  }
  return held;
}

/** What a seat holds, as far as this viewer may know. @param {View} view @param {Context} ctx @param {number} seat @returns {(string | null)[]} */
export function holds(view, ctx, seat) {
  const known = ctx.seatViews?.[seat].hand ?? (seat === ctx.viewer ? view.hand : null);
  return known ?? Array.from({ length: view.hand_sizes[seat] }, () => null);
}

/**
 * Places in a seat's table of the cards it laid in the last turn, and the hand they came from.
 * @param {View} view @param {number} seat
 */
export function arriving(view, seat) {
  const { table } = view.seats[seat];
  const laid = view.news?.played[seat]?.length ?? 0;
  const from = view.turn > 1 ? `hand-${handsAt(view, view.turn - 1)[seat]}` : "";
  return { fresh: Array.from({ length: laid }, (_, at) => table.length - 1 - at), from };
}

/** Puddings stay to the end, so they stand apart. @param {number} count @param {number} x @param {number} y @param {number} size */
export function keptPuddings(count, x, y, size) {
  return h(
    "g",
    { key: "puddings" },
    h("g", { transform: `translate(${x} ${y + 6}) scale(${size / 80})` }, KINDS.Pudding.motif),
    h(
      "text",
      { x: x + size / 2, y: y + size + 24, "text-anchor": "middle", "font-size": 12 },
      h("tspan", { "font-weight": 600 }, count),
      h("tspan", { class: "quiet" }, " kept"),
    ),
  );
}

/** @param {string} name @param {number} room */
export function cut(name, room) {
  return name.length > room ? `${name.slice(0, room - 1)}…` : name;
}
