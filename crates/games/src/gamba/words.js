// What a game of Gamba says in words: cards, what fits, what happened, what follows.

import { causes, count, list } from "../../../../web/texts.js";
import { RANKS, rankOf, sorted, suitOf } from "./cards.js";
import { suitSign, suitWord } from "./suits.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").Update} Update
 * @typedef {import("../../../../web/types.d.ts").MoveLine} MoveLine
 * @typedef {import("../../../../web/types.d.ts").Caption} Caption
 */

/** @type {Record<string, string>} */
const NAMES = { J: "jack", Q: "queen", K: "king", A: "ace" };
const NUMBERS = ["no", "one", "two", "three", "four"];

/** "7 of hearts". @param {string} code */
export function cardName(code) {
  return `${rankName(rankOf(code))} of ${suitWord(suitOf(code))}`;
}

/** "7♥". @param {string} code */
export function cardSign(code) {
  return rankOf(code) + suitSign(suitOf(code));
}

/** @param {string} rank */
function rankName(rank) {
  return NAMES[rank] ?? rank;
}

/** "the 7 of hearts", "two 6s". @param {string[]} codes */
export function cardsName(codes) {
  const rank = rankName(rankOf(codes[0]));
  return codes.length === 1 ? `the ${cardName(codes[0])}` : `${NUMBERS[codes.length]} ${rank}s`;
}

/** What fits in a few words: "2, 7 or 10 and up". @param {string[]} fits */
export function fitsWords(fits) {
  if (fits.length === RANKS.length) return "any card";
  const ends = [...fits];
  const highest = runFrom(ends, RANKS.length - 1, -1);
  const top = highest > 2 ? `${rankName(RANKS[RANKS.length - highest])} and up` : null;
  if (top) ends.splice(-highest);
  const lowest = runFrom(ends, 0, 1);
  const bottom = lowest > 2 ? `${rankName(RANKS[lowest - 1])} or lower` : null;
  if (bottom) ends.splice(0, lowest);
  return either([bottom, ...ends.map(rankName), top].filter((word) => word !== null));
}

/** How many ranks from one end on are all there. @param {string[]} fits @param {number} from @param {1 | -1} way */
function runFrom(fits, from, way) {
  let length = 0;
  while (fits.includes(RANKS[from + way * length])) length += 1;
  return length;
}

/** @param {string[]} words */
function either(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** Why a card that does not fit does not, in two words. @param {View} view */
export function whyNot(view) {
  return view.must_play_low ? "too high" : "too low";
}

/** The view that knows most of what a seat did. @param {View} view @param {Context} ctx @param {number} seat */
export function seenBy(view, ctx, seat) {
  return ctx.seatViews?.[seat] ?? view;
}

/** @param {View} view @param {Context} ctx @returns {Caption} */
export function caption(view, ctx) {
  const told = view.news.map((/** @type {any} */ news) => happened(news, view, ctx));
  if (view.ending) return { now: [...told, ended(view, ctx)].join(" ") };
  const next = ahead(view, ctx);
  if (told.length > 0) return { now: told.join(" "), next };
  const deal =
    view.deal === "full-deck"
      ? `Three cards in hand and three reserves each, ${count(view.deck_size, "card")} to draw.`
      : "Three cards in hand and three reserves each; the other 40 cards are out of play.";
  return { now: deal, next };
}

/** @param {any} news @param {View} view @param {Context} ctx */
function happened(news, view, { names, seatViews }) {
  if (news.played) {
    const { seat, cards, from, burned, drawn } = news.played;
    const unseen = from === "reserve" ? " from the reserve, unseen until now" : "";
    const drew = drawn > 0 ? `, and drew ${count(drawn, "card")}` : "";
    if (burned > 0) {
      const burn = `${cards.length > 1 ? "which burn" : "which burns"} the pile: ${count(burned, "card")} out for good`;
      return `${names[seat]} played ${cardsName(cards)}${unseen}, ${burn}${drew}.`;
    }
    return `${names[seat]} played ${cardsName(cards)}${unseen}${drew}.`;
  }
  if (news["picked-up"]) {
    const { seat, taken } = news["picked-up"];
    return `${names[seat]} picked up the pile, ${count(taken, "card")}.`;
  }
  if (news["reserve-failed"]) {
    const { seat, taken } = news["reserve-failed"];
    const card = failedCard(news, seatViews?.[seat]?.news);
    const which = card ? `The reserve, the ${cardName(card)},` : "The reserve";
    return `${which} did not fit: ${names[seat]} took it and the pile, ${count(taken, "card")}.`;
  }
  return `${names[news.retired.seat]} is out: ${exitWord(news.retired.exit)}.`;
}

/** The card that failed, where it may be known. @param {any} news @param {any[]} [own] */
function failedCard(news, own = []) {
  return (
    news["reserve-failed"].card ??
    own.find((each) => each["reserve-failed"])?.["reserve-failed"].card
  );
}

/** @param {any} exit */
export function exitWord(exit) {
  const word = (typeof exit === "string" ? exit : Object.keys(exit)[0]).replaceAll("-", " ");
  return causes[word] ?? word;
}

/** @param {View} view @param {Context} ctx */
function ended(view, { names }) {
  const { winner, reason } = view.ending;
  if (winner === null)
    return reason === "turn-limit" ? "The turns ran out: a draw." : "No one wins.";
  return reason === "no-cards-remaining"
    ? `${names[winner]} has no cards left and wins.`
    : `${names[winner]} wins.`;
}

/** @param {View} view @param {Context} ctx */
export function decided(view, ctx) {
  const { winner } = view.ending ?? {};
  if (winner === null || winner === undefined) return view.ending ? ended(view, ctx) : "";
  const other = view.seats[1 - winner];
  const left = other.hand_size + other.reserves;
  const still = left > 0 ? ` ${ctx.names[1 - winner]} still had ${count(left, "card")}.` : "";
  return `${ended(view, ctx)}${still}`;
}

/** What the one whose turn it is can do. @param {View} view @param {Context} ctx */
function ahead(view, ctx) {
  const seat = view.to_act;
  const own = seenBy(view, ctx, seat).seats[seat];
  const may = `may play ${fitsWords(view.fits)}`;
  const demand = view.must_play_low ? `must go low: ${fitsWords(view.fits)}, not even a 10` : may;
  const who = ctx.turn ? "You" : ctx.names[seat];
  if (own.hand_size === 0)
    return `${who} ${ctx.turn ? "have" : "has"} an empty hand and may turn over a reserve. ${fitting(view)}`;
  const words = `${who} ${demand}${view.pile.length > 0 ? ", or pick up the pile" : ""}.`;
  if (!own.hand || view.fits.length === RANKS.length) return words;
  const go = sorted(own.hand).filter((code) => view.fits.includes(rankOf(code)));
  if (go.length === 0) return `${words} No card in ${ctx.turn ? "your" : "the"} hand fits.`;
  return own.hand.length > 8
    ? words
    : `${words} In ${ctx.turn ? "your" : "the"} hand ${list(go.map(cardSign))} may go.`;
}

/** @param {View} view */
function fitting(view) {
  if (view.fits.length === RANKS.length) return "Any card fits.";
  const words = fitsWords(view.fits);
  return `${words[0].toUpperCase()}${words.slice(1)} fits.`;
}

/** @param {Update} update @param {Context} ctx @returns {MoveLine[]} */
export function moves(update, ctx) {
  const own = typeof ctx.viewer === "number" ? update.seat_views?.[ctx.viewer] : update.view;
  const view = own ?? update.view;
  const lines = view.news.map((/** @type {any} */ news) => line(news, update, ctx));
  if (view.ending?.reason === "turn-limit") lines.push({ seat: null, words: "the turns ran out" });
  return lines;
}

/** @param {any} news @param {Update} update @param {Context} ctx @returns {MoveLine} */
function line(news, update, ctx) {
  if (news.retired) return { seat: news.retired.seat, words: exitWord(news.retired.exit) };
  const [kind, told] = Object.entries(news)[0];
  const made = update.moves.find((move) => move.seat === told.seat);
  const late = made?.how === "clock" ? "out of time" : undefined;
  if (kind === "played") {
    const cards = told.cards.map(cardSign).join(" ");
    const note =
      told.burned > 0
        ? `burns ${told.burned}`
        : update.view.must_play_low
          ? "low cards next"
          : late;
    return { seat: told.seat, words: told.from === "reserve" ? `${cards} unseen` : cards, note };
  }
  if (kind === "picked-up") return { seat: told.seat, words: `picks up ${told.taken}`, note: late };
  const all = ctx.viewer === "all" ? update.seat_views?.[told.seat].news : [];
  const card = failedCard(news, all);
  return {
    seat: told.seat,
    words: card ? `${cardSign(card)} did not fit` : "reserve did not fit",
    note: `takes ${told.taken}`,
  };
}

/** @param {Update} update */
export function mark({ view }) {
  for (const news of view.news) {
    if (news.played?.burned > 0) return `burns ${news.played.burned}`;
    if (news["reserve-failed"]) return "a reserve that did not fit";
    if (news.retired) return "out";
  }
  return null;
}

/** @param {View} view */
export function where(view) {
  const deal = view.deal === "full-deck" ? "full deck, " : "";
  if (view.ending) return `${deal}over after ${count(view.turns_played, "turn")}`;
  return `${deal}turn ${view.turns_played + 1}`;
}
