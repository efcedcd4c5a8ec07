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

/** The name of a card in the hand at the lower edge, for what is laid from it. @param {{ round: number, turn: number }} when @param {number} at */
export function heldName({ round, turn }, at) {
  return `held-${round}-${turn}-${at}`;
}

/**
 * What the cards came from that a seat laid in the last turn, by their places on its table: the very
 * card where its hand was seen, else the hand.
 * @param {View} view @param {Context} ctx @param {number} seat
 */
export function arriving(view, ctx, seat) {
  /** @type {Map<number, string>} */
  const from = new Map();
  const { news } = view;
  if (!news || news.round !== view.round) return { from };
  /** @type {string[]} */
  const played = news.played[seat] ?? [];
  const hand = seat === ctx.near ? [...handBefore(ctx)] : [];
  const first = view.seats[seat].table.length - played.length;
  for (const [at, name] of played.entries()) {
    const place = hand.indexOf(name);
    if (place >= 0) hand[place] = null;
    const whole = `hand-${handsAt(view, news.turn)[seat]}`;
    from.set(first + at, place >= 0 ? heldName(news, place) : whole);
  }
  return { from };
}

/** The near seat's hand one turn ago, if it was seen. @param {Context} ctx @returns {(string | null)[]} */
function handBefore({ updates, near, viewer }) {
  const before = updates.at(-2);
  if (!before) return [];
  if (viewer !== "all" && viewer !== near) return [];
  return before.seat_views?.[near].hand ?? before.view.hand ?? [];
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
      h("tspan", { class: "quiet" }, "× "),
      h("tspan", { "font-weight": 600 }, count),
    ),
  );
}
