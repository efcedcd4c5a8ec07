// A replay file that is on nobody's server: choose it or drop it here.

import { h } from "../dom.js";
import { onDrop, readReplay } from "../replayfile.js";
import { show } from "../shell.js";
import { words } from "../texts.js";
import { showReplay } from "./replay.js";

export default function open() {
  const stop = new AbortController();
  let wrong = "";

  /** @param {File} file */
  const take = async (file) => {
    try {
      const { game, messages } = await readReplay(file);
      if (game === null) throw new Error(words.replay.whichGame);
      await showReplay(game, file.name, messages);
      stop.abort();
    } catch (error) {
      wrong = words.replay.notShown(file.name, error instanceof Error ? error.message : "");
      draw();
    }
  };

  const draw = () =>
    show(
      { title: words.replay.open },
      h("h1", null, words.replay.open),
      h("p", { class: "lead" }, words.replay.openHint),
      wrong ? h("div", { class: "notice wrong", role: "alert" }, wrong) : null,
      h(
        "label",
        { class: "drop-here" },
        // The control itself, seen as a button like all others.
        h("span", { class: "button main large" }, words.replay.choose),
        h("span", { class: "note" }, words.replay.drop),
        h("input", {
          type: "file",
          class: "visually-hidden",
          accept: ".jsonl",
          onchange: (/** @type {Event} */ event) => {
            const file = /** @type {HTMLInputElement} */ (event.currentTarget).files?.[0];
            if (file) take(file);
          },
        }),
      ),
    );

  onDrop(take, stop.signal);
  draw();
}
