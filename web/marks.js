// What says who: seat marks (colour, shape and initial), player chips, and the clock ring. Boards use
// them as pages do.

import { h } from "./dom.js";
import { clock as clockWords } from "./texts.js";

/** @typedef {import("./dom.js").VNode} VNode */

// Shapes in a box of 24, in the order of the seats, and where the initial's middle is.
const SHAPES = [
  { name: "circle", d: "M12 1.5a10.5 10.5 0 1 0 0 21 10.5 10.5 0 0 0 0-21z", y: 12 },
  {
    name: "triangle",
    d: "M13.7 2.6 22.6 18.6a2 2 0 0 1-1.7 3H3.1a2 2 0 0 1-1.7-3L10.3 2.6a2 2 0 0 1 3.4 0z",
    y: 14.6,
  },
  {
    name: "diamond",
    d: "M13.4 1.4 22.6 10.6a2 2 0 0 1 0 2.8L13.4 22.6a2 2 0 0 1-2.8 0L1.4 13.4a2 2 0 0 1 0-2.8L10.6 1.4a2 2 0 0 1 2.8 0z",
    y: 12,
  },
  {
    name: "square",
    d: "M4.6 2.2h14.8a2.4 2.4 0 0 1 2.4 2.4v14.8a2.4 2.4 0 0 1-2.4 2.4H4.6a2.4 2.4 0 0 1-2.4-2.4V4.6a2.4 2.4 0 0 1 2.4-2.4z",
    y: 12,
  },
  {
    name: "hexagon",
    d: "M11.1 1.4a1.8 1.8 0 0 1 1.8 0l7.7 4.4a1.8 1.8 0 0 1 .9 1.6v9.2a1.8 1.8 0 0 1-.9 1.6l-7.7 4.4a1.8 1.8 0 0 1-1.8 0l-7.7-4.4a1.8 1.8 0 0 1-.9-1.6V7.4a1.8 1.8 0 0 1 .9-1.6z",
    y: 12,
  },
  {
    name: "star",
    d: "M12 .9l3.3 6.9 7.6 1-5.5 5.3 1.3 7.5L12 18l-6.7 3.6 1.3-7.5L1.1 8.8l7.6-1z",
    y: 12.6,
  },
  {
    name: "drop",
    d: "M12 .8c4.4 4.9 8.3 8.6 8.3 13.7a8.3 8.3 0 1 1-16.6 0C3.7 9.4 7.6 5.7 12 .8z",
    y: 14.2,
  },
  {
    name: "ring",
    d: "M12 1.5a10.5 10.5 0 1 0 0 21 10.5 10.5 0 0 0 0-21zm0 3.8a6.7 6.7 0 1 1 0 13.4 6.7 6.7 0 0 1 0-13.4z",
    y: 12,
  },
  { name: "cross", d: "M8.2 1.5h7.6v6.7h6.7v7.6h-6.7v6.7H8.2v-6.7H1.5V8.2h6.7z", y: 12 },
];

/** The custom property with a seat's colour. @param {number} seat */
export function seatColour(seat) {
  return `var(--seat-${seat % SHAPES.length})`;
}

/** @param {number} seat */
export function seatShape(seat) {
  return SHAPES[seat % SHAPES.length].name;
}

/** The outline alone, in a box of 24 units. @param {number} seat */
export function seatPath(seat) {
  return SHAPES[seat % SHAPES.length].d;
}

/** @param {string} name */
export function initial(name) {
  return [...name.trim()][0]?.toUpperCase() ?? "?";
}

/** The initial and the number a name ends in: counter1 to counter4 are not all C. @param {string} name */
export function monogram(name) {
  const [, number = ""] = /\D(\d{1,2})$/.exec(name.trim()) ?? [];
  return `${initial(name)}${number}`;
}

/** So much smaller are the letters of a mark, the more there are. @param {string} letters */
function tightly(letters) {
  return [1, 1, 0.8, 0.66][letters.length] ?? 0.66;
}

/**
 * A seat mark to stand inside an SVG, with its middle at x and y.
 * @param {number} seat
 * @param {{ x?: number, y?: number, size?: number, name?: string }} [place]
 */
export function seatGlyph(seat, { x = 0, y = 0, size = 24, name = "" } = {}) {
  const shape = SHAPES[seat % SHAPES.length];
  const k = size / 24;
  const hollow = shape.name === "ring";
  const letters = monogram(name);
  const most = shape.name === "triangle" || shape.name === "star" ? 9.5 : 11.5;
  return h(
    "g",
    { transform: `translate(${round(x - size / 2)} ${round(y - size / 2)}) scale(${round(k)})` },
    h("path", { d: shape.d, fill: seatColour(seat), "fill-rule": "evenodd" }),
    name && size >= 14
      ? h(
          "text",
          {
            "data-initial": "",
            x: 12,
            y: shape.y,
            "text-anchor": "middle",
            "dominant-baseline": "central",
            "font-size": round(most * tightly(letters)),
            "font-weight": 600,
            fill: hollow ? seatColour(seat) : "var(--on-seat)",
          },
          letters,
        )
      : null,
  );
}

/** A seat mark to stand in a line of text. @param {number} seat @param {string} name @param {number} [size] */
export function seatMark(seat, name, size = 24) {
  return h(
    "svg",
    { class: "seat-mark", viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true" },
    seatGlyph(seat, { x: 12, y: 12, size: 24, name: size >= 14 ? name : "" }),
  );
}

// A name always has the same colour of poker chip.
const CHIPS = 8;

/**
 * A player's chip: notched rim for a bot, plain for a person, outline for a house bot.
 * @param {{ name: string, person?: boolean, bot?: string | null }} player
 * @param {number} [size]
 */
export function chipMark({ name, person = false, bot = null }, size = 24) {
  let sum = 0;
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  const colour = `var(--chip-${sum % CHIPS})`;
  const letters = monogram(name);
  const letter = (/** @type {string} */ fill) =>
    h(
      "text",
      {
        x: 16,
        y: 16,
        "text-anchor": "middle",
        "dominant-baseline": "central",
        "font-size": round(13 * tightly(letters)),
        "font-weight": 600,
        fill,
      },
      letters,
    );
  const rim = { cx: 16, cy: 16, fill: "none" };
  return h(
    "svg",
    { class: "chip-mark", viewBox: "0 0 32 32", width: size, height: size, "aria-hidden": "true" },
    bot
      ? [
          h("circle", { ...rim, r: 14.5, stroke: "var(--ink-2)", "stroke-width": 2 }),
          letter("var(--ink)"),
        ]
      : [
          h("circle", { cx: 16, cy: 16, r: 15.5, fill: colour }),
          person
            ? h("circle", {
                ...rim,
                r: 12,
                stroke: "var(--on-chip)",
                "stroke-opacity": 0.75,
                "stroke-width": 1.2,
              })
            : h("circle", {
                ...rim,
                r: 13.4,
                stroke: "var(--on-chip)",
                "stroke-opacity": 0.85,
                "stroke-width": 3.4,
                "stroke-dasharray": "4.2 9.83",
              }),
          letter("var(--on-chip)"),
        ],
  );
}

/** A chip with the name and what kind of player it is. @param {{ name: string, person?: boolean, bot?: string | null, display?: string | null }} player */
export function playerChip(player) {
  const kind = player.bot ? "house" : player.person ? "person" : "";
  return h(
    "span",
    { class: "chip" },
    chipMark(player),
    h("span", { class: "who", title: player.name, dir: "auto" }, player.display ?? player.name),
    player.display && player.display !== player.name && h("span", { class: "kind" }, player.name),
    kind && h("span", { class: "kind" }, kind),
  );
}

/**
 * The clock of a seat at a board: an arc for the share of time that is left, and a short hand.
 * @param {{ x: number, y: number, r?: number, left: number, of: number, owes: boolean }} state
 */
export function clockGlyph({ x, y, r = 9, left, of, owes }) {
  const share = Math.max(0, Math.min(1, left / of));
  const colour = !owes ? "var(--ink-3)" : left < 3000 ? "var(--wrong)" : "var(--button)";
  const around = 2 * Math.PI * r;
  return h(
    "g",
    { transform: `translate(${round(x)} ${round(y)})` },
    h("circle", { r, fill: "none", stroke: "var(--rule)", "stroke-width": round(r * 0.34) }),
    h("circle", {
      r,
      fill: "none",
      stroke: colour,
      "stroke-width": round(r * 0.34),
      "stroke-dasharray": `${round(share * around)} ${round(around)}`,
      transform: "rotate(-90)",
    }),
    h("path", {
      d: `M0 ${round(-r * 0.5)}V0H${round(r * 0.36)}`,
      fill: "none",
      stroke: colour,
      "stroke-width": round(r * 0.2),
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}

/** The same in a line of text, with its digits. @param {{ left: number, of: number, owes: boolean }} state */
export function clockMark({ left, of, owes }) {
  const late = owes && left < 3000;
  return h(
    "span",
    { class: `clock ${owes ? (late ? "late" : "owes") : ""}` },
    h(
      "svg",
      { viewBox: "-12 -12 24 24", width: 20, height: 20, "aria-hidden": "true" },
      clockGlyph({ x: 0, y: 0, left, of, owes }),
    ),
    clockWords(left),
  );
}

/** @param {number} n */
function round(n) {
  return Math.round(n * 100) / 100;
}
