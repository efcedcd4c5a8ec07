// The Tiger and the Dragon in line art: one half each, in a box of 80 about the middle, and its mirror.

import { h } from "../../../../web/dom.js";

/** @param {string} d @param {string} fill @param {string} [stroke] @param {number} [width] */
const path = (d, fill, stroke = "none", width = 2.2) =>
  h("path", {
    d,
    fill,
    stroke,
    "stroke-width": width,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });

/** @param {import("../../../../web/dom.js").Child[]} half @param {import("../../../../web/dom.js").Child[]} whole */
const mirrored = (half, whole) =>
  h("g", null, h("g", null, half), h("g", { transform: "scale(-1 1)" }, half), whole);

const BLUE = "var(--tile-even)";
const RED = "var(--tile-odd)";
const PALE_BLUE = "#dfe9f8";
const PALE_RED = "#f9dfcd";
const WHITE = "#fffdf7";

const TIGER_SIDE =
  "M0-27C9-27 15-26 20-23 22-31 33-31 33-22 33-17 30-14 28.5-13 31-7 32 0 31 6 36 10 33 16 27 17 21 27 12 31 0 31";

export const TIGER = mirrored(
  [
    path(`${TIGER_SIDE}z`, PALE_BLUE),
    path(TIGER_SIDE, "none", BLUE, 2.8),
    path("M22.5-22C24-26 29.4-26 29-21.4 28.8-19 27-17.6 26-17z", BLUE),
    path("M9-26 15-24.6 11-18.6zM19-21.4 24-16.4 17-15.6z", BLUE),
    path("M31.4-4 20-2.6 31.4 1.4zM31 6.6 21 6.4 28.4 12zM25 18.4 18.4 14.4 20.6 22.6z", BLUE),
    path("M4.6-8.6C9-13.6 16-13 20-8.4L18.6-6.6C14-9.6 9.4-9.4 5.4-6z", BLUE),
    path("M6-2.6C9-7 16-7.4 19.4-3.4 15.4.6 9.6 1.2 6-2.6z", WHITE, BLUE, 1.6),
    h("circle", { cx: 12.8, cy: -3.4, r: 2.5, fill: BLUE }),
    path("M0 12.4C3 18.6 11 18.8 14 12.6 14.6 8.4 10 5.6 6.4 5.4L0 9z", WHITE),
    path("M0 14.2C3.4 18.8 10.6 18.6 13.4 13.4", "none", BLUE, 2),
    path("M4.4 17.4 6 23.6 9 17.2", WHITE, BLUE, 1.4),
    path("M17 11.4 36 7.4M17.4 14 35 17.4", "none", BLUE, 1.3),
    path("M0 25.6Q4 25.4 6.6 22.8", "none", BLUE, 1.8),
    h("circle", { cx: 8.4, cy: 11.4, r: 0.9, fill: BLUE }),
    h("circle", { cx: 11, cy: 13.2, r: 0.9, fill: BLUE }),
  ],
  [
    path("M0-25V-12M-6.4-21.6H6.4M-4.6-16.8H4.6", "none", BLUE, 2.6),
    path("M-6.4 4Q0 1.6 6.4 4C5.4 7.4 2.4 9.6 0 10-2.4 9.6-5.4 7.4-6.4 4z", BLUE),
    path("M0 10V14.4", "none", BLUE, 2),
  ],
);

export const DRAGON = mirrored(
  [
    path("M7-19C7-31 15-40 27-39 23-35 20-30 19.6-20z", PALE_RED, RED, 2.2),
    path("M12.6-33C16-32 19-32 22.4-33M9.4-28C13-27 16.6-27 20.2-28", "none", RED, 1.3),
    path("M22-17C27-24 33-26 38-25 37-19 33-14 27-12z", PALE_RED, RED, 2),
    path(
      "M0-19 12-21.4 20-15.4 29-15 27.4-8.4 37-7.4 30-.6 38 6 29.4 8 33 17 24.4 15.6 23 25 15 20.6 11.4 30.4 6 26 0 37z",
      RED,
    ),
    path("M0-14.6C10-15 17.4-11.6 19-4.6 20.4 3 15 5.4 14.6 11.4 14 19.6 8 23.6 0 23.6z", PALE_RED),
    path("M3-6C7.4-12.6 15-13 20-9.4L17.6-5.4C12.6-7.6 8-6.4 4-2.2z", RED),
    path("M5.6-.8C8.6-4.4 13.6-4.4 16.6-1.4 13.4 2 9 2.4 5.6-.8z", WHITE, RED, 1.5),
    h("circle", { cx: 11.2, cy: -1.2, r: 2, fill: RED }),
    path("M0 5.4C4-.2 10.4 5 12 10.4 9.4 15 4 15.6 0 14.4z", WHITE, RED, 1.8),
    h("ellipse", { cx: 5.4, cy: 9.8, rx: 2, ry: 1.4, fill: RED }),
    path("M0 18.4C5 20 9.4 18.6 12.6 14.6", "none", RED, 2),
    path("M6.4 19 8 23.4 10.6 17.4", WHITE, RED, 1.3),
    path("M14 13C24 14 33 19 32.4 26.6 32 31 26 30.6 26.6 26.6", "none", RED, 2.2),
    path("M2.4-10.4 5-14.4", "none", RED, 1.6),
  ],
  [h("circle", { cy: -15, r: 4, fill: "#f3bd4f", stroke: RED, "stroke-width": 1.8 })],
);
