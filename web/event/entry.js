// Entering an open tournament under a claimed name.

import { send } from "../api.js";
import { h } from "../dom.js";
import { copyField, field, section } from "../parts.js";
import { formatOf } from "./model.js";
import { events } from "./words.js";

/** @param {string} game @param {string} id @param {() => void} changed */
export function entryForm(game, id, changed) {
  const state = { name: "", key: "", display: "", playsAs: "", wrong: "", done: "", busy: false };
  const address = `/api/v1/tournaments/${game}/${encodeURIComponent(id)}/entry`;

  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (state.busy) return;
    Object.assign(state, { busy: true, wrong: "", done: "" });
    changed();
    try {
      const { name, display, playsAs } = state;
      const body = { name, display: display || undefined, plays_as: playsAs || undefined };
      await send("POST", address, body, state.key.trim());
      state.done = events.enter.done(display || name);
      state.key = "";
    } catch (error) {
      state.wrong = error instanceof Error ? error.message : String(error);
    }
    state.busy = false;
    changed();
  };

  /** @param {"name" | "key" | "display" | "playsAs"} what @param {string} label @param {object} [more] */
  const entry = (what, label, more = {}) =>
    field(
      label,
      h("input", {
        value: state[what],
        autocomplete: "off",
        oninput: (/** @type {any} */ event) => (state[what] = event.target.value),
        ...more,
      }),
    );

  return {
    /** @param {import("./types.d.ts").Tournament} tournament */
    draw(tournament) {
      const { title, about, name, key, display, playsAs, go, claim, command } = events.enter;
      return section(
        title,
        { id: "enter" },
        h("p", { class: "note" }, about),
        h(
          "form",
          { class: "setup entry", onsubmit: submit },
          entry("name", name, { required: true, maxlength: 24 }),
          entry("key", key, { required: true, type: "password", placeholder: "pk_…" }),
          entry("display", display, { maxlength: 60 }),
          tournament.game === "labyrinth" ? entry("playsAs", playsAs) : null,
          state.wrong ? h("p", { class: "notice wrong", role: "alert" }, state.wrong) : null,
          state.done ? h("p", { class: "notice", role: "status" }, state.done) : null,
          h("button", { class: "button main", type: "submit", disabled: state.busy }, go),
        ),
        h("p", { class: "note" }, h("a", { href: "/connect" }, claim)),
        h("p", { class: "note" }, command),
        copyField(
          `parlor ${formatOf(tournament).name === "ladder" ? "ladder" : "tournament"} enter ${game} ${id} NAME --key-file NAME.key --url ${location.host}`,
          changed,
        ),
      );
    },
  };
}
