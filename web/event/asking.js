// Asks once before something that cannot be undone, and says what will happen.

import { h } from "../dom.js";
import { desk } from "./desktexts.js";

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string} about
 * @property {string} go
 * @property {() => Promise<void>} act
 * @property {import("../dom.js").Child} [more] Something to choose.
 */

export class Asking {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Question | null} */
    this.question = null;
    this.busy = false;
  }

  /** @param {Question} question */
  ask(question) {
    this.question = question;
    this.changed();
    const dialog = /** @type {HTMLDialogElement | null} */ (
      document.querySelector("dialog.asking")
    );
    if (dialog && !dialog.open) dialog.showModal();
  }

  close() {
    this.question = null;
    this.changed();
  }

  async go() {
    if (!this.question || this.busy) return;
    this.busy = true;
    await this.question.act();
    this.busy = false;
    this.close();
  }

  draw() {
    const { question } = this;
    if (!question) return null;
    return h(
      "dialog",
      { class: "asking", key: "asking", "aria-labelledby": "asking", oncancel: () => this.close() },
      h("h2", { id: "asking" }, question.title),
      h("p", { class: "note" }, question.about),
      question.more ?? null,
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          { class: "button danger", type: "button", onclick: () => this.go() },
          question.go,
        ),
        h("button", { class: "button", type: "button", onclick: () => this.close() }, desk.back),
      ),
    );
  }
}
