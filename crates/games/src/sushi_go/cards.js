// Cards of Sushi Go at any size: faces, backs, fans, dashed places, and squares for lists.

import { h } from "../../../../web/dom.js";
import { widthOf } from "../../../../web/fit.js";
import { BACK, KINDS } from "./art.js";

/** @typedef {import("../../../../web/dom.js").VNode} VNode */

/** Cards are five to seven. */
export const RATIO = 1.4;

/** Faces are described once for each size. @type {Map<string, VNode>} */
const made = new Map();

/** A face with its upper left corner at 0, 0. @param {string} name @param {number} width @returns {VNode} */
export function face(name, width) {
  const key = `${name} ${width}`;
  const known = made.get(key);
  if (known) return known;
  const fresh = drawFace(name, width);
  made.set(key, fresh);
  return fresh;
}

/** @param {string} name @param {number} width */
function drawFace(name, width) {
  const kind = KINDS[name];
  if (!kind) return back(width);
  const height = width * RATIO;
  const worded = width >= 56;
  const band = worded ? Math.max(15, height * 0.15) : height * 0.065;
  const open = height - band;
  const size = width * (worded ? 0.82 : 0.88);
  const middle = worded ? open * 0.56 : open * 0.5;
  const corner = width * 0.08;
  const px = (/** @type {number} */ n) => Math.round(n * 10) / 10;
  return h(
    "g",
    { class: "sushi-card" },
    h("rect", { width, height: px(height), rx: px(corner), fill: `var(--${kind.group})` }),
    h("circle", {
      cx: px(width / 2),
      cy: px(middle),
      r: px(width * 0.42),
      fill: "#ffffff",
      opacity: 0.42,
    }),
    h(
      "g",
      {
        transform: `translate(${px(width / 2 - size / 2)} ${px(middle - size / 2)}) scale(${(size / 80).toFixed(4)})`,
      },
      kind.motif,
    ),
    h("path", {
      d: `M0 ${px(open)}h${width}v${px(band - corner)}a${px(corner)} ${px(corner)} 0 0 1 ${px(-corner)} ${px(corner)}h${px(-(width - 2 * corner))}a${px(corner)} ${px(corner)} 0 0 1 ${px(-corner)} ${px(-corner)}z`,
      fill: `var(--${kind.group}-band)`,
    }),
    worded
      ? [
          squeezed(kind.rule, width * 0.84, Math.max(12, width * 0.1), {
            x: px(width * 0.08),
            y: px(Math.max(12.5, height * 0.125)),
            fill: `var(--${kind.group}-band)`,
          }),
          squeezed(
            width < 110 ? kind.short : kind.name,
            width * 0.9,
            Math.max(12, Math.min(16, width * 0.125)),
            {
              x: px(width / 2),
              y: px(open + band / 2),
              "text-anchor": "middle",
              "dominant-baseline": "central",
              fill: "#ffffff",
            },
          ),
        ]
      : null,
    icons(kind.icons, width, height, worded),
    h("rect", {
      width,
      height: px(height),
      rx: px(corner),
      fill: "var(--veil)",
      stroke: "rgb(74 52 28 / 16%)",
      "stroke-width": 1,
    }),
  );
}

/** Words on a card, narrower where the card is: its font is whatever the reader's system has. @param {string} words @param {number} room @param {number} size @param {object} more */
function squeezed(words, room, size, more) {
  const tight = widthOf(words, size, true) > room;
  return h(
    "text",
    {
      "font-size": Math.round(size * 10) / 10,
      "font-weight": 600,
      ...(tight ? { textLength: Math.floor(room), lengthAdjust: "spacingAndGlyphs" } : {}),
      ...more,
    },
    words,
  );
}

/** As many rings as the card has rolls. @param {number} count @param {number} width @param {number} height @param {boolean} worded */
function icons(count, width, height, worded) {
  const r = Math.max(2.4, width * 0.038);
  return Array.from({ length: count }, (_, at) =>
    h("circle", {
      cx: Math.round((width * (worded ? 0.87 : 0.86) - at * r * 2.7) * 10) / 10,
      cy: Math.round(height * (worded ? 0.095 : 0.085) * 10) / 10,
      r,
      fill: "none",
      stroke: "var(--maki-band)",
      "stroke-width": Math.max(1.6, r * 0.6),
    }),
  );
}

/** @param {number} width @returns {VNode} */
export function back(width) {
  return h("g", { class: "sushi-card", transform: `scale(${(width / 100).toFixed(4)})` }, BACK);
}

/** A place for a card that is missing, with a hint of its motif. @param {string} name @param {number} width @param {number} seen The share of it that shows. */
export function missing(name, width, seen = 1) {
  const height = width * RATIO;
  const size = width * 0.6;
  return h(
    "g",
    { class: "missing" },
    h("rect", {
      x: 0.75,
      y: 0.75,
      width: width - 1.5,
      height: height - 1.5,
      rx: width * 0.08,
      fill: "none",
      stroke: "var(--ink-3)",
      "stroke-width": 1.4,
      "stroke-dasharray": "4 3.5",
    }),
    seen > 0.5
      ? h(
          "g",
          {
            opacity: 0.3,
            transform: `translate(${width * (1 - seen) + (width * seen - size) / 2} ${(height - size) / 2}) scale(${size / 80})`,
          },
          KINDS[name].motif,
        )
      : null,
  );
}

/** Hands of others: a fan whose upper middle is at 0, 0. @param {(string | null)[]} cards `null` for backs @param {number} width @param {number} room */
export function fan(cards, width, room) {
  const many = cards.length;
  const step = Math.min(width * 0.5, many > 1 ? (room - width) / (many - 1) : 0);
  const turn = Math.min(8, 24 / Math.max(1, many));
  return cards.map((card, at) => {
    const off = at - (many - 1) / 2;
    const drop = Math.abs(off) * Math.abs(off) * (width * 0.012);
    return h(
      "g",
      {
        key: at,
        transform: `translate(${(off * step).toFixed(1)} ${drop.toFixed(1)}) rotate(${(off * turn).toFixed(1)} 0 ${(width * RATIO).toFixed(1)}) translate(${(-width / 2).toFixed(1)} 0)`,
      },
      card === null ? back(width) : face(card, width),
    );
  });
}

/** A square for lists. @param {string} name @param {number} size */
export function square(name, size) {
  const kind = KINDS[name];
  return h(
    "svg",
    {
      class: "sushi-square",
      viewBox: "0 0 80 80",
      width: size,
      height: size,
      role: "img",
      "aria-label": name,
    },
    h("rect", {
      width: 80,
      height: 80,
      rx: 14,
      fill: kind ? `var(--${kind.group})` : "var(--well)",
    }),
    h("g", { transform: "translate(6 6) scale(0.85)" }, kind?.motif),
    h("rect", { width: 80, height: 80, rx: 14, fill: "var(--veil)" }),
  );
}

/** A back for lists. @param {number} size */
export function squareBack(size) {
  return h(
    "svg",
    {
      viewBox: "-20 0 140 140",
      width: size,
      height: size,
      role: "img",
      "aria-label": "chosen, face down",
    },
    BACK,
  );
}
