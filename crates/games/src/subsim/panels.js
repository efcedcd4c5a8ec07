// Beside the chart, or under it on a phone: gauges of the boats that may be seen, and a log of what was
// heard.

import { LINE, bars, barsHeight, full, fullHeight, line, sheet, text } from "./gauges.js";
import { found, viewOf } from "./scene.js";
import { at, charged, ordered } from "./words.js";

/** @import { Boat, Box, Context, Report, Scene, View } from "./types.d.ts" */

const GAP = 12;
/** The height of the log where there is room for one line. */
const SHORT = 66;

/**
 * @param {Scene} seen
 * @param {View} view
 * @param {Context} ctx
 * @param {Box} box Its height is 0 where there is as much as one needs.
 */
export function beside(seen, view, ctx, box) {
  const { boats, eyes } = seen;
  if (view.phase === "placing") return builtIn(view, box);
  const logged = eyes.length < 2 && !view.end && ctx.updates.length > 0;
  const gauges = boats.length
    ? gaugesIn(seen, view, ctx, box, logged)
    : { drawn: [], bottom: box.y };
  if (!logged) return gauges;
  const top = boats.length ? gauges.bottom + GAP : box.y;
  const rest = {
    ...box,
    y: top,
    h: box.h ? Math.max(box.y + box.h - top, 120) : ctx.turn && ctx.height ? SHORT : 0,
  };
  const log = logIn(seen, view, ctx, rest);
  return { drawn: [gauges.drawn, log.drawn], bottom: log.bottom };
}

/** What everybody has done to others, as far as it may be known. @param {View} view @param {Context} ctx @returns {(number | null)[]} */
export function pointsOf(view, ctx) {
  if (view.end) return view.end.outcome.map(({ points }) => points);
  if (ctx.seatViews) return ctx.seatViews.map(({ score }) => score);
  return ctx.names.map((_, seat) => (seat === ctx.viewer ? view.score : null));
}

/** All seats, the best first and those who are known to be sunk last. @param {View} view @param {Context} ctx */
export function ranking(view, ctx) {
  const scores = pointsOf(view, ctx);
  const standings = ctx.names.map((name, seat) => {
    const fleet = view.end?.fleets[seat] ?? ctx.seatViews?.[seat].subs ?? [];
    const sunk = fleet.length > 0 && fleet.every((/** @type {any} */ { dead }) => dead);
    return { seat, name, score: scores[seat], sunk };
  });
  return standings.sort(
    (a, b) => Number(a.sunk) - Number(b.sunk) || (b.score ?? 0) - (a.score ?? 0) || a.seat - b.seat,
  );
}

/** @param {Scene} seen @param {View} view @param {Context} ctx @param {Box} box @param {boolean} logged */
function gaugesIn({ boats }, view, ctx, box, logged) {
  const count = boats.length;
  const needed = boats.reduce((sum, boat) => sum + fullHeight(boat) + GAP, -GAP);
  const named = (/** @type {Boat} */ { seat, id }) =>
    view.kinds.length > 1 ? `${ctx.names[seat]} ${id + 1}` : (ctx.names[seat] ?? "");
  const room = logged ? box.h - 130 : box.h;
  if (box.h && needed <= room + 4) {
    const spare = Math.min(logged ? 40 : 96, Math.max(0, (room - needed) / count));
    let y = box.y;
    const drawn = boats.map((boat) => {
      const own = { ...box, y, h: fullHeight(boat) + spare };
      y += own.h + GAP;
      return full(boat, { name: named(boat), doing: doing(boat, ctx), box: own });
    });
    return { drawn, bottom: y - GAP };
  }
  const columns = box.w >= 300 && count > 1 ? 2 : 1;
  const high = Math.max(...boats.map(barsHeight));
  const rows = Math.ceil(count / columns);
  const tall = box.h && !logged ? Math.min(high + 96, (box.h + 8) / rows - 8) : high;
  if (count <= 6 && (!box.h || rows * (high + 8) <= box.h + 8)) {
    const w = (box.w - (columns - 1) * 8) / columns;
    const drawn = boats.map((boat, index) => {
      const own = {
        x: box.x + (index % columns) * (w + 8),
        y: box.y + Math.floor(index / columns) * (tall + 8),
        w,
        h: tall,
      };
      return bars(boat, { name: named(boat), box: own });
    });
    return { drawn, bottom: box.y + rows * (tall + 8) - 8 };
  }
  const fit = box.h ? Math.floor((box.h - 24) / LINE) : Math.ceil(count / 2);
  const across = Math.min(2, Math.ceil(count / fit));
  const w = (box.w - 16) / across;
  const down = Math.ceil(count / across);
  const own = { ...box, h: down * LINE + 24 };
  const scores = pointsOf(view, ctx);
  const order = ranking(view, ctx).map(({ seat }) => seat);
  const ranked = boats.toSorted(
    (a, b) =>
      Number(a.state.dead) - Number(b.state.dead) || order.indexOf(a.seat) - order.indexOf(b.seat),
  );
  const lines = ranked.map((boat, index) =>
    line(boat, {
      name: named(boat),
      score: scores[boat.seat],
      box: { x: 8 + Math.floor(index / down) * w, y: 12 + (index % down) * LINE, w, h: LINE },
    }),
  );
  return { drawn: [sheet(own, "gauges", lines)], bottom: own.y + own.h };
}

/** Before the first turn: what the boats can do. @param {View} view @param {Box} box */
function builtIn({ kinds, chart }, box) {
  const [{ max_shields: shields, max_reactor_damage: reactor, ...kind }] = kinds;
  const rows = [
    ["Boats of each player", kinds.length],
    ["Shields", shields],
    ["Reactor explodes at damage", reactor],
    ["Charges for a mine", kind.max_mine_charge],
    ["Most sonar charges", kind.max_sonar_charge],
    ["Most torpedo charges", kind.max_torpedo_charge],
    ["Most sprint charges", kind.max_sprint_charge],
    ["Torpedoes", kind.torpedo_count ?? "no limit"],
    ["Mines", kind.mine_count ?? "no limit"],
    ["A repair takes", `${kind.surface_turn_count} turns`],
    ["The game ends after", chart.max_turns ? `${chart.max_turns} turns` : "the last duel"],
  ];
  const high = 52 + 24 * rows.length;
  const drawn = sheet(
    { ...box, h: high },
    "built",
    text("strong list", 16, 28, kinds.length > 1 ? "What the first boat has" : "What a boat has"),
    rows.map(([name, value], index) => [
      text("ink list", 16, 56 + 24 * index, name),
      text("end strong list", box.w - 16, 56 + 24 * index, value),
    ]),
  );
  return { drawn, bottom: box.y + high };
}

/** What a boat was ordered to do in this turn. @param {Boat} boat @param {Context} ctx */
function doing({ seat, id }, ctx) {
  const made = ctx.updates.at(-1)?.moves.find((move) => move.seat === seat);
  const order = made?.action?.orders?.find((/** @type {any} */ { sub }) => sub === id);
  if (!order) return "";
  const { words, charges } = ordered(order.command);
  return charges.length ? `${words}: ${charged(charges)}` : words;
}

/** @param {Scene} seen @param {View} view @param {Context} ctx @param {Box} box */
function logIn({ eyes }, view, ctx, box) {
  const seat = eyes.length ? eyes[0].seat : null;
  const note = eyes.length
    ? "Sonar, sprints and detonations, the newest first."
    : "Boats stay hidden until the game is over.";
  // On a small screen the newest line alone.
  const short = box.h === SHORT;
  const top = short ? 46 : 68;
  const room = box.h ? Math.max(1, Math.floor((box.h - top) / 20)) : 5;
  const entries = heard(view, ctx, seat, room);
  const high = top + 20 * Math.max(1, entries.length) - (short ? 10 : 0);
  return {
    drawn: sheet(
      { ...box, h: high },
      "log",
      text("strong list", 16, 26, "Heard"),
      short ? null : text("", 16, 44, note),
      entries.map(({ turn, words, strong }, index) => [
        text("end", 40, top + 20 * index, turn),
        text(strong ? "strong list" : "ink list", 52, top + 20 * index, words),
      ]),
      entries.length ? null : text("list", 16, top, "Nothing yet."),
    ),
    bottom: box.y + high,
  };
}

/** The last things heard, the newest first. @param {View} view @param {Context} ctx @param {number | null} seat @param {number} most */
function heard(view, ctx, seat, most) {
  const now = view.news[0]?.turn ?? 0;
  const entries = [];
  for (let place = ctx.updates.length - 1; place >= 0 && entries.length < most; place -= 1) {
    const update = ctx.updates[place];
    const own = /** @type {View} */ (seat === null ? update.view : viewOf(update, seat));
    for (const report of [...(own?.news ?? [])].reverse()) {
      for (const words of told(report, own)) {
        entries.push({ turn: report.turn, words, strong: report.turn >= now });
      }
    }
  }
  return entries.slice(0, most);
}

/** What sonar makes of a size: boats are 100 large, mines are smaller. @param {number} size */
function sized(size) {
  if (size === 100) return "a boat";
  return size > 100 && size % 100 === 0 ? `${size / 100} boats` : `something of size ${size}`;
}

/** @param {Report} report @param {View} view */
function told(report, view) {
  const finds = found(report, view).map(({ square, size }) => `${sized(size)} at ${at(square)}`);
  return [
    ...(report.pings.length && !finds.length ? ["sonar finds nothing"] : finds),
    ...report.detected.map(({ distance }) => `found by sonar from ${distance} away`),
    ...report.heard.map(() => "a sprint nearby"),
    ...report.torpedo_hits.map(({ damage }) => `torpedo hits for ${damage}`),
    ...report.mine_hits.map(({ damage }) => `mine hits for ${damage}`),
    ...report.detonations.map(
      ({ square, radius }) => `${radius > 1 ? "reactor explodes" : "detonation"} at ${at(square)}`,
    ),
  ];
}
