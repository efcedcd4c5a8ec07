// What a boat has: charges as dials, shields and the rest as pieces one can count. In full where there
// is room, as bars where there is less, as a line where there are many.

import { h } from "../../../../web/dom.js";
import { cut, widthOf } from "../../../../web/fit.js";
import { seatColour, seatGlyph } from "../../../../web/marks.js";
import { PATHS, boat as boatMotif, round, sign } from "./art.js";
import { at } from "./words.js";

/** @import { Boat, Box, Kind, Sub } from "./types.d.ts" */

export const EQUIPMENT = ["sonar", "torpedo", "mine", "sprint"];

/** @type {Record<string, string>} */
export const NAMES = {
  sonar: "Sonar",
  torpedo: "Torpedo",
  mine: "Mine",
  sprint: "Sprint",
  none: "Nothing",
};

/** @param {Sub} state @param {string} name @returns {number} */
export function chargeOf(state, name) {
  return /** @type {any} */ (state)[`${name}_charge`];
}

/** @param {Kind} kind @param {string} name @returns {number} */
export function mostOf(kind, name) {
  return /** @type {any} */ (kind)[`max_${name}_charge`];
}

/** What the charge is good for. @param {any} state @param {string} name */
export function meaning(state, name) {
  const range = /** @type {any} */ (state)[`${name}_range`];
  if (range) return `range ${range}`;
  return state.mine_ready && name === "mine"
    ? "ready"
    : chargeOf(state, name)
      ? "charging"
      : "empty";
}

/** Words in a drawing, by their middle, end or start. @param {string} kind @param {number} x @param {number} y @param {any} words */
export function text(kind, x, y, words) {
  return h("text", { class: kind, x: round(x), y: round(y) }, words);
}

/** The sheet a gauge stands on. @param {Box} box @param {string} key @param {...any} inside */
export function sheet({ x, y, w, h: high }, key, ...inside) {
  return h(
    "g",
    { key, transform: `translate(${round(x)} ${round(y)})` },
    h("rect", {
      class: "sheet",
      x: 0.5,
      y: 0.5,
      width: round(w - 1),
      height: round(high - 1),
      rx: 12,
    }),
    ...inside,
  );
}

/** @param {any} state @param {string} doing */
function status(state, doing) {
  if (state.dead) return "sunk";
  return state.surface_remain ? `at the surface, ${state.surface_remain} more` : doing;
}

/** How far round its dial a charge is. @param {Boat} boat @param {string} name */
function share({ state, kind }, name) {
  const charge = chargeOf(state, name);
  const most = mostOf(kind, name);
  // Of a hundred steps the first twenty are those that matter: a chart is about as wide.
  return { charge, most, part: Math.min(1, charge / Math.max(1, Math.min(most, 20))) };
}

const SWEEP = 240;

/** @param {number} turn @param {number} r */
function onDial(turn, r) {
  const angle = ((turn - 90 - SWEEP / 2) * Math.PI) / 180;
  return `${round(r * Math.cos(angle))} ${round(r * Math.sin(angle))}`;
}

/** @param {number} degrees */
function arc(degrees) {
  return `M${onDial(0, 25)}A25 25 0 ${degrees > 180 ? 1 : 0} 1 ${onDial(degrees, 25)}`;
}

const RIM = h("path", { class: "dial rim-of-dial", d: arc(SWEEP) });
const TICKS = h("path", {
  class: "ticks",
  d: [30, 60, 90, 120, 150, 180, 210].map((t) => `M${onDial(t, 18)}L${onDial(t, 19.8)}`).join(""),
});

/** @param {Boat} boat @param {string} name @param {{ x: number, y: number, k: number }} place */
function dial(boat, name, { x, y, k }) {
  const { charge, most, part } = share(boat, name);
  const colour = seatColour(boat.seat);
  const low = 22 * k + 16;
  return h(
    "g",
    { transform: `translate(${round(x)} ${round(y)})` },
    h(
      "g",
      { transform: `scale(${k})` },
      RIM,
      TICKS,
      part > 0 ? h("path", { class: "dial", d: arc(round(SWEEP * part)), stroke: colour }) : null,
    ),
    text("mid strong large", 0, 6, charge),
    text("mid", 0, 21 * k, `of ${most}`),
    sign(name, { x: -NAMES[name].length * 3.5 - 7, y: low - 4, size: 14, colour }),
    text("mid strong", 5, low, NAMES[name]),
    text("mid", 0, low + 16, meaning(boat.state, name)),
  );
}

/** A shield, a piece of the reactor, a torpedo, a mine. @type {Record<string, number>} */
const STEPS = { shield: 21, reactor: 11.4, torpedo: 11.4, mine: 18 };

/** Pieces one can count; none where they are too many. @param {string} what @param {number} have @param {number} of @param {number} room @param {number} seat */
function pieces(what, have, of, room, seat) {
  const pitch = Math.min(STEPS[what], room / Math.max(1, of));
  if (pitch < 6) return null;
  const colour = what === "shield" || what === "reactor" ? seatColour(seat) : "var(--iron)";
  return Array.from({ length: of }, (_, index) =>
    h("path", {
      class: index < have ? "piece" : `piece gone ${what}`,
      d: PATHS[what],
      transform: `translate(${round(index * pitch)} 0)`,
      color: colour,
    }),
  );
}

/** @param {Boat} boat @param {number} room @param {boolean} [whole] With those that have no limit. @returns {[name: string, sign: string, words: string, pieces: any][]} */
function stocks({ seat, state, kind }, room, whole = false) {
  const { shields, reactor_damage: damage, torpedoes, mines } = state;
  const row = (/** @type {string} */ what, /** @type {number} */ have, /** @type {number} */ of) =>
    /** @type {[string, any]} */ ([`${have} of ${of}`, pieces(what, have, of, room, seat)]);
  /** @type {[string, string, string, any][]} */
  const all = [
    ["Shields", "shield", ...row("shield", shields, kind.max_shields)],
    ["Reactor", "reactor", ...row("reactor", damage, kind.max_reactor_damage)],
  ];
  /** @type {[string, string, number | null, number | null][]} */
  const limited = [
    ["Torpedoes", "torpedo", torpedoes, kind.torpedo_count],
    ["Mines", "mine", mines, kind.mine_count],
  ];
  for (const [name, what, have, of] of limited) {
    if (have !== null) all.push([name, what, ...row(what, have, of ?? have)]);
    else if (whole) all.push([name, what, "no limit", pieces(what, 1, 1, room, seat)]);
  }
  return all;
}

/** How many rows of pieces. @param {Boat} boat */
function stockCount({ state }) {
  return 2 + Number(state.torpedoes !== null) + Number(state.mines !== null);
}

/** How high a full gauge is at least. @param {Boat} boat */
export function fullHeight(boat) {
  return 168 + 22 * stockCount(boat);
}

/** @param {Boat} boat @param {{ name: string, doing: string, box: Box }} how */
export function full(boat, { name, doing, box }) {
  const { seat, state } = boat;
  const { w } = box;
  const spare = box.h - fullHeight(boat);
  const k = round(Math.min(1 + Math.max(0, spare) / 150, ((w - 24) / 4 - 5) / 56, 1.3));
  const y = 54 + 31 * k;
  const below = y + 22 * k + 46;
  const rows = stocks(boat, w - 232, spare > 44);
  const pitch = Math.min(30, (box.h - below - 14) / rows.length);
  const said = status(state, doing);
  const beside = Math.max(widthOf(at(state.square), 13, true), widthOf(said, 12));
  const room = w - 16 - 49 - 8 - beside;
  const short = cut(name, room, 16, true);
  const end = 49 + widthOf(short, 16, true);
  return sheet(
    box,
    `gauge ${seat} ${boat.id}`,
    seatGlyph(seat, { x: 28, y: 28, size: 26, name }),
    text("strong name", 49, 33.5, short),
    49 + room - end > 60
      ? h(
          "g",
          { transform: `translate(${Math.round(end + 29)} 28)` },
          boatMotif(seat, { scale: 0.8, wreck: state.dead }),
        )
      : null,
    text("end strong list", w - 16, 25, at(state.square)),
    text("end", w - 16, 41, said),
    EQUIPMENT.map((each, index) =>
      dial(boat, each, { x: 12 + ((w - 24) * (index + 0.5)) / 4, y, k }),
    ),
    h("path", { d: `M16 ${round(below)}H${w - 16}`, stroke: "var(--hairline)" }),
    rows.map(([label, what, words, some], index) =>
      h(
        "g",
        { transform: `translate(0 ${round(below + 7 + pitch * (index + 0.5))})` },
        text("ink list", 16, 4.4, label),
        h("g", { transform: "translate(96 0)" }, some),
        text("end strong list", w - 16, 4.4, what === "reactor" ? `damage ${words}` : words),
      ),
    ),
  );
}

/** How high a gauge of bars is. @param {Boat} boat */
export function barsHeight(boat) {
  return stockCount(boat) > 2 ? 188 : 164;
}

/** @param {Boat} boat @param {{ name: string, box: Box }} how */
export function bars(boat, { name, box }) {
  const { seat, state, kind } = boat;
  const { w } = box;
  const colour = seatColour(seat);
  const long = w - 128;
  const spare = box.h - barsHeight(boat);
  const pitch = 20 + spare / 8;
  const below = 47 + 4 * pitch + spare / 8;
  const rows = stocks(boat, 76);
  const where = state.dead ? "sunk" : state.surface_remain ? "surfaced" : at(state.square);
  return sheet(
    box,
    `gauge ${seat} ${boat.id}`,
    seatGlyph(seat, { x: 22, y: 23, size: 22, name }),
    text("strong name", 40, 28.5, cut(name, w - 60 - widthOf(where, 13), 16, true)),
    text("end ink list", w - 12, 28, where),
    EQUIPMENT.map((each, index) => {
      const { charge, part } = share(boat, each);
      return h(
        "g",
        { transform: `translate(0 ${round(41 + spare / 16 + pitch * (index + 0.5))})` },
        sign(each, { x: 20, y: 0, size: 14, colour }),
        text("ink", 34, 4.2, NAMES[each]),
        h("path", { class: "dial rim-of-dial", d: `M92 0h${round(long)}` }),
        part > 0
          ? h("path", { class: "dial", d: `M92 0h${round(long * part)}`, stroke: colour })
          : null,
        text("end strong list", w - 12, 4.4, charge),
      );
    }),
    h("path", { d: `M12 ${round(below)}H${round(w - 12)}`, stroke: "var(--hairline)" }),
    rows.map(([, what, words, some], index) => {
      const [x, y] = [
        index % 2 ? w / 2 + 12 : 21,
        below + 19 + spare / 8 + 24 * Math.floor(index / 2),
      ];
      const countable = what === "shield" && kind.max_shields <= 3 && some;
      return h(
        "g",
        { transform: `translate(${round(x)} ${round(y)})` },
        countable || [sign(what, { x: 0, y: 0, size: 15 }), text("strong", 13, 4.4, words)],
      );
    }),
  );
}

export const LINE = 26;

/** One of many boats, in a line. @param {Boat} boat @param {{ name: string, score: number | null, box: Box }} how */
export function line({ seat, id, state }, { name, score, box: { x, y, w } }) {
  const low = LINE / 2 + 4.4;
  return h(
    "g",
    { key: `gauge ${seat} ${id}`, transform: `translate(${round(x)} ${round(y)})` },
    seatGlyph(seat, { x: 14, y: LINE / 2, size: 18, name }),
    text("ink list", 30, low, cut(name, w - 30 - 76, 13)),
    state.dead
      ? text("end", w - 36, low, "sunk")
      : [
          sign("shield", { x: w - 58, y: LINE / 2, size: 13, colour: seatColour(seat) }),
          text("", w - 46, low, state.shields),
        ],
    text("end strong list", w - 8, low, score ?? ""),
  );
}
