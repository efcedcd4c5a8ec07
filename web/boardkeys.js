// What keys mean on a page with a board, besides what they mean on the board.

import { SPEEDS } from "./transport.js";

/** @param {import("./boardpage.js").BoardPage} page @param {boolean} shift @param {boolean} onButton @returns {Record<string, (() => void) | undefined>} */
export function keysOf(page, shift, onButton) {
  const marks = page.marks.map((mark) => mark.place);
  const { place } = page;
  const { last } = page.timeline;
  const jump = {
    back: marks.findLast((at) => at < place) ?? 0,
    on: marks.find((at) => at > place) ?? last,
  };
  /** @type {Record<string, (() => void) | undefined>} */
  const keys = {
    ArrowLeft: () => page.go(shift ? jump.back : place - 1),
    ArrowRight: () => (shift ? page.go(jump.on) : page.go(place + 1, true)),
    Home: () => page.go(0),
    End: () => page.go(last),
    " ": onButton ? undefined : () => page.toggle(),
    v: () => page.see(page.nextViewer()),
    p: () => page.see("public"),
    a: () => page.see("all"),
    s: () => page.share(),
    c: () => page.catchUp(),
  };
  // At a seat, numbers are the board's.
  if (page.mode !== "seat")
    SPEEDS.forEach((speed, at) => (keys[String(at + 1)] = () => page.setSpeed(speed)));
  return keys;
}
