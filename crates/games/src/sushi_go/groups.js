// A seat's laid cards as a player would sort them: sets with what is missing, nigiri on their wasabi.

import { h } from "../../../../web/dom.js";
import { RATIO, face, missing } from "./cards.js";

/**
 * @typedef {{ name: string, at: number }} Laid A card and its place among those laid.
 * @typedef {object} Group
 * @property {"set" | "pair" | "single"} form
 * @property {Laid[]} cards
 * @property {string} lacks What is missing, or nothing.
 * @property {number} missing How many.
 * @property {number} whole Cards of a whole set: dots are drawn for a set.
 * @property {string} count Said in bold.
 * @property {string} words Said after it.
 */

const ROLLS = /^Maki Roll \((\d)\)$/;
/** @type {Record<string, number>} */
const NIGIRI = { "Egg Nigiri": 1, "Salmon Nigiri": 2, "Squid Nigiri": 3 };

/** @param {string[]} table The cards of this round in the order they were laid. @returns {Group[]} */
export function groupsOf(table) {
  const laid = table.map((name, at) => ({ name, at }));
  const of = (/** @type {string} */ name) => laid.filter((card) => card.name === name);
  const { pairs, plain, free } = onWasabi(laid);
  /** @type {Group[]} */
  const groups = pairs.map(([wasabi, nigiri]) => ({
    ...single([wasabi, nigiri], `3 × ${NIGIRI[nigiri.name]}`, short(nigiri.name)),
    form: "pair",
  }));
  groups.push(...set(of("Tempura"), 2, "tempura"), ...set(of("Sashimi"), 3, "sashimi"));
  const dumplings = of("Dumpling");
  if (dumplings.length > 0) {
    const count = `${dumplings.length}/5`;
    groups.push({
      form: "set",
      cards: dumplings,
      lacks: "Dumpling",
      missing: dumplings.length < 5 ? 1 : 0,
      whole: 5,
      count,
      words: "dumplings",
    });
  }
  const maki = laid.filter((card) => ROLLS.test(card.name));
  const rolls = maki.reduce((sum, card) => sum + Number(ROLLS.exec(card.name)?.[1]), 0);
  if (maki.length > 0) groups.push({ ...single(maki, String(rolls), "maki"), form: "set" });
  for (const name of Object.keys(NIGIRI)) {
    const some = plain.filter((card) => card.name === name);
    if (some.length > 0)
      groups.push({
        ...single(some, String(some.length * NIGIRI[name]), short(name)),
        form: "set",
      });
  }
  if (free.length > 0) groups.push({ ...single(free, "×3", "next nigiri"), form: "set" });
  const sticks = of("Chopsticks");
  if (sticks.length > 0) groups.push({ ...single(sticks, "", "ready"), form: "set" });
  return groups;
}

/** Each nigiri lies on the wasabi that was free when it came. @param {Laid[]} laid */
function onWasabi(laid) {
  /** @type {Laid[]} */
  const free = [];
  /** @type {[Laid, Laid][]} */
  const pairs = [];
  /** @type {Laid[]} */
  const plain = [];
  for (const card of laid) {
    if (card.name === "Wasabi") free.push(card);
    else if (card.name in NIGIRI) {
      const wasabi = free.shift();
      if (wasabi) pairs.push([wasabi, card]);
      else plain.push(card);
    }
  }
  return { pairs, plain, free };
}

/** @param {Laid[]} cards @param {number} whole @param {string} words @returns {Group[]} */
function set(cards, whole, words) {
  if (cards.length === 0) return [];
  const lacking = (whole - (cards.length % whole)) % whole;
  const goal = cards.length + lacking;
  return [
    {
      form: "set",
      cards,
      lacks: lacking ? cards[0].name : "",
      missing: lacking,
      whole: goal,
      count: `${cards.length}/${goal}`,
      words,
    },
  ];
}

/** @param {Laid[]} cards @param {string} count @param {string} words @returns {Group} */
function single(cards, count, words) {
  return { form: "single", cards, lacks: "", missing: 0, whole: 0, count, words };
}

/** @param {string} name */
function short(name) {
  return name.split(" ")[0].toLowerCase();
}

/** Cards without words are drawn at one size and scaled: so they stay the same when they shrink. */
const DRAWN = 54;

/** How far each card of a set shows from under the next, as a share of its width: the first that fits. */
const STEPS = [0.62, 0.5, 0.4];
/** Dashed places of dumplings stand closer. */
const TIGHT = 0.26;

/** @typedef {{ width: number, step: number }} Size */

/** @param {Group} group @param {Size} size */
function cardsWide(group, { width, step }) {
  if (group.form === "pair") return width * 1.5;
  const gap = group.lacks === "Dumpling" ? TIGHT : step;
  return width + (group.cards.length - 1) * step * width + group.missing * gap * width;
}

/** @param {Group} group @param {Size} size */
function widthOf(group, size) {
  return Math.max(cardsWide(group, size), labelWide(group, size, false));
}

/** Dots for how much of a set is there, where they take no more room than its cards. @param {Group} group @param {Size} size */
function dotsOf(group, size) {
  const dots = group.form === "set" && group.whole <= 6 ? group.whole : 0;
  return dots * 9 + 24 <= cardsWide(group, size) + 6 ? dots : 0;
}

/** About as wide as the words under a group. @param {Group} group @param {Size} size @param {boolean} whole */
function labelWide(group, size, whole) {
  const text = whole ? `${group.count} ${group.words}` : group.count || group.words;
  return dotsOf(group, size) * 9 + 4 + text.length * 6.4;
}

/**
 * How groups stand in a box: at the largest size at which they fit, in one row or in two.
 * @typedef {{ size: Size, rows: Row[], tall: number }} Standing
 * @typedef {{ groups: Group[], wide: number }} Row
 *
 * @param {Group[]} groups
 * @param {{ width: number, height: number, largest: number }} room
 * @returns {Standing}
 */
export function stand(groups, room) {
  for (let width = room.largest; ; width -= 2) {
    for (const step of STEPS) {
      const size = { width, step };
      const rows = intoRows(groups, size, room.width);
      const tall = rows.length * (width * RATIO + LABEL) + (rows.length - 1) * 6;
      const fits = tall <= room.height && rows.every((row) => row.wide <= room.width);
      if (fits || width <= 24) return { size, rows, tall };
    }
  }
}

/**
 * Draws groups as they stand. `from`: what the cards laid in the last turn came from, by their places.
 * @param {Standing} standing
 * @param {{ width: number, seat: number, worded: boolean, from: Map<number, string> }} room
 */
export function lay({ size, rows }, room) {
  return rows.map((row, line) => drawRow(row, line, size, room));
}

const GAP = 12;
/** Height of the words under a group. */
const LABEL = 22;

/** @param {{ groups: Group[], wide: number }} row @param {number} line @param {Size} size @param {{ width: number, seat: number, worded: boolean, from: Map<number, string> }} room */
function drawRow(row, line, size, room) {
  // A short row stands at its ease, a full one uses all there is.
  const spare = (room.width - row.wide) / Math.max(1, row.groups.length - 1);
  const air = Math.min(32, GAP + spare);
  const y = line * (size.width * RATIO + LABEL + 6);
  let x = 0;
  return row.groups.map((group) => {
    const placed = drawGroup(group, size, { ...room, x, y, air });
    x += widthOf(group, size) + air;
    return placed;
  });
}

/** @param {Group[]} groups @param {Size} size @param {number} room */
function intoRows(groups, size, room) {
  /** @type {{ groups: Group[], wide: number }[]} */
  const rows = [];
  for (const group of groups) {
    const wide = widthOf(group, size);
    const row = rows.at(-1);
    if (row && row.wide + GAP + wide <= room) {
      row.groups.push(group);
      row.wide += GAP + wide;
    } else rows.push({ groups: [group], wide });
  }
  return rows;
}

/** @param {Group} group @param {Size} size @param {{ x: number, y: number, air: number, seat: number, worded: boolean, from: Map<number, string> }} place */
function drawGroup(group, size, { x, y, air, seat, worded, from }) {
  const { width, step } = size;
  const card = (
    /** @type {Laid} */ { name, at },
    /** @type {number} */ dx,
    /** @type {number} */ dy,
  ) =>
    h(
      "g",
      {
        key: `laid-${at}`,
        "data-flip": `laid-${seat}-${at}`,
        "data-from": from.get(at) ?? null,
      },
      h(
        "g",
        {
          transform: `translate(${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}) scale(${(width / DRAWN).toFixed(3)})`,
        },
        face(name, DRAWN),
      ),
    );
  const gap = group.lacks === "Dumpling" ? TIGHT : step;
  const last = x + (group.cards.length - 1) * step * width;
  const gaps = Array.from({ length: group.missing }, (_, at) =>
    h(
      "g",
      {
        key: `gap-${at}`,
        transform: `translate(${(last + (at + 1) * gap * width).toFixed(1)} ${y})`,
      },
      missing(group.lacks, width, gap),
    ),
  ).reverse();
  const cards =
    group.form === "pair"
      ? [card(group.cards[0], 0, 0), card(group.cards[1], width * 0.5, width * 0.2)]
      : group.cards.map((each, at) => card(each, at * step * width, 0));
  const whole = worded && labelWide(group, size, true) <= widthOf(group, size) + air - 6;
  return h(
    "g",
    { key: `group-${group.cards[0].at}` },
    gaps,
    cards,
    badge(group, width, x, y),
    words(
      group,
      dotsOf(group, size),
      whole,
      x,
      y + width * RATIO + (group.form === "pair" ? 17 + width * 0.16 : 17),
    ),
  );
}

/** "×3" on a nigiri that lies on wasabi. @param {Group} group @param {number} width @param {number} x @param {number} y */
function badge(group, width, x, y) {
  if (group.form !== "pair") return null;
  return h(
    "g",
    { transform: `translate(${x + width * 0.3} ${y + width * RATIO - 4})` },
    h("rect", {
      x: -15,
      y: -10,
      width: 30,
      height: 20,
      rx: 10,
      fill: "var(--wasabi-band)",
      stroke: "#ffffff",
      "stroke-width": 1.6,
    }),
    h(
      "text",
      {
        class: "on-band",
        "text-anchor": "middle",
        "dominant-baseline": "central",
        "font-size": 12,
        "font-weight": 600,
      },
      "×3",
    ),
  );
}

/** @param {Group} group @param {number} dots @param {boolean} whole @param {number} x @param {number} y */
function words(group, dots, whole, x, y) {
  const at = x + (dots ? dots * 9 + 4 : 0);
  const quiet = whole || !group.count ? `${group.count ? " " : ""}${group.words}` : "";
  return h(
    "g",
    { key: "words" },
    Array.from({ length: dots }, (_, n) => {
      const has = n < group.cards.length;
      const colour = has ? "var(--button)" : "var(--ink-3)";
      return h("circle", {
        cx: x + 4 + n * 9,
        cy: y - 4,
        r: 3.2,
        fill: has ? colour : "none",
        stroke: colour,
        "stroke-width": 1.3,
      });
    }),
    h(
      "text",
      { x: at, y, "font-size": 12 },
      h("tspan", { "font-weight": 600 }, group.count),
      h("tspan", { class: "quiet" }, quiet),
    ),
  );
}
