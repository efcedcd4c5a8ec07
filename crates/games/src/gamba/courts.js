// Jacks, queens and kings: half a figure inside its frame, turned about the card's middle to make the
// other half. A card is 100 by 140; the belt across the middle hides where the halves meet.

import { h } from "../../../../web/dom.js";
import { suitGlyph } from "./suits.js";

/**
 * @typedef {import("./suits.js").Suit} Suit
 * @typedef {"J" | "Q" | "K"} Court
 * @typedef {{ robe: string, fold: string, pale: string, hair: string }} Cloth
 */

/** @type {Record<Suit, Cloth>} */
const CLOTHS = {
  S: { robe: "#2f4a86", fold: "#21366a", pale: "#cfd9f2", hair: "#3a2b23" },
  H: { robe: "#b5332b", fold: "#8c221d", pale: "#f6cfc4", hair: "#b9813a" },
  C: { robe: "#2c7452", fold: "#1d5439", pale: "#cbe6d3", hair: "#6e4024" },
  D: { robe: "#cc7423", fold: "#9f5410", pale: "#fae0b4", hair: "#8a5226" },
};

const INK = "#2b2320";
const SKIN = "#f6d4b6";
const BRASS = "#e6b23c";
const BRASS_DEEP = "#b27d14";
const WHITE = "#fffdf6";

const OUTLINE = { stroke: INK, "stroke-width": 1.1, "stroke-linejoin": "round" };
const HAIRLINE = { fill: "none", stroke: INK, "stroke-width": 0.9, "stroke-linecap": "round" };

/** @param {string} d @param {string} fill @param {object} [more] */
const shape = (d, fill, more = {}) => h("path", { d, fill, ...OUTLINE, ...more });
/** @param {number} cx @param {number} cy @param {number} r @param {string} fill */
const dot = (cx, cy, r, fill) => h("circle", { cx, cy, r, fill, ...OUTLINE, "stroke-width": 0.8 });

/** The picture of a court card, frame included. @param {Court} court @param {Suit} suit */
export function courtPicture(court, suit) {
  const cloth = CLOTHS[suit];
  const half = [
    behind(court, cloth),
    robe(cloth, suit),
    head(court, cloth),
    hat(court, cloth),
    held(court, suit, cloth),
  ];
  return [
    h("rect", { x: 22, y: 15, width: 56, height: 110, rx: 2.5, fill: "#fdf3df" }),
    h("g", null, half),
    h("g", { transform: "rotate(180 50 70)" }, half),
    belt(cloth),
    h("rect", {
      x: 22,
      y: 15,
      width: 56,
      height: 110,
      rx: 2.5,
      fill: "none",
      stroke: suit === "H" || suit === "D" ? "var(--card-red)" : "var(--card-ink)",
      "stroke-width": 1.2,
    }),
    suitGlyph(suit, { x: 29.5, y: 23.5, size: 10.5, glint: "#fdf3df" }),
    suitGlyph(suit, { x: 70.5, y: 116.5, size: 10.5, turned: true, glint: "#fdf3df" }),
  ];
}

/** Hair that falls behind the shoulders. @param {Court} court @param {Cloth} cloth */
function behind(court, { hair }) {
  const falls = {
    J: "M39 47C36 40 37 28 50 28S64 40 61 47C58 50 42 50 39 47z",
    Q: "M36 55C33 46 36 27 50 27S67 46 64 55C60 58 40 58 36 55z",
    K: "M38.5 45C36 38 39 28 50 28S64 38 61.5 45C58 48 42 48 38.5 45z",
  };
  return shape(falls[court], hair);
}

/** @param {Cloth} cloth @param {Suit} suit */
function robe({ robe, fold, pale }, suit) {
  return [
    shape("M22.6 70V62C24 53 34 50.5 43 49H57C66 50.5 76 53 77.4 62V70z", robe),
    h("path", { d: "M27 70C27 63 30 58 35 55M73 70C73 63 70 58 65 55", ...HAIRLINE, stroke: fold }),
    h("path", { d: "M26 60C28 56.5 31 54.5 34.5 53.4", ...HAIRLINE, stroke: pale }),
    shape("M43 49H57L59.5 70H40.5z", pale),
    suitGlyph(suit, { x: 50, y: 59.5, size: 9 }),
  ];
}

/** @param {Court} court @param {Cloth} cloth */
function head(court, { hair }) {
  return [
    court === "K" ? ermine() : court === "Q" ? pearls() : collar(),
    shape("M45.5 44H54.5V49Q50 52 45.5 49z", SKIN),
    h("ellipse", { cx: 50, cy: 38, rx: 8.4, ry: 9.6, fill: SKIN, ...OUTLINE }),
    court === "K"
      ? shape(
          "M41.6 38C41.6 50 46 53.5 50 53.5S58.4 50 58.4 38C57 42.4 54 42.6 50 42.6S43 42.4 41.6 38z",
          hair,
        )
      : null,
    court === "Q"
      ? [
          h("circle", { cx: 44.6, cy: 41.4, r: 1.5, fill: "#ef9f8c", opacity: 0.6 }),
          h("circle", { cx: 55.4, cy: 41.4, r: 1.5, fill: "#ef9f8c", opacity: 0.6 }),
        ]
      : null,
    h("circle", { cx: 46.6, cy: 37.6, r: 1, fill: INK }),
    h("circle", { cx: 53.4, cy: 37.6, r: 1, fill: INK }),
    h("path", { d: "M44.8 34.9Q46.6 33.8 48.3 34.8M51.7 34.8Q53.4 33.8 55.2 34.9", ...HAIRLINE }),
    h("path", { d: "M50 38.4L49.2 40.8H50.6", ...HAIRLINE, "stroke-width": 0.7 }),
    h("path", {
      d: court === "K" ? "M48.2 45Q50 46 51.8 45" : "M48 44Q50 45.6 52 44",
      ...HAIRLINE,
      stroke: court === "K" ? WHITE : "#a23325",
    }),
    court === "K"
      ? null
      : shape(
          "M41.4 37C41 30 45 28.4 50 28.4S59 30 58.6 37C57 33.4 55 32 50 32S43 33.4 41.4 37z",
          hair,
        ),
  ];
}

function ermine() {
  return [
    shape("M31 56C36 49 43 47.4 50 47.4S64 49 69 56Q60 60 50 60T31 56z", WHITE),
    h("path", { d: "M38 54.4l-1 2M44 56l-.6 2.2M56 56l.6 2.2M62 54.4l1 2", ...HAIRLINE }),
  ];
}

function pearls() {
  return [
    [41.6, 49.6],
    [44, 52.2],
    [47, 53.8],
    [53, 53.8],
    [56, 52.2],
    [58.4, 49.6],
    [50, 54.6],
  ].map(([x, y]) => dot(x, y, 1.6, WHITE));
}

function collar() {
  return shape("M40 50.4L45 46.4L50 53L55 46.4L60 50.4L50 58z", WHITE);
}

/** @param {Court} court @param {Cloth} cloth */
function hat(court, { robe, pale }) {
  if (court === "J")
    return [
      shape("M39.4 32C37.6 22 62.4 22 60.6 32Q50 27.6 39.4 32z", robe),
      shape("M39 32.6Q50 27.6 61 32.6L60.4 29.6Q50 25 39.6 29.6z", BRASS),
      shape("M57 26C64 25 67.4 20.6 66 17.4C61 18 57 20.6 55.6 24.6z", WHITE),
    ];
  if (court === "Q")
    return [
      shape("M40.6 31.4L39 22.6L45 26.2L50 19L55 26.2L61 22.6L59.4 31.4Q50 27.4 40.6 31.4z", BRASS),
      dot(50, 19, 1.7, pale),
      dot(39, 22.6, 1.4, robe),
      dot(61, 22.6, 1.4, robe),
      dot(50, 26.4, 1.4, robe),
    ];
  return [
    shape("M40 32L37.6 20L44.6 25L50 17.6L55.4 25L62.4 20L60 32Q50 28 40 32z", BRASS),
    h("path", { d: "M40.2 29.4Q50 25.4 59.8 29.4", ...HAIRLINE, stroke: BRASS_DEEP }),
    dot(37.6, 20, 1.5, WHITE),
    dot(62.4, 20, 1.5, WHITE),
    dot(50, 17.8, 1.7, robe),
  ];
}

/** What the figure holds, and the hand that holds it. @param {Court} court @param {Suit} suit @param {Cloth} cloth */
function held(court, suit, { robe, pale }) {
  const staff = h("path", { d: "M71 70V32", stroke: INK, "stroke-width": 2.6 });
  const gilt = h("path", { d: "M71 70V32", stroke: BRASS, "stroke-width": 1.2 });
  const hand = h("ellipse", { cx: 70.6, cy: 60.6, rx: 3.4, ry: 2.7, fill: SKIN, ...OUTLINE });
  const cuff = shape("M62 66.4L67.4 58.8L71 63.4L66.4 69.6z", pale);
  if (court === "J")
    return [
      staff,
      gilt,
      shape("M71 20.6L74 29L71 34L68 29z", WHITE),
      dot(71, 35.4, 1.6, BRASS),
      cuff,
      hand,
    ];
  if (court === "K")
    return [
      staff,
      gilt,
      shape("M66.6 37H75.4L74 41H68z", BRASS),
      h("circle", { cx: 71, cy: 30.4, r: 6, fill: "#fdf3df", ...OUTLINE }),
      suitGlyph(suit, { x: 71, y: 30.4, size: 8 }),
      cuff,
      hand,
    ];
  const petals = [0, 72, 144, 216, 288].map((turn) =>
    h("ellipse", {
      cx: 71,
      cy: 27,
      rx: 2.5,
      ry: 3.4,
      fill: pale,
      ...OUTLINE,
      "stroke-width": 0.8,
      transform: `rotate(${turn} 71 31)`,
    }),
  );
  return [
    h("path", {
      d: "M71 62C70 50 72 42 71 33",
      fill: "none",
      stroke: "#2c6a3f",
      "stroke-width": 1.6,
    }),
    shape("M71 48C67 47 65.6 44 66 41.4C69 42 71 44.4 71 48z", "#4f9a5f", { "stroke-width": 0.8 }),
    petals,
    dot(71, 31, 2, robe),
    cuff,
    hand,
  ];
}

/** @param {Cloth} cloth */
function belt({ robe }) {
  return [
    h("rect", { x: 22.6, y: 66.4, width: 54.8, height: 7.2, fill: BRASS, ...OUTLINE }),
    [29, 36, 43, 50, 57, 64, 71].map((x) =>
      h("path", { d: `M${x - 2} 70L${x} 67.8L${x + 2} 70L${x} 72.2z`, fill: robe }),
    ),
  ];
}
