// The bracket of a knockout: cards in columns, lines between them, one round at a time on a phone.

import { h } from "../dom.js";
import { causeIcon, icon } from "../icons.js";
import { chipMark } from "../marks.js";
import { bracket, candidates, causeOf, gameNow, verdictOf, winnerOf } from "./model.js";
import { causeWords, displayOf, events, roundName, verdicts } from "./words.js";

/**
 * @typedef {import("./types.d.ts").Tournament} Tournament
 * @typedef {import("./model.js").Slot} Slot
 * @typedef {import("../dom.js").VNode} VNode
 *
 * @typedef {object} Size Everything in CSS pixels.
 * @property {number} width Of a card.
 * @property {number} between Two columns.
 * @property {number} row
 * @property {number} gap Between two cards of the first column.
 * @property {number} head
 */

/** @type {Size} */
export const ON_A_PAGE = { width: 232, between: 64, row: 28, gap: 28, head: 72 };

/** @typedef {{ slot: Slot, x: number, y: number, height: number }} Place `y` is the middle. */

/**
 * Where every slot lies.
 * @param {Slot[][]} columns @param {Size} size
 * @returns {{ places: Place[][], width: number, height: number }}
 */
export function layOut(columns, { width, between, row, gap, head }) {
  /** @type {Map<Slot, Place>} */
  const found = new Map();
  /** @type {Place[][]} */
  const places = [];
  let height = head;
  for (const [at, slots] of columns.entries()) {
    let next = head;
    places.push(
      slots.map((slot) => {
        const own = slot.seats * row + 2;
        const from = slot.from.flatMap((source) => found.get(source) ?? []);
        const wanted =
          from.length > 0 ? from.reduce((sum, place) => sum + place.y, 0) / from.length : 0;
        const y = Math.max(wanted, next + own / 2);
        next = y + own / 2 + gap;
        height = Math.max(height, next);
        const place = { slot, x: at * (width + between), y, height: own };
        found.set(slot, place);
        return place;
      }),
    );
  }
  return { places, width: columns.length * (width + between) - between, height };
}

/**
 * @param {Tournament} tournament
 * @param {{ size?: Size, shown?: number, choose?: (round: number) => void, links?: boolean, from?: number, room?: number }} [how] `shown`: the one round a phone shows; `from`: the first round that is drawn; `room`: how wide it may be.
 */
export function drawBracket(
  tournament,
  { size = ON_A_PAGE, shown = 0, choose, links = true, from = 0, room } = {},
) {
  const columns = bracket(tournament).slice(from);
  const { places, width, height } = layOut(columns, size);
  const names = columns.map((slots, at) => columnName(tournament, slots, from + at + 1));
  return h(
    "div",
    { class: "bracket-box" },
    choose ? roundChoice(names, shown, choose) : null,
    choose && room !== undefined && width > room
      ? h("p", { class: "note small scroll-hint" }, events.scrollRight)
      : null,
    h(
      "div",
      { class: "bracket-scroll", tabindex: "0", role: "region", "aria-label": events.schedule },
      h(
        "div",
        { class: "bracket", style: { width: `${width}px`, height: `${height}px` } },
        lines(places, width, height, size),
        columns.map((slots, at) =>
          h(
            "section",
            { class: `column ${at === shown ? "shown" : ""}`, key: at, "aria-label": names[at] },
            head(names[at], slots, at * (size.width + size.between), size),
            places[at].map((place, row) =>
              card(tournament, place, size, { key: `${at}/${row}`, links }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {Tournament} tournament @param {Slot[]} slots @param {number} round From 1. */
export function columnName({ plan }, slots, round) {
  const players = slots.reduce((sum, slot) => sum + slot.seats, 0);
  return roundName(players, plan.table_seats, round);
}

/** A bracket's size that fits into a width, as long as names can still be read. @param {number} rounds @param {number} room In CSS pixels. @returns {Size} */
export function sizeFor(rounds, room) {
  const between = rounds > 4 ? 32 : ON_A_PAGE.between;
  const width = Math.floor((room - (rounds - 1) * between) / Math.max(1, rounds));
  return { ...ON_A_PAGE, between, width: Math.max(168, Math.min(ON_A_PAGE.width, width)) };
}

/** @param {string[]} names @param {number} shown @param {(round: number) => void} choose */
function roundChoice(names, shown, choose) {
  return h(
    "div",
    { class: "choice round-choice", role: "group", "aria-label": events.round390 },
    names.map((name, at) =>
      h(
        "button",
        { type: "button", "aria-pressed": at === shown, onclick: () => choose(at) },
        name,
      ),
    ),
  );
}

/** @param {string} name @param {Slot[]} slots @param {number} x @param {Size} size */
function head(name, slots, x, size) {
  const live = slots.filter(({ pairing }) => pairing && !pairing.decision).length;
  const done = slots.filter(({ pairing }) => pairing?.decision).length;
  const state = done === slots.length ? "done" : live > 0 ? "now" : "later";
  const note = { done: "done", now: `${done} done, ${live} to go`, later: events.nextRound }[state];
  return h(
    "header",
    { class: state, style: { left: `${x}px`, width: `${size.width}px` } },
    h("h2", null, name),
    h("p", { class: "note small" }, note),
  );
}

/** @param {Tournament} tournament @param {Place} place @param {Size} size @param {{ key: string, links: boolean }} how */
function card(tournament, { slot, x, y, height }, size, { key, links }) {
  const style = {
    left: `${x}px`,
    top: `${y - height / 2}px`,
    width: `${size.width}px`,
    "--row": `${size.row}px`,
  };
  return pairingCard(tournament, slot, { key, links, style });
}

/** @param {Tournament} tournament @param {Slot} slot @param {{ key: string, links: boolean, style?: Record<string, string> }} how */
export function pairingCard(tournament, slot, { key, links, style = {} }) {
  const { pairing } = slot;
  if (!pairing) {
    return h(
      "div",
      { class: "pairing-card later", key, style },
      candidates(slot).map((row) => laterRow(tournament, row)),
    );
  }
  const live = !pairing.decision;
  const bye = pairing.entrants.length === 1;
  const address = links ? addressOf(tournament, pairing) : null;
  const verdict = verdictOf(pairing);
  const inside = [
    pairing.names.map((_, at) => cardRow(tournament, pairing, at)),
    live && pairing.table
      ? h("p", { class: "under live" }, h("span", { class: "dot" }), events.game(gameNow(pairing)))
      : verdict
        ? h(
            "p",
            { class: "under note small" },
            icon(verdict === "lot" ? "die" : "scales", 16),
            verdicts[verdict],
          )
        : bye
          ? h("p", { class: "under note small" }, events.bye)
          : null,
  ];
  const kind = `pairing-card ${live ? "now" : "done"}`;
  return address
    ? h("a", { class: kind, key, style, href: address, "data-pairing": pairing.id }, inside)
    : h("div", { class: kind, key, style, "data-pairing": pairing.id }, inside);
}

/** Where a pairing is seen: at its table, or as the replay of its last game. @param {Tournament} tournament @param {import("./types.d.ts").Pairing} pairing */
export function addressOf({ game }, { table, games }) {
  if (table) return `/${game}/tables/${encodeURIComponent(table)}`;
  const last = games.findLast((each) => each.table && each.outcome)?.table;
  return last ? `/${game}/games/${encodeURIComponent(last)}` : null;
}

/** @param {Tournament} tournament @param {import("./types.d.ts").Pairing} pairing @param {number} at */
function cardRow(tournament, pairing, at) {
  const name = pairing.names[at];
  const won = winnerOf(pairing);
  const fate = won === -1 ? "" : won === at ? "won" : "lost";
  const cause = won === at ? "" : causeOf(pairing, at);
  const many = pairing.entrants.length;
  return h(
    "span",
    { class: `row ${fate}` },
    chipMark(entrant(tournament, pairing.entrants[at]), 20),
    h("span", { class: "who cut", title: name }, displayOf(tournament, name)),
    cause ? h("span", { class: "cause" }, causeIcon(cause), causeWords(cause)) : null,
    many === 1
      ? null
      : h("span", { class: "score" }, many === 2 ? pairing.games_won[at] : place(pairing, at)),
  );
}

/** @param {import("./types.d.ts").Pairing} pairing @param {number} at */
function place({ decision }, at) {
  return decision?.places[at] ?? (decision ? "–" : "");
}

/** @param {Tournament} tournament @param {number} id */
export function entrant(tournament, id) {
  const { name, bot } = tournament.entrants[id];
  return { name, bot: bot ?? null };
}

/** @param {Tournament} tournament @param {{ names: string[], sure: boolean }} row */
function laterRow(tournament, { names, sure }) {
  const shown = names.map((name) => displayOf(tournament, name)).join(events.or);
  const known = sure && tournament.entrants.find(({ name }) => name === names[0]);
  return h(
    "span",
    { class: `row ${sure ? "sure" : ""}` },
    known
      ? chipMark({ name: known.name, bot: known.bot ?? null }, 20)
      : h("span", { class: "empty-chip" }),
    h("span", { class: "who cut", title: shown }, shown || events.toCome),
  );
}

/** @param {Place[][]} places @param {number} width @param {number} height @param {Size} size */
function lines(places, width, height, size) {
  /** @type {VNode[]} */
  const drawn = [];
  const found = new Map(places.flat().map((place) => [place.slot, place]));
  for (const place of places.flat()) {
    for (const source of place.slot.from) {
      const from = found.get(source);
      if (!from) continue;
      const state = source.pairing?.decision ? "done" : source.pairing?.table ? "now" : "later";
      const row = rowOf(place.slot, source);
      const y = place.y - place.height / 2 + 1 + (row + 0.5) * size.row;
      const [start, middle] = [from.x + size.width, from.x + size.width + size.between / 2];
      drawn.push(
        h("path", {
          class: `line ${state}`,
          key: `${source.pairing?.id ?? `${from.x}/${from.y}`}`,
          pathLength: state === "done" ? 1 : null,
          d: `M${start} ${from.y}H${middle}V${y}H${place.x}`,
        }),
      );
    }
  }
  return h(
    "svg",
    {
      class: "bracket-lines",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      "aria-hidden": "true",
    },
    drawn,
  );
}

/** The row that a winner takes in its next pairing. @param {Slot} slot @param {Slot} source */
function rowOf(slot, source) {
  const winner = source.pairing?.decision?.winner ?? null;
  const known = slot.pairing && winner !== null ? slot.pairing.entrants.indexOf(winner) : -1;
  return known >= 0 ? known : Math.max(0, slot.from.indexOf(source));
}
