// A rating with what is uncertain, as lists show it.

import { h } from "./dom.js";

/** Mean as a dot, three times the uncertainty as a bar, a tick at the end that ranks. @param {number} mean @param {number} uncertainty @param {number} low @param {number} high */
export function ratingBar(mean, uncertainty, low, high) {
  const x = (/** @type {number} */ value) =>
    Math.round(6 + (148 * (value - low)) / Math.max(1, high - low));
  const [from, to] = [x(mean - 3 * uncertainty), x(mean + 3 * uncertainty)];
  return h(
    "svg",
    { viewBox: "0 0 160 20", width: 160, height: 20, "aria-hidden": "true" },
    h("path", { d: "M4 10H156", stroke: "var(--hairline)" }),
    h("path", {
      d: `M${from} 10H${to}`,
      stroke: "var(--fill)",
      "stroke-opacity": 0.4,
      "stroke-width": 5,
      "stroke-linecap": "round",
    }),
    h("path", { d: `M${from} 4V16`, stroke: "var(--fill)", "stroke-width": 2 }),
    h("circle", { cx: x(mean), cy: 10, r: 4, fill: "var(--fill)" }),
  );
}

/** What ranks a player: it is at least so good, almost certainly. @param {{ mean: number, uncertainty: number }} rating */
export function sure({ mean, uncertainty }) {
  return (mean - 3 * uncertainty).toFixed(1);
}
