// What lies on the chart while a person is to move: squares to choose, and what the order would look like.

import { h } from "../../../../web/dom.js";
import { boat, mine } from "./art.js";
import { aimed, composed, current, ownDamage, placed, places } from "./draft.js";
import { area } from "./sonar.js";
import { DIRECTIONS } from "./words.js";

/** @import { Context, Draft, Grid, Now, Square, Turn, View } from "./types.d.ts" */

/** @type {Record<string, Square>} */
export const STEPS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
/** @param {Square} from @param {string} way @param {number} [far] @returns {Square} */
export function step([x, y], way, far = 1) {
  return [x + STEPS[way][0] * far, y + STEPS[way][1] * far];
}

/** What lies on the chart while a person is to move. @param {View} view @param {Context} ctx @param {Grid} grid */
export function targets(view, ctx, grid) {
  const turn = /** @type {Turn} */ (ctx.turn);
  if (turn.sent) return null;
  if (view.phase === "placing") return placing(view, ctx, grid, turn);
  if (!view.choices.length) return null;
  const now = current(view, ctx);
  const { kind, choices, draft } = now;
  const { square: from } = view.subs[choices.sub];
  const inside =
    kind === "fire"
      ? aiming(now, view, grid, turn)
      : kind === "sprint"
        ? choices.sprint.flatMap(([way, most]) =>
            Array.from({ length: most - 1 }, (_, more) => {
              const far = more + 2;
              const chosen = draft.way === way && (draft.far ?? most) === far;
              const name = `Sprint ${DIRECTIONS[way]}, ${far} squares`;
              const pick = () => turn.choose({ ...draft, way, far, said: undefined });
              return lit(step(from, way, far), grid, { name, chosen, pick });
            }),
          )
        : (kind === "move" || kind === "mine" ? choices[kind] : []).map((way) => {
            const name = `${kind === "move" ? "Move" : "Lay the mine"} ${DIRECTIONS[way]}`;
            const pick = () => turn.choose({ ...draft, way, said: undefined });
            return lit(step(from, way), grid, { name, chosen: draft.way === way, pick });
          });
  return h("g", { key: "targets" }, inside, ghost(now, ctx, grid, from));
}

/** Squares a torpedo or a ping reaches, beneath whatever is on them. @param {View} view @param {Context} ctx @param {Grid} grid */
export function reach(view, ctx, grid) {
  if (!ctx.turn || ctx.turn.sent || !view.choices.length) return null;
  const { kind, choices } = current(view, ctx);
  if (kind !== "fire" && kind !== "ping") return null;
  return h("path", { class: "lit", d: area(choices[kind].map(String), grid.cell) });
}

/** A square that may be chosen. @param {Square} square @param {Grid} grid @param {{ name: string, chosen: boolean, pick: () => void }} how */
function lit(square, { cell, middle }, { name, chosen, pick }) {
  const [x, y] = middle(square);
  return h(
    "g",
    {
      ...{ key: name, class: chosen ? "target chosen" : "target", role: "button", tabindex: 0 },
      ...{ "aria-label": name, "aria-pressed": chosen, onclick: pick },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        // What is chosen already is ordered by Enter, wherever the keyboard is.
        if (chosen && event.key === "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        pick();
      },
    },
    h("rect", {
      x: x - cell / 2 + 1,
      y: y - cell / 2 + 1,
      width: cell - 2,
      height: cell - 2,
      rx: 4,
    }),
  );
}

/** What the order would look like. @param {Now} now @param {Context} ctx @param {Grid} grid @param {Square} from */
function ghost(now, ctx, grid, from) {
  const { command } = composed(now);
  const [kind, given] = typeof command === "object" ? Object.entries(command)[0] : [command, null];
  const seat = ctx.near;
  const scale = Math.max(0.7, Math.min(1.5, grid.cell / 28));
  const put = (/** @type {Square} */ square, /** @type {any} */ what) =>
    h("g", { class: "ghost", transform: `translate(${grid.middle(square).join(" ")})` }, what);
  if (kind === "move")
    return put(step(from, given[0]), boat(seat, { heading: given[0], scale, ghost: true }));
  if (kind === "sprint")
    return put(
      step(from, given[0], given[1]),
      boat(seat, { heading: given[0], scale, ghost: true }),
    );
  if (kind === "mine") return put(step(from, given), mine(seat, scale * 0.9));
  return kind === "fire" ? reticle(given, grid, true) : null;
}

/** @param {Square} square @param {Grid} grid @param {boolean} chosen */
function reticle(square, grid, chosen) {
  return h("path", {
    class: chosen ? "reticle chosen" : "reticle",
    transform: `translate(${grid.middle(square).join(" ")})`,
    d: "M0-15V-6M0 15V6M-15 0H-6M15 0H6M10 0A10 10 0 1 1-10 0A10 10 0 1 1 10 0",
  });
}

/** Round a boat that would hit itself. @param {Square} square @param {Grid} grid */
function danger(square, grid) {
  const [cx, cy] = grid.middle(square);
  return h("circle", { class: "danger", cx, cy, r: grid.cell * 0.75 });
}

/** @param {Now} now @param {View} view @param {Grid} grid @param {Turn} turn */
function aiming(now, view, grid, turn) {
  const { draft } = now;
  const take = (/** @type {Square} */ square) => turn.choose(aimed(now, view, square));
  return [
    anywhere(grid, turn, { name: "Choose where to fire", pick: take, draft }),
    draft.cursor ? reticle(draft.cursor, grid, false) : null,
    draft.target && ownDamage(now.state, draft.target) ? danger(now.state.square, grid) : null,
  ];
}

/** @param {View} view @param {Context} ctx @param {Grid} grid @param {Turn} turn */
function placing(view, ctx, grid, turn) {
  const draft = /** @type {Draft} */ (turn.draft ?? {});
  const scale = Math.max(0.7, Math.min(1.5, grid.cell / 28));
  return h(
    "g",
    { key: "targets" },
    anywhere(grid, turn, {
      name: "Choose where to start",
      pick: (square) => turn.choose(placed(view, draft, square)),
      draft,
    }),
    draft.cursor ? reticle(draft.cursor, grid, false) : null,
    places(view, draft).all.map((/** @type {Square | null} */ square) =>
      square
        ? h(
            "g",
            { class: "ghost", transform: `translate(${grid.middle(square).join(" ")})` },
            boat(ctx.near, { scale }),
          )
        : null,
    ),
  );
}

/** The whole chart as one thing to press: the pointer says which square. @param {Grid} grid @param {Turn} turn @param {{ name: string, pick: (square: Square) => void, draft: Draft }} how */
function anywhere(grid, turn, { name, pick, draft }) {
  const under = (/** @type {PointerEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const along = (/** @type {number} */ share, /** @type {number} */ of) =>
      Math.max(1, Math.min(of, Math.floor(share * of) + 1));
    return /** @type {Square} */ ([
      along((event.clientX - box.left) / box.width, grid.columns),
      along((event.clientY - box.top) / box.height, grid.rows),
    ]);
  };
  return h("rect", {
    ...{ key: "anywhere", class: "target whole", width: grid.width, height: grid.height },
    ...{ role: "button", tabindex: 0, "aria-label": `${name}: arrow keys, then Enter` },
    onclick: (/** @type {PointerEvent} */ event) => pick(under(event)),
    onpointermove: (/** @type {PointerEvent} */ event) => {
      const cursor = under(event);
      if (String(cursor) !== String(draft.cursor)) turn.choose({ ...draft, cursor });
    },
  });
}
