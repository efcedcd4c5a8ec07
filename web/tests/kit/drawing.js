// What must hold for every picture a board describes, checked without a browser.

import assert from "node:assert/strict";

/**
 * @typedef {import("../../dom.js").VNode} VNode
 * @typedef {import("../../types.d.ts").Board} Board
 * @typedef {import("../../timeline.js").Timeline} Timeline
 */

/** A phone, a small laptop, a laptop and a projector. */
const WIDTHS = [328, 374, 660, 928, 1300];

/** Words are never smaller, but for the initial in a seat mark. */
const LEAST_PX = 12;

/**
 * Draws every turn as every viewer, at every width, and calls all else a page would.
 * @param {Board} board
 * @param {string} game
 * @param {Timeline} timeline
 */
export function drawEvery(board, game, timeline) {
  for (const viewer of timeline.viewers()) {
    for (let place = 0; place <= timeline.last; place += 1) {
      const view = timeline.view(place, viewer);
      for (const width of WIDTHS) {
        const ctx = timeline.context(game, place, viewer, { width });
        checkDrawing(board.board(view, ctx), { width, what: `turn ${place + 1} as ${viewer}` });
      }
      const ctx = timeline.context(game, place, viewer, { width: 928 });
      checkWords(board, view, ctx, timeline, place);
    }
  }
}

/** @param {Board} board @param {any} view @param {import("../../types.d.ts").Context} ctx @param {Timeline} timeline @param {number} place */
function checkWords(board, view, ctx, timeline, place) {
  const { now, next } = board.caption(view, ctx);
  const update = timeline.updates[place];
  const mark = board.mark?.(update, timeline.updates[place - 1] ?? null) ?? "";
  const moves = board.moves(update, ctx).map((line) => `${line.words} ${line.note ?? ""}`);
  for (const words of [now, next ?? "", board.where(view), mark, ...moves])
    assert.doesNotMatch(words, /undefined|null|NaN|\[object/);
  assert.ok(now.length > 0, "a caption says something");
  assert.equal(board.points(view, ctx).length, ctx.names.length);
  for (const panel of board.side(view, ctx)) checkDrawing(panel, { width: 280, what: "a panel" });
}

/**
 * No attribute is nonsense, names that travel are unique, words are large enough.
 * @param {VNode} picture
 * @param {{ width: number, what: string }} about
 */
export function checkDrawing(picture, { width, what }) {
  const box = String(picture.props.viewBox ?? "").split(" ");
  const scale = box.length === 4 ? width / Number(box[2]) : 1;
  if (box.length === 4) assert.ok(scale >= 0.99, `${what}: scaled down to ${scale} at ${width}`);
  /** @type {Set<string>} */
  const names = new Set();
  walk(picture, scale, (node, scale) => {
    for (const [name, value] of Object.entries(node.props)) {
      if (typeof value === "function" || value === null || value === undefined) continue;
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      assert.doesNotMatch(text, /NaN|undefined|Infinity|\[object/, `${what}: ${node.tag} ${name}`);
    }
    const flip = node.props["data-flip"];
    if (flip) {
      assert.ok(!names.has(flip), `${what}: ${flip} is there twice`);
      names.add(flip);
    }
    const size = Number(node.props["font-size"] ?? NaN) * scale;
    if (node.tag === "text" && !("data-initial" in node.props))
      assert.ok(!(size < LEAST_PX - 0.1), `${what} at ${width}: "${node.children}" has ${size} px`);
  });
  return names;
}

/** @param {VNode} node @param {number} scale @param {(node: VNode, scale: number) => void} see */
function walk(node, scale, see) {
  const own = /scale\((-?[\d.]+)/.exec(node.props.transform ?? "");
  const inside = scale * Math.abs(own ? Number(own[1]) : 1);
  see(node, inside);
  for (const child of node.children) if (typeof child !== "string") walk(child, inside, see);
}

/** Everything written in a picture, in order. @param {VNode} node @returns {string[]} */
export function texts(node) {
  return node.children.flatMap((child) => (typeof child === "string" ? [child] : texts(child)));
}

/** All elements that satisfy a condition. @param {VNode} node @param {(node: VNode) => boolean} is @returns {VNode[]} */
export function all(node, is) {
  const own = is(node) ? [node] : [];
  return [
    ...own,
    ...node.children.flatMap((child) => (typeof child === "string" ? [] : all(child, is))),
  ];
}
