// A person's turn: a tile is chosen, then played by the one main button; or the attack is let by.

import { h } from "../../../../web/dom.js";
import { aTile, tileName } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {{ tile?: string, copy?: number, why?: string }} Draft A tile, or why one may not be chosen.
 */

/** @type {Record<string, (tile: string) => string>} */
const DEEDS = {
  Attack: (tile) => `Attack with ${aTile(tile)}`,
  Defend: (tile) => `Answer with ${aTile(tile)}`,
  BonusReceive: (tile) => `Put ${aTile(tile)} face down`,
};

/** @param {View} view @param {Context} ctx @returns {string[]} */
function legal(view, { turn }) {
  return turn?.legal ?? view.legal;
}

/**
 * What makes a tile of the own hand a button, or null if it is none now.
 * @param {string} tile
 * @param {number} copy
 * @param {View} view
 * @param {Context} ctx
 */
export function tileButton(tile, copy, view, ctx) {
  const { turn } = ctx;
  if (!turn || turn.sent) return null;
  const refused = !legal(view, ctx).includes(tile);
  const chosen = turn.draft?.tile === tile && turn.draft?.copy === copy;
  const focus = { role: "button", tabindex: "0" };
  const name = tileName(tile);
  if (refused) {
    const why = `${name} does not answer ${view.attack ? aTile(view.attack.tile) : "this"}`;
    return {
      refused,
      chosen: false,
      props: {
        ...focus,
        "aria-disabled": "true",
        "aria-label": why,
        onclick: () => turn.choose({ why: `${why}.` }),
      },
    };
  }
  const choose = () => turn.choose(chosen ? null : { tile, copy });
  const props = {
    ...focus,
    class: "pressable",
    "aria-label": name,
    "aria-pressed": String(chosen),
    onclick: choose,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      // With a tile chosen, Enter plays it.
      if (event.key !== " " && (event.key !== "Enter" || turn.draft?.tile)) return;
      event.preventDefault();
      choose();
    },
  };
  return { refused, chosen, props };
}

/** With nothing to answer, one passes. @param {View} view @param {Context} ctx */
export function forced(view, ctx) {
  const choices = legal(view, ctx);
  return choices.length === 1 && choices[0] === "pass" ? "pass" : undefined;
}

/** @param {View} view @param {Context} ctx */
export function controls(view, ctx) {
  const { turn } = ctx;
  if (!turn) return null;
  /** @type {Draft | null} */
  const draft = turn.draft;
  const tile = draft?.tile;
  const choices = legal(view, ctx);
  const stuck = choices.length === 1 && choices[0] === "pass";
  const deed = DEEDS[view.phase];
  return h(
    "div",
    { class: "td-controls" },
    stuck
      ? null
      : button(tile && deed ? deed(tile) : "Choose a tile", {
          main: true,
          off: turn.sent || !tile,
          act: () => tile && turn.act(tile),
        }),
    choices.includes("pass")
      ? button("Pass", { main: stuck, off: turn.sent, act: () => turn.act("pass") })
      : null,
    h(
      "p",
      { class: "note", "aria-live": "polite" },
      turn.sent ? "Sent." : (draft?.why ?? hint(view, choices)),
    ),
  );
}

/** @param {View} view @param {string[]} choices */
function hint(view, choices) {
  if (view.phase === "Attack") return "Any tile may attack.";
  if (view.phase === "BonusReceive")
    return "No one answered. Put any tile face down: a bonus point if you go out first. Then attack again.";
  const tiles = choices.filter((choice) => choice !== "pass").map(aTile);
  if (tiles.length === 0) return "None of your tiles answers this attack: you pass.";
  const last = tiles.pop();
  return `You may answer with ${tiles.length > 0 ? `${tiles.join(", ")} or ` : ""}${last}, or pass.`;
}

/** @param {string} words @param {{ main: boolean, off: boolean, act: () => void }} how */
function button(words, { main, off, act }) {
  const look = main ? "button main large" : "button large";
  return h("button", { class: look, type: "button", disabled: off, onclick: act }, words);
}

/**
 * 1 to 8, T and D choose a tile, Enter plays it, P passes, Escape chooses nothing, arrows go from tile
 * to tile.
 * @param {string} key
 * @param {View} view
 * @param {Context} ctx
 */
export function key(key, view, ctx) {
  const { turn } = ctx;
  if (!turn || turn.sent) return false;
  const choices = legal(view, ctx);
  const tile = key.toUpperCase();
  if (/^[1-8TD]$/.test(tile)) {
    if (choices.includes(tile)) turn.choose({ tile, copy: 0 });
    // A key of this game is never one of the page, whether such a tile is held or not.
    return true;
  }
  if (key === "ArrowLeft" || key === "ArrowRight") return step(key === "ArrowRight" ? 1 : -1);
  if (key === "Escape") turn.choose(null);
  else if (key === "Enter" && turn.draft?.tile) turn.act(turn.draft.tile);
  else if (key === "p" && choices.includes("pass")) turn.act("pass");
  else return false;
  return true;
}

/** Moves the keyboard's focus along the hand. @param {1 | -1} way */
function step(way) {
  const tiles = /** @type {SVGElement[]} */ ([
    ...document.querySelectorAll("#stage [role=button]"),
  ]);
  const at = tiles.findIndex((tile) => tile === document.activeElement);
  const next = at < 0 ? (way > 0 ? 0 : tiles.length - 1) : (at + way + tiles.length) % tiles.length;
  tiles[next]?.focus();
  return tiles.length > 0;
}
