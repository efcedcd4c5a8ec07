// What players show each other without words: one of six reactions, for a few seconds over the board.

import { h } from "./dom.js";
import { face } from "./faces.js";
import { seatMark } from "./marks.js";
import { words } from "./texts.js";

/** In the order in which they are offered. */
export const REACTIONS = ["hello", "nice", "wow", "oops", "thanks", "good-game"];

/** A reaction is shown so long, and no player may react again sooner. */
const SHOWN_MS = 3000;

export class Reactions {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** By seat. @type {Map<number, string>} */
    this.shown = new Map();
    this.open = false;
    /** Not yet again. */
    this.resting = false;
    /** Where it was refused, nobody reacts. */
    this.off = false;
  }

  /** @param {{ seat: number, reaction: string }} message */
  heard({ seat, reaction }) {
    if (!REACTIONS.includes(reaction)) return;
    this.shown.set(seat, reaction);
    setTimeout(() => {
      if (this.shown.get(seat) === reaction) this.shown.delete(seat);
      this.changed();
    }, SHOWN_MS);
    this.changed();
  }

  /** What is shown at the moment. @param {string[]} names */
  bubbles(names) {
    return h(
      "div",
      { class: "reactions", key: "reactions", role: "status" },
      [...this.shown].map(([seat, reaction]) =>
        h(
          "span",
          { class: "reaction", key: `${seat}-${reaction}` },
          seatMark(seat, names[seat], 24),
          h("span", { class: "cut", dir: "auto" }, names[seat]),
          face(reaction, 32),
          h("b", null, words.reactions[reaction]),
        ),
      ),
    );
  }

  /** A face to press, and the six behind it. @param {(message: object) => boolean} say */
  offered(say) {
    if (this.off) return null;
    const toggle = () => {
      this.open = !this.open;
      this.changed();
    };
    const react = (/** @type {string} */ reaction) => {
      this.open = false;
      this.resting = say({ do: "react", id: "react", reaction });
      setTimeout(() => {
        this.resting = false;
        this.changed();
      }, SHOWN_MS);
      this.changed();
    };
    const { react: title } = words.reactions;
    return h(
      "span",
      { class: "react", key: "react" },
      h(
        "button",
        {
          class: "button icon plain",
          type: "button",
          title,
          "aria-label": title,
          "aria-expanded": String(this.open),
          disabled: this.resting,
          onclick: toggle,
        },
        face("nice"),
      ),
      this.open
        ? h(
            "span",
            { class: "choices" },
            REACTIONS.map((each) =>
              h(
                "button",
                {
                  class: "button icon plain",
                  type: "button",
                  key: each,
                  title: words.reactions[each],
                  "aria-label": words.reactions[each],
                  onclick: () => react(each),
                },
                face(each, 30),
              ),
            ),
          )
        : null,
    );
  }
}
