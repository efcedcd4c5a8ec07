// The board of tic-tac-toe: the least that a board has.

import { h } from "../../../../web/dom.js";
import { seatMark } from "../../../../web/marks.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").Update} Update
 */

const SIGNS = ["X", "O"];
const SIDE = 100;

/** The squares 1 to 9 that may be marked now. @param {Context} ctx @returns {number[]} */
function free({ turn }) {
  return turn && !turn.sent ? (turn.legal ?? []) : [];
}

/** @param {View} view @param {Context} ctx */
function board(view, ctx) {
  const { now, next } = caption(view, ctx);
  const left = (ctx.width - 3 * SIDE) / 2;
  return h(
    "svg",
    {
      viewBox: `0 0 ${ctx.width} ${3 * SIDE}`,
      role: ctx.turn ? "group" : "img",
      "aria-label": `${now} ${next}`,
    },
    [...view.board].map((sign, at) =>
      square(sign, at + 1, left + (at % 3) * SIDE, Math.floor(at / 3) * SIDE, ctx),
    ),
  );
}

/** @param {string} sign @param {number} number @param {number} x @param {number} y @param {Context} ctx */
function square(sign, number, x, y, ctx) {
  const act = () => ctx.turn?.act(number);
  const button = free(ctx).includes(number)
    ? {
        role: "button",
        tabindex: "0",
        "aria-label": `Mark square ${number}`,
        onclick: act,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== " ") return;
          event.preventDefault();
          act();
        },
      }
    : null;
  return h(
    "g",
    { key: number, ...button },
    h("rect", {
      x: x + 3,
      y: y + 3,
      width: SIDE - 6,
      height: SIDE - 6,
      rx: 10,
      fill: "var(--square)",
    }),
    h(
      "text",
      {
        x: x + SIDE / 2,
        y: y + SIDE / 2,
        "text-anchor": "middle",
        "dominant-baseline": "central",
        "font-size": 56,
        fill: "var(--sign)",
      },
      sign === "." ? "" : sign,
    ),
  );
}

/** @param {View} view @param {Context} ctx */
function side(view, ctx) {
  return [
    h(
      "section",
      { class: "panel", key: "signs" },
      h("header", null, "Signs"),
      ctx.names.map((name, seat) => h("p", null, seatMark(seat, name), ` ${SIGNS[seat]} ${name}`)),
    ),
  ];
}

/** @param {View} view @param {Context} ctx */
function controls(view, ctx) {
  if (!ctx.turn) return null;
  const button = (/** @type {number} */ number) =>
    h(
      "button",
      { class: "button large", type: "button", onclick: () => ctx.turn?.act(number) },
      `Mark ${number}`,
    );
  return h("div", { class: "row" }, free(ctx).map(button));
}

/** @param {string} key @param {View} view @param {Context} ctx */
function key(key, view, ctx) {
  if (!free(ctx).includes(Number(key))) return false;
  ctx.turn?.act(Number(key));
  return true;
}

/** @param {View} view @param {Context} ctx */
function caption(view, ctx) {
  const marks = [...view.board].filter((sign) => sign !== ".").length;
  const now = marks === 0 ? "The board is empty." : `${marks} of 9 squares are marked.`;
  if (view.to_move === null) return { now, next: "The game is over." };
  return { now, next: `${ctx.names[view.to_move]} is to mark a square.` };
}

/** Marks, for want of points. @param {View} view */
function points(view) {
  return SIGNS.map((own) => [...view.board].filter((sign) => sign === own).length);
}

/** @param {Update} update @param {Context} ctx */
function moves(update, ctx) {
  const before = ctx.updates.find(({ seq }) => seq === update.seq - 1)?.view.board;
  const { board } = update.view;
  const at = [...board].findIndex((sign, place) => before && sign !== before[place]);
  return at < 0
    ? []
    : [{ seat: SIGNS.indexOf(board[at]), words: `${board[at]} marks square ${at + 1}` }];
}

/** @param {View} view */
function where(view) {
  return view.to_move === null
    ? "The game is over"
    : `Turn ${9 - view.board.split(".").length + 2}`;
}

/** @type {import("../../../../web/types.d.ts").Board} */
export default {
  board,
  side,
  controls,
  key,
  caption,
  points,
  plot: { title: "Marks", note: "three in a row win" },
  moves,
  where,
};
