// Motion that explains what happened. A thing on a board that may travel has `data-flip` with a name
// of its own; when the page changes, what has the same name before and after travels from its old place
// to its new one. What is new and has `data-from` comes from where that name was. Nothing else moves
// unless the board says so.

const MS = 280;
/** A thing that travels is never drawn larger than this, or smaller than its inverse. */
const LARGEST = 1.5;
const EASE = "cubic-bezier(0.2, 0.8, 0.2, 1)";

/** Whether things may move at all. */
export function isMotionWanted() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Changes a stage and lets what has moved travel.
 * @param {Element} stage
 * @param {() => void} change
 * @param {number} [ms]
 * @returns {Animation[]}
 */
export function travel(stage, change, ms = MS) {
  if (!isMotionWanted()) {
    change();
    return [stage.animate({ opacity: [0.6, 1] }, { duration: 80 })];
  }
  const before = places(stage);
  change();
  const animations = [];
  for (const [name, { element, box }] of places(stage)) {
    const from = before.get(name) ?? before.get(element.getAttribute("data-from") ?? "");
    const steps = from ? journey(element, from.box, box) : appearing(element);
    if (steps) animations.push(element.animate(steps, { duration: ms, easing: EASE }));
  }
  return animations;
}

/** @param {Element} stage */
function places(stage) {
  /** @type {Map<string, { element: Element, box: DOMRect }>} */
  const found = new Map();
  for (const element of stage.querySelectorAll("[data-flip]")) {
    const name = element.getAttribute("data-flip") ?? "";
    found.set(name, { element, box: element.getBoundingClientRect() });
  }
  return found;
}

/** @param {Element} element @param {DOMRect} from @param {DOMRect} to @returns {Keyframe[] | null} */
function journey(element, from, to) {
  const scale = scaleOf(element);
  const whole = to.width > 0 ? from.width / to.width : 1;
  const size = Math.min(LARGEST, Math.max(1 / LARGEST, whole));
  // What comes out of something much larger or smaller begins in its middle.
  const aside = whole === size ? 0 : (from.width - size * to.width) / 2;
  const down = whole === size ? 0 : (from.height - size * to.height) / 2;
  const dx = (from.left + aside - to.left) / scale;
  const dy = (from.top + down - to.top) / scale;
  const same = Math.abs(size - 1) < 0.02;
  if (Math.abs(dx) < 1 && Math.abs(dy) < 1 && same) return null;
  const start = `translate(${dx}px, ${dy}px)${same ? "" : ` scale(${size})`}`;
  return [{ transform: start }, { transform: "none" }];
}

/** @param {Element} element @returns {Keyframe[] | null} */
function appearing(element) {
  return element.hasAttribute("data-from") ? [{ opacity: 0 }, { opacity: 1 }] : null;
}

/** CSS pixels for one unit of what the element is drawn in. @param {Element} element */
function scaleOf(element) {
  const parent = element.parentElement;
  if (!(element instanceof SVGGraphicsElement) || !(parent instanceof SVGGraphicsElement)) return 1;
  const matrix = parent.getScreenCTM();
  return matrix ? Math.hypot(matrix.a, matrix.b) || 1 : 1;
}
