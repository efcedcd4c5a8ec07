// Playing: turn the spare, slide, then walk. Every part is chosen first and sent as one move.

import { h } from "../../../../web/dom.js";
import { pairName } from "./gems.js";
import { mazeOf, nameOf, place, same, slides, STEPS, undoing } from "./maze.js";
import { draftOf, scene, targetOf } from "./reading.js";
import { placeWords, slideWords } from "./words.js";

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 * @typedef {import("../../../../web/types.d.ts").Context} Context
 * @typedef {import("./maze.js").Cell} Cell
 * @typedef {import("./maze.js").Slide} Slide
 * @typedef {import("./reading.js").Draft} Draft
 */

/** @param {Context} ctx @param {Partial<Draft>} change */
function choose(ctx, change) {
  ctx.turn?.choose({ ...draftOf(ctx), why: "", ...change });
}

/** Turns the spare, or the tile it has become. @param {Context} ctx */
function turnSpare(ctx) {
  choose(ctx, { degree: (draftOf(ctx).degree + 90) % 360, to: null });
}

/** @param {View} view @param {Context} ctx @param {Slide} slide */
function push(view, ctx, slide) {
  const undo = undoing(mazeOf(view).last);
  if (undo && undo[0] === slide[0] && undo[1] === slide[1]) {
    return choose(ctx, {
      line: null,
      why: `Sliding ${slideWords(slide)} would undo the last slide.`,
    });
  }
  choose(ctx, { slide, line: null, to: null });
}

/** @param {Context} ctx @param {Cell} to */
function go(ctx, to) {
  const { slide, degree } = draftOf(ctx);
  if (slide) ctx.turn?.act([slide[0], slide[1], degree, place(to)]);
}

/** @param {Context} ctx */
function isOpen(ctx) {
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

/** What pressing an arrow does. @param {View} view @param {Context} ctx @param {Slide} slide @param {boolean} struck */
export function onArrow(view, ctx, slide, struck) {
  if (!isOpen(ctx)) return {};
  const label = `Slide ${slideWords(slide)}${struck ? ": it would undo the last slide" : ""}`;
  return {
    ...button(label, () => push(view, ctx, slide)),
    "aria-disabled": struck ? "true" : null,
  };
}

/** What pressing the spare does. @param {Context} ctx */
export function onSpare(ctx) {
  if (!isOpen(ctx) || draftOf(ctx).slide) return {};
  return button("Turn the spare tile counter-clockwise", () => turnSpare(ctx));
}

/**
 * What pressing a tile does.
 * @param {View} view
 * @param {Context} ctx
 * @param {{ here: Cell, lit: boolean, pair: string[], stands: Cell }} tile
 */
export function onTile(view, ctx, { here, lit, pair, stands }) {
  if (!isOpen(ctx)) return {};
  const { slide, to } = draftOf(ctx);
  if (lit) {
    const chosen = same(to, here);
    const press = () => (chosen ? go(ctx, here) : choose(ctx, { to: here }));
    const label = `Walk to ${placeWords(here)}: ${pairName(pair)}`;
    return { ...button(label, press), "aria-pressed": chosen ? "true" : "false" };
  }
  const why = !slide
    ? "Slide first: choose an arrow at the edge."
    : same(here, stands)
      ? "You stand there already, and you must move."
      : `No corridor leads from ${placeWords(stands)} to ${placeWords(here)}.`;
  return { onclick: () => choose(ctx, { why }) };
}

/** @param {View} view @param {Context} ctx */
export function controls(view, ctx) {
  if (!ctx.turn) return null;
  const draft = draftOf(ctx);
  const closed = ctx.turn.sent;
  return h(
    "div",
    { class: "maze-controls" },
    h("p", { class: "why", role: "status" }, draft.why),
    draft.slide ? walking(view, ctx, closed) : sliding(view, ctx, closed),
  );
}

/** @param {View} view @param {Context} ctx @param {boolean} closed */
function sliding(view, ctx, closed) {
  const maze = mazeOf(view);
  const undo = undoing(maze.last);
  return [
    select({
      label: "Slide",
      none: "Slide a row or column…",
      value: "",
      closed,
      options: slides(maze).map((slide) => ({
        value: slide.join(),
        words: capital(slideWords(slide)),
        off: undo !== null && undo.join() === slide.join(),
      })),
      choose: (value) => {
        const slide = slides(maze).find((each) => each.join() === value);
        if (slide) push(view, ctx, slide);
      },
    }),
    plain("Turn the spare", closed, () => turnSpare(ctx)),
    plain("Pass", closed, () => ctx.turn?.act("PASS")),
    main("Choose an arrow", true, () => {}),
  ];
}

/** @param {View} view @param {Context} ctx @param {boolean} closed */
function walking(view, ctx, closed) {
  const { to } = draftOf(ctx);
  const { maze, reach } = scene(view, ctx);
  const target = targetOf(view, ctx, view.order[0]);
  /** @type {Cell[]} */
  const cells = maze.tiles
    .flatMap((row, r) => row.map((_, c) => ({ row: r, column: c })))
    .filter((each) => reach?.has(nameOf(each)));
  return [
    cells.length === 0
      ? h("p", { class: "note" }, "This slide leaves you nowhere to go. Take it back.")
      : select({
          label: "Walk to",
          none: "Walk to…",
          value: to ? nameOf(to) : "",
          closed,
          options: cells.map((each) => ({
            value: nameOf(each),
            words: `${capital(placeWords(each))}${same(each, target) ? ", your goal" : ""}`,
            off: false,
          })),
          choose: (value) =>
            choose(ctx, { to: cells.find((each) => nameOf(each) === value) ?? null }),
        }),
    plain("Turn the tile", closed, () => turnSpare(ctx)),
    plain("Take the slide back", closed, () => choose(ctx, { slide: null, to: null })),
    to
      ? main(`Walk to ${placeWords(to)}`, closed, () => go(ctx, to))
      : main("Choose a lit tile", true, () => {}),
  ];
}

/** @param {string} words @param {boolean} off @param {() => void} press */
function main(words, off, press) {
  return h(
    "button",
    { key: "main", type: "button", class: "button main large", disabled: off, onclick: press },
    words,
  );
}

/** @param {string} words @param {boolean} off @param {() => void} press */
function plain(words, off, press) {
  return h(
    "button",
    { key: words, type: "button", class: "button large", disabled: off, onclick: press },
    words,
  );
}

/** @param {{ label: string, none: string, value: string, closed: boolean, options: { value: string, words: string, off: boolean }[], choose: (value: string) => void }} what */
function select({ label, none, value, closed, options, choose }) {
  return h(
    "select",
    {
      key: label,
      "aria-label": label,
      disabled: closed,
      value,
      onchange: (/** @type {Event} */ event) =>
        choose(/** @type {HTMLSelectElement} */ (event.target).value),
    },
    h("option", { value: "" }, none),
    options.map((option) =>
      h("option", { value: option.value, disabled: option.off }, option.words),
    ),
  );
}

/**
 * A number, then an arrow key slides that line; then arrow keys choose where to walk.
 * @param {string} pressed @param {View} view @param {Context} ctx
 */
export function key(pressed, view, ctx) {
  if (!isOpen(ctx)) return false;
  const draft = draftOf(ctx);
  const way = { ArrowUp: "UP", ArrowDown: "DOWN", ArrowLeft: "LEFT", ArrowRight: "RIGHT" }[pressed];
  if (pressed === "r") turnSpare(ctx);
  else if (pressed === "Escape") back(ctx, draft);
  else if (pressed === "Enter" && draft.slide && draft.to) go(ctx, draft.to);
  else if (!draft.slide && /^\d$/.test(pressed)) number(view, ctx, draft, Number(pressed));
  else if (!draft.slide && way && draft.line !== null)
    push(view, ctx, [draft.line, /** @type {any} */ (way)]);
  else if (draft.slide && way) towards(view, ctx, way);
  else return false;
  return true;
}

/** @param {Context} ctx @param {Draft} draft */
function back(ctx, draft) {
  if (draft.to) choose(ctx, { to: null });
  else choose(ctx, { slide: null, line: null });
}

/** @param {View} view @param {Context} ctx @param {Draft} draft @param {number} digit */
function number(view, ctx, draft, digit) {
  const { tiles } = mazeOf(view);
  const most = Math.max(tiles.length, tiles[0].length) - 1;
  const longer = (draft.line ?? 0) * 10 + digit;
  const line = draft.line !== null && draft.line > 0 && longer <= most ? longer : digit;
  if (line > most) return choose(ctx, { line: null, why: `There is no line ${line}.` });
  const odd = line % 2 === 1 && !(line === 1 && most >= 10);
  if (odd) return choose(ctx, { line: null, why: `Row and column ${line} never slide.` });
  choose(ctx, { line, why: `Line ${line}: now press an arrow key.` });
}

/** The nearest lit tile that way. @param {View} view @param {Context} ctx @param {string} way */
function towards(view, ctx, way) {
  const { maze, positions, reach } = scene(view, ctx);
  const from = draftOf(ctx).to ?? positions[view.order[0]];
  const [down, right] = STEPS[way];
  /** @type {{ to: Cell, far: number } | null} */
  let best = null;
  maze.tiles.forEach((row, r) =>
    row.forEach((_, c) => {
      if (!reach?.has(nameOf({ row: r, column: c }))) return;
      const ahead = (r - from.row) * down + (c - from.column) * right;
      const aside = Math.abs((r - from.row) * right) + Math.abs((c - from.column) * down);
      const far = ahead + 2 * aside;
      if (ahead > 0 && (best === null || far < best.far)) best = { to: { row: r, column: c }, far };
    }),
  );
  const found = /** @type {{ to: Cell } | null} */ (best);
  choose(ctx, found ? { to: found.to } : { why: "No lit tile lies that way." });
}

/** @param {string} words */
function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}
