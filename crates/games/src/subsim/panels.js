// Beside the chart, or under it on a phone: gauges of the boats that may be seen, and a log of what was
// heard.

import { h } from "../../../../web/dom.js";
import { LINE, bars, barsHeight, full, fullHeight, line, sheet } from "./gauges.js";
import { found } from "./scene.js";
import { at, charged, ordered } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./gauges.js").Box} Box
 */

const GAP = 12;

/**
 * @param {Scene} seen
 * @param {View} view
 * @param {Context} ctx
 * @param {Box} box Its height is 0 where there is as much as one needs.
 */
export function beside(seen, view, ctx, box) {
  const { boats, eyes } = seen;
  const logged = eyes.length < 2 && !view.end;
  const gauges = boats.length
    ? gaugesIn(seen, view, ctx, box, logged)
    : { drawn: [], bottom: box.y };
  if (!logged) return gauges;
  const top = boats.length ? gauges.bottom + GAP : box.y;
  const rest = { ...box, y: top, h: box.h ? Math.max(box.y + box.h - top, 120) : 0 };
  const log = logIn(seen, view, ctx, rest);
  return { drawn: [gauges.drawn, log.drawn], bottom: log.bottom };
}

/** @param {Scene} seen @param {View} view @param {Context} ctx @param {Box} box @param {boolean} logged */
function gaugesIn({ boats }, view, ctx, box, logged) {
  const count = boats.length;
  const needed = boats.reduce((sum, boat) => sum + fullHeight(boat) + GAP, -GAP);
  const named = (/** @type {import("./scene.js").Boat} */ { seat, id }) =>
    view.kinds.length > 1 ? `${ctx.names[seat]} ${id + 1}` : (ctx.names[seat] ?? "");
  if (box.h && needed <= box.h + 4) {
    const spare = logged ? 0 : Math.min(24, (box.h - needed) / count);
    let y = box.y;
    const drawn = boats.map((boat) => {
      const own = { ...box, y, h: fullHeight(boat) + spare };
      y += own.h + GAP;
      return full(boat, { name: named(boat), doing: doing(boat, ctx), box: own });
    });
    return { drawn, bottom: y - GAP };
  }
  const columns = box.w >= 300 ? 2 : 1;
  const high = Math.max(...boats.map(barsHeight));
  const rows = Math.ceil(count / columns);
  if (count <= 6 && (!box.h || rows * (high + GAP) - GAP <= box.h + 8)) {
    const w = (box.w - (columns - 1) * 8) / columns;
    const drawn = boats.map((boat, index) => {
      const own = {
        x: box.x + (index % columns) * (w + 8),
        y: box.y + Math.floor(index / columns) * (high + 8),
        w,
        h: high,
      };
      return bars(boat, { name: named(boat), box: own });
    });
    return { drawn, bottom: box.y + rows * (high + 8) - 8 };
  }
  const fit = box.h ? Math.floor((box.h - 24) / LINE) : Math.ceil(count / 2);
  const across = Math.min(2, Math.ceil(count / fit));
  const w = (box.w - 16) / across;
  const down = Math.ceil(count / across);
  const own = { ...box, h: down * LINE + 24 };
  const lines = boats.map((boat, index) =>
    line(boat, {
      name: named(boat),
      score: ctx.seatViews?.[boat.seat]?.score ?? view.end?.outcome[boat.seat]?.points ?? null,
      box: { x: 8 + Math.floor(index / down) * w, y: 12 + (index % down) * LINE, w, h: LINE },
    }),
  );
  return { drawn: [sheet(own, "gauges", lines)], bottom: own.y + own.h };
}

/** What a boat was ordered to do in this turn. @param {import("./scene.js").Boat} boat @param {Context} ctx */
function doing({ seat, id }, ctx) {
  const made = ctx.updates.at(-1)?.moves.find((move) => move.seat === seat);
  const order = made?.action?.orders?.find((/** @type {any} */ { sub }) => sub === id);
  if (!order) return "";
  const { words, charges } = ordered(order.command);
  return charges.length ? `${words}: ${charged(charges)}` : words;
}

/** @param {Scene} seen @param {View} view @param {Context} ctx @param {Box} box */
function logIn(seen, view, ctx, box) {
  const entries = seen.eyes.length ? heardBy(seen.eyes[0]) : heardByAll(ctx);
  const note = seen.eyes.length
    ? "Sonar, sprints and detonations, the newest first."
    : "Boats stay hidden until the game is over.";
  const room = box.h ? Math.max(1, Math.floor((box.h - 64) / 20)) : 5;
  const shown = entries.slice(0, room);
  const high = box.h || 64 + 20 * Math.max(1, shown.length);
  const words = (/** @type {any} */ props, /** @type {any} */ text) =>
    h("text", { "font-size": 12, fill: "var(--ink-2)", ...props }, text);
  const own = { ...box, h: high };
  return {
    drawn: sheet(
      own,
      "log",
      words({ x: 16, y: 26, "font-size": 13, "font-weight": 600, fill: "var(--ink)" }, "Heard"),
      words({ x: 16, y: 44 }, note),
      shown.map(({ turn, words: said, strong }, index) =>
        h(
          "g",
          { key: `${turn} ${index}`, transform: `translate(0 ${66 + 20 * index})` },
          words({ x: 40, "text-anchor": "end" }, turn),
          words(
            { x: 52, "font-size": 13, fill: "var(--ink)", "font-weight": strong ? 600 : null },
            said,
          ),
        ),
      ),
      shown.length ? null : words({ x: 16, y: 66, "font-size": 13 }, "Nothing yet."),
    ),
    bottom: own.y + high,
  };
}

/** @param {import("./scene.js").Eye} eye */
function heardBy({ view, reports }) {
  const now = view.news[0]?.turn ?? 0;
  return reports
    .flatMap((report) =>
      [
        ...report.detonations.map((/** @type {any} */ blast) => exploded(blast)),
        ...report.torpedo_hits.map((/** @type {any} */ { damage }) => `torpedo hits for ${damage}`),
        ...report.mine_hits.map((/** @type {any} */ { damage }) => `mine hits for ${damage}`),
        ...report.heard.map(() => "a sprint nearby"),
        ...report.detected.map(
          (/** @type {any} */ { distance }) => `found by sonar from ${distance} away`,
        ),
        ...found(report, view).map(({ square, size }) => `size ${size} at ${at(square)}`),
        ...(report.pings.length && !found(report, view).length ? ["sonar finds nothing"] : []),
      ].map((words) => ({ turn: report.turn, words, strong: report.turn >= now })),
    )
    .reverse();
}

/** @param {Context} ctx */
function heardByAll(ctx) {
  const now = ctx.updates.at(-1)?.view.news[0]?.turn ?? 0;
  const entries = [];
  for (let place = ctx.updates.length - 1; place >= 0 && entries.length < 40; place -= 1) {
    for (const { turn, detonations } of ctx.updates[place].view.news) {
      for (const blast of detonations)
        entries.push({ turn, words: exploded(blast), strong: turn >= now });
    }
  }
  return entries;
}

/** @param {{ square: [number, number], radius: number }} blast */
function exploded({ square, radius }) {
  return `${radius > 1 ? "reactor explodes" : "detonation"} at ${at(square)}`;
}
