// The hand one plays from: cards to choose with mouse, touch or digits, and the one button that lays
// them. With chopsticks before one, two may be chosen.

import { h } from "../../../../web/dom.js";
import { KINDS } from "./art.js";
import { RATIO, face } from "./cards.js";
import { handsAt, heldName } from "./pieces.js";

/**
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").View} View
 */

/** The cards one may see, of the nearest seat. @param {View} view @param {Context} ctx @returns {string[]} */
function cardsOf(view, ctx) {
  return ctx.seatViews?.[ctx.near].hand ?? (ctx.viewer === ctx.near ? view.hand : null) ?? [];
}

/** What stands over and under the cards. */
const AROUND = 28;

/**
 * How large the cards are, and how many lie in a row.
 * @param {number} count @param {Context} ctx @param {number | null} [height] At most.
 */
function sizes(count, ctx, height = null) {
  const narrow = ctx.width < 640;
  const gap = narrow || height !== null ? 8 : count > 7 ? 10 : 16;
  const of = (/** @type {number} */ columns) => {
    const rows = Math.ceil(count / columns);
    const room = (ctx.width - gap * (columns - 1)) / columns;
    const wide =
      narrow || height !== null ? room : Math.min(room, (ctx.width - 40) / columns - gap);
    const tall = height === null ? Infinity : ((height - AROUND) / rows - gap) / RATIO;
    const width = Math.max(40, Math.floor(Math.min(124, wide, tall)));
    const all = rows * (width * RATIO + gap + 16) + AROUND - 16;
    return { width, gap, columns, wraps: rows > 1, height: all };
  };
  if (height !== null) {
    const [one, two] = [of(count), of(Math.ceil(count / 2))];
    return two.width > one.width * 1.1 ? two : one;
  }
  return of(narrow ? (count > 8 ? 5 : Math.min(4, count)) : count);
}

/** How high the hand is. @param {View} view @param {Context} ctx */
export function handHeight(view, ctx) {
  const { length } = cardsOf(view, ctx);
  return length > 0 ? sizes(length, ctx).height : 0;
}

/** @param {View} view @param {Context} ctx @param {number | null} [height] At most. */
export function hand(view, ctx, height = null) {
  const cards = cardsOf(view, ctx);
  if (cards.length === 0) return null;
  const { width, gap, wraps, columns } = sizes(cards.length, ctx, height);
  return h(
    "div",
    {
      class: height === null ? "sushi-hand" : "sushi-hand tight",
      key: "hand",
      "data-flip": `hand-${handsAt(view)[ctx.near]}`,
      style: {
        "flex-wrap": wraps ? "wrap" : "nowrap",
        gap: `${gap}px`,
        // Small cards keep to their rows.
        "padding-inline": wraps
          ? `${Math.max(0, (ctx.width - columns * (width + gap)) / 2)}px`
          : "0",
      },
    },
    cards.map((name, at) => card(name, at, width, view, ctx)),
  );
}

/** @param {string} name @param {number} at @param {number} width @param {View} view @param {Context} ctx */
function card(name, at, width, view, ctx) {
  const picture = h(
    "svg",
    {
      // Another name each turn: it goes nowhere itself, but what is laid comes from it.
      "data-flip": heldName(view, at),
      viewBox: `0 0 ${width} ${width * RATIO}`,
      role: "img",
      "aria-label": name,
    },
    face(name, width),
  );
  const style = { width: `${width}px` };
  if (!ctx.turn) return h("div", { class: "card", key: at, style }, picture);
  const place = chosen(ctx).indexOf(at);
  const word =
    place < 0
      ? `key ${(at + 1) % 10}`
      : chosen(ctx).length > 1
        ? place === 0
          ? "first"
          : "second"
        : "chosen";
  return h(
    "button",
    {
      class: "card",
      key: at,
      type: "button",
      style,
      "aria-pressed": place >= 0,
      disabled: ctx.turn.sent,
      onclick: () => choose(at, view, ctx),
    },
    picture,
    h("span", { class: place < 0 ? "key" : "" }, word),
  );
}

/** Places in the hand that were chosen, in their order. @param {Context} ctx @returns {number[]} */
function chosen(ctx) {
  return ctx.turn?.draft ?? [];
}

/** @param {Context} ctx */
function mayLayTwo(ctx) {
  return ctx.turn?.legal?.some((action) => "chopsticks" in action) ?? false;
}

/** @param {number} at @param {View} view @param {Context} ctx */
function choose(at, view, ctx) {
  if (!ctx.turn || ctx.turn.sent || at >= view.hand.length) return;
  const now = chosen(ctx);
  if (now.includes(at)) ctx.turn.choose(now.filter((other) => other !== at));
  else ctx.turn.choose(mayLayTwo(ctx) ? [...now, at].slice(-2) : [at]);
}

/** @param {Context} ctx */
function act(ctx) {
  const [first, second] = chosen(ctx);
  if (!ctx.turn || ctx.turn.sent || first === undefined) return;
  ctx.turn.act(second === undefined ? { play: first } : { chopsticks: [first, second] });
}

/** @param {View} view @param {Context} ctx */
export function controls(view, ctx) {
  const [first, second] = chosen(ctx).map((at) => KINDS[view.hand[at]]?.name ?? view.hand[at]);
  const sent = ctx.turn?.sent ?? false;
  const words = sent
    ? "Laid face down"
    : !first
      ? "Choose a card"
      : second
        ? `Lay the ${first}, then the ${second}`
        : `Lay the ${first}`;
  const hint = sent
    ? "All cards are shown together, as soon as all players have chosen."
    : mayLayTwo(ctx)
      ? "With your chopsticks you may choose two cards. They are laid in the order you choose them."
      : "All choose in secret, all are shown together.";
  return h(
    "div",
    { class: "sushi-controls" },
    h(
      "button",
      {
        class: "button main large",
        type: "button",
        disabled: !first || sent,
        onclick: () => act(ctx),
      },
      words,
    ),
    h("p", { class: "note small" }, hint),
  );
}

/** @param {string} key @param {View} view @param {Context} ctx */
export function key(key, view, ctx) {
  if (/^[1-9]$/.test(key)) choose(Number(key) - 1, view, ctx);
  else if (key === "0") choose(9, view, ctx);
  else if (key === "Enter") act(ctx);
  else if (key === "Escape") ctx.turn?.choose(null);
  else return false;
  return true;
}
