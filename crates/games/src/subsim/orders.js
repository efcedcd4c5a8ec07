// Giving orders by buttons, below the chart.

import { h } from "../../../../web/dom.js";
import { TURNED, signMark } from "./art.js";
import {
  KINDS,
  advice,
  composed,
  current,
  isFull,
  ownDamage,
  places,
  spoken,
  whyNot,
} from "./draft.js";
import { EQUIPMENT, NAMES, chargeOf, meaning } from "./gauges.js";
import { scene } from "./scene.js";
import { STEPS } from "./targets.js";
import { DIRECTIONS, at, ordered } from "./words.js";

/** @import { Context, Draft, Now, Turn, View } from "./types.d.ts" */

/** @param {View} view @param {Context} ctx */
export function controls(view, ctx) {
  const turn = /** @type {Turn} */ (ctx.turn);
  if (turn.sent) return h("p", { class: "hint" }, "Sent. Waiting for the others.");
  if (view.phase === "placing") return startControls(view, ctx);
  if (!view.choices.length) return h("p", { class: "hint" }, "No boat of yours takes orders now.");
  const now = current(view, ctx);
  const { draft, kind, charges, state, built } = now;
  const set = (/** @type {Draft} */ more) => turn.choose({ ...draft, said: undefined, ...more });
  return h(
    "div",
    { class: "orders" },
    view.choices.length > 1 ? boatsRow(view, now, set) : null,
    row(
      "kinds",
      "Order",
      KINDS.map(([name, label, letter]) => {
        const why = whyNot(now, name);
        const press = () => (why ? set({ said: why }) : set({ kind: name, far: undefined }));
        return button(label, { sign: name, pressed: kind === name, off: why, key: letter, press });
      }),
    ),
    kind === "sleep" || kind === "move"
      ? charges.slice(0, kind === "move" ? 1 : 2).map((chosen, slot) =>
          row(
            "charges",
            kind === "move" ? "Charge" : slot ? "Then charge" : "First charge",
            EQUIPMENT.map((name, index) => {
              const full = isFull(state, built, name);
              const next = charges.map((each, place) => (place === slot ? name : each));
              return button(NAMES[name], {
                ...{ sign: name, pressed: chosen === name, key: slot ? null : String(index + 1) },
                note: full ? "full" : `${chargeOf(state, name)}, ${meaning(state, name)}`,
                press: () => set({ charges: next }),
              });
            }),
          ),
        )
      : null,
    directions(now, set),
    kind === "fire" ? nearby(now, view, ctx, set) : null,
    h(
      "div",
      { class: "give" },
      mainButton(view, ctx, now),
      h(
        "p",
        { class: isDangerous(now) ? "hint danger" : "hint", "aria-live": "polite" },
        advice(now),
      ),
    ),
  );
}

/** Whether the order would hit the boat that gets it. @param {Now} now */
function isDangerous({ kind, state, draft }) {
  return kind === "fire" && draft.target !== undefined && ownDamage(state, draft.target) !== "";
}

/** @param {string} kind @param {string} name @param {any} buttons */
function row(kind, name, buttons) {
  return h(
    "div",
    { class: `row ${kind}`, role: "group", "aria-label": name },
    h("span", { class: "name" }, name),
    buttons,
  );
}

/**
 * @param {string} label
 * @param {{ sign?: string, turned?: number, note?: string, pressed: boolean, off?: string | null, key?: string | null, press: () => void }} how
 */
function button(label, { sign, turned, note, pressed, off = null, key = null, press }) {
  return h(
    "button",
    {
      ...{ class: "button", type: "button", onclick: press, "aria-pressed": pressed },
      ...{ "aria-disabled": off ? "true" : null, title: off ?? (key && `Key ${key}`) },
    },
    sign ? signMark(sign, turned) : null,
    label,
    note ? h("small", null, note) : null,
  );
}

/** @param {View} view @param {Now} now @param {(more: Draft) => void} set */
function boatsRow(view, { choices, done }, set) {
  return row(
    "boats",
    "Boat",
    view.choices.map(({ sub }) =>
      button(`Boat ${sub + 1}`, {
        pressed: sub === choices.sub,
        note: sub in done ? ordered(done[sub]).words : at(view.subs[sub].square),
        press: () =>
          set({ sub, kind: undefined, way: undefined, target: undefined, charges: undefined }),
      }),
    ),
  );
}

/** @param {Now} now @param {(more: Draft) => void} set */
function directions({ kind, choices, draft }, set) {
  if (kind !== "move" && kind !== "mine" && kind !== "sprint") return null;
  /** @type {Map<string, number>} */
  const open = new Map(kind === "sprint" ? choices.sprint : choices[kind].map((way) => [way, 1]));
  const most = (kind === "sprint" && draft.way && open.get(draft.way)) || 0;
  return [
    row(
      "ways",
      "Direction",
      Object.keys(STEPS).map((way) =>
        button(DIRECTIONS[way], {
          ...{ sign: "move", turned: TURNED[way] + 90, pressed: draft.way === way },
          off: open.has(way) ? null : "Not that way",
          press: () =>
            open.has(way)
              ? set({ way, far: undefined })
              : set({ said: `There is no open water to the ${DIRECTIONS[way]}.` }),
        }),
      ),
    ),
    most > 2
      ? row(
          "far",
          "Squares",
          Array.from({ length: most - 1 }, (_, more) =>
            button(String(more + 2), {
              pressed: (draft.far ?? most) === more + 2,
              press: () => set({ far: more + 2 }),
            }),
          ),
        )
      : null,
  ];
}

/** What sonar has found lately and the torpedo reaches. @param {Now} now @param {View} view @param {Context} ctx @param {(more: Draft) => void} set */
function nearby({ choices, draft }, view, ctx, set) {
  const reach = new Set(choices.fire.map(String));
  const near = scene(view, ctx).contacts.filter(({ square }) => reach.has(String(square)));
  if (!near.length) return null;
  return row(
    "contacts",
    "Contacts",
    near.slice(-4).map(({ square, turn }) =>
      button(at(square), {
        note: `turn ${turn}`,
        pressed: String(draft.target) === String(square),
        press: () => set({ target: square, cursor: square }),
      }),
    ),
  );
}

/** @param {View} view @param {Context} ctx @param {Now} now */
function mainButton(view, ctx, now) {
  const { command, missing } = composed(now);
  const several = view.choices.length > 1;
  const words = missing ?? spoken(command);
  return h(
    "button",
    {
      ...{ class: "button main large", type: "button", "aria-disabled": missing ? "true" : null },
      onclick: () => give(view, ctx),
    },
    several && !missing ? `Boat ${now.choices.sub + 1}: ${words.toLowerCase()}` : words,
  );
}

/** Gives the order; with several boats, goes on to the next one. @param {View} view @param {Context} ctx */
export function give(view, ctx) {
  const turn = /** @type {Turn} */ (ctx.turn);
  const now = current(view, ctx);
  const { command, missing } = composed(now);
  if (missing) return turn.choose({ ...now.draft, said: `${missing} first.` });
  const done = { ...now.done, [now.choices.sub]: command };
  const subs = view.choices.map(({ sub }) => sub);
  if (subs.some((sub) => !(sub in done))) return turn.choose({ done });
  turn.act({ orders: subs.map((sub) => ({ sub, command: done[sub] })) });
}

/** @param {View} view @param {Context} ctx */
function startControls(view, ctx) {
  const turn = /** @type {Turn} */ (ctx.turn);
  const draft = /** @type {Draft} */ (turn.draft ?? {});
  const { all, next } = places(view, draft);
  const which = view.kinds.length > 1 ? `boat ${next + 1}` : "your boat";
  const hint = next === -1 ? "No one else sees where you start." : `Choose a square for ${which}.`;
  return h(
    "div",
    { class: "orders" },
    h("p", { class: "hint", "aria-live": "polite" }, draft.said ?? hint),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        {
          ...{ class: "button main large", type: "button" },
          "aria-disabled": next === -1 ? null : "true",
          onclick: () => start(view, turn),
        },
        next === -1 ? `Start at ${all.map(at).join(" and ")}` : "Choose a square",
      ),
      draft.places?.length
        ? button("Start over", { pressed: false, press: () => turn.choose(null) })
        : null,
    ),
  );
}

/** @param {View} view @param {Turn} turn */
export function start(view, turn) {
  const { all, next } = places(view, turn.draft ?? {});
  if (next === -1) turn.act({ place: all });
  else turn.choose({ ...turn.draft, said: "Choose a square on the chart first." });
}
