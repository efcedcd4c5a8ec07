// An order in the making: what was chosen so far, what is missing, and why something cannot be.

import { chargeOf, mostOf } from "./gauges.js";
import { at, charged, ordered, same } from "./words.js";

/** @import { Context, Draft, Now, Square, View } from "./types.d.ts" */

/** Orders with the key that chooses them: the letters of the game's own wire. */
export const KINDS = [
  ["move", "Move", "m"],
  ["sleep", "Sleep", "s"],
  ["ping", "Ping", "p"],
  ["fire", "Fire", "f"],
  ["mine", "Mine", "d"],
  ["sprint", "Sprint", "r"],
  ["surface", "Surface", "u"],
];

/** The boat in question with everything chosen, or what would be chosen if nothing is said. @param {View} view @param {Context} ctx */
export function current(view, ctx) {
  const draft = /** @type {Draft} */ (ctx.turn?.draft ?? {});
  const done = draft.done ?? {};
  const choices =
    view.choices.find(({ sub }) => sub === draft.sub) ??
    view.choices.find(({ sub }) => !(sub in done)) ??
    view.choices[0];
  const state = view.subs[choices.sub];
  const kind = view.kinds[choices.sub];
  return {
    draft,
    done,
    choices,
    state,
    built: kind,
    kind: draft.kind ?? "move",
    charges: draft.charges ?? usual(view, ctx, choices.sub),
  };
}

/** @param {any} state @param {any} built @param {string} name */
export function isFull(state, built, name) {
  return chargeOf(state, name) >= mostOf(built, name);
}

/** What was charged last time, unless it is full. @param {View} view @param {Context} ctx @param {number} sub */
function usual(view, ctx, sub) {
  const made = ctx.updates.at(-1)?.moves.find(({ seat }) => seat === ctx.viewer);
  const order = made?.action?.orders?.find((/** @type {any} */ each) => each.sub === sub);
  const last = order ? ordered(order.command).charges : [];
  const fits = (/** @type {string} */ name) =>
    name !== "none" && !isFull(view.subs[sub], view.kinds[sub], name);
  const names = [...last, "sonar", "torpedo", "mine", "sprint"].filter(fits);
  return [names[0] ?? "sonar", (last.length > 1 && names[1]) || (names[0] ?? "sonar")];
}

/** Why an order of this kind is of no use now, or nothing. @param {Now} now @param {string} kind @returns {string | null} */
export function whyNot({ state, built, choices }, kind) {
  if (kind === "move")
    return choices.move.length ? null : "There is no open water around the boat.";
  if (kind === "fire") {
    if (choices.fire.length) return null;
    return state.torpedoes === 0
      ? "No torpedo is left."
      : "The torpedo has no range yet. Charge it.";
  }
  if (kind === "mine") {
    if (state.mine_ready)
      return choices.mine.length ? null : "There is no open water around the boat.";
    if (state.mines === 0) return "No mine is left.";
    return `The mine needs ${built.max_mine_charge} charges and has ${state.mine_charge}.`;
  }
  if (kind === "sprint") {
    if (choices.sprint.length) return null;
    return state.sprint_range
      ? "There is no room to sprint."
      : "The sprint has no range yet. Charge it.";
  }
  return null;
}

/** What one should know before giving the order. @param {Now} now */
export function advice({ kind, state, built, charges, draft }) {
  if (draft.said) return draft.said;
  if (kind === "move" || kind === "sleep") {
    const used = kind === "move" ? charges.slice(0, 1) : charges;
    const full = used.find((name) => isFull(state, built, name));
    if (full) return `The ${full} is full: charging it damages the reactor.`;
    return kind === "move"
      ? "One square, one charge."
      : "The boat stays where it is and charges twice.";
  }
  if (kind === "ping") {
    if (!state.sonar_range) return "The sonar is empty: a ping would find nothing.";
    return `Finds what is within ${state.sonar_range} squares, and tells those it finds how far away you are.`;
  }
  if (kind === "fire" && draft.target) {
    const danger = ownDamage(state, draft.target);
    if (danger) return danger;
  }
  if (kind === "fire")
    return `Reaches ${state.torpedo_range} squares by water. Choose a lit square.`;
  if (kind === "mine") return "It lies on the square beside the boat until a boat comes.";
  if (kind === "sprint") return "Boats nearby hear it, and it strains the reactor.";
  const turns = built.surface_turn_count;
  if (state.shields >= built.max_shields) return "All shields are up: there is nothing to repair.";
  return `Repairs one shield. It takes ${turns} turns, without orders, but sonar does not find the boat.`;
}

/** What a torpedo at this square would do to the boat that fires it; nothing if it is far enough. @param {any} state @param {Square} target */
export function ownDamage({ square, shields }, target) {
  const away = Math.max(Math.abs(square[0] - target[0]), Math.abs(square[1] - target[1]));
  if (away > 1) return "";
  const damage = away === 0 ? 2 : 1;
  return damage > shields
    ? "Danger: this is so close that it sinks your own boat."
    : `Danger: this is so close that it hits your own boat for ${damage}.`;
}

/** The command, or what is still to choose. @param {Now} now @returns {{ command?: any, missing?: string }} */
export function composed({ kind, charges, draft, choices }) {
  const { way, target, far } = draft;
  const open = (/** @type {string[]} */ ways) => way !== undefined && ways.includes(way);
  if (kind === "sleep") return { command: { sleep: charges } };
  if (kind === "ping" || kind === "surface") return { command: kind };
  if (kind === "fire")
    return target ? { command: { fire: target } } : { missing: "Choose a square" };
  if (kind === "move") {
    return open(choices.move)
      ? { command: { move: [way, charges[0]] } }
      : { missing: "Choose a direction" };
  }
  if (kind === "mine") {
    return open(choices.mine) ? { command: { mine: way } } : { missing: "Choose a direction" };
  }
  const most = choices.sprint.find(([each]) => each === way)?.[1];
  return most
    ? { command: { sprint: [way, Math.max(2, Math.min(far ?? most, most))] } }
    : { missing: "Choose a direction" };
}

/** A command as the main button says it. @param {any} command */
export function spoken(command) {
  const { words, charges } = ordered(command);
  const said = charges.length ? `${words}, charge ${charged(charges)}` : words;
  return said[0].toUpperCase() + said.slice(1);
}

/** Takes a square as a target, or says why it cannot be. @param {Now} now @param {View} view @param {Square} square @returns {Draft} */
export function aimed({ draft, choices, state }, view, square) {
  const lit = choices.fire.some((each) => same(each, square));
  if (lit) return { ...draft, target: square, cursor: square, said: undefined };
  const island = view.chart.obstacles.some((each) => same(each, square));
  const said = island
    ? `There is an island at ${at(square)}.`
    : `${at(square)} is out of range: the torpedo reaches ${state.torpedo_range} squares by water.`;
  return { ...draft, cursor: square, said };
}

/** Where the boats will start: what is set, what was chosen, what is open. @param {View} view @param {Draft} draft */
export function places(view, draft) {
  const chosen = draft.places ?? [];
  let taken = 0;
  const all = view.kinds.map(({ start }) => start ?? chosen[taken++] ?? null);
  return { all, next: all.findIndex((/** @type {Square | null} */ each) => each === null) };
}

/** Takes a square as a start, or says why it cannot be. @param {View} view @param {Draft} draft @param {Square} square @returns {Draft} */
export function placed(view, draft, square) {
  if (view.chart.obstacles.some((each) => same(each, square))) {
    return { ...draft, cursor: square, said: `There is an island at ${at(square)}.` };
  }
  const chosen = draft.places ?? [];
  // With everything placed, the last one is placed again.
  const kept = places(view, draft).next === -1 ? chosen.slice(0, -1) : chosen;
  return { cursor: square, places: [...kept, square] };
}
