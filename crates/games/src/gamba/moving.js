// What gliding alone does not say: a pile that is picked up comes card by card, and what a ten burns
// waits until the ten has come down on it.

/**
 * @typedef {import("../../../../web/types.d.ts").View} View
 */

const APART_MS = 25;
const BURN_MS = 760;
const SETTLE = "cubic-bezier(0.2, 0.8, 0.2, 1)";

/** @param {Element} stage @param {View} before @param {View} view @returns {Animation[]} */
export function motion(stage, before, view) {
  const news = view.news.at(0) ?? {};
  if (news.played?.burned > 0) return burn(stage, news.played.cards);
  if (news["picked-up"] || news["reserve-failed"]) oneByOne(stage, before, view);
  return [];
}

/** @param {Element} stage @param {View} before @param {View} view */
function oneByOne(stage, before, view) {
  const [{ seat }] = Object.values(view.news[0]);
  const known = before.pile.map((/** @type {string} */ code) => named(stage, code)).filter(Boolean);
  const backs = Array.from({ length: view.seats[seat].hand_size }, (_, at) =>
    named(stage, `back-${seat}-${at}`),
  ).slice(before.seats[seat].hand_size);
  for (const [at, element] of [...known, ...backs].entries()) {
    for (const animation of element?.getAnimations() ?? [])
      animation.effect?.updateTiming({ delay: APART_MS * at, duration: 320, fill: "backwards" });
  }
}

/** @param {Element} stage @param {string[]} tens @returns {Animation[]} */
function burn(stage, tens) {
  const pile = named(stage, "at-pile")?.getBoundingClientRect();
  if (!pile) return [];
  const stack = stage.querySelectorAll("g[data-flip]");
  for (const element of stack) {
    const [glide] = element.getAnimations();
    if (!glide || !(glide.effect instanceof KeyframeEffect)) continue;
    if (tens.includes(element.getAttribute("data-flip") ?? "")) land(element, glide.effect, pile);
    else if (!element.getAttribute("data-flip")?.startsWith("back-"))
      glide.effect.updateTiming({ delay: BURN_MS / 2, duration: BURN_MS / 2, fill: "backwards" });
  }
  const flame = stage.querySelector(".flame > g");
  if (!flame) return [];
  return [
    flame.animate(
      [
        { opacity: 0, transform: "scale(0.2)" },
        { opacity: 1, transform: "scale(2.1)", offset: 0.6 },
        { transform: getComputedStyle(flame).transform },
      ],
      { duration: BURN_MS, delay: BURN_MS / 2, fill: "backwards", easing: "ease-out" },
    ),
  ];
}

/** A ten comes down on the pile first, then goes with it. @param {Element} ten @param {KeyframeEffect} effect @param {DOMRect} pile */
function land(ten, effect, pile) {
  const [start, end] = effect.getKeyframes();
  const parent = ten.parentElement;
  const matrix = parent instanceof SVGGraphicsElement ? parent.getScreenCTM() : null;
  const animation = ten.getAnimations()[0];
  // Where it lies in the end, not where the glide has it now.
  animation?.finish();
  const own = ten.getBoundingClientRect();
  const scale = matrix ? Math.hypot(matrix.a, matrix.b) || 1 : 1;
  const onPile = `translate(${(pile.left - own.left) / scale}px, ${(pile.top - own.top) / scale}px) scale(${pile.width / own.width})`;
  effect.setKeyframes([
    { transform: String(start.transform), easing: SETTLE },
    { transform: onPile, offset: 0.38 },
    { transform: onPile, offset: 0.55, easing: SETTLE },
    { transform: String(end.transform) },
  ]);
  effect.updateTiming({ duration: BURN_MS, easing: "linear" });
  animation?.play();
}

/** @param {Element} stage @param {string} name */
function named(stage, name) {
  return stage.querySelector(`[data-flip="${name}"]`);
}
