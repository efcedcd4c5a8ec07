// One player's side of the table: the plate with the name, the hand, the three reserves.

import { h } from "../../../../web/dom.js";
import { cut } from "../../../../web/fit.js";
import { clockGlyph, seatGlyph } from "../../../../web/marks.js";
import { clock, count } from "../../../../web/texts.js";
import { BACK, RANKS, TALL, cardFace, rankOf, sorted } from "./cards.js";
import { fan } from "./layout.js";
import { emptySpot, label, lean, place, placed } from "./pieces.js";
import { acting, pressable, toggled } from "./play.js";
import { cardName, exitWord, seenBy, whyNot } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./layout.js").Side} Side
 */

/** @param {number} seat @param {View} view @param {Context} ctx @param {Side} side @param {boolean} narrow */
export function side(seat, view, ctx, { plate, hand, reserves }, narrow) {
  return h(
    "g",
    { key: `side-${seat}` },
    place(`at-hand-${seat}`, {
      x: hand.x + (hand.width - hand.card) / 2,
      y: hand.y,
      card: hand.card,
    }),
    plateOf(seat, view, ctx, plate, narrow),
    reservesOf(seat, view, ctx, reserves, narrow),
    handOf(seat, view, ctx, hand, narrow),
  );
}

/** @param {number} seat @param {View} view @param {Context} ctx @param {import("./layout.js").Box} box @param {boolean} narrow */
function plateOf(seat, view, ctx, box, narrow) {
  const toPlay = view.to_act === seat;
  const won = view.ending?.winner === seat;
  const left = view.ending ? null : (ctx.timeLeftMs ?? null);
  const timed = toPlay && left !== null && ctx.clockMs !== null;
  const ringed = timed && box.width > 160;
  const raised = toPlay || won;
  const middle = box.y + box.height / 2;
  const textLeft = box.x + 50;
  const room = box.width - 58 - (ringed ? 62 : 0);
  return h(
    "g",
    { key: `plate-${seat}` },
    h("rect", {
      ...box,
      rx: 12,
      fill: raised ? "var(--plate)" : "var(--felt-panel)",
      stroke: won ? "var(--gold)" : raised ? "var(--plate-edge)" : "var(--felt-line)",
      "stroke-width": won ? 3 : 1,
    }),
    seatGlyph(seat, { x: box.x + 28, y: middle, size: 28, name: ctx.names[seat] }),
    label(cut(ctx.names[seat], room, 16, true), {
      x: textLeft,
      y: middle - 4,
      size: 16,
      bold: true,
      anchor: "start",
      fill: raised ? "var(--ink)" : "var(--felt-ink)",
    }),
    label(
      cut(
        standing(seat, view, {
          narrow: narrow || box.width < 190,
          ringed,
          left: timed ? left : null,
        }),
        room + (ringed ? 0 : 6),
        12.5,
      ),
      {
        x: textLeft,
        y: middle + 14,
        size: 12.5,
        anchor: "start",
        fill: raised ? "var(--ink-2)" : "var(--felt-ink-2)",
      },
    ),
    ringed
      ? [
          clockGlyph({
            x: box.x + box.width - 58,
            y: middle,
            r: 8.5,
            left,
            of: /** @type {number} */ (ctx.clockMs),
            owes: true,
          }),
          label(clock(left), {
            x: box.x + box.width - 10,
            y: middle + 5.5,
            size: 15,
            bold: true,
            anchor: "end",
            fill: left < 3000 ? "var(--wrong)" : "var(--accent)",
          }),
        ]
      : null,
  );
}

/** @param {number} seat @param {View} view @param {{ narrow: boolean, ringed: boolean, left: number | null }} how */
function standing(seat, view, { narrow, ringed, left }) {
  const { hand_size: hand, reserves } = view.seats[seat];
  const gone = view.news.find((/** @type {any} */ news) => news.retired?.seat === seat);
  if (gone) return exitWord(gone.retired.exit);
  if (view.ending?.winner === seat) return "wins";
  if (ringed) return "to play";
  if (left !== null) return `to play, ${clock(left)}`;
  if (view.to_act === seat && narrow) return `to play, ${hand} + ${reserves}`;
  return narrow ? `${hand} + ${reserves} cards` : `${hand} in hand, ${reserves} in reserve`;
}

/** @param {number} seat @param {View} view @param {Context} ctx @param {import("./layout.js").Row} row @param {boolean} narrow */
function reservesOf(seat, view, ctx, { x, y, card, step, label: at }, narrow) {
  const { reserves, reserve_cards: open } = view.seats[seat];
  const spots = [0, 1, 2].map((index) => ({ x: x + step * index, y, card }));
  const press = pressable(view, ctx, seat, "reserve");
  return h(
    "g",
    { key: `reserves-${seat}` },
    step < card ? reserves === 0 && emptySpot(spots[2]) : spots.slice(reserves).map(emptySpot),
    spots.slice(0, reserves).map((spot, index) => {
      const name = open ? open[index] : `reserve-${seat}-${index}`;
      const last = index === reserves - 1;
      return placed(
        name,
        { ...spot, turn: lean(`${seat}${index}`, 4), from: `reserve-${seat}-${index}` },
        [
          open ? cardFace(open[index], card) : BACK,
          last && press
            ? ring(true, { ...press, "aria-label": "Turn over a reserve, unseen" })
            : null,
        ],
      );
    }),
    at && !narrow
      ? label(reserveWords(reserves, Boolean(open) || step < 60, press !== null), {
          ...at,
          faint: true,
        })
      : at &&
          label("reserves", { ...at, size: 12, faint: true, anchor: y === 17 ? "middle" : "end" }),
  );
}

/** @param {number} reserves @param {boolean} short @param {boolean} pressed */
function reserveWords(reserves, short, pressed) {
  if (pressed) return "turn one over";
  if (reserves === 0) return "no reserves left";
  return short ? count(reserves, "reserve") : `${count(reserves, "reserve")}, face down`;
}

/** @param {number} seat @param {View} view @param {Context} ctx @param {import("./layout.js").Box & { card: number }} box @param {boolean} narrow */
function handOf(seat, view, ctx, box, narrow) {
  const { hand_size: size, hand } = seenBy(view, ctx, seat).seats[seat];
  const from = origin(seat, view);
  const near = seat === ctx.near;
  if (size === 0) return nothing(seat, view, box);
  if (!hand) return h("g", { key: `hand-${seat}` }, backs(seat, size, box, from));
  const cards = sorted(hand);
  const { card, step, spots } = fan(cards.length, box);
  const wordy = near && view.to_act === seat && step >= 52 && !narrow;
  return h(
    "g",
    { key: `hand-${seat}` },
    cards.map((code, at) => {
      const chosen = ctx.turn?.draft?.includes(code) ?? false;
      const refused = view.to_act === seat && !view.fits.includes(rankOf(code));
      const y = spots[at].y + (chosen ? -card * 0.17 : refused ? card * 0.1 : 0);
      const press = near ? pressable(view, ctx, seat, "play") : null;
      return placed(code, { x: spots[at].x, y, card, from }, [
        cardFace(code, card),
        refused ? VEILED : null,
        press ? ring(chosen, cardButton(code, { press, chosen, refused, view, ctx })) : null,
      ]);
    }),
    wordy
      ? cards.map((code, at) =>
          handWord(code, view, ctx, {
            x: spots[at].x + card / 2,
            y: box.y + card * (TALL + 0.1) + 22,
          }),
        )
      : null,
  );
}

/** @param {string} code @param {View} view @param {Context} ctx @param {{ x: number, y: number }} at */
function handWord(code, view, ctx, at) {
  const chosen = ctx.turn?.draft?.includes(code);
  const refused = !view.fits.includes(rankOf(code));
  if (view.fits.length === RANKS.length && !chosen) return null;
  const words = chosen ? "chosen" : refused ? whyNot(view) : "may go";
  return label(words, {
    ...at,
    size: 12.5,
    bold: chosen,
    faint: !chosen,
    fill: chosen ? "var(--gold)" : undefined,
  });
}

/** @param {string} code @param {{ press: Record<string, any>, chosen: boolean, refused: boolean, view: View, ctx: Context }} state */
function cardButton(code, { press, chosen, refused, view, ctx }) {
  const name = cardName(code);
  if (refused)
    return {
      role: "button",
      tabindex: "0",
      "aria-disabled": "true",
      "aria-label": `${name}, ${whyNot(view)}`,
    };
  const toggle = () => ctx.turn?.choose(toggled(code, ctx));
  // With cards chosen, Enter plays them.
  const acts = acting(toggle, !ctx.turn?.draft?.length);
  return { ...press, "aria-label": name, "aria-pressed": String(chosen), ...acts };
}

/** @param {number} seat @param {number} size @param {import("./layout.js").Box & { card: number }} box @param {string} from */
function backs(seat, size, box, from) {
  const tight = { ...box, width: Math.min(box.width, box.card * (1 + 0.62 * (size - 1))) };
  tight.x += (box.width - tight.width) / 2;
  const step = size < 2 ? 0 : (tight.width - box.card) / (size - 1);
  return Array.from({ length: size }, (_, at) => {
    const off = at - (size - 1) / 2;
    const turn = size < 9 ? Math.round(off * 50) / 10 : 0;
    const y = box.y + (size < 9 ? Math.abs(off) * Math.abs(off) * box.card * 0.012 : 0);
    const name = `back-${seat}-${at}`;
    return placed(name, { x: tight.x + step * at, y, card: box.card, turn, from }, BACK);
  });
}

/** @param {number} seat @param {View} view @param {import("./layout.js").Box & { card: number }} box */
function nothing(seat, view, box) {
  const spot = { x: box.x + (box.width - box.card) / 2, y: box.y, card: box.card };
  const words = view.seats[seat].reserves > 0 ? ["hand", "empty"] : ["no cards", "left"];
  const [x, y] = [spot.x + box.card / 2, spot.y + (box.card * TALL) / 2];
  return h(
    "g",
    { key: `hand-${seat}` },
    emptySpot(spot),
    box.card < 60
      ? null
      : [label(words[0], { x, y, faint: true }), label(words[1], { x, y: y + 17, faint: true })],
  );
}

/** Where the newest cards of a hand came from. @param {number} seat @param {View} view */
function origin(seat, view) {
  for (const news of view.news) {
    if (news["picked-up"]?.seat === seat) return "at-pile";
    if (news["reserve-failed"]?.seat === seat)
      return `reserve-${seat}-${view.seats[seat].reserves}`;
    if (news.played?.seat === seat && news.played.drawn > 0) return "at-deck";
  }
  return `at-hand-${seat}`;
}

const VEILED = h("rect", { width: 100, height: 140, rx: 7.5, fill: "var(--felt-veil)" });

/** What is pressed, over the whole card: lit when chosen, and when it has the keyboard. @param {boolean} chosen @param {Record<string, any>} button */
function ring(chosen, button) {
  return h("rect", {
    ...button,
    key: "ring",
    class: `ring ${chosen ? "chosen" : ""} ${button.class ?? ""}`,
    x: -4,
    y: -4,
    width: 108,
    height: 148,
    rx: 11,
    fill: "transparent",
    "stroke-width": 3.4,
  });
}
