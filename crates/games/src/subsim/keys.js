// Giving orders by keys.

import { KINDS, aimed, current, placed, whyNot } from "./draft.js";
import { EQUIPMENT } from "./gauges.js";
import { give, start } from "./orders.js";
import { step } from "./targets.js";

/** @import { Context, Draft, View } from "./types.d.ts" */

/** @type {Record<string, string>} */
const ARROWS = { ArrowUp: "N", ArrowRight: "E", ArrowDown: "S", ArrowLeft: "W" };

/** Keys: letters choose the order, arrows a direction or a square, digits a charge, Enter gives it. @param {string} key @param {View} view @param {Context} ctx */
export function key(key, view, ctx) {
  const turn = ctx.turn;
  if (!turn || turn.sent) return false;
  const draft = /** @type {Draft} */ (turn.draft ?? {});
  if (key === "Escape") {
    turn.choose(null);
    return true;
  }
  const way = ARROWS[key];
  const [columns, rows] = view.chart.map_size;
  const moved = () => {
    const [x, y] = draft.cursor ??
      draft.target ??
      view.subs[0]?.square ?? [Math.ceil(columns / 2), Math.ceil(rows / 2)];
    const [nx, ny] = draft.cursor ? step([x, y], way) : [x, y];
    const cursor = [Math.max(1, Math.min(columns, nx)), Math.max(1, Math.min(rows, ny))];
    turn.choose({ ...draft, said: undefined, cursor });
    return true;
  };
  if (view.phase === "placing") {
    if (way) return moved();
    if (key !== "Enter") return false;
    const here =
      draft.cursor && !draft.places?.some((each) => String(each) === String(draft.cursor));
    if (here && draft.cursor) turn.choose(placed(view, draft, draft.cursor));
    else start(view, turn);
    return true;
  }
  if (!view.choices.length) return false;
  const now = current(view, ctx);
  const set = (/** @type {Draft} */ more) => {
    turn.choose({ ...draft, said: undefined, ...more });
    return true;
  };
  const kind = KINDS.find(([, , letter]) => letter === key)?.[0];
  if (kind) {
    const why = whyNot(now, kind);
    return why ? set({ said: why }) : set({ kind, far: undefined });
  }
  if (way && now.kind === "fire") return moved();
  if (way)
    return ["move", "mine", "sprint"].includes(now.kind) ? set({ way, far: undefined }) : false;
  if (key === "Enter") {
    const aim =
      now.kind === "fire" && draft.cursor && String(draft.cursor) !== String(draft.target);
    if (aim && draft.cursor) turn.choose(aimed(now, view, draft.cursor));
    else give(view, ctx);
    return true;
  }
  const digit = Number(key);
  if (!(digit >= 1 && digit <= 9)) return false;
  if (now.kind === "sprint") return set({ far: digit });
  const name = EQUIPMENT[digit - 1];
  if (!name || (now.kind !== "move" && now.kind !== "sleep")) return false;
  // Sleeping, the first digit is the first charge and the next one the second.
  return set({ charges: now.kind === "sleep" ? [now.charges[1], name] : [name, now.charges[1]] });
}
