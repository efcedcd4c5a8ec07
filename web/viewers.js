// Whose eyes a board is seen with: a button for each, or a list where there are many.

import { h } from "./dom.js";
import { seatMark } from "./marks.js";
import { words } from "./texts.js";

/** With more seats than this, buttons would not fit into the bar. */
const MOST_BUTTONS = 10;

/**
 * @typedef {import("./types.d.ts").Viewer} Viewer
 * @param {{ viewers: Viewer[], viewer: Viewer, names: string[], see: (viewer: Viewer) => void }} choice
 */
export function viewerChoice({ viewers, viewer, names, see }) {
  if (viewers.length < 2) return null;
  const label = words.replay.seenBy;
  const word = (/** @type {Viewer} */ each) =>
    typeof each === "number"
      ? names[each]
      : each === "all"
        ? words.replay.all
        : words.replay.public;
  if (names.length >= MOST_BUTTONS) {
    const onchange = (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      const found = viewers.find((each) => String(each) === value);
      if (found !== undefined) see(found);
    };
    return h(
      "select",
      { class: "viewers", "aria-label": label, value: String(viewer), onchange },
      viewers.map((each) => h("option", { value: String(each) }, word(each))),
    );
  }
  return h(
    "div",
    { class: "choice", role: "group", "aria-label": label },
    viewers.map((each) => {
      const name = typeof each === "number" ? names[each] : null;
      const pressed = each === viewer;
      const onclick = () => see(each);
      return h(
        "button",
        { type: "button", "aria-pressed": pressed, title: name, onclick },
        typeof each === "number"
          ? [seatMark(each, names[each], 18), h("span", { class: "visually-hidden" }, name)]
          : word(each),
      );
    }),
  );
}
