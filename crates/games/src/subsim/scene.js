// What there is to see: the view and what led to it, gathered for drawing and for words. Nothing here
// knows a rule; whatever is not in a view is not in a scene.

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("../../../../web/types.d.ts").Update} Update
 * @typedef {[number, number]} Square
 *
 * @typedef {object} Boat
 * @property {number} seat
 * @property {number} id
 * @property {any} state As the view has it.
 * @property {any} kind What it is built for.
 * @property {string} heading
 * @property {{ square: Square, turn: number }[]} track Where it was, the oldest first, ending where it is.
 * @property {number} lost Shields it has lost in this update.
 * @property {boolean} sunk Whether it was destroyed in this update.
 *
 * @typedef {object} Eye A seat whose own view is known.
 * @property {number} seat
 * @property {View} view
 * @property {any[]} reports Of the last turns, the oldest first; those of this update are `view.news`.
 *
 * @typedef {object} Scene
 * @property {number} columns
 * @property {number} rows
 * @property {Square[]} obstacles
 * @property {Eye[]} eyes
 * @property {Boat[]} boats
 * @property {{ square: Square, owner: number | null }[]} mines
 * @property {{ square: Square, radius: number }[]} blasts
 * @property {{ square: Square, turn: number }[]} scars Blasts of the turns before.
 * @property {(any & { seat: number })[]} shots
 * @property {(any & { seat: number, objects: any[] })[]} pings
 * @property {{ seat: number, square: Square, size: number, turn: number, age: number }[]} contacts
 */

/** What sonar reports of an island, which the chart shows anyway. */
const ISLAND = 4294967295;
/** How many updates are looked back on: tracks and remembered contacts. */
const BACK = 11;

/** @param {View} view @param {Context} ctx @returns {Scene} */
export function scene(view, ctx) {
  const eyes = eyesOf(view, ctx);
  const now = new Set(view.news.map((/** @type {any} */ report) => report.turn));
  const each = (/** @type {(eye: Eye, report: any) => any[]} */ take) =>
    eyes.flatMap((eye) => eye.view.news.flatMap((/** @type {any} */ report) => take(eye, report)));
  const [columns, rows] = view.chart.map_size;
  return {
    columns,
    rows,
    obstacles: view.chart.obstacles,
    eyes,
    boats: boatsOf(view, ctx, eyes),
    mines: view.end
      ? view.end.mines
      : eyes.flatMap(({ seat, view }) =>
          view.mines.map((/** @type {Square} */ square) => ({ square, owner: seat })),
        ),
    blasts: view.news.flatMap((/** @type {any} */ report) => report.detonations),
    scars: recent(ctx)
      .slice(0, -1)
      .flatMap((update) => update.view.news)
      .filter((report) => !now.has(report.turn))
      .flatMap(({ turn, detonations }) =>
        detonations.map((/** @type {any} */ { square }) => ({ square, turn })),
      ),
    shots: each(({ seat }, { shots }) =>
      shots.map((/** @type {any} */ shot) => ({ ...shot, seat })),
    ),
    pings: each(({ seat }, { pings, objects }) =>
      pings.map((/** @type {any} */ ping) => ({ ...ping, seat, objects })),
    ),
    contacts: contactsOf(view, eyes),
  };
}

/**
 * What a seat's sonar found, islands and its own boats and mines apart.
 * @param {any} report
 * @param {View} view
 * @returns {{ square: Square, size: number }[]}
 */
export function found({ objects, subs }, { kinds, mines }) {
  return objects.filter((/** @type {any} */ { square, size }) => {
    const own = subs.map((/** @type {any} */ sub, /** @type {number} */ id) =>
      String(sub.square) === String(square) ? kinds[id].size : 0,
    );
    const mine = mines.some((/** @type {Square} */ each) => String(each) === String(square));
    return (
      size < ISLAND &&
      !mine &&
      size > own.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0)
    );
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
      reports: [...before.filter((/** @type {any} */ { turn }) => turn < first), ...own.news],
    };
  });
}

/** @param {View} view @param {Context} ctx @param {Eye[]} eyes @returns {Boat[]} */
function boatsOf(view, ctx, eyes) {
  const seats = view.end ? view.end.fleets.map((/** @type {any} */ _, /** @type {number} */ seat) => seat) : null;
  const known = seats ?? eyes.map(({ seat }) => seat);
  return known.flatMap((/** @type {number} */ seat) => {
    const eye = eyes.find((each) => each.seat === seat);
    const fleet = eye?.view.subs ?? view.end?.fleets[seat] ?? [];
    return fleet.map((/** @type {any} */ state, /** @type {number} */ id) => {
      const reports = (eye?.reports ?? []).filter(({ subs }) => subs.length > id);
      const track = reports.map(({ turn, subs }) => ({ turn, square: subs[id].square }));
      const news = eye?.view.news.length ?? 0;
      const before = reports.at(-news - 1)?.subs[id];
      return {
        seat,
        id,
        state,
        kind: view.kinds[id],
        heading: headingOf(track, seat),
        track,
        lost: before ? Math.max(0, before.shields - state.shields) : 0,
        sunk: before ? state.dead && !before.dead : false,
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
    (eyes.length === 1 ? reports : view.news).flatMap((/** @type {any} */ report) =>
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
