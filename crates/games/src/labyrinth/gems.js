// The jewels: every gem has a cut and a colour of its own, so that a pair can be told from any other
// without reading. Drawn in a box from -12 to 12.

import { h } from "../../../../web/dom.js";

/** @import { VNode } from "./types.d.ts" */

/** Violet, red, green, blue, amber, pink, teal, brown, white, orange, lime, indigo. */
const COLOURS =
  "#8e4fc0 #d63a3a #2b8a57 #2f6fd0 #e8a11e #e36a9e #18a0a8 #6d4631 #f0f0f0 #e8642c #9ab82e #3b3f7a".split(
    " ",
  );

/** Which gem has which cut, colour by colour. @type {Record<string, string>} */
const SHEET = {
  round:
    "purple-oval almandine-garnet chrome-diopside blue-ceylon-sapphire golden-diamond-cut pink-round apatite hematite diamond padparadscha-oval yellow-beryl-oval azurite",
  emerald:
    "amethyst red-spinel-square-emerald-cut emerald aquamarine yellow-jasper pink-emerald-cut alexandrite black-onyx white-square orange-radiant beryl iolite-emerald-cut",
  pear: "hackmanite garnet aventurine blue-pear-shape citrine kunzite alexandrite-pear-shape black-obsidian gray-agate mexican-opal lemon-quartz-briolette dumortierite",
  marquise:
    "fancy-spinel-marquise red-diamond green-beryl australian-marquise raw-citrine morganite-oval grandidierite tigers-eye rock-quartz clinohumite peridot cordierite",
  heart:
    "- ruby green-aventurine blue-spinel-heart yellow-heart rose-quartz labradorite jasper magnesite carnelian prasiolite -",
  trillion:
    "purple-spinel-trillion ruby-diamond-profile moss-agate zircon ametrine pink-opal raw-beryl unakite stilbite padparadscha-sapphire prehnite tanzanite-trillion",
  cushion:
    "purple-square-cushion spinel green-beryl-antique blue-cushion citrine-checkerboard pink-spinel-cushion tourmaline-laser-cut black-spinel-cushion aplite apricot-square-radiant chrysoberyl-cushion -",
  baguette:
    "super-seven jaspilite green-princess-cut zoisite yellow-baguette rhodonite tourmaline - - sphalerite grossular-garnet -",
  star: "purple-cabochon ammolite heliotrope star-cabochon sunstone kunzite-oval color-change-oval bulls-eye moonstone goldstone chrysolite lapis-lazuli",
};

/**
 * What a cut is made of: its outline, the half in the shade, the table that catches the light, and the
 * edges between facets.
 * @type {Record<string, { outline: string, shade: string, table: string, edges: string }>}
 */
const CUTS = {
  round: {
    outline: "M-4.6-11H4.6L11-4.6V4.6L4.6 11H-4.6L-11 4.6V-4.6z",
    shade: "M7.8-7.8 11-4.6V4.6L4.6 11H-4.6L-7.8 7.8z",
    table: "M-2.4-5.6H2.4L5.6-2.4V2.4L2.4 5.6H-2.4L-5.6 2.4V-2.4z",
    edges: "M0-11V-5.6M0 11V5.6M-11 0H-5.6M11 0H5.6",
  },
  emerald: {
    outline: "M-6.5-11H6.5L11-6.5V6.5L6.5 11H-6.5L-11 6.5V-6.5z",
    shade: "M8.8-8.8 11-6.5V6.5L6.5 11H-6.5L-8.8 8.8z",
    table: "M-4-6.4H4L6.4-4V4L4 6.4H-4L-6.4 4V-4z",
    edges: "M-8.8-8.8-5.2-5.2M8.8-8.8 5.2-5.2M-8.8 8.8-5.2 5.2M8.8 8.8 5.2 5.2",
  },
  pear: {
    outline: "M0-12C3-7 9.5-2.5 9.5 3.5A9.5 8.5 0 0 1-9.5 3.5C-9.5-2.5-3-7 0-12z",
    shade: "M0-12C3-7 9.5-2.5 9.5 3.5A9.5 8.5 0 0 1 0 12z",
    table: "M0-4.5 4.8 3 0 8.5-4.8 3z",
    edges: "M0-12V-4.5M0 12V8.5M-9.5 3H-4.8M9.5 3H4.8",
  },
  marquise: {
    outline: "M0-12C5.8-7.4 8.4-3.6 8.4 0S5.8 7.4 0 12C-5.8 7.4-8.4 3.6-8.4 0S-5.8-7.4 0-12z",
    shade: "M0-12C5.8-7.4 8.4-3.6 8.4 0S5.8 7.4 0 12z",
    table: "M0-6.4 3.9 0 0 6.4-3.9 0z",
    edges: "M0-12V-6.4M0 12V6.4M-8.4 0H-3.9M8.4 0H3.9",
  },
  heart: {
    outline:
      "M0 11.4C-7.4 6.4-11.2 1.6-11.2-3.6-11.2-7.8-8.6-10.2-5.4-10.2-2.8-10.2-1-8.8 0-6.6 1-8.8 2.8-10.2 5.4-10.2 8.6-10.2 11.2-7.8 11.2-3.6 11.2 1.6 7.4 6.4 0 11.4z",
    shade:
      "M0 11.4V-6.6C1-8.8 2.8-10.2 5.4-10.2 8.6-10.2 11.2-7.8 11.2-3.6 11.2 1.6 7.4 6.4 0 11.4z",
    table: "M0-1.4-6.6-5C-7.4 0-4.6 3.6 0 6.8 4.6 3.6 7.4 0 6.6-5z",
    edges: "M0-1.4V6.8",
  },
  trillion: {
    outline:
      "M0-11.4C1-11.4 1.8-10.8 2.4-9.8L11 5.4C12.1 7.5 11 9.5 8.6 9.8 3 10.5-3 10.5-8.6 9.8-11 9.5-12.1 7.5-11 5.4L-2.4-9.8C-1.8-10.8-1-11.4 0-11.4z",
    shade:
      "M0-11.4C1-11.4 1.8-10.8 2.4-9.8L11 5.4C12.1 7.5 11 9.5 8.6 9.8 5.8 10.2 2.9 10.3 0 10.3L0-11.4z",
    table: "M0-3.6 5 5.2H-5z",
    edges: "M0-11.4V-3.6M-10.4 8.8-5 5.2M10.4 8.8 5 5.2",
  },
  cushion: {
    outline:
      "M-6.8-10.6Q0-11.8 6.8-10.6 10.6-10.2 10.6-6.8 11.8 0 10.6 6.8 10.6 10.2 6.8 10.6 0 11.8-6.8 10.6-10.6 10.2-10.6 6.8-11.8 0-10.6-6.8-10.6-10.2-6.8-10.6z",
    shade:
      "M9.5-9.5Q10.6-8.6 10.6-6.8 11.8 0 10.6 6.8 10.6 10.2 6.8 10.6 0 11.8-6.8 10.6-8.6 10.6-9.5 9.5z",
    table: "M0-6.6 6.6 0 0 6.6-6.6 0z",
    edges: "M-9-9-3.3-3.3M9-9 3.3-3.3M-9 9-3.3 3.3M9 9 3.3 3.3",
  },
  baguette: {
    outline: "M-6.4-11.6H6.4V11.6H-6.4z",
    shade: "M6.4-11.6V11.6H-6.4L-2.6 7.4H2.6V-7.4z",
    table: "M-2.6-7.4H2.6V7.4H-2.6z",
    edges: "M-6.4-11.6-2.6-7.4M6.4-11.6 2.6-7.4M-6.4 11.6-2.6 7.4M6.4 11.6 2.6 7.4",
  },
  star: {
    outline: "M0-11.2A11.2 11.2 0 0 1 0 11.2 11.2 11.2 0 0 1 0-11.2z",
    shade: "M7.9-7.9A11.2 11.2 0 0 1-7.9 7.9 13.4 13.4 0 0 0 7.9-7.9z",
    table: "M0-8.4 1.5-2.6 7.3-4.2 3 0 7.3 4.2 1.5 2.6 0 8.4-1.5 2.6-7.3 4.2-3 0-7.3-4.2-1.5-2.6z",
    edges: "",
  },
};

/** @type {Map<string, VNode>} */
const drawn = new Map();
for (const [cut, names] of Object.entries(SHEET)) {
  names.split(" ").forEach((name, at) => {
    if (name !== "-") drawn.set(name, jewel(cut, COLOURS[at]));
  });
}

/** A gem by its name. @param {string} name @returns {VNode} */
export function gem(name) {
  return drawn.get(name) ?? jewel("round", "#8c8c8c");
}

/** As people write it: "green beryl". @param {string} name */
export function gemName(name) {
  return name.replace("s-eye", "'s eye").replaceAll("-", " ");
}

/** @param {string[]} pair */
export function pairName([one, two]) {
  return one === two ? `two of ${gemName(one)}` : `${gemName(one)} and ${gemName(two)}`;
}

/** @param {string} cut @param {string} colour */
function jewel(cut, colour) {
  const { outline, shade, table, edges } = CUTS[cut];
  // A white gem would swallow white facets.
  const light = colour === "#f0f0f0" ? "#8b8580" : "#fff";
  return h(
    "g",
    { "stroke-linejoin": "round" },
    h("path", { d: outline, fill: colour, stroke: "#3a2c1c", "stroke-width": 2 }),
    h("path", { d: shade, fill: "#1c0f06", "fill-opacity": 0.17 }),
    h("path", {
      d: table + edges,
      fill: cut === "star" ? light : "#fff",
      "fill-opacity": cut === "star" ? 0.88 : 0.34,
      stroke: light,
      "stroke-opacity": cut === "star" ? 0 : 0.85,
      "stroke-width": 1.3,
    }),
  );
}
