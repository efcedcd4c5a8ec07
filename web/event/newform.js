// The form that makes a tournament.

import { h } from "../dom.js";
import { field, section } from "../parts.js";
import { desk } from "./desktexts.js";
import { readOptions, readTeams } from "./teams.js";

/**
 * @typedef {object} Wish
 * @property {string} game
 * @property {string} id
 * @property {object} plan
 * @property {import("./teams.js").Team[]} entrants
 * @property {object} options
 * @property {number} no_show_s
 * @property {boolean} open
 * @property {boolean} starts_when_full
 * @property {boolean} open_names
 * @property {"open" | "claimed"} entry
 */

/** @typedef {"bestOf" | "seats" | "clock" | "pace" | "noShow" | "gameLimit" | "rounds" | "cycles" | "challengers" | "drawReplays" | "concurrency" | "most"} NumberField */

/** 64 hexadecimal digits, or a number as `--seed` takes it. @param {string} text */
function seedOf(text) {
  if (text.length === 64) return text.toLowerCase();
  // As the command line writes a number: eight bytes, the lowest first, and zeros.
  const bytes = Array.from({ length: 8 }, (_, at) => (BigInt(text) >> BigInt(8 * at)) & 255n);
  return bytes
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .padEnd(64, "0");
}

/** Those that have a field of their own, or mean nothing in a tournament. */
const ELSEWHERE = [
  ...["players", "turn_timeout_ms", "pace_ms", "game_timeout_s", "broadcast", "house_bots"],
  ...["house_bots_after_ms", "waiting_expire_s", "gather_ms"],
];

/** What there is to set, and how it is now. @param {Record<string, unknown>} options */
function optionWords(options) {
  const known = Object.entries(options).filter(([key]) => !ELSEWHERE.includes(key));
  const said = known.map(([key, value]) => [key, JSON.stringify(value)].join("="));
  return `${desk.setHint} ${said.filter((each) => each.length < 60).join(", ")}.`;
}

/** @typedef {{ name: string, title: string, options?: Record<string, unknown> }} Hosted */

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
    gameLimit: "60",
    rounds: "0",
    cycles: "1",
    challengers: "1",
    drawReplays: "2",
    concurrency: "0",
    most: "64",
    seed: "",
    broadcast: "public",
    rated: true,
    startsFull: false,
    teams: "",
    keys: true,
    open: false,
    claimed: false,
    set: "",
    wrong: "",
    busy: false,
  };

  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (state.busy) return;
    const { teams, wrong } = readTeams(state.teams);
    state.wrong =
      wrong || readOptions(state.set).wrong || (teams.length < 2 && !state.open ? desk.tooFew : "");
    if (!state.wrong) {
      state.busy = true;
      changed();
      try {
        await make(wishOf(teams));
        Object.assign(state, { id: "", teams: "", set: "" });
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
      format: formatOf(),
      best_of: Number(state.bestOf),
      draw_replays: Number(state.drawReplays),
      deals: state.deals,
      table_seats: Number(state.seats),
      max_entrants: Math.max(2, entrants.length, state.open ? Number(state.most) : 0),
      concurrency: Number(state.concurrency),
      rated: state.rated,
      ...(state.seed.trim() ? { seed: seedOf(state.seed.trim()) } : {}),
    },
    entrants,
    options: {
      turn_timeout_ms: Math.round(Number(state.clock) * 1000),
      pace_ms: Math.round(Number(state.pace) * 1000),
      game_timeout_s: Math.round(Number(state.gameLimit) * 60),
      broadcast: state.broadcast,
      // Whoever types an option means it.
      ...readOptions(state.set).options,
    },
    no_show_s: Number(state.noShow),
    open: state.open,
    starts_when_full: state.open && state.startsFull,
    open_names: !state.keys,
    entry: state.open && state.claimed ? "claimed" : "open",
  });

  /** The format with its numbers, as a plan has it. */
  const formatOf = () => {
    const { format } = state;
    const cycles = Number(state.cycles);
    if (format === "swiss") return { swiss: { rounds: Number(state.rounds) } };
    if (format === "round-robin") return { "round-robin": { cycles } };
    if (format === "gauntlet")
      return { gauntlet: { challengers: Number(state.challengers), cycles } };
    return format;
  };

  /** @param {NumberField | "id" | "seed"} what @param {object} more */
  const input = (what, more) =>
    h("input", {
      value: state[what],
      required: true,
      autocomplete: "off",
      oninput: (/** @type {any} */ event) => (state[what] = event.target.value),
      ...more,
    });

  /** @param {string} label @param {NumberField} what @param {object} [more] */
  const number = (label, what, more = {}) =>
    field(label, input(what, { type: "number", min: 0, ...more }));

  /** @param {"keys" | "open" | "claimed" | "rated" | "startsFull"} what @param {string} label */
  const check = (what, label) =>
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        checked: state[what],
        onchange: (/** @type {any} */ event) => {
          state[what] = event.target.checked;
          changed();
        },
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

  /** What only this format has. */
  const numbersOfFormat = () => {
    const { format } = state;
    const cycles = number(desk.cycles, "cycles", { min: 1, max: 1000 });
    const own = {
      swiss: [number(desk.rounds, "rounds", { max: 100 })],
      "round-robin": [cycles],
      gauntlet: [number(desk.challengers, "challengers", { min: 1 }), cycles],
      knockout: [number(desk.drawReplays, "drawReplays", { max: 100 })],
    }[format];
    return own ? h("div", { class: "numbers" }, own) : null;
  };

  /** What few change. @param {Hosted | undefined} game */
  const more = (game) =>
    h(
      "details",
      { class: "more" },
      h("summary", null, desk.more),
      h(
        "div",
        { class: "numbers" },
        number(desk.gameLimit, "gameLimit", { step: "any" }),
        number(desk.concurrency, "concurrency"),
      ),
      field(
        desk.broadcast,
        h(
          "select",
          {
            value: state.broadcast,
            onchange: (/** @type {any} */ event) => (state.broadcast = event.target.value),
          },
          desk.broadcasts.map(([value, name]) => h("option", { value }, name)),
        ),
      ),
      field(
        desk.seed,
        input("seed", { required: false, pattern: "[0-9]{1,15}|[0-9A-Fa-f]{64}" }),
        desk.seedHint,
      ),
      field(
        desk.set,
        h("textarea", {
          rows: 3,
          value: state.set,
          spellcheck: "false",
          placeholder: desk.setExample,
          oninput: (/** @type {any} */ event) => (state.set = event.target.value),
        }),
        optionWords(game?.options ?? {}),
      ),
      check("rated", desk.rated),
    );

  return {
    /** @param {Hosted[]} games */
    draw(games) {
      state.game ||= games[0]?.name ?? "";
      const { teams, wrong } = readTeams(state.teams);
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
                onchange: (/** @type {any} */ event) => {
                  state.game = event.target.value;
                  changed();
                },
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
                onchange: (/** @type {any} */ event) => {
                  state.format = event.target.value;
                  changed();
                },
              },
              desk.formats.map(([value, name]) => h("option", { value }, name)),
            ),
          ),
          numbersOfFormat(),
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
          wrong ? h("p", { class: "notice wrong", role: "status" }, wrong) : null,
          check("keys", desk.keys),
          check("open", desk.open),
          state.open
            ? [
                number(desk.most, "most", { min: 2, max: 65_536 }),
                check("startsFull", desk.startsFull),
                check("claimed", desk.claimed),
              ]
            : null,
          more(games.find(({ name }) => name === state.game)),
          state.wrong && state.wrong !== wrong
            ? h("p", { class: "notice wrong", role: "alert" }, state.wrong)
            : null,
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
