// Everything that is on the water, from the deepest to the words on top.

import { h } from "../../../../web/dom.js";
import { boat as boatMotif, mine, round } from "./art.js";
import { blastArea, blastBurst, contact, run, scar, track } from "./events.js";
import { sonar } from "./sonar.js";
import { tags } from "./tags.js";

/** @import { Boat, Eye, Grid, Scene, Square, Tag, VNode } from "./types.d.ts" */

/** With more boats than this on the chart, only hits have words. */
const FEW = 6;

/** @param {string} key @param {any} things */
const layer = (key, things) => h("g", { key, "aria-hidden": "true" }, things);

/**
 * @param {Scene} seen
 * @param {Grid} grid
 * @param {{ water: VNode, land: VNode, lit: VNode | null, turn: number, wide: boolean }} how
 */
export function onTheWater(seen, grid, { water, land, lit, turn, wide }) {
  const { boats, mines, blasts, scars, shots, pings, contacts } = seen;
  const scale = Math.max(0.7, Math.min(1.5, grid.cell / 28));
  const worded = wide && boats.length <= FEW;
  // What is of this turn only has the turn in its key, so that it never becomes another turn's.
  return [
    water,
    layer(
      `sonar ${turn}`,
      pings.map((ping) => sonar(ping, grid)),
    ),
    land,
    lit,
    layer(
      "scars",
      scars.map((each) => scar(each, grid)),
    ),
    layer(
      "tracks",
      boats.map((boat) => track(boat, grid, worded)),
    ),
    layer(
      `areas ${turn}`,
      blasts.map((each) => blastArea(each, grid)),
    ),
    layer(
      "mines",
      mines.map(({ square, owner }) => mineAt(square, owner, grid, scale)),
    ),
    layer(
      "contacts",
      contacts.map((each) => contact(each, grid)),
    ),
    layer(
      `runs ${turn}`,
      shots.map((shot) => run(shot, grid)),
    ),
    layer("boats", boatsAt(boats, grid, scale)),
    layer(
      `bursts ${turn}`,
      blasts.map((each) => blastBurst(each, grid)),
    ),
    layer(`tags ${turn}`, tags(wordsOn(seen, grid, wide), taken(seen, grid), grid)),
  ];
}

/** @param {Square} square @param {number | null} owner @param {Grid} grid @param {number} scale */
function mineAt(square, owner, grid, scale) {
  return h(
    "g",
    { key: `mine ${square}`, "data-flip": `mine ${square}`, "data-from": `boat ${owner} 0` },
    h("g", { transform: `translate(${grid.middle(square).join(" ")})` }, mine(owner, scale * 0.9)),
  );
}

/** @param {Boat[]} boats @param {Grid} grid @param {number} scale */
function boatsAt(boats, grid, scale) {
  /** @type {Record<string, number>} */
  const there = {};
  // Wrecks lie beneath whoever passes over them.
  const fleet = 1 + Math.max(...boats.map(({ id }) => id));
  const sorted = [...boats].sort((a, b) => Number(b.state.dead) - Number(a.state.dead));
  return sorted.map((boat) => {
    const { state, sunk } = boat;
    const [x, y] = grid.middle(state.square);
    const how = { scale, numbered: fleet > 1 };
    if (state.dead && !sunk) return wreck(boat, { ...how, x, y });
    const before = there[String(state.square)] ?? 0;
    if (!state.dead) there[String(state.square)] = before + 1;
    const aside = before * 7 * scale;
    return boatAt(boat, { ...how, x: x + aside, y: y + aside });
  });
}

/** @typedef {{ x: number, y: number, scale: number, numbered: boolean }} Where */

/** @param {Boat} boat @param {Where} where */
function boatAt({ seat, id, state, heading, sunk }, { x, y, scale, numbered }) {
  return h(
    "g",
    { key: `boat ${seat} ${id}`, class: "boat", "data-flip": `boat ${seat} ${id}` },
    h(
      "g",
      { transform: `translate(${round(x)} ${round(y)})` },
      // Keeps the group's box the same whichever way the boat turns.
      h("rect", { x: -24, y: -24, width: 48, height: 48, fill: "none" }),
      boatMotif(seat, { heading, scale, wreck: state.dead, surfaced: state.surface_remain > 0 }),
      // Until it is hit, in motion.
      sunk ? h("g", { class: "afloat", opacity: 0 }, boatMotif(seat, { heading, scale })) : null,
      numbered ? h("text", { class: "on-sea strong", x: 10, y: -10 }, id + 1) : null,
    ),
  );
}

/** Wrecks stay as they are: each is described once. @type {Map<string, import("../../../../web/dom.js").VNode>} */
const wrecks = new Map();

/** @param {Boat} boat @param {Where} where */
function wreck(boat, where) {
  const key = JSON.stringify([boat.seat, boat.id, boat.heading, where]);
  const known = wrecks.get(key) ?? boatAt(boat, where);
  if (wrecks.size > 500) wrecks.clear();
  wrecks.set(key, known);
  return known;
}

/** @param {Scene} seen @param {Grid} grid @param {boolean} wide @returns {Tag[]} */
function wordsOn({ boats, contacts, pings, eyes }, grid, wide) {
  const away = Math.max(15, grid.cell * 0.66);
  const beside = (/** @type {Square} */ square) => {
    const [x, y] = grid.middle(square);
    return { x, y, away };
  };
  const hits = boats
    .filter(({ lost, sunk }) => lost || sunk)
    .map(({ state, lost, sunk }) => ({
      ...beside(state.square),
      words: sunk ? "sunk" : `−${lost}`,
      hit: true,
    }));
  if (boats.length > FEW) return hits;
  const finds = contacts
    .filter(({ age }) => age === 0 || wide)
    .slice(-6)
    .map(({ seat, square, size, turn, age }) => ({
      ...beside(square),
      words: age ? `turn ${turn}` : wide ? `contact, size ${size}` : `contact, ${size}`,
      seat,
    }));
  const ranges = (wide || pings.length === 1 ? pings : []).map(({ seat, from, range }) => ({
    ...beside(from),
    words: range ? `sonar, range ${range}` : "sonar is empty",
    seat,
  }));
  return [
    ...hits,
    ...finds,
    ...ranges,
    ...eyes.flatMap((eye) => (eyes.length > 1 ? [] : warned(eye))),
  ].map((tag) =>
    "square" in tag ? { ...tag, ...beside(/** @type {Square} */ (tag.square)) } : tag,
  );
}

/** What a boat's crew has noticed of others. @param {Eye} eye @returns {any[]} */
function warned({ seat, view }) {
  const here = (/** @type {number} */ sub) => view.subs[sub].square;
  return view.news.flatMap(({ detected, heard }) => [
    ...detected.map(({ sub, distance }) => ({
      square: here(sub),
      seat,
      words: `found from ${distance} away`,
    })),
    ...heard.map(({ sub }) => ({
      square: here(sub),
      seat,
      words: "hears a sprint",
    })),
  ]);
}

/** What words should not cover. @param {Scene} seen @param {Grid} grid */
function taken({ boats, blasts, mines, shots, contacts }, grid) {
  const around = (/** @type {number} */ r) => (/** @type {Square} */ square) => {
    const [x, y] = grid.middle(square);
    return { x: x - r, y: y - r, w: 2 * r, h: 2 * r };
  };
  return [
    ...boats.map(({ state }) => state.square).map(around(17)),
    ...blasts.map(({ square }) => square).map(around(14)),
    ...mines.map(({ square }) => square).map(around(10)),
    ...contacts
      .filter(({ age }) => !age)
      .map(({ square }) => square)
      .map(around(17)),
    ...shots.flatMap(({ path }) => path).map(around(5)),
  ];
}
