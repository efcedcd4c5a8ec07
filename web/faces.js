// Faces: of those who react, and of house bots.

import { h } from "./dom.js";

const LINE = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 1.8,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
};

/** @param {string} d */
const line = (d) => h("path", { d, ...LINE });
/** @param {number} cx @param {number} cy @param {number} r */
const dot = (cx, cy, r) => h("circle", { cx, cy, r, fill: "currentColor" });

const EYES = [dot(9, 10.5, 1.4), dot(17, 10.5, 1.4)];
const GLAD = [line("M7 11q2-2.6 4 0"), line("M15 11q2-2.6 4 0")];

/** Eyes and mouth, in 26 units. @type {Record<string, import("./dom.js").VNode[]>} */
const LOOKS = {
  hello: [...EYES, line("M8 15.5q5 5 10 0"), line("M22.5 6.5q1.6-1.6 2.6.2M1 6.7q1-1.8 2.6-.2")],
  nice: [...GLAD, line("M7.5 15q5.5 6.4 11 0z")],
  wow: [dot(9, 10, 1.9), dot(17, 10, 1.9), h("circle", { cx: 13, cy: 17.5, r: 2.9, ...LINE })],
  oops: [line("m7 9 3 1.6-3 1.6"), line("m19 9-3 1.6 3 1.6"), line("M8.5 17.6q1.5-2 3 0t3 0 3 0")],
  thanks: [...GLAD, line("M9.5 16q3.5 3 7 0"), dot(5.8, 14.6, 1.1), dot(20.2, 14.6, 1.1)],
  "good-game": [
    ...EYES,
    line("M7.5 15.2q5.5 6 11 0"),
    line("M9 3.4 10.8 5.4 13 2.6l2.2 2.8L17 3.4"),
  ],
  "level-1": [dot(9, 11, 1.9), dot(17, 11, 1.9), line("M11 17q2 1.6 4 0")],
  "level-2": [...EYES, line("M9 16q4 3.4 8 0")],
  "level-3": [...EYES, line("m7.4 6.8 3-.6M18.6 6.8l-3-.6"), line("M9.5 16.4q4 2 7 0")],
  "level-4": [...EYES, line("m6.6 7.2 4.2 1.4M19.4 7.2l-4.2 1.4"), line("M9 16.4q5 2.6 8-.8")],
  "level-5": [
    line("M6 10.5h14"),
    h("circle", { cx: 9, cy: 11, r: 2.8, ...LINE }),
    h("circle", { cx: 17, cy: 11, r: 2.8, ...LINE }),
    line("M9.5 17.6q3.5 1.6 7-.6"),
  ],
};

/** @param {string} look @param {number} [size] */
export function face(look, size = 26) {
  return h(
    "svg",
    { class: "face", viewBox: "0 0 26 26", width: size, height: size, "aria-hidden": "true" },
    h("circle", { cx: 13, cy: 13, r: 11, fill: "var(--tint)", stroke: "currentColor" }),
    LOOKS[look],
  );
}
