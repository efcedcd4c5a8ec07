// Small signs in one line style, 20 units wide, in the colour of the text around them.

import { h } from "./dom.js";

const STROKE = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 1.6,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
};

/** @param {string} d @param {Record<string, any>} [more] */
const path = (d, more = {}) => h("path", { d, ...STROKE, ...more });
/** @param {string} d */
const solid = (d) => path(d, { fill: "currentColor" });

/** @type {Record<string, import("./dom.js").VNode[]>} */
const SIGNS = {
  first: [path("M5 4.5v11"), path("M14.5 5 9 10l5.5 5")],
  back: [path("M12.5 5 7 10l5.5 5")],
  on: [path("M7.5 5 13 10l-5.5 5")],
  last: [path("M15 4.5v11"), path("M5.5 5 11 10l-5.5 5")],
  play: [solid("M7 4.8v10.4l8.4-5.2z")],
  stop: [solid("M6.2 5h2.2v10H6.2zM11.6 5h2.2v10h-2.2z")],
  moon: [path("M15.6 12.2A6.3 6.3 0 0 1 7.8 4.4a6.3 6.3 0 1 0 7.8 7.8z")],
  sun: [
    path("M10 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z"),
    path(
      "M10 2.2v1.4M10 16.4v1.4M2.2 10h1.4M16.4 10h1.4M4.5 4.5l1 1M14.5 14.5l1 1M4.5 15.5l1-1M14.5 5.5l1-1",
    ),
  ],
  copy: [path("M7.5 7.5h8v8h-8z"), path("M12.5 7.2V4.5h-8v8h2.7")],
  tick: [path("m4.5 10.5 3.6 3.6 7.4-8")],
  dash: [path("M5.5 10h9")],
  cross: [path("m5.5 5.5 9 9M14.5 5.5l-9 9")],
  link: [
    path("M8.4 11.6a3 3 0 0 0 4.3 0l2.6-2.6a3 3 0 0 0-4.3-4.3l-1 1"),
    path("M11.6 8.4a3 3 0 0 0-4.3 0L4.7 11A3 3 0 0 0 9 15.3l1-1"),
  ],
  download: [path("M10 3.5v8.6M6.4 8.8 10 12.4l3.6-3.6"), path("M4 15.8h12")],
  eye: [
    path("M2.6 10S5.4 5.2 10 5.2 17.4 10 17.4 10 14.6 14.8 10 14.8 2.6 10 2.6 10z"),
    path("M10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"),
  ],
  clock: [path("M10 3.4a6.6 6.6 0 1 0 0 13.2 6.6 6.6 0 0 0 0-13.2z"), path("M10 6.4V10l2.4 1.6")],
  chair: [path("M6.2 3.6v6.2h7.2M6.2 9.8v6.6M13.4 9.8v6.6")],
  plug: [path("m4 16 2.6-2.6M9 5.6l5.4 5.4-2 2a3.8 3.8 0 0 1-5.4-5.4zM11 3.6l-1 3M16.4 9l-3 1")],
  flag: [path("M5.6 16.6V3.8M5.6 4.4h8.8l-2 3 2 3H5.6")],
  trophy: [
    path(
      "M6.4 3.6h7.2v4.2a3.6 3.6 0 0 1-7.2 0zM6.4 5H3.8c0 2.6 1 3.8 2.8 4M13.6 5h2.6c0 2.6-1 3.8-2.8 4M10 11.4v3M7 16.4h6M8 14.4h4",
    ),
  ],
  die: [
    path(
      "M5.5 3.8h9a1.7 1.7 0 0 1 1.7 1.7v9a1.7 1.7 0 0 1-1.7 1.7h-9a1.7 1.7 0 0 1-1.7-1.7v-9a1.7 1.7 0 0 1 1.7-1.7z",
    ),
    path("M7.2 7.2h.01M12.8 12.8h.01M12.8 7.2h.01M7.2 12.8h.01", { "stroke-width": 2.2 }),
  ],
  scales: [path("M10 3.4v13M6.6 16.4h6.8M4 5.4h12M4 5.4 2 10.8h4zM16 5.4l-2 5.4h4z")],
  key: [path("M7 7.4a3.2 3.2 0 1 0 0 5.2 3.2 3.2 0 0 0 0-5.2zM9 10h8.2M14.4 10v2.6M17.2 10v1.8")],
  pause: [path("M7.4 5v10M12.6 5v10", { "stroke-width": 2 })],
  printer: [path("M6 8V3.6h8V8M6 14H3.8V8h12.4v6H14M6 11.6h8v4.8H6z")],
  menu: [path("M3.5 7h13M3.5 13h13")],
  gear: [
    path("M10 7.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2z"),
    path(
      "M10 2.6v2M10 15.4v2M2.6 10h2M15.4 10h2M4.8 4.8l1.4 1.4M13.8 13.8l1.4 1.4M4.8 15.2l1.4-1.4M13.8 6.2l1.4-1.4",
      { "stroke-width": 2.2 },
    ),
  ],
  help: [
    path("M7.2 7.4a2.8 2.8 0 1 1 4.4 2.4c-1 .7-1.6 1.2-1.6 2.4"),
    path("M10 15.4h.01", { "stroke-width": 2.4 }),
  ],
  smile: [
    path("M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM7 11.6c1.6 2.4 4.4 2.4 6 0"),
    path("M7.6 8.2h.01M12.4 8.2h.01", { "stroke-width": 2.2 }),
  ],
  share: [path("M10 12.4V3.4M6.6 6.6 10 3.2l3.4 3.4M5 9.6v6.6h10V9.6")],
};

/** @param {keyof typeof SIGNS & string} name @param {number} [size] */
export function icon(name, size = 20) {
  return h(
    "svg",
    { viewBox: "0 0 20 20", width: size, height: size, "aria-hidden": "true" },
    SIGNS[name],
  );
}

/** The sign for how a seat's game ended. @param {string} cause */
export function causeIcon(cause) {
  /** @type {Record<string, string>} */
  const signs = {
    "timed out": "clock",
    left: "flag",
    lost: "plug",
    crashed: "plug",
    "never came": "chair",
    disqualified: "cross",
    withdrew: "flag",
  };
  return signs[cause] ? icon(signs[cause], 16) : null;
}
