// What a boat has: charges as dials, shields and the rest as pieces one can count. In full where there
// is room, as bars where there is less, as a line where there are many.

import { h } from "../../../../web/dom.js";
import { seatColour, seatGlyph } from "../../../../web/marks.js";
import { boat as boatMotif, round, sign } from "./art.js";
import { at } from "./words.js";

/**
 * @typedef {import("./scene.js").Boat} Boat
 * @typedef {import("../../../../web/dom.js").VNode} VNode
 * @typedef {{ x: number, y: number, w: number, h: number }} Box
 */

const NAMES = { sonar: "Sonar", torpedo: "Torpedo", mine: "Mine", sprint: "Sprint" };

/** @typedef {keyof typeof NAMES} Equipment */

/** @type {Equipment[]} */
export const EQUIPMENT = ["sonar", "torpedo", "mine", "sprint"];

/** @param {string} name */
export function equipmentName(name) {
  return NAMES[/** @type {Equipment} */ (name)] ?? "Nothing";
}

/** What the charge is good for. @param {any} state @param {Equipment} name */
export function meaning(state, name) {
  if (name === "mine") return state.mine_ready ? "ready" : state.mine_charge ? "charging" : "empty";
  const range = state[`${name}_range`];
  if (range) return `range ${range}`;
  return state[`${name}_charge`] ? "charging" : "empty";
}

/** @param {any} props @param {...any} words */
function text(props, ...words) {
  return h("text", { "font-size": 12, fill: "var(--ink-2)", ...props }, ...words);
}

/** The sheet a gauge stands on. @param {Box} box @param {string} key @param {...any} inside */
export function sheet({ x, y, w, h: high }, key, ...inside) {
  return h(
    "g",
    { key, transform: `translate(${round(x)} ${round(y)})` },
    h("rect", {
      ...{ x: 0.5, y: 0.5, width: round(w - 1), height: round(high - 1), rx: 12 },
      fill: "var(--sheet)",
      stroke: "var(--hairline)",
    }),
    ...inside,
  );
}

/** @param {Boat} boat @param {string} name @param {number} w @param {string} doing */
function heading({ seat, state, heading }, name, w, doing) {
  const status = state.dead
    ? "sunk"
    : state.surface_remain
      ? `at the surface, ${state.surface_remain} more`
      : doing;
  const cut = name.length > 15 ? `${name.slice(0, 14)}…` : name;
  return [
    seatGlyph(seat, { x: 27, y: 28, size: 26, name }),
    text({ x: 48, y: 33, "font-size": 16, "font-weight": 600, fill: "var(--ink)" }, cut),
    text(
      {
        x: w - 16,
        y: 25,
        "text-anchor": "end",
        "font-weight": 600,
        fill: "var(--ink)",
        "font-size": 13,
      },
      at(state.square),
    ),
    text({ x: w - 16, y: 41, "text-anchor": "end" }, status),
    w > 280 && cut.length < 10
      ? h(
          "g",
          { transform: `translate(${Math.round(48 + cut.length * 9.4 + 28)} 28)` },
          boatMotif(seat, { heading: heading === "W" ? "W" : "E", scale: 0.8, wreck: state.dead }),
        )
      : null,
  ];
}

/** @param {Boat} boat @param {Equipment} name */
function share({ state, kind }, name) {
  const most = kind[`max_${name}_charge`];
  // A sonar of 100 steps is as good as full long before.
  const scale = Math.max(1, Math.min(most, name === "sprint" || name === "mine" ? most : 20));
  return {
    charge: state[`${name}_charge`],
    most,
    part: Math.min(1, state[`${name}_charge`] / scale),
  };
}

const SWEEP = 240;

/** @param {number} r @param {number} degrees */
function arc(r, degrees) {
  const point = (/** @type {number} */ turn) => {
    const angle = ((turn - 90 - SWEEP / 2) * Math.PI) / 180;
    return `${round(r * Math.cos(angle))} ${round(r * Math.sin(angle))}`;
  };
  return `M${point(0)}A${r} ${r} 0 ${degrees > 180 ? 1 : 0} 1 ${point(degrees)}`;
}

const DIAL = 25;
const RIM = h("path", {
  d: arc(DIAL, SWEEP),
  fill: "none",
  stroke: "var(--rule)",
  "stroke-width": 6,
  "stroke-linecap": "round",
});
const TICKS = h("path", {
  d: Array.from({ length: 9 }, (_, at) => {
    const angle = ((30 + 30 * at - 90 - 30 - SWEEP / 2 + 30) * Math.PI) / 180;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    return `M${round(18 * x)} ${round(18 * y)}L${round(19.8 * x)} ${round(19.8 * y)}`;
  }).join(""),
  stroke: "var(--ink-3)",
  "stroke-width": 1.2,
});

/** @param {Boat} boat @param {Equipment} name @param {number} x @param {number} y */
function dial(boat, name, x, y) {
  const { charge, most, part } = share(boat, name);
  const colour = seatColour(boat.seat);
  const said = meaning(boat.state, name);
  return h(
    "g",
    { transform: `translate(${round(x)} ${round(y)})` },
    RIM,
    TICKS,
    part > 0
      ? h("path", {
          ...{ class: "dial", d: arc(DIAL, round(SWEEP * part)), fill: "none" },
          ...{ stroke: colour, "stroke-width": 6, "stroke-linecap": "round" },
        })
      : null,
    text(
      { y: 6, "text-anchor": "middle", "font-size": 19, "font-weight": 600, fill: "var(--ink)" },
      charge,
    ),
    text({ y: 21, "text-anchor": "middle" }, `of ${most}`),
    sign(name, { x: -NAMES[name].length * 3.6 - 8, y: 36, size: 14, colour }),
    text(
      { x: 4, y: 40.5, "text-anchor": "middle", "font-weight": 600, fill: "var(--ink)" },
      NAMES[name],
    ),
    text(
      { y: 56, "text-anchor": "middle", fill: said === "ready" ? "var(--accent)" : "var(--ink-2)" },
      said,
    ),
  );
}

/** Pieces one can count, or the number alone where they are too many. @param {number} have @param {number} of @param {number} room @param {(whole: boolean, x: number) => VNode} piece @param {number} step */
function pieces(have, of, room, piece, step) {
  const many = Math.max(have, of);
  if (many === 0) return null;
  const pitch = Math.min(step, room / many);
  if (pitch < 6) return null;
  return Array.from({ length: many }, (_, index) => piece(index < have, round(index * pitch)));
}

const SHIELD =
  "M0-7.4C2-6 4.2-5.3 6.4-5.2V-.4C6.4 3.6 3.8 6.2 0 7.8C-3.8 6.2-6.4 3.6-6.4-.4V-5.2C-4.2-5.3-2-6 0-7.4z";
const ROUND = "M-3 8V-2C-3-5.4-1.4-7.4 0-8.2C1.4-7.4 3-5.4 3-2V8z";

/** @param {Boat} boat @param {number} w @param {boolean} short @returns {{ name: string, icon: string, words: string, pieces: any }[]} */
function stocks({ seat, state, kind }, w, short) {
  const colour = seatColour(seat);
  const room = w - (short ? 24 : 190);
  const shield = (/** @type {boolean} */ whole, /** @type {number} */ x) =>
    h("path", {
      ...{ d: SHIELD, transform: `translate(${x} 0)`, fill: whole ? colour : "none" },
      ...{ stroke: whole ? colour : "var(--ink-3)", "stroke-dasharray": whole ? null : "2.4 2.4" },
      "stroke-width": 1.3,
    });
  const bar = (/** @type {boolean} */ whole, /** @type {number} */ x) =>
    h("rect", {
      ...{ x: x - 4, y: -7, width: 8.4, height: 14, rx: 2.4, fill: whole ? colour : "none" },
      ...{ stroke: whole ? colour : "var(--rule)", "stroke-width": 1.3 },
    });
  const round_ = (/** @type {boolean} */ whole, /** @type {number} */ x) =>
    h("path", {
      ...{ d: ROUND, transform: `translate(${x} 0)`, fill: whole ? "var(--iron)" : "none" },
      ...{ stroke: whole ? "none" : "var(--rule)", "stroke-width": 1.2 },
    });
  const ball = (/** @type {boolean} */ whole, /** @type {number} */ x) =>
    whole
      ? sign("mine", { x, y: 0, size: 15, colour: "var(--iron)" })
      : h("circle", { cx: x, r: 5, fill: "none", stroke: "var(--rule)", "stroke-width": 1.3 });
  const all = [
    {
      name: "Shields",
      icon: "shield",
      words: `${state.shields} of ${kind.max_shields}`,
      pieces: pieces(state.shields, kind.max_shields, room, shield, 22),
    },
    {
      name: "Reactor",
      icon: "reactor",
      words: short
        ? `${state.reactor_damage} of ${kind.max_reactor_damage}`
        : `damage ${state.reactor_damage} of ${kind.max_reactor_damage}`,
      pieces: pieces(
        Math.min(state.reactor_damage, kind.max_reactor_damage),
        kind.max_reactor_damage,
        room,
        bar,
        11.4,
      ),
    },
  ];
  if (state.torpedoes !== null) {
    const of = kind.torpedo_count ?? state.torpedoes;
    all.push({
      name: "Torpedoes",
      icon: "torpedo",
      words: `${state.torpedoes} of ${of}`,
      pieces: pieces(state.torpedoes, of, room, round_, 11.4),
    });
  }
  if (state.mines !== null) {
    const of = kind.mine_count ?? state.mines;
    all.push({
      name: "Mines",
      icon: "mine",
      words: `${state.mines} of ${of}`,
      pieces: pieces(state.mines, of, room, ball, 19),
    });
  }
  return all;
}

/** How high a full gauge is at least. @param {Boat} boat */
export function fullHeight({ state }) {
  return 176 + 22 * (2 + Number(state.torpedoes !== null) + Number(state.mines !== null));
}

/** @param {Boat} boat @param {{ name: string, doing: string, box: Box }} how */
export function full(boat, { name, doing, box }) {
  const { w, h: high } = box;
  const rows = stocks(boat, w, false);
  const pitch = Math.min(28, (high - 172) / rows.length);
  return sheet(
    box,
    `gauge ${boat.seat} ${boat.id}`,
    heading(boat, name, w, doing),
    EQUIPMENT.map((each, index) => dial(boat, each, 16 + ((w - 32) * (index + 0.5)) / 4, 88)),
    h("path", { d: `M16 ${158}H${w - 16}`, stroke: "var(--hairline)" }),
    rows.map(({ name, words, pieces }, index) => {
      const y = round(162 + pitch * (index + 0.5));
      return h(
        "g",
        { transform: `translate(0 ${y})` },
        text({ x: 16, y: 4.4, "font-size": 13, fill: "var(--ink)" }, name),
        h("g", { transform: "translate(94 0)" }, pieces),
        text(
          {
            x: w - 16,
            y: 4.4,
            "text-anchor": "end",
            "font-size": 13,
            "font-weight": 600,
            fill: "var(--ink)",
          },
          words,
        ),
      );
    }),
  );
}

/** How high a gauge of bars is. @param {Boat} boat */
export function barsHeight({ state }) {
  return 164 + (state.torpedoes !== null || state.mines !== null ? 24 : 0);
}

/** @param {Boat} boat @param {{ name: string, box: Box }} how */
export function bars(boat, { name, box }) {
  const { w } = box;
  const { seat, state } = boat;
  const colour = seatColour(seat);
  const cut = name.length > 10 ? `${name.slice(0, 9)}…` : name;
  const rows = stocks(boat, w, true);
  return sheet(
    box,
    `gauge ${seat} ${boat.id}`,
    seatGlyph(seat, { x: 22, y: 23, size: 22, name }),
    text({ x: 40, y: 28, "font-size": 15, "font-weight": 600, fill: "var(--ink)" }, cut),
    text(
      { x: w - 12, y: 28, "text-anchor": "end", "font-size": 13, fill: "var(--ink)" },
      state.dead ? "sunk" : state.surface_remain ? "surfaced" : at(state.square),
    ),
    EQUIPMENT.map((each, index) => {
      const { charge, part } = share(boat, each);
      const y = 50 + 20 * index;
      const left = 88;
      const long = w - left - 36;
      return h(
        "g",
        { transform: `translate(0 ${y})` },
        sign(each, { x: 20, y: 0, size: 14, colour }),
        text({ x: 34, y: 4.2, fill: "var(--ink)" }, NAMES[each]),
        h("path", {
          d: `M${left} 0h${round(long)}`,
          stroke: "var(--rule)",
          "stroke-width": 6,
          "stroke-linecap": "round",
        }),
        part > 0
          ? h("path", {
              d: `M${left} 0h${round(long * part)}`,
              stroke: colour,
              "stroke-width": 6,
              "stroke-linecap": "round",
            })
          : null,
        text(
          {
            x: w - 12,
            y: 4.4,
            "text-anchor": "end",
            "font-size": 13,
            "font-weight": 600,
            fill: "var(--ink)",
          },
          charge,
        ),
      );
    }),
    h("path", { d: `M12 126H${w - 12}`, stroke: "var(--hairline)" }),
    rows.map(({ icon, words, pieces: some }, index) => {
      const [x, y] = [index % 2 ? w / 2 + 8 : 20, 145 + 24 * Math.floor(index / 2)];
      const countable = icon === "shield" && boat.kind.max_shields <= 4;
      return h(
        "g",
        { transform: `translate(${round(x)} ${y})` },
        countable ? some : sign(icon, { x: 0, y: 0, size: 15 }),
        countable ? null : text({ x: 13, y: 4.4, fill: "var(--ink)", "font-weight": 600 }, words),
      );
    }),
  );
}

export const LINE = 26;

/** One of many boats, in a line. @param {Boat} boat @param {{ name: string, score: number | null, box: Box }} how */
export function line(boat, { name, score, box: { x, y, w } }) {
  const { seat, state } = boat;
  const long = Math.floor((w - 120) / 7.4);
  const cut = name.length > long ? `${name.slice(0, long - 1)}…` : name;
  const shields = state.dead ? "sunk" : state.shields;
  return h(
    "g",
    { key: `gauge ${seat} ${boat.id}`, transform: `translate(${round(x)} ${round(y)})` },
    seatGlyph(seat, { x: 14, y: LINE / 2, size: 18, name }),
    text({ x: 30, y: LINE / 2 + 4.4, "font-size": 13, fill: "var(--ink)" }, cut),
    state.dead
      ? null
      : sign("shield", { x: w - 66, y: LINE / 2, size: 13, colour: seatColour(seat) }),
    text(
      {
        x: state.dead ? w - 34 : w - 54,
        y: LINE / 2 + 4.4,
        "text-anchor": state.dead ? "end" : "start",
      },
      shields,
    ),
    text(
      {
        x: w - 8,
        y: LINE / 2 + 4.4,
        "text-anchor": "end",
        "font-size": 13,
        "font-weight": 600,
        fill: "var(--ink)",
      },
      score ?? "",
    ),
  );
}
