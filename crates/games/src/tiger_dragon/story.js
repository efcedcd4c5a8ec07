// What one view alone does not say: who passed since the attack, what the last act laid, how a round
// ended.

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 */

/** Seats that let the attack go by that is being answered. @param {View} view @param {Context} ctx @returns {number[]} */
export function passed(view, { updates }) {
  if (view.phase !== "Defend" && view.phase !== "BonusReceive") return [];
  /** @type {number[]} */
  const seats = [];
  const before = updates.length > 0 ? updates.map((update) => update.view.news) : [view.news];
  for (let at = before.length - 1; at >= 0; at -= 1) {
    for (const news of [...before[at]].reverse()) {
      if (news.attacked) return seats;
      if (news.passed) seats.unshift(news.passed.seat);
    }
  }
  return seats;
}

/** @param {View} view */
export function roundResult(view) {
  return view.news.find((/** @type {any} */ news) => news["round-ended"])?.["round-ended"] ?? null;
}

/** The seat whose newest tile lies on the table, if the last step laid one. @param {View} view */
export function layer(view) {
  for (const news of [...view.news].reverse()) {
    if (news["round-began"]) return null;
    const told = news.attacked ?? news.defended ?? news["put-face-down"];
    if (told) return told.seat;
  }
  return null;
}

/** @param {View} view @param {string} kind */
export function told(view, kind) {
  return view.news.find((/** @type {any} */ news) => news[kind])?.[kind] ?? null;
}

/** What a seat's hand is, if it may be seen. @param {View} view @param {Context} ctx @param {number} seat @returns {string[] | null} */
export function handOf(view, ctx, seat) {
  const own = ctx.seatViews?.[seat] ?? (view.viewer?.seat === seat ? view : null);
  return own ? own.hand : null;
}

/** A seat's tiles on the table, turned up where they may be known. @param {View} view @param {Context} ctx @param {number} seat @returns {{ tile: string | null, act: string }[]} */
export function laidBy(view, ctx, seat) {
  const result = view.phase === "Finished" ? roundResult(view) : null;
  if (result?.winner === seat) return result.discards;
  return (ctx.seatViews?.[seat] ?? view).discards[seat];
}
