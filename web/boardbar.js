// What the bar on top says of a game: whether it is live, whose move it is, how many watch.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { words } from "./texts.js";

/** @typedef {import("./boardpage.js").BoardPage} BoardPage */

/** Whether this is live, how far behind, or a replay. @param {BoardPage} page */
export function badge(page) {
  if (page.mode === "replay") return tag(words.live.replay);
  if (page.timeline.over && page.place === page.timeline.last) return tag(words.live.over);
  if (page.resigned) return tag(words.live.resigned);
  if (page.mode === "seat") return seatBadge(page);
  const behind =
    page.timeline.updates[page.timeline.last].seq - page.timeline.updates[page.place].seq;
  if (behind < 2) return tag(words.live.live, "dot", "tag live");
  return [
    tag(words.live.behind(words.turns(behind))),
    h(
      "button",
      { class: "button", type: "button", onclick: () => page.catchUp() },
      words.live.catchUp,
    ),
  ];
}

/** Whose move it is, for the person at this seat. @param {BoardPage} page */
function seatBadge(page) {
  const { to_move: toMove, view } = page.timeline.updates[page.place];
  // The last turn is told before the end is.
  if (toMove.length === 0 || page.board.ended?.(view)) return tag(words.live.over);
  if (typeof page.viewer === "number" && page.board.out?.(view, page.viewer))
    return tag(words.live.out);
  const yours = page.turn()?.sent === false;
  return yours ? tag(words.play.yourMove, "dot") : tag(words.play.theirMove);
}

/** How many watch, where it is known. @param {BoardPage} page */
export function watched(page) {
  const n = page.spectators;
  if (!n) return null;
  const said = words.live.spectators(n);
  return h("span", { class: "tag watched", title: said, "aria-label": said }, icon("eye", 16), n);
}

/** What is going on, in the bar. On a phone the words make way for the game's title, and a dot stays. @param {string} said @param {string} [dot] @param {string} [kind] */
function tag(said, dot = "dot still", kind = "tag") {
  return h(
    "span",
    { class: kind, title: said },
    h("span", { class: dot }),
    h("span", { class: "said" }, said),
  );
}
