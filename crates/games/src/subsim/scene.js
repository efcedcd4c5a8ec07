// What there is to see: the view and what led to it, gathered for drawing and for words. Nothing here
// knows a rule; whatever is not in a view is not in a scene.

/** @import { Boat, Context, Eye, Report, Scene, Square, Update, View } from "./types.d.ts" */

/** What sonar reports of an island, which the chart shows anyway. */
const ISLAND = 4294967295;
/** How many updates are looked back on: tracks and remembered contacts. */
const BACK = 11;

/** @param {View} view @param {Context} ctx @returns {Scene} */
export function scene(view, ctx) {
  const eyes = eyesOf(view, ctx);
  const now = new Set(view.news.map((report) => report.turn));
  const each = (/** @type {(eye: Eye, report: Report) => any[]} */ take) =>
    eyes.flatMap((eye) => eye.view.news.flatMap((report) => take(eye, report)));
  const [columns, rows] = view.chart.map_size;
  return {
    columns,
    rows,
    obstacles: view.chart.obstacles,
    eyes,
    boats: boatsOf(view, ctx, eyes),
    mines: view.end
      ? view.end.mines
      : eyes.flatMap(({ seat, view }) => view.mines.map((square) => ({ square, owner: seat }))),
    blasts: view.news.flatMap((report) => report.detonations),
    // The public has nothing else to remember.
    scars: (ctx.viewer === "public" ? ctx.updates.slice(-200) : recent(ctx))
      .slice(0, -1)
      .flatMap((update) => /** @type {Report[]} */ (update.view.news))
      .filter((report) => !now.has(report.turn))
      .flatMap(({ turn, detonations }) => detonations.map(({ square }) => ({ square, turn }))),
    shots: each(({ seat }, { shots }) => shots.map((shot) => ({ ...shot, seat }))),
    pings: each(({ seat }, { pings, objects }) =>
      pings.map((ping) => ({ ...ping, seat, objects })),
    ),
    contacts: contactsOf(view, eyes),
  };
}

/**
 * What a seat's sonar found, islands and its own boats and mines apart.
 * @param {Report} report
 * @param {View} view
 * @returns {{ square: Square, size: number }[]}
 */
export function found({ objects, subs }, { kinds, mines }) {
  return objects.filter(({ square, size }) => {
    const own = subs.map((sub, id) => (String(sub.square) === String(square) ? kinds[id].size : 0));
    const mine = mines.some((each) => String(each) === String(square));
    return size < ISLAND && !mine && size > own.reduce((sum, each) => sum + each, 0);
  });
}

/** A seat's own view in an update, if it is there. @param {Update} update @param {number} seat */
export function viewOf(update, seat) {
  return update.seat_views?.[seat] ?? (update.seat === seat ? update.view : null);
}

/** The last updates, this one at the end. @param {Context} ctx */
function recent(ctx) {
  return ctx.updates.slice(-BACK);
}

/** @param {View} view @param {Context} ctx @returns {Eye[]} */
function eyesOf(view, ctx) {
  const views = ctx.seatViews ?? (typeof ctx.viewer === "number" ? [view] : []);
  return views.map((own, at) => {
    const seat = ctx.seatViews ? at : /** @type {number} */ (ctx.viewer);
    const before = recent(ctx)
      .slice(0, -1)
      .flatMap((update) => viewOf(update, seat)?.news ?? []);
    const first = own.news[0]?.turn ?? Infinity;
    return {
      seat,
      view: own,
      // After somebody's departure an update may tell the same turn again.
      reports: [...before.filter(({ turn }) => turn < first), ...own.news],
    };
  });
}

/** @param {View} view @param {Context} ctx @param {Eye[]} eyes @returns {Boat[]} */
function boatsOf(view, ctx, eyes) {
  const seats = view.end ? view.end.fleets.map((_, seat) => seat) : null;
  const known = seats ?? eyes.map(({ seat }) => seat);
  return known.flatMap((seat) => {
    const eye = eyes.find((each) => each.seat === seat);
    const fleet = eye?.view.subs ?? view.end?.fleets[seat] ?? [];
    return fleet.map((state, id) => {
      const reports = (eye?.reports ?? []).filter(({ subs }) => subs.length > id);
      const track = reports.map(({ turn, subs }) => ({ turn, square: subs[id].square }));
      const [before, after] = [reports.at(-2)?.subs[id], reports.at(-1)?.subs[id]];
      return {
        seat,
        id,
        state,
        kind: view.kinds[id],
        heading: headingOf(track, seat),
        track,
        lost: before && after ? Math.max(0, before.shields - after.shields) : 0,
        // Whose owner has left is gone as well, but was not sunk.
        sunk: Boolean(before && after?.dead && !before.dead),
      };
    });
  });
}

/** Where the last step went. @param {{ square: Square }[]} track @param {number} seat */
function headingOf(track, seat) {
  for (let at = track.length - 1; at > 0; at -= 1) {
    const [dx, dy] = [0, 1].map((axis) => track[at].square[axis] - track[at - 1].square[axis]);
    if (dx) return dx > 0 ? "E" : "W";
    if (dy) return dy > 0 ? "S" : "N";
  }
  return seat % 2 ? "W" : "E";
}

/** What sonar found now, and for one seat alone what it found before. @param {View} view @param {Eye[]} eyes */
function contactsOf(view, eyes) {
  const now = view.news.at(-1)?.turn ?? 0;
  const contacts = eyes.flatMap(({ seat, view, reports }) =>
    (eyes.length === 1 && !view.end ? reports : view.news).flatMap((report) =>
      found(report, view).map((contact) => ({
        ...contact,
        seat,
        turn: report.turn,
        age: now - report.turn,
      })),
    ),
  );
  // What was found again stands once.
  return [
    ...new Map(contacts.map((contact) => [`${contact.seat} ${contact.square}`, contact])).values(),
  ];
}
