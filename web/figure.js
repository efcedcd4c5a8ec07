// A picture of a game for pages that explain it.

import { h } from "./dom.js";

/** A position drawn by the game's own board. @param {string} game @param {import("./types.d.ts").Board} board @param {import("./types.d.ts").Picture} picture @param {number} [most] Pixels it may be wide. */
export function figure(game, board, picture, most = 640) {
  const viewer = picture.viewer ?? "public";
  const width = Math.min(most, innerWidth - 32);
  return h(
    "figure",
    { class: "stage" },
    board.board(picture.view, {
      game,
      names: picture.names,
      seats: [],
      viewer,
      near: typeof viewer === "number" ? viewer : 0,
      seatViews: picture.seatViews ?? null,
      updates: [],
      toMove: [],
      moved: [],
      over: null,
      clockMs: null,
      timeLeftMs: null,
      width,
      height: null,
      turn: null,
    }),
    h("figcaption", { class: "note" }, picture.alt),
  );
}
