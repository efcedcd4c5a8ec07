// A turn in words: orders, what they did, and what everybody could tell of it.

import { count, list } from "../../../../web/texts.js";
import { found, scene, viewOf } from "./scene.js";

/** @import { Boat, Context, MoveLine, Order, Update, View } from "./types.d.ts" */

/** @type {Record<string, string>} */
export const DIRECTIONS = { N: "north", E: "east", S: "south", W: "west" };

/** A square as charts name it; the parts stay on one line. @param {[number, number]} square */
export function at([column, row]) {
  return `${column}\u00a0|\u00a0${row}`;
}

/** An order as one gives it: "move north", and what is charged. @param {any} command @returns {{ words: string, charges: string[] }} */
export function ordered(command) {
  if (command === "ping" || command === "surface") return { words: command, charges: [] };
  const [[kind, given]] = Object.entries(command);
  if (kind === "move") return { words: `move ${DIRECTIONS[given[0]]}`, charges: [given[1]] };
  if (kind === "sleep") return { words: "sleep", charges: given };
  if (kind === "fire") return { words: `fire at ${at(given)}`, charges: [] };
  if (kind === "mine") return { words: `lay a mine ${DIRECTIONS[given]}`, charges: [] };
  return { words: `sprint ${DIRECTIONS[given[0]]}, ${count(given[1], "square")}`, charges: [] };
}

/** "sonar and torpedo", "sonar twice", "nothing". @param {string[]} charges */
export function charged(charges) {
  const names = charges.map((name) => (name === "none" ? "nothing" : name));
  if (names.length === 2 && names[0] === names[1]) return `${names[0]} twice`;
  return names.join(" and ");
}

/** The order as it is told of somebody: "moves north and charges sonar". @param {any} command */
function told(command) {
  const { words, charges } = ordered(command);
  const [verb, ...rest] = words.split(" ");
  const does = [`${verb}s`, ...rest].join(" ");
  return charges.length ? `${does} and charges ${charged(charges)}` : does;
}

/** @param {View} view @param {Context} ctx @returns {import("../../../../web/types.d.ts").Caption} */
export function caption(view, ctx) {
  if (view.phase === "placing") return { now: placing(view), next: waiting(view, ctx) };
  const happened = news(view, ctx);
  const last = view.news.at(-1)?.turn ?? view.executed;
  const now = happened.length ? happened : quiet(ctx);
  const turn = last === 0 ? "The boats are in the water." : `Turn ${last}.`;
  return { now: [turn, ...now].join(" "), next: ending(view, ctx) ?? waiting(view, ctx) };
}

/** @param {View} view */
function placing(view) {
  const [columns, rows] = view.chart.map_size;
  const each = count(view.kinds.length, "boat");
  return `A chart of ${columns} by ${rows} squares, ${each} for every player.`;
}

/** @param {View} view @param {Context} ctx */
function waiting(view, ctx) {
  const isPlacing = view.phase === "placing";
  const names = ctx.toMove
    .filter((seat) => isPlacing || isKnown(seat, ctx))
    .map((seat) => ctx.names[seat]);
  if (view.phase === "over") return "";
  if (ctx.turn && !ctx.turn.sent)
    return isPlacing ? "Choose where to start." : `Your order for turn ${view.executed + 1}?`;
  const open = `orders for turn ${view.executed + 1}`;
  if (names.length === 0)
    return isPlacing
      ? ""
      : ctx.viewer === "public"
        ? `Waiting for ${open}.`
        : `Waiting for the others' ${open}.`;
  const who = names.length > 4 ? `${names.length} players` : list(names);
  const one = names.length === 1;
  if (isPlacing) return `${who} ${one ? "chooses" : "choose"} where to start.`;
  return `Waiting for ${open} from ${who}.`;
}

/** What went off, who was hit, what sonar found. @param {View} view @param {Context} ctx */
function news(view, ctx) {
  const { eyes, boats, blasts, shots } = scene(view, ctx);
  const name = (/** @type {number} */ seat) => ctx.names[seat] ?? "";
  const several = view.kinds.length > 1;
  const boatName = (/** @type {{ seat: number, id: number }} */ { seat, id }) =>
    several ? `${name(seat)}'s boat ${id + 1}` : name(seat);
  const left = shots.filter(({ went_off: wentOff }) => wentOff);
  // Of several torpedoes at one square each has a blast of its own.
  const shot = (/** @type {import("./types.d.ts").Square} */ square) => {
    const found = left.findIndex(({ target }) => same(target, square));
    return found < 0 ? null : left.splice(found, 1)[0];
  };
  const said = blasts.map(({ square, radius }) => {
    if (radius > 1) {
      const whose = boats.find((boat) => boat.sunk && same(boat.state.square, square));
      return `${whose ? `${name(whose.seat)}'s` : "A"} reactor explodes at ${at(square)}.`;
    }
    const own = shot(square);
    const owner = eyes.find(({ view }) =>
      view.news.some(({ mine_hits }) => mine_hits.some((hit) => same(hit.square, square))),
    );
    if (own) return `${name(own.seat)}'s torpedo goes off at ${at(square)}.`;
    if (owner) return `${name(owner.seat)}'s mine goes off at ${at(square)}.`;
    // With everybody's eyes every torpedo is known, so it is a mine.
    const what = ctx.seatViews ? "A mine goes off" : "Something goes off";
    return `${what} at ${at(square)}.`;
  });
  for (const boat of boats) {
    if (boat.sunk) said.push(`${boatName(boat)} is sunk.`);
    else if (boat.lost) said.push(`${boatName(boat)} loses ${shields(boat.lost)}.`);
  }
  for (const { seat, view } of eyes) {
    for (const report of view.news) {
      for (const shot of report.shots) {
        if (!shot.went_off) said.push(`${name(seat)}'s torpedo at ${at(shot.target)} is a dud.`);
      }
      if (report.pings.length)
        said.push(`${name(seat)}'s sonar finds ${finds(found(report, view), boats, name)}.`);
      if (ctx.seatViews) continue;
      for (const { sub, distance } of report.detected) {
        said.push(`${boatName({ seat, id: sub })} is found by sonar from ${far(distance)} away.`);
      }
      for (const { sub, count: times } of report.heard) {
        said.push(`${boatName({ seat, id: sub })} hears ${count(times, "sprint")} nearby.`);
      }
    }
  }
  return said;
}

/** @param {any[]} things @param {Boat[]} boats @param {(seat: number) => string} name */
function finds(things, boats, name) {
  const squares = things.map(({ square, size }) => {
    const there = boats.filter(({ state }) => same(state.square, square));
    const what = there.length ? list(there.map(({ seat }) => name(seat))) : `size ${size}`;
    return `${what} at ${at(square)}`;
  });
  if (squares.length > 4) return `${squares.length} things`;
  return squares.length ? list(squares) : "nothing";
}

/** @param {number} n */
function shields(n) {
  return n === 1 ? "a shield" : `${n} shields`;
}

/** @param {number} distance */
function far(distance) {
  return count(distance, "square");
}

/** A turn in which nothing could be heard: the orders, as far as they are known. @param {Context} ctx */
function quiet(ctx) {
  const told = orders(ctx.updates.at(-1), ctx).slice(0, 4);
  if (told.length) return told;
  return (ctx.updates.at(-1)?.view.executed ?? 0) > 0 ? ["Nothing was heard."] : [];
}

/** @param {Update | undefined} update @param {Context} ctx @returns {string[]} */
function orders(update, ctx) {
  return (update?.moves ?? [])
    .filter(({ seat }) => isKnown(seat, ctx))
    .sort((a, b) => a.seat - b.seat)
    .flatMap(({ seat, action, how }) => {
      const name = ctx.names[seat];
      if (how === "left" || !action?.orders)
        return how === "left" ? [`${name} leaves the game.`] : [];
      return orderList(action).map(({ sub, command }) => {
        const boat = action.orders.length > 1 ? `${name}'s boat ${sub + 1}` : name;
        return `${boat} ${told(command)}.`;
      });
    });
}

/** Whose orders may be told. @param {number} seat @param {Context} ctx */
function isKnown(seat, { viewer }) {
  return viewer === "all" || viewer === seat;
}

/** @param {View} view @param {Context} ctx */
export function ending(view, ctx) {
  if (!view.end) return null;
  const results = view.end.outcome.map((result, seat) => ({
    ...result,
    name: ctx.names[seat],
  }));
  const won = results.filter(({ place }) => place === 1);
  const rest = results.filter(({ place }) => place !== 1);
  const first = won.map(({ name }) => name);
  const head =
    won.length === 1
      ? `${first[0]} wins with ${count(won[0].points, "point")}`
      : `${list(first)} share the first place with ${count(won[0]?.points ?? 0, "point")}`;
  const others = rest.map(({ name, points }) => `${name} has ${points}`);
  return others.length && others.length < 5 ? `${head}; ${list(others)}.` : `${head}.`;
}

/** The lines of the move list. @param {Update} update @param {Context} ctx @returns {MoveLine[]} */
export function moves(update, ctx) {
  const lines = update.moves
    .filter(({ seat }) => isKnown(seat, ctx))
    .sort((a, b) => a.seat - b.seat)
    .flatMap(({ seat, action, how }) => lineOf(seat, action, how, viewOf(update, seat)));
  if (ctx.viewer !== "public") return lines;
  const { news } = /** @type {View} */ (update.view);
  return news.flatMap(({ detonations }) =>
    detonations.map(({ square, radius }) => ({
      seat: null,
      words: `${radius > 1 ? "reactor" : "detonation"} at ${at(square)}`,
    })),
  );
}

/** @param {number} seat @param {any} action @param {string} how @param {View | null} view @returns {MoveLine[]} */
function lineOf(seat, action, how, view) {
  if (how === "left") return [{ seat, words: "left the game" }];
  if (!action) return [];
  const note = how === "clock" ? "time ran out" : undefined;
  if (action.place) return [{ seat, words: `start at ${list(action.place.map(at))}`, note }];
  return orderList(action).map(({ sub, command }) => {
    const { words, charges } = ordered(command);
    const boat = action.orders.length > 1 ? `${sub + 1}: ` : "";
    return {
      seat,
      words: boat + words,
      note: note ?? (charges.join(", ") || result(command, view)),
    };
  });
}

/** @param {any} action @returns {Order[]} */
function orderList(action) {
  return action.orders;
}

/** What came of an order, in a word. @param {any} command @param {View | null} view */
function result(command, view) {
  const report = view?.news[0];
  if (!view || !report) return undefined;
  if (command === "ping") return `finds ${found(report, view).length || "nothing"}`;
  if (!command.fire) return undefined;
  const hit = report.torpedo_hits.find(({ square }) => same(square, command.fire));
  if (hit) return `hit for ${hit.damage}`;
  const shot = report.shots.find(({ target }) => same(target, command.fire));
  return shot?.went_off ? "missed" : "dud";
}

/** @param {[number, number]} a @param {[number, number]} b */
export function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}
