// The form that makes a tournament.

import { h } from "../dom.js";
import { field, section } from "../parts.js";
import { desk } from "./desktexts.js";
import { readTeams } from "./teams.js";

/**
 * @typedef {object} Wish
 * @property {string} game
 * @property {string} id
 * @property {object} plan
 * @property {import("./teams.js").Team[]} entrants
 * @property {object} options
 * @property {number} no_show_s
 * @property {boolean} open
 * @property {boolean} open_names
 */

/** @param {{ changed: () => void, make: (wish: Wish) => Promise<void> }} how */
export function newForm({ changed, make }) {
  const state = {
    game: "",
    id: "",
    format: "knockout",
    deals: "fresh",
    bestOf: "1",
    seats: "2",
    clock: "10",
    pace: "0",
    noShow: "25",
    teams: "",
    keys: true,
    open: false,
    wrong: "",
    busy: false,
  };

  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (state.busy) return;
    const { teams, wrong } = readTeams(state.teams);
    state.wrong = wrong;
    if (!wrong) {
      state.busy = true;
      changed();
      try {
        await make(wishOf(teams));
        Object.assign(state, { id: "", teams: "" });
      } catch (error) {
        state.wrong = error instanceof Error ? error.message : String(error);
      }
      state.busy = false;
    }
    changed();
  };

  /** @param {import("./teams.js").Team[]} entrants @returns {Wish} */
  const wishOf = (entrants) => ({
    game: state.game,
    id: state.id.trim(),
    plan: {
      format: state.format,
      best_of: Number(state.bestOf),
      deals: state.deals,
      table_seats: Number(state.seats),
      max_entrants: state.open ? 64 : Math.max(2, entrants.length),
    },
    entrants,
    options: {
      turn_timeout_ms: Math.round(Number(state.clock) * 1000),
      pace_ms: Math.round(Number(state.pace) * 1000),
    },
    no_show_s: Number(state.noShow),
    open: state.open,
    open_names: !state.keys,
  });

  /** @param {"id" | "bestOf" | "seats" | "clock" | "pace" | "noShow"} what @param {object} more */
  const input = (what, more) =>
    h("input", {
      value: state[what],
      required: true,
      autocomplete: "off",
      oninput: (/** @type {any} */ event) => (state[what] = event.target.value),
      ...more,
    });

  /** @param {"keys" | "open"} what @param {string} label */
  const check = (what, label) =>
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        checked: state[what],
        onchange: (/** @type {any} */ event) => (state[what] = event.target.checked),
      }),
      h("span", null, label),
    );

  /** @param {Event} event */
  const upload = async (event) => {
    const [file] = /** @type {HTMLInputElement} */ (event.target).files ?? [];
    if (!file) return;
    state.teams = await file.text();
    changed();
  };

  return {
    /** @param {{ name: string, title: string }[]} games */
    draw(games) {
      state.game ||= games[0]?.name ?? "";
      const { teams } = readTeams(state.teams);
      return section(
        desk.make,
        { id: "new" },
        h(
          "form",
          { class: "setup new-tournament", onsubmit: submit },
          field(
            desk.game,
            h(
              "select",
              {
                value: state.game,
                onchange: (/** @type {any} */ event) => (state.game = event.target.value),
              },
              games.map(({ name, title }) => h("option", { value: name }, title)),
            ),
          ),
          field(
            desk.id,
            input("id", { pattern: "[A-Za-z0-9_.\\-]{1,64}", maxlength: 64 }),
            desk.idHint,
          ),
          field(
            desk.format,
            h(
              "select",
              {
                value: state.format,
                onchange: (/** @type {any} */ event) => (state.format = event.target.value),
              },
              desk.formats.map(([value, name]) => h("option", { value }, name)),
            ),
          ),
          field(
            desk.deals,
            h(
              "select",
              {
                value: state.deals,
                onchange: (/** @type {any} */ event) => (state.deals = event.target.value),
              },
              desk.dealings.map(([value, name]) => h("option", { value }, name)),
            ),
          ),
          h(
            "div",
            { class: "numbers" },
            field(desk.bestOf, input("bestOf", { type: "number", min: 1, max: 99, step: 2 })),
            field(desk.seats, input("seats", { type: "number", min: 2, max: 9 })),
            field(desk.clock, input("clock", { type: "number", min: 0, step: "any" })),
            field(desk.noShow, input("noShow", { type: "number", min: 1 })),
            field(desk.pace, input("pace", { type: "number", min: 0, step: "any" })),
          ),
          field(
            `${desk.teams}${teams.length > 0 ? ` (${teams.length})` : ""}`,
            h("textarea", {
              rows: 8,
              value: state.teams,
              spellcheck: "false",
              oninput: (/** @type {any} */ event) => {
                state.teams = event.target.value;
                changed();
              },
            }),
            desk.teamsHint,
          ),
          field(
            desk.upload,
            h("input", { type: "file", accept: ".csv,.txt,text/csv,text/plain", onchange: upload }),
          ),
          check("keys", desk.keys),
          check("open", desk.open),
          state.wrong ? h("p", { class: "notice wrong", role: "alert" }, state.wrong) : null,
          h(
            "button",
            { class: "button main large", type: "submit", disabled: state.busy },
            desk.create,
          ),
        ),
      );
    },
  };
}
