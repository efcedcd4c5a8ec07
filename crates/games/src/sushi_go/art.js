// The twelve motifs of Sushi Go in a box of 80, and the back of a card. Outline two units, two tones
// and one highlight. Described once: a page that draws again skips them.

import { h } from "../../../../web/dom.js";

/** @typedef {import("../../../../web/dom.js").VNode} VNode */

const LINE = "#4a3226";
const OUTLINE = {
  stroke: LINE,
  "stroke-width": 2,
  "stroke-linejoin": "round",
  "stroke-linecap": "round",
};

/** @param {string} d @param {string} fill @param {Record<string, any>} [more] */
const shape = (d, fill, more = {}) => h("path", { d, fill, ...OUTLINE, ...more });
/** @param {string} d @param {string} stroke @param {number} width @param {Record<string, any>} [more] */
const stroke = (d, stroke, width, more = {}) =>
  h("path", {
    d,
    fill: "none",
    stroke,
    "stroke-width": width,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    ...more,
  });

/** A prawn in batter: ten circles along an arc, first their outline, then their fill. */
function tempura() {
  const along = Array.from({ length: 10 }, (_, at) => {
    const angle = Math.PI * (1.02 - 0.93 * (at / 9));
    const r = 9.6 - 0.32 * Math.abs(at - 3);
    return { x: 39 + 24 * Math.cos(angle), y: 52 - 26 * Math.sin(angle), r };
  });
  const circle = (
    /** @type {{ x: number, y: number, r: number }} */ c,
    /** @type {number} */ more,
    /** @type {string} */ fill,
  ) => h("circle", { cx: c.x.toFixed(1), cy: c.y.toFixed(1), r: (c.r + more).toFixed(1), fill });
  return [
    shape("M61 56c6-4 12-2 13 2 1 5-6 9-12 7z", "#e8503a"),
    shape("M60 60c3 1 7 6 6 11-1 4-6 5-8 1-1-3-1-8 0-12z", "#f0735a"),
    along.map((c) => circle(c, 2, LINE)),
    along.map((c) => circle(c, 0, "#eeb04c")),
    along.map((c) => circle({ ...c, x: c.x - 1.4, y: c.y - 1.8, r: c.r * 0.6 }, 0, "#f8cf74")),
    stroke(
      "M15 46l3 2M22 33l3 3M34 26l1 4M47 28l-2 4M56 38l-4 2M24 45l3-2M40 35l3 1M57 49l-4-1M18 56l3-1",
      "#c9852c",
      2,
    ),
    stroke("M19 40c2-5 6-9 11-11", "#fff1c8", 2.2),
  ];
}

/** Three leaning slices on a leaf. */
function sashimi() {
  const slice = (/** @type {number} */ x, /** @type {string} */ tone) =>
    h(
      "g",
      { transform: `translate(${x} 0)` },
      shape("M12 23c-1-6 4-9 10-9s9 4 10 9l5 33c1 5-3 8-9 8s-10-2-11-7z", tone),
      stroke(
        "M14.5 32c6 2.5 13 1.500 17-2.5M16 43c6 2.5 13 1.500 17.500-2.5M17.500 54c6 2.5 13 1.500 17.500-2.5",
        "#fde3d6",
        2.6,
      ),
      stroke("M16 20c1-2 3-3 5-2.8", "#ffd9cb", 2),
    );
  return [
    shape(
      "M5 59c9-7 18-1 25-4s13 0 20-2 16-3 25 4c-3 3-2 6-6 8-5 3-10 1-15 3s-11 2-16 1-12 2-18 0-12-2-15-10z",
      "#4d8a45",
    ),
    stroke("M13 64c8 1 18 2 27 1s18-1 27-2", "#7db56f", 1.6),
    slice(-3, "#f0765a"),
    slice(15, "#f28a6c"),
    slice(33, "#ee6c50"),
  ];
}

/** A half moon with a scalloped rim and pleats. */
function dumpling() {
  return [
    shape(
      "M8 60C6 50 9 40 14 37c1-5 5-8 9-8 2-5 7-7 11-6 4-3 9-3 13 0 4-1 9 1 11 6 4 0 8 3 9 8 5 3 7 13 5 23 0 5-12 8-32 8S8 65 8 60z",
      "#f7ead0",
    ),
    stroke(
      "M14 37c3 0 6 2 7 6M23 29c3 1 5 4 6 8M34 23c2 2 3 6 3 10M47 23c-2 2-3 6-3 10M58 29c-3 1-5 4-6 8M67 37c-3 0-6 2-7 6",
      LINE,
      2,
    ),
    h("path", {
      d: "M10 58c6-14 17-20 30-20s24 6 31 20c1 5-11 8-31 8S9 63 10 58z",
      fill: "#fff9ea",
    }),
    h("path", {
      d: "M9.5 59c3 5 14 6.5 31 6.5s28-1.5 31-6.5c1 5-11 8-31.5 8S8.5 64 9.5 59z",
      fill: "#dfc394",
    }),
    stroke("M10 59c6-14 17-20.5 30-20.5S64.5 45 71 59", "#e6d3ab", 1.6),
    stroke("M22 50c4-3.5 8-5.5 13-6", "#ffffff", 2.6),
  ];
}

/** A maki roll seen from above, with its side below. @param {number} x @param {number} y @param {number} r */
function roll(x, y, r) {
  const k = r / 20;
  return h(
    "g",
    { transform: `translate(${x} ${y}) scale(${k.toFixed(3)})` },
    h("path", {
      d: "M-20 0V9C-20 19 -11 26 0 26S20 19 20 9V0z",
      fill: "#1f2d29",
      stroke: LINE,
      "stroke-width": 2 / k,
    }),
    h("circle", { r: 20, fill: "#2d4039", stroke: LINE, "stroke-width": 2 / k }),
    h("circle", { r: 15.5, fill: "#fffaf0" }),
    stroke(
      "M-11 -5l2-2M-5 -12l3 1M7 -11l3 1M12 -3l-1 3M10 8l-3 2M-2 12l3 0M-11 6l2 3",
      "#d9cdb6",
      1.8,
    ),
    h("rect", { x: -6.5, y: -6.5, width: 7, height: 13, fill: "#ec6a50" }),
    h("rect", { x: 0.5, y: -6.5, width: 6, height: 7, fill: "#8fb552" }),
    h("rect", { x: 0.5, y: 0.5, width: 6, height: 6, fill: "#f4c84e" }),
    stroke("M-15 -11c2-3 5-5 8-6", "#6f8a7e", 2),
  );
}

/** A pillow of rice; the slab on it differs. @param {VNode[]} slab */
function nigiri(slab) {
  return [
    shape("M8 52c-1 9 4 15 12 15h40c8 0 13-6 12-15-1-7-6-10-14-10H22c-8 0-13 3-14 10z", "#fffdf5"),
    stroke(
      "M16 58l3 1M26 62l3-1M37 58l3 1M48 62l3-1M60 58l3 1M66 53l1 2M20 52l2-1M54 54l3 0",
      "#d9cdb6",
      1.8,
    ),
    ...slab,
  ];
}

const slabSalmon = [
  shape("M5 50c0-14 15-24 36-24 20 0 34 9 35 23 0 4-3 5-7 3-8-5-50-6-57 0-4 3-7 2-7-2z", "#ef6e4e"),
  stroke(
    "M17 48c1-7 4-12 9-16M29 45.5c1-7 4-12 8-16M42 45c1-7 4-12 7-15M55 46c1-5 3-9 6-12",
    "#fcc3ae",
    3,
  ),
  stroke("M13 40c4-6 10-9 17-10.5", "#ff9a7e", 2.2),
];
const slabEgg = [
  shape("M8 32c0-4 3-6 8-6h48c5 0 8 2 8 6v10c0 4-3 6-8 6H16c-5 0-8-2-8-6z", "#f6c544"),
  h("path", {
    d: "M9 40c2 3 5 3 8 3h46c3 0 6 0 8-3v3c0 3-3 4-7 4H16c-4 0-7-1-7-4z",
    fill: "#e0a52c",
  }),
  stroke("M14 31h14M52 31h12", "#fde9a0", 2.6),
  shape("M33 25h14v42c-5 1.5-9 1.5-14 0z", "#2f3f39"),
  stroke("M37 30v33", "#4d6157", 2),
];
const slabSquid = [
  shape("M5 50c0-14 15-24 36-24 20 0 34 9 35 23 0 4-3 5-7 3-8-5-50-6-57 0-4 3-7 2-7-2z", "#f6f2f7"),
  stroke(
    "M16 47l14-18M28 46l14-19M41 46l13-18M54 47l10-14M22 33l16 13M34 28l20 18M48 28l18 15M14 41l8 6",
    "#c4b2d6",
    1.8,
  ),
  stroke("M12 41c4-6 10-10 18-11.5", "#ffffff", 2.4),
];

const pudding = [
  shape("M6 63c0-3 6-4 12-4h44c6 0 12 1 12 4 0 5-12 8-34 8S6 68 6 63z", "#fffdf5"),
  shape("M22 26h36l8 36c-6 4-46 4-52 0z", "#f6cf68"),
  h("path", { d: "M58 26l8 36c-3 2-9 3-16 3.5 4-12 5-26 3-39.5z", fill: "#e5b449" }),
  shape(
    "M20 27c1-7 4-11 8-12h24c4 1 7 5 8 12 1 6 2 10-1 11-4 1-4-5-7-5s-2 12-6 12-3-9-7-9-2 8-6 8-3-7-6-7-2 4-5 3-3-7-2-13z",
    "#86481e",
  ),
  stroke("M27 22c1-2 3-3 5-3h8", "#c8813f", 2.6),
];
const wasabi = [
  shape("M4 61c10-6 24-8 38-8s26 3 34 6c-4 6-16 11-36 11S8 67 4 61z", "#4d8a45"),
  stroke("M12 62c18 4 38 4 56-1", "#7db56f", 1.6),
  shape(
    "M12 58c-2-8 4-13 10-15 1-8 7-12 13-14 1-6 5-10 10-15 1 6 1 9 4 12 4 3 4 6 3 9 5 3 7 7 6 11 7 2 11 7 9 12-8 6-46 7-55 0z",
    "#a8c944",
  ),
  h("path", {
    d: "M45 14c1 6 1 9 4 12 4 3 4 6 3 9 5 3 7 7 6 11 7 2 11 7 9 12-4 3-14 4.5-25 4.8 10-6 12-16 8-22 3-6-3-10-4-15-1-5-1-8-1-11.8z",
    fill: "#86a930",
  }),
  stroke("M24 56c2-6 8-9 15-11M33 39c3-3 7-5 11-6M44 56c3-2 6-4 8-8", "#6f8f24", 2),
  stroke("M22 49c2-2 5-4 8-5", "#d3e68a", 2.4),
];
const chopsticks = h(
  "g",
  { transform: "rotate(28 40 40)" },
  [31, 43].map((x) => [
    shape(`M${x} 3h6l-1 72h-4z`, "#b4513a"),
    h("path", { d: `M${x + 0.9} 12h4.2v5h-4.2zM${x + 0.9} 22h4.2v4h-4.2z`, fill: "#f2d9a4" }),
    h("path", { d: `M${x + 0.9} 18h4.2v3h-4.2z`, fill: "#2f7a72" }),
  ]),
  shape("M25 38h30v24H25z", "#fffdf5"),
  h("path", { d: "M49 39h5v22h-5z", fill: "#e9ddc8" }),
  h("circle", { cx: 37, cy: 50, r: 5.5, fill: "#d2432f" }),
);

/** @typedef {{ group: string, name: string, short: string, rule: string, icons: number, motif: VNode }} Kind */

/** @param {string} group @param {string} name @param {string} short @param {string} rule @param {any} motif @param {number} [icons] @returns {Kind} */
const kind = (group, name, short, rule, motif, icons = 0) => ({
  group,
  name,
  short,
  rule,
  icons,
  motif: h("g", null, motif),
});

/** Every card by the name it has in a view. @type {Record<string, Kind>} */
export const KINDS = {
  Tempura: kind("tempura", "Tempura", "Tempura", "2 = 5", tempura()),
  Sashimi: kind("sashimi", "Sashimi", "Sashimi", "3 = 10", sashimi()),
  Dumpling: kind("dumpling", "Dumpling", "Dumpling", "1 3 6 10 15", dumpling()),
  "Maki Roll (1)": kind("maki", "Maki Roll", "Maki", "6 / 3", roll(40, 36, 26), 1),
  "Maki Roll (2)": kind(
    "maki",
    "Maki Roll",
    "Maki",
    "6 / 3",
    [roll(24, 25, 18), roll(54, 43, 18)],
    2,
  ),
  "Maki Roll (3)": kind(
    "maki",
    "Maki Roll",
    "Maki",
    "6 / 3",
    [roll(40, 18, 15.5), roll(22, 48, 15.5), roll(58, 48, 15.5)],
    3,
  ),
  "Egg Nigiri": kind("nigiri", "Egg Nigiri", "Egg", "1", nigiri(slabEgg)),
  "Salmon Nigiri": kind("nigiri", "Salmon Nigiri", "Salmon", "2", nigiri(slabSalmon)),
  "Squid Nigiri": kind("nigiri", "Squid Nigiri", "Squid", "3", nigiri(slabSquid)),
  Pudding: kind("pudding", "Pudding", "Pudding", "end ±6", pudding),
  Wasabi: kind("wasabi", "Wasabi", "Wasabi", "next ×3", wasabi),
  Chopsticks: kind("chopsticks", "Chopsticks", "Chopsticks", "swap for 2", chopsticks),
};

/** Overlapping waves, a roll in the middle, 100 by 140. */
export const BACK = h(
  "g",
  null,
  h("rect", {
    width: 100,
    height: 140,
    rx: 8,
    fill: "#fbf0e0",
    stroke: "#d9c6ac",
    "stroke-width": 1,
  }),
  h("rect", { x: 7, y: 7, width: 86, height: 126, rx: 4, fill: "#c4422f" }),
  h("path", { d: waves(), fill: "none", stroke: "#eea58f", "stroke-width": 1.6 }),
  h("circle", { cx: 50, cy: 70, r: 20, fill: "#fbf0e0" }),
  h("circle", { cx: 50, cy: 70, r: 15.5, fill: "#26352f" }),
  h("circle", { cx: 50, cy: 70, r: 10.5, fill: "#fffaf0" }),
  h("circle", { cx: 50, cy: 70, r: 5.5, fill: "#ec6a50" }),
);

/** Rows of overlapping waves, as one path: a fan has many backs. */
function waves() {
  let d = "";
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < (row % 2 ? 4 : 5); column += 1) {
      const [x, y] = [7 + column * 21.5 + (row % 2 ? 10.75 : 0), 24 + row * 15.2];
      for (const r of [10.75, 7, 3.4]) d += arc(x, y, r);
    }
  }
  return d;
}

/** Half a circle that stays on the card. @param {number} x @param {number} y @param {number} r */
function arc(x, y, r) {
  const left = Math.max(7, x - r);
  const right = Math.min(93, x + r);
  const up = (/** @type {number} */ at) =>
    (y - Math.sqrt(Math.max(0, r * r - (at - x) ** 2))).toFixed(1);
  return `M${left.toFixed(1)} ${up(left)}A${r} ${r} 0 0 1 ${right.toFixed(1)} ${up(right)}`;
}
