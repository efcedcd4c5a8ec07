// Playing: turn the spare, slide, then walk. Every part is chosen first and all is sent as one move.

import { h } from "../../../../web/dom.js";
import { pairName } from "./gems.js";
import { cells, nameOf, place, same, slides, STEPS, undoes } from "./maze.js";
import { sceneOf, targetOf } from "./scene.js";
import { capital, placeWords, slideWords } from "./words.js";

/** @import { Cell, Context, Direction, Draft, Scene, Slide, View } from "./types.d.ts" */

/** @param {Scene} scene @param {Partial<Draft>} change */
function choose({ ctx, draft }, change) {
  ctx.turn?.choose({ ...draft, why: "", ...change });
}

/** Turns the spare, or the tile it has become. @param {Scene} scene */
function turnSpare(scene) {
  choose(scene, { degree: (scene.draft.degree + 90) % 360, to: null });
}

/** @param {Scene} scene @param {Slide} slide */
function push(scene, slide) {
  const undo = undoes(scene.before.last, slide);
  const why = `Sliding ${slideWords(slide)} would undo the last slide.`;
  choose(scene, undo ? { line: null, why } : { slide, line: null, to: null });
}

/** @param {Scene} scene @param {Cell} to */
function go({ ctx, draft: { slide, degree } }, to) {
  if (slide) ctx.turn?.act([...slide, degree, place(to)]);
}

/** @param {Scene} scene */
function isOpen({ ctx }) {
  return ctx.turn !== null && !ctx.turn.sent;
}

/** Whatever an SVG element needs to be a button. @param {string} label @param {() => void} press */
function button(label, press) {
  return {
    role: "button",
    tabindex: 0,
    "aria-label": label,
    onclick: press,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      press();
    },
  };
}

/** What pressing an arrow does. @param {Scene} scene @param {Slide} slide */
export function onArrow(scene, slide) {
  if (!isOpen(scene)) return {};
  const struck = undoes(scene.before.last, slide);
  const label = `Slide ${slideWords(slide)}${struck ? ": it would undo the last slide" : ""}`;
  return { ...button(label, () => push(scene, slide)), "aria-disabled": struck ? "true" : null };
}

/** What pressing the spare does. @param {Scene} scene */
export function onSpare(scene) {
  if (!isOpen(scene) || scene.drafting) return {};
  return button("Turn the spare tile counter-clockwise", () => turnSpare(scene));
}

/** What pressing a tile does. @param {Scene} scene @param {Cell} here @param {string[]} pair @param {boolean} lit */
export function onTile(scene, here, pair, lit) {
  if (!isOpen(scene)) return {};
  const { draft, drafting, positions, mover } = scene;
  if (lit) {
    const chosen = same(draft.to, here);
    const press = () => (chosen ? go(scene, here) : choose(scene, { to: here }));
    const label = `Walk to ${placeWords(here)}: ${pairName(pair)}`;
    return { ...button(label, press), "aria-pressed": chosen ? "true" : "false" };
  }
  const stands = positions[mover];
  const why = !drafting
    ? "Slide first: choose an arrow at the edge."
    : same(here, stands)
      ? "You stand there already, and you must move."
      : `No corridor leads from ${placeWords(stands)} to ${placeWords(here)}.`;
  return { onclick: () => choose(scene, { why }) };
}

const SLIDING_KEYS =
  "Keys: R turns the spare. A number, then an arrow key, slides that row or column.";
const WALKING_KEYS = "Keys: arrows choose a tile, Enter walks, R turns the tile, Esc goes back.";

/** @param {View} view @param {Context} ctx */
export function controls(view, ctx) {
  const scene = sceneOf(view, ctx);
  return h(
    "div",
    { class: "maze-controls" },
    // It stands in the caption too, where nothing moves when it comes and goes.
    h("p", { class: "visually-hidden", role: "status" }, scene.draft.why),
    scene.drafting ? walking(scene) : sliding(scene),
    h("p", { class: "label" }, scene.drafting ? WALKING_KEYS : SLIDING_KEYS),
  );
}

/** @param {Scene} scene */
function sliding(scene) {
  const all = slides(scene.before);
  const closed = !isOpen(scene);
  return [
    select(scene, {
      label: "Slide a row or column…",
      options: all
        .filter((slide) => !undoes(scene.before.last, slide))
        .map((slide) => [slide.join(), capital(slideWords(slide))]),
      pick: (value) => {
        const slide = all.find((each) => each.join() === value);
        if (slide) push(scene, slide);
      },
    }),
    press("Turn spare", closed, () => turnSpare(scene)),
    press("Pass", closed, () => scene.ctx.turn?.act("PASS")),
    press("Choose an arrow", true, () => {}, "main"),
  ];
}

/** @param {Scene} scene */
function walking(scene) {
  const { to } = scene.draft;
  const target = targetOf(scene.view, scene.ctx, scene.mover);
  const lit = cells(scene.maze).filter((each) => scene.reach?.has(nameOf(each)));
  const closed = !isOpen(scene);
  return [
    lit.length === 0
      ? h("p", { class: "note" }, "This slide leaves you nowhere to go. Take it back.")
      : select(scene, {
          label: "Walk to…",
          value: to ? nameOf(to) : "",
          options: lit.map((each) => [
            nameOf(each),
            `${capital(placeWords(each))}${same(each, target) ? ", your goal" : ""}`,
          ]),
          pick: (value) =>
            choose(scene, { to: lit.find((each) => nameOf(each) === value) ?? null }),
        }),
    press("Turn tile", closed, () => turnSpare(scene)),
    press("Take back", closed, () => choose(scene, { slide: null, to: null })),
    to
      ? press(`Walk to ${placeWords(to)}`, closed, () => go(scene, to), "main")
      : press("Choose a lit tile", true, () => {}, "main"),
  ];
}

/** @param {string} words @param {boolean} off @param {() => void} act @param {string} [kind] */
function press(words, off, act, kind = "") {
  return h(
    "button",
    {
      key: kind || words,
      type: "button",
      class: `button large ${kind}`,
      disabled: off,
      onclick: act,
    },
    words,
  );
}

/** @param {Scene} scene @param {{ label: string, value?: string, options: string[][], pick: (value: string) => void }} what */
function select(scene, { label, value = "", options, pick }) {
  return h(
    "select",
    {
      key: label,
      "aria-label": label,
      disabled: !isOpen(scene),
      value,
      onchange: (/** @type {any} */ event) => pick(event.target.value),
    },
    h("option", { value: "" }, label),
    options.map(([value, words]) => h("option", { value }, words)),
  );
}

/** @type {Record<string, Direction>} */
const WAYS = { ArrowUp: "UP", ArrowDown: "DOWN", ArrowLeft: "LEFT", ArrowRight: "RIGHT" };

/** A number, then an arrow key, slides that line; then arrow keys choose where to walk. @param {string} pressed @param {View} view @param {Context} ctx */
export function key(pressed, view, ctx) {
  const scene = sceneOf(view, ctx);
  if (!isOpen(scene)) return false;
  const { drafting, draft } = scene;
  const way = WAYS[pressed];
  if (pressed === "r") turnSpare(scene);
  else if (pressed === "Escape")
    choose(scene, draft.to ? { to: null } : { slide: null, line: null });
  else if (pressed === "Enter" && draft.to) go(scene, draft.to);
  else if (!drafting && /^\d$/.test(pressed)) number(scene, Number(pressed));
  else if (!drafting && way && draft.line !== null) typed(scene, [draft.line, way]);
  else if (drafting && way) towards(scene, way);
  else return false;
  return true;
}

/** A second digit makes a longer number, where there is such a line. @param {Scene} scene @param {number} digit */
function number(scene, digit) {
  const { tiles } = scene.before;
  const most = Math.max(tiles.length, tiles[0].length) - 1;
  const longer = (scene.draft.line ?? 0) * 10 + digit;
  const line = scene.draft.line && longer <= most ? longer : digit;
  choose(
    scene,
    line > most
      ? { line: null, why: `There is no row or column ${line}.` }
      : { line, why: `Row or column ${line}: now press an arrow key.` },
  );
}

/** @param {Scene} scene @param {Slide} slide */
function typed(scene, slide) {
  if (slides(scene.before).some((each) => each.join() === slide.join())) return push(scene, slide);
  const why = `Sliding ${slideWords(slide)} is not possible: only even numbers slide.`;
  choose(scene, { line: null, why });
}

/** The nearest lit tile that way. @param {Scene} scene @param {Direction} way */
function towards(scene, way) {
  const from = scene.draft.to ?? scene.positions[scene.mover];
  const [down, right] = STEPS[way];
  const ahead = (/** @type {Cell} */ { row, column }) =>
    (row - from.row) * down + (column - from.column) * right;
  const far = (/** @type {Cell} */ at) =>
    ahead(at) +
    2 * (Math.abs((at.row - from.row) * right) + Math.abs((at.column - from.column) * down));
  const [to] = cells(scene.maze)
    .filter((at) => scene.reach?.has(nameOf(at)) && ahead(at) > 0)
    .sort((one, two) => far(one) - far(two));
  choose(scene, to ? { to } : { why: "No lit tile lies that way." });
}
