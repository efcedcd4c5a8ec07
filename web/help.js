// Help at the board: the rules in a drawer beside it, and three bubbles in the first game.

import { h, patch } from "./dom.js";
import { icon } from "./icons.js";
import { programme } from "./parts.js";
import { words } from "./texts.js";

/** @typedef {import("./types.d.ts").About} About */

/** @param {string} game @param {About} telling */
export function helpButton(game, telling) {
  const { title } = words.help;
  return h(
    "button",
    {
      class: "button icon plain",
      type: "button",
      title,
      "aria-label": title,
      onclick: () => openHelp(game, telling),
    },
    icon("help"),
  );
}

/** The rules, without leaving the table. @param {string} game @param {About} telling */
function openHelp(game, telling) {
  const dialog = document.createElement("dialog");
  document.body.after(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const label = words.rules.title(telling.title);
  patch(
    dialog,
    h(
      "dialog",
      { class: "drawer help", "aria-label": label },
      h(
        "header",
        null,
        h("h2", null, label),
        h(
          "button",
          {
            class: "button icon plain",
            type: "button",
            "aria-label": words.settings.close,
            onclick: () => dialog.close(),
          },
          icon("cross"),
        ),
      ),
      h("p", null, telling.brief.words),
      programme(telling.brief.list),
      telling.rules.map((part) =>
        h(
          "section",
          null,
          h("h3", null, part.title),
          part.words.map((each) => h("p", null, each)),
        ),
      ),
      h(
        "p",
        { class: "note" },
        h("a", { href: `/${game}/rules`, target: "_blank" }, words.lobby.allRules),
        " · ",
        h("a", { href: `/docs/reference/games/${game}`, target: "_blank" }, words.help.protocol),
        " · ",
        h("a", { href: "/starters", target: "_blank" }, words.starters),
      ),
    ),
  );
  dialog.showModal();
}

/** Three things to know, one after the other, in the first game of each kind. Until it is over or skipped. */
export class Guide {
  /** @param {string} game @param {About} telling @param {() => void} draw */
  constructor(game, telling, draw) {
    this.game = game;
    this.steps = telling.guide ?? [];
    this.draw = draw;
    this.at = learnt().includes(game) ? this.steps.length : 0;
  }

  /** The bubble over the board. */
  shown() {
    const step = this.steps[this.at];
    if (!step) return null;
    const last = this.at === this.steps.length - 1;
    return h(
      "aside",
      { class: "bubble", key: "guide", role: "status" },
      h("p", null, step),
      h(
        "div",
        null,
        h("span", { class: "note small" }, words.help.step(this.at + 1, this.steps.length)),
        last
          ? null
          : h(
              "button",
              { class: "button plain", type: "button", onclick: () => this.go(this.steps.length) },
              words.help.skip,
            ),
        h(
          "button",
          { class: "button", type: "button", onclick: () => this.go(this.at + 1) },
          last ? words.help.done : words.help.next,
        ),
      ),
    );
  }

  /** A move was made: one has understood the first thing at least. */
  moved() {
    if (this.at < this.steps.length) this.go(this.at + 1);
  }

  /** @param {number} at */
  go(at) {
    this.at = at;
    if (at >= this.steps.length) {
      try {
        localStorage.setItem("learnt", JSON.stringify([...new Set([...learnt(), this.game])]));
      } catch {
        // Storage is switched off: next time the bubbles come again.
      }
    }
    this.draw();
  }
}

/** Games whose bubbles were seen. @returns {string[]} */
function learnt() {
  try {
    const kept = JSON.parse(localStorage.getItem("learnt") ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
