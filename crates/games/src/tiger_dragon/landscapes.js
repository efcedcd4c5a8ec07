// The battlefields as small landscapes, 254 by 84: flat, in few tones.

import { h } from "../../../../web/dom.js";

/** @typedef {import("../../../../web/dom.js").VNode} VNode */

/** @param {string} fill @param {string} d */
const area = (fill, d) => h("path", { fill, d });
/** @param {string} stroke @param {number} width @param {string} d */
const line = (stroke, width, d) =>
  h("path", { fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", d });
/** @param {string} fill @param {number} cx @param {number} cy @param {number} r */
const disc = (fill, cx, cy, r) => h("circle", { fill, cx, cy, r });
/** @param {string} fill */
const sky = (fill) => area(fill, "M0 0H254V84H0z");

/** @param {number} x */
const screen = (x) => [
  area("#fdfaf0", `M${x} 14h46v46h-46z`),
  line("#b9a27c", 1, `M${x + 11.5} 14v46M${x + 23} 14v46M${x + 34.5} 14v46M${x} 29h46M${x} 44h46`),
];

/** @param {number} x @param {string} fill */
const culm = (x, fill) => [area(fill, `M${x} 0h11v26h-11zM${x} 28h11v28h-11zM${x} 58h11v26h-11z`)];

/** @param {number} x @param {number} y @param {1 | -1} way */
const leaf = (x, y, way) =>
  area("#4f8a4a", `M${x} ${y}q${14 * way}-12 ${30 * way}-4q${-12 * way} 10 ${-30 * way} 4z`);

/** @type {Record<string, import("../../../../web/dom.js").Child>} */
const PICTURES = {
  dojo: [
    sky("#e9d5ac"),
    area("#6a4526", "M0 6H254V14H0zM0 60H254V64H0zM48 14h8v46h-8zM198 14h8v46h-8z"),
    [0, 58, 150, 208].map(screen),
    area("#e2c79a", "M106 14h42v46h-42z"),
    area("#fdfaf0", "M115 16h24v42h-24z"),
    line("#2b2320", 3, "M133 31a7 7 0 1 0-2 8"),
    line("#b5362a", 2.4, "M121 49h12"),
    area("#c39255", "M0 64H254V84H0z"),
    line("#a3743c", 1, "M0 84 40 64M62 84 84 64M127 84V64M192 84 170 64M254 84 214 64"),
    area("#7fa08f", "M86 80 100 70H170L180 80z"),
    line("#2b2320", 2.4, "M92 72 166 69"),
  ],
  "bamboo-grove": [
    sky("#dcebd2"),
    disc("#fbf0cf", 118, 36, 24),
    [30, 96, 150, 222].map((x) => culm(x, "#b4d3a4")),
    [6, 62, 178, 206].map((x) => culm(x, "#5a9a55")),
    leaf(17, 30, 1),
    leaf(62, 50, -1),
    leaf(73, 22, 1),
    leaf(178, 34, -1),
    leaf(217, 56, 1),
    leaf(206, 18, -1),
    leaf(189, 68, 1),
  ],
  volcano: [
    sky("#f4d8c2"),
    disc("#fbeed6", 206, 24, 11),
    area("#e0a98a", "M0 84V62Q40 40 84 66T180 58T254 60V84z"),
    area("#6b4238", "M58 84 112 26H142L196 84z"),
    area("#4d2d29", "M127 26H142L196 84H146z"),
    area("#ee6a2c", "M112 26H142Q136 33 132 31L136 58 128 84H118L122 50 118 32Q114 32 112 26z"),
    disc("#b8a49a", 120, 14, 9),
    disc("#b8a49a", 134, 11, 11),
    disc("#b8a49a", 148, 15, 7),
    disc("#ee6a2c", 92, 20, 2),
    disc("#ee6a2c", 164, 26, 2),
    disc("#ee6a2c", 104, 12, 1.6),
    area("#3d2524", "M0 84V76Q60 70 127 77T254 75V84z"),
  ],
  beach: [
    sky("#d5eaee"),
    disc("#f8e7a8", 58, 24, 13),
    area("#5fb2c0", "M0 40H254V84H0z"),
    area("#3f96a8", "M0 40H254V50H0z"),
    line("#e6f4f5", 1.8, "M20 58q6-5 12 0t12 0M90 62q6-5 12 0t12 0M150 56q6-5 12 0t12 0"),
    area("#b85c34", "M132 40h38l-6 8h-26z"),
    area("#fffdf6", "M148 14V38H133zM151 18 166 38H151z"),
    area("#f1dba6", "M0 84V72Q70 60 130 74T254 64V84z"),
    line("#7a5230", 4.4, "M224 78Q226 56 234 42"),
    [
      [-18, 4],
      [-14, -8],
      [0, -13],
      [14, -6],
      [16, 6],
    ].map(([x, y]) => line("#3f8a4e", 4, `M234 42q${x / 2} ${y - 6} ${x} ${y + 4}`)),
  ],
  grassland: [
    sky("#deedda"),
    disc("#fbf2d4", 202, 26, 12),
    area("#b7d6a0", "M0 84V52Q60 34 127 50T254 44V84z"),
    area("#8bbd6c", "M0 84V64Q70 52 140 64T254 60V84z"),
    line("#7a5230", 4, "M66 62V44"),
    disc("#4f9448", 66, 36, 12),
    disc("#4f9448", 56, 42, 8),
    disc("#4f9448", 76, 42, 8),
    line("#4b5a4c", 1.6, "M104 22q4-4 7 0q3-4 7 0M128 32q3-3 5 0q3-3 5 0"),
    line(
      "#3f7d3c",
      2,
      "M8 84q2-10-2-16M24 84q0-10 4-15M46 84q-2-10 2-17M90 84q2-9-2-15M112 84q0-10 5-15M136 84q-2-9 1-16M160 84q2-10-2-15M184 84q0-9 5-15M212 84q-2-10 2-17M238 84q2-9-2-15",
    ),
  ],
  clifftop: [
    sky("#dbe6f1"),
    disc("#f9eecb", 194, 32, 14),
    area("#b4c7df", "M92 84 150 50 184 70 222 46 254 62V84z"),
    area("#94afd0", "M130 84 176 66 206 76 254 68V84z"),
    area("#8a7766", "M0 34H122L112 48 118 58 104 84H0z"),
    line("#6b5a4b", 1.6, "M20 52l12-4M52 62l14-4M84 50l10-3M32 74l12-3"),
    area("#5d9a4d", "M0 28Q60 22 124 32L122 40Q60 34 0 40z"),
    line("#5b3d28", 3.4, "M100 32Q100 22 92 16M97 24Q104 20 108 16"),
    area("#2f6b48", "M76 18q4-10 18-8q12-8 24 2q10 0 8 6q-24 4-50 0z"),
    line("#4b5a6c", 1.6, "M146 24q4-4 7 0q3-4 7 0M168 16q3-3 5 0q3-3 5 0"),
  ],
  storm: [
    sky("#a9b5c2"),
    area(
      "#6c7a8a",
      "M0 0H254V14Q240 26 222 16 204 30 184 17 160 30 140 16 118 30 96 16 70 30 50 16 24 28 0 14z",
    ),
    area(
      "#546273",
      "M30 0H130Q124 16 104 10 80 20 62 9 40 14 30 0zM170 0H236Q230 14 212 9 186 16 170 0z",
    ),
    line(
      "#d9e2ea",
      1.4,
      "M20 34l-6 14M52 40l-6 14M134 38l-6 14M158 30l-6 14M176 46l-6 14M240 38l-6 14M36 56l-4 9M120 58l-4 9M226 58l-4 9",
    ),
    area(
      "#f6cd4b",
      "M84 18H102L92 34H104L74 66 82 42H70zM196 22H208L200 34H208L188 54 194 40H186z",
    ),
    area(
      "#38597a",
      "M0 84V68q8-8 18 0t18 0t18 0t18 0t18 0t18 0t18 0t18 0t18 0t18 0t18 0t18 0t20 0t18 0V84z",
    ),
  ],
  swamp: [
    sky("#dde0c4"),
    disc("#f6efd2", 120, 28, 14),
    area("#a9b184", "M0 84V56Q80 46 150 56T254 52V84z"),
    area("#6c8a6a", "M0 84V66H254V84z"),
    line(
      "#4a3b2e",
      4.4,
      "M54 70V32M54 44 40 26M54 38 70 20M40 30l-10 2M66 24l12 4M198 70V40M198 52 186 36M198 46 212 32",
    ),
    line("#93a985", 2, "M20 74h26M88 78h30M140 72h24M210 76h26"),
    line("#5b7a4a", 1.8, "M112 70V46M120 72V52M226 72V48M234 72V54M8 72V52"),
    line("#7a4a2a", 4, "M112 46v6M120 52v5M226 48v6M234 54v5M8 52v5"),
    area("#8fbf6e", "M146 78a9 3 0 1 0 18 0a9 3 0 1 0-18 0zM74 80a8 3 0 1 0 16 0a8 3 0 1 0-16 0z"),
  ],
  "dense-fog": [
    sky("#d6dcde"),
    area("#b7c1c4", "M20 84 82 40 118 64 156 26 214 70 254 56V84z"),
    area("#98a6aa", "M30 84 48 52 66 84zM206 84 222 54 240 84z"),
    line("#eef2f2", 9, "M14 46H110M150 38H244M70 62H190"),
    line("#e4eaeb", 9, "M-4 74H92M136 76H262"),
    line("#f4f7f7", 6, "M40 30H96M176 56H230"),
  ],
  cave: [
    sky("#4a4039"),
    area("#2d2723", "M40 84Q46 14 128 12T214 84z"),
    area("#f2e2b6", "M84 84Q88 40 128 38T172 84z"),
    disc("#fffaf0", 142, 54, 7),
    area("#9cb58a", "M88 84Q104 62 124 76T170 72L172 84z"),
    area(
      "#6a5d53",
      "M0 0H30L18 40zM34 0H62L50 26zM196 0H222L208 28zM226 0H254V8L242 44zM0 84V50L22 84zM232 84 254 52V84z",
    ),
    disc("#f2bd55", 62, 50, 1.6),
    disc("#f2bd55", 196, 46, 1.6),
    disc("#f2bd55", 208, 64, 1.6),
    disc("#f2bd55", 46, 66, 1.6),
  ],
  "game-market": [
    sky("#e9e3d2"),
    area("#b8361e", "M10 24H112V34H10zM142 24H244V34H142z"),
    area(
      "#fffaf0",
      "M27 24h17v10H27zM61 24h17v10H61zM95 24h17v10H95zM159 24h17v10h-17zM193 24h17v10h-17zM227 24h17v10h-17z",
    ),
    line("#7a5a34", 3, "M14 34V84M108 34V84M146 34V84M240 34V84"),
    area("#c79a5e", "M8 58H114V66H8zM140 58H246V66H140z"),
    area("#1f4b8e", "M24 44h12v14H24zM164 42h12v16h-12z"),
    area("#a32c22", "M42 46h14v12H42zM182 46h12v12h-12z"),
    area("#fbf4e3", "M64 40h12v18H64zM202 40h14v18h-14z"),
    area("#557a22", "M84 48h14v10H84zM222 46h10v12h-10z"),
    line("#c23b22", 1.6, "M0 8Q64 24 127 8T254 8"),
    [30, 74, 127, 180, 224].map((x) => disc("#f2bd55", x, 15, 4.4)),
  ],
};

/** An organiser's own table of points. */
const PLAIN = [
  sky("#efe4cd"),
  disc("#c9a255", 127, 42, 27),
  area("#efe4cd", "M127 15a27 27 0 0 1 0 54a13.5 13.5 0 0 1 0-27a13.5 13.5 0 0 0 0-27z"),
  disc("#efe4cd", 127, 28.5, 4),
  disc("#c9a255", 127, 55.5, 4),
  line("#c9a255", 1.6, "M16 42H84M170 42H238"),
];

/** @param {string} name */
export function landscape(name) {
  return h(
    "svg",
    { class: "landscape", viewBox: "0 0 254 84", "aria-hidden": "true" },
    PICTURES[name] ?? PLAIN,
    h("rect", { width: 254, height: 84, fill: "var(--landscape-veil)" }),
  );
}
