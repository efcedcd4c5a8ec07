// The middle of the table: what is burned, the deck, the pile, and what fits on it.

import { h } from "../../../../web/dom.js";
import { cut } from "../../../../web/fit.js";
import { seatGlyph } from "../../../../web/marks.js";
import { count } from "../../../../web/texts.js";
import { BACK, FLAME, RANKS, TALL, cardFace, rankOf } from "./cards.js";
import { emptySpot, label, lean, place, placed } from "./pieces.js";
import { fitsWords, whyNot } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./layout.js").Layout} Layout
 */

/** Cards of the pile lie at least this share of a width apart, so that every index shows. */
const LEAST = 0.19;

/** @param {View} view @param {Context} ctx @param {Layout} layout */
export function pile(view, ctx, { pile: at, narrow }) {
  const { x, y, card, left, step: most } = at;
  const under = card * 0.86;
  const cards = view.pile;
  const shown = cards.slice(-(Math.floor((x - left) / (under * LEAST)) + 1));
  const step = shown.length > 1 ? Math.min(most, (x - left) / (shown.length - 1)) : 0;
  const played = view.news.find((/** @type {any} */ news) => news.played)?.played;
  const words = { x: x + card / 2 - (step * (shown.length - 1)) / 2, y: y + card * TALL + 24 };
  return h(
    "g",
    { key: "pile" },
    place("at-pile", { x, y, card }),
    shown.length === 0 ? emptySpot({ x, y, card }) : null,
    shown.length === 0
      ? label("empty", { x: x + card / 2, y: y + (card * TALL) / 2 + 5, faint: true })
      : null,
    shown.map((/** @type {string} */ code, /** @type {number} */ index) => {
      const top = index === shown.length - 1;
      const size = top ? card : under;
      const spot = {
        x: x - step * (shown.length - 1 - index),
        y: y + ((card - size) * TALL) / 2,
        card: size,
        turn: top ? lean(code, 1.6) : lean(code, 4) - 1.5,
        from: source(played, code, view),
      };
      return placed(code, spot, cardFace(code, size));
    }),
    played && shown.length > 0
      ? seatGlyph(played.seat, {
          x: x + card - 4,
          y: y + 2,
          size: narrow ? 22 : 26,
          name: ctx.names[played.seat],
        })
      : null,
    label(cards.length > 0 ? `Pile, ${count(cards.length, "card")}` : "Pile", {
      ...words,
      bold: true,
    }),
  );
}

/** Where a card that was just played came from. @param {any} played @param {string} code @param {View} view */
function source(played, code, view) {
  if (!played?.cards.includes(code)) return "at-pile";
  const { seat, from } = played;
  return from === "hand" ? `at-hand-${seat}` : `reserve-${seat}-${view.seats[seat].reserves}`;
}

/** @param {View} view @param {Layout} layout */
export function burned(view, { burned: at, narrow }) {
  const { x, y, card } = at;
  const all = view.burned.length;
  const played = view.news.find((/** @type {any} */ news) => news.played?.burned > 0)?.played;
  const words = { x: x + card / 2, y: y + card * TALL };
  return h(
    "g",
    { key: "burned" },
    place("at-burned", at),
    emptySpot(at),
    view.burned
      .slice(-4)
      .map(
        (/** @type {string} */ code, /** @type {number} */ index, /** @type {string[]} */ some) =>
          placed(
            code,
            {
              ...at,
              turn: index === some.length - 1 ? 2 : lean(code, 9),
              from: source(played, code, view),
            },
            cardFace(code, card),
          ),
      ),
    all > 0
      ? h(
          "g",
          { class: "flame", transform: `translate(${x + card - 4} ${y + card * 0.16})` },
          h("g", { transform: `scale(${narrow ? 0.8 : 1.15})` }, FLAME),
        )
      : null,
    narrow
      ? label(all > 0 ? `${all} burned` : "burned", {
          ...words,
          y: words.y + 17,
          size: 12,
          faint: true,
        })
      : [
          label("Burned", { ...words, y: words.y + 24, bold: true }),
          label(all > 0 ? count(all, "card") : "none yet", {
            ...words,
            y: words.y + 42,
            faint: true,
          }),
        ],
  );
}

/** @param {View} view @param {Layout} layout */
export function deck(view, { deck: at, narrow }) {
  if (view.deal !== "full-deck") return null;
  const { x, y, card } = at;
  const size = view.deck_size;
  const words = { x: x + card / 2, y: y + card * TALL };
  const thick = Math.min(4, Math.ceil(size / 9));
  return h(
    "g",
    { key: "deck" },
    place("at-deck", at),
    size === 0 ? emptySpot(at) : null,
    Array.from({ length: thick }, (_, index) => {
      const up = (index - thick + 1) * -2;
      const transform = `translate(${x - up} ${y - up}) scale(${card / 100})`;
      return h("g", { transform }, BACK);
    }),
    narrow
      ? label(size > 0 ? `${size} to draw` : "no deck", {
          ...words,
          y: words.y + 20,
          size: 12,
          faint: true,
        })
      : [
          label("Deck", { ...words, y: words.y + 24, bold: true }),
          label(size > 0 ? count(size, "card") : "used up", {
            ...words,
            y: words.y + 42,
            faint: true,
          }),
        ],
  );
}

/** What fits on the pile, rank by rank; at the end, who won. @param {View} view @param {Context} ctx @param {Layout} layout */
export function panel(view, ctx, { panel: box, narrow }) {
  return h(
    "g",
    { key: "panel" },
    h("rect", { ...box, rx: 14, fill: "var(--felt-panel)", stroke: "var(--felt-line)" }),
    view.ending ? result(view, ctx, box) : [heading(view, box, narrow), ladder(view, box, narrow)],
  );
}

/** @param {View} view @param {import("./layout.js").Box} box @param {boolean} narrow */
function heading(view, box, narrow) {
  const [title, words] = demand(view);
  const top = view.pile.at(-1);
  const [x, y] = [box.x + 30, box.y + (narrow ? 28 : 36)];
  const room = box.width - 62;
  return [
    h("circle", {
      cx: x,
      cy: y,
      r: narrow ? 14 : 17,
      fill: view.must_play_low ? "var(--gold)" : "none",
      stroke: view.must_play_low ? "var(--gold-deep)" : "var(--felt-ink-2)",
      "stroke-width": 1.6,
      "stroke-dasharray": top ? null : "4 3",
    }),
    top
      ? label(rankOf(top), {
          x,
          y: y + 5.5,
          size: 16,
          bold: true,
          fill: view.must_play_low ? "#2b1f06" : "var(--felt-ink)",
        })
      : null,
    label(cut(title, room, 15, true), {
      x: x + 26,
      y: y - 3,
      size: 15,
      bold: true,
      anchor: "start",
    }),
    label(cut(words, room, 12.5), {
      x: x + 26,
      y: y + 15,
      size: 12.5,
      faint: true,
      anchor: "start",
    }),
  ];
}

/** @param {View} view */
function demand(view) {
  const top = view.pile.at(-1);
  if (!top) return ["The pile is empty", "any card may begin it"];
  if (view.must_play_low) return ["Low cards only", `${fitsWords(view.fits)}, not even a 10`];
  if (view.fits.length === RANKS.length) return ["Anything goes", "every rank fits now"];
  return ["As high, or higher", fitsWords(view.fits)];
}

/** @param {View} view @param {import("./layout.js").Box} box @param {boolean} narrow */
function ladder(view, box, narrow) {
  const across = narrow && box.width > 310 ? RANKS.length : 7;
  const gap = narrow ? 3 : 4;
  const inset = narrow ? 12 : 16;
  const width = (box.width - 2 * inset - gap * (across - 1)) / across;
  const height = narrow ? 28 : 34;
  const y = box.y + (narrow ? 50 : box.height - 2 * height - gap - 40);
  const all = view.fits.length === RANKS.length;
  const legend = box.y + box.height - 13;
  return [
    RANKS.map((rank, at) => {
      const spot = {
        x: box.x + inset + (width + gap) * (at % across),
        y: y + (height + gap) * Math.floor(at / across),
        width,
        height,
      };
      return step(rank, view.fits.includes(rank), spot);
    }),
    label("may be played", { x: box.x + inset, y: legend, size: 12, anchor: "start" }),
    all
      ? null
      : label(whyNot(view), {
          x: box.x + box.width - inset,
          y: legend,
          size: 12,
          faint: true,
          anchor: "end",
        }),
  ];
}

/** @param {string} rank @param {boolean} fits @param {import("./layout.js").Box} spot */
function step(rank, fits, spot) {
  return h(
    "g",
    { key: rank },
    h("rect", {
      ...spot,
      rx: 5,
      fill: fits ? "var(--card)" : "none",
      stroke: fits ? "none" : "var(--felt-line)",
      "stroke-width": 1.3,
      "stroke-dasharray": fits ? null : "3.5 3",
    }),
    label(rank, {
      x: spot.x + spot.width / 2,
      y: spot.y + spot.height / 2 + 5,
      size: 14,
      bold: fits,
      fill: fits ? "var(--card-ink)" : "var(--felt-ink-2)",
    }),
  );
}

/** @param {View} view @param {Context} ctx @param {import("./layout.js").Box} box */
function result(view, ctx, box) {
  const { winner, reason } = view.ending;
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const why = {
    "no-cards-remaining": "no cards left",
    retirement: winner === null ? "both are out" : "the other is out",
    "turn-limit": "the turns ran out",
  };
  const rest =
    winner === null ? null : view.seats[1 - winner].hand_size + view.seats[1 - winner].reserves;
  const tall = box.height > 130;
  return [
    winner === null
      ? null
      : seatGlyph(winner, {
          x: tall ? x : box.x + 44,
          y: tall ? y - 44 : y,
          size: 46,
          name: ctx.names[winner],
        }),
    label(
      winner === null ? "A draw" : `${cut(ctx.names[winner], box.width - 120, 20, true)} wins`,
      {
        x,
        y: tall ? y + 12 : y - 6,
        size: 20,
        bold: true,
      },
    ),
    label(why[/** @type {keyof typeof why} */ (reason)], {
      x,
      y: tall ? y + 36 : y + 15,
      faint: true,
    }),
    rest === null
      ? null
      : label(`${cut(ctx.names[1 - winner], 110, 13)} had ${count(rest, "card")} to go`, {
          x,
          y: tall ? y + 55 : y + 33,
          faint: true,
        }),
  ];
}
