// A person's turn: what is chosen, what can be pressed, and the keys for it.

import { h } from "../../../../web/dom.js";
import { count } from "../../../../web/texts.js";
import { rankOf, sorted } from "./cards.js";
import { cardSign, cardsName, fitsWords, whyNot } from "./words.js";

/** What is chosen, and said, where a reserve is to be turned over. */
const RESERVE = "reserve";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {"play" | "reserve"} Kind
 */

/**
 * What makes something of a seat's a button now, or null if it is none.
 * @param {View} view
 * @param {Context} ctx
 * @param {number} seat
 * @param {Kind} kind
 */
export function pressable(view, ctx, seat, kind) {
  const { turn } = ctx;
  if (!turn || turn.sent || seat !== view.to_act || seat !== ctx.near) return null;
  if (kind === "reserve" && !may(ctx, "reserve")) return null;
  const button = { role: "button", tabindex: "0", class: "pressable" };
  return kind === "play"
    ? button
    : {
        ...button,
        "aria-pressed": String(turn.draft === RESERVE),
        ...acting(
          () => turn.choose(turn.draft === RESERVE ? null : RESERVE),
          turn.draft !== RESERVE,
        ),
      };
}

/** What a button that is none in HTML does when it is pressed, by mouse or by the keyboard. @param {() => void} act @param {boolean} [byEnter] Enter may mean something else. */
export function acting(act, byEnter = false) {
  return {
    onclick: act,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== " " && !(byEnter && event.key === "Enter")) return;
      event.preventDefault();
      act();
    },
  };
}

/** Whether an action is among the legal ones. @param {Context} ctx @param {string} action */
function may({ turn }, action) {
  return turn?.legal?.includes(action) ?? false;
}

/** Cards that may be played now, by what the server says is legal. @param {Context} ctx */
function playable({ turn }) {
  return new Set(turn?.legal?.flatMap((action) => action.play ?? []) ?? []);
}

/** What is chosen once this card is pressed: cards of one rank go together. @param {string} code @param {Context} ctx */
export function toggled(code, { turn }) {
  /** @type {string[]} */
  const chosen = turn?.draft ?? [];
  if (chosen.includes(code)) return chosen.filter((each) => each !== code);
  const same = chosen.filter((each) => rankOf(each) === rankOf(code));
  return [...same, code];
}

/** @param {View} view @param {Context} ctx */
export function controls(view, ctx) {
  const { turn } = ctx;
  if (!turn) return null;
  /** @type {string[]} */
  const chosen = turn.draft ?? [];
  const sent = turn.sent;
  const pickUp = may(ctx, "pick-up") && `Pick up ${count(view.pile.length, "card")}`;
  const stuck = Boolean(pickUp) && !may(ctx, "reserve") && playable(ctx).size === 0;
  return h(
    "div",
    { class: "gamba-controls" },
    stuck ? null : mainButton(ctx, chosen),
    pickUp ? button(pickUp, { main: stuck, off: sent, act: () => turn.act("pick-up") }) : null,
    h("p", { class: "note", "aria-live": "polite" }, sent ? "Sent." : hint(view, ctx, chosen)),
  );
}

/** @param {Context} ctx @param {string[]} chosen */
function mainButton(ctx, chosen) {
  const { act, sent } = /** @type {import("../../../../web/types.d.ts").Turn} */ (ctx.turn);
  if (may(ctx, "reserve"))
    return button("Turn over a reserve", { main: true, off: sent, act: () => act("reserve") });
  const words = chosen.length > 0 ? `Play ${chosen.map(cardSign).join(" ")}` : "Play";
  const off = sent || chosen.length === 0;
  return button(words, { main: true, off, act: () => act({ play: chosen }) });
}

/** @param {View} view @param {Context} ctx @param {string[]} chosen */
function hint(view, ctx, chosen) {
  if (may(ctx, "reserve"))
    return "No one knows which card it is. If it does not fit, you take it and the pile into your hand.";
  const cards = playable(ctx);
  const own = view.seats[ctx.near].hand ?? [];
  if (cards.size === 0) return `None of your cards fits: they are ${whyNot(view)}.`;
  if (chosen.length === 0) return `Choose ${fitsWords(view.fits)}. Cards of one rank go together.`;
  const others = own.filter(
    (/** @type {string} */ code) => rankOf(code) === rankOf(chosen[0]) && !chosen.includes(code),
  );
  return others.length > 0 ? `${sorted(others).map(cardSign).join(" ")} may go with it.` : "";
}

/** @param {string} words @param {{ main?: boolean, off: boolean, act: () => void }} how */
function button(words, { main = false, off, act }) {
  const look = main ? "button main large" : "button large";
  return h("button", { class: look, type: "button", disabled: off, onclick: act }, words);
}

/**
 * Digits choose cards from the left, Enter plays, P picks up, R turns a reserve over, Escape chooses
 * nothing, arrows go from card to card.
 * @param {string} key
 * @param {View} view
 * @param {Context} ctx
 */
export function key(key, view, ctx) {
  const { turn } = ctx;
  if (!turn || turn.sent) return false;
  const cards = sorted(view.seats[ctx.near].hand ?? []);
  const chosen = turn.draft ?? [];
  if (/^[1-9]$/.test(key) || key === "0") {
    const code = cards[key === "0" ? 9 : Number(key) - 1];
    if (code && playable(ctx).has(code)) turn.choose(toggled(code, ctx));
    return true;
  }
  if (key === "ArrowLeft" || key === "ArrowRight") return step(key === "ArrowRight" ? 1 : -1);
  if (key === "Escape") turn.choose(null);
  else if ((key === "Enter" || key === "r") && may(ctx, RESERVE)) turn.act(RESERVE);
  else if (key === "Enter" && chosen.length > 0) turn.act({ play: chosen });
  else if (key === "p" && may(ctx, "pick-up")) turn.act("pick-up");
  else return false;
  return true;
}

/** Moves the keyboard's focus along the hand. @param {1 | -1} way */
function step(way) {
  const cards = /** @type {SVGElement[]} */ ([
    ...document.querySelectorAll("#stage [role=button]"),
  ]);
  const at = cards.findIndex((card) => card === document.activeElement);
  cards[
    at < 0 ? (way > 0 ? 0 : cards.length - 1) : (at + way + cards.length) % cards.length
  ]?.focus();
  return cards.length > 0;
}

/** What was chosen, for whoever cannot see it. @param {Context} ctx */
export function chosenWords({ turn }) {
  if (turn?.draft === RESERVE) return "A reserve is chosen.";
  return turn?.draft?.length ? `Chosen: ${cardsName(turn.draft)}.` : "";
}
