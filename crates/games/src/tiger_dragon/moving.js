// What gliding alone does not say: attack and answer strike each other.

const CLASH_MS = 240;

/** @param {Element} stage @param {any} before @param {import("../../../../web/types.d.ts").View} view @returns {Animation[]} */
export function motion(stage, before, view) {
  if (!view.answered || !view.news.some((/** @type {any} */ news) => news.defended)) return [];
  const strike = {
    duration: CLASH_MS,
    delay: 200,
    easing: "ease-in-out",
    composite: /** @type {const} */ ("add"),
  };
  return [
    ...strikes(stage, ".clash-attack", "12px", strike),
    ...strikes(stage, ".clash-answer", "-12px", strike),
    ...[...stage.querySelectorAll(".spark > g")].map((spark) =>
      spark.animate(
        [
          { opacity: 0, transform: "scale(0.2)" },
          { opacity: 1, transform: "scale(1.4)", offset: 0.6 },
          { transform: "scale(1)" },
        ],
        { duration: 320, delay: 260, fill: "backwards", easing: "ease-out" },
      ),
    ),
  ];
}

/** @param {Element} stage @param {string} which @param {string} by @param {KeyframeAnimationOptions} timing */
function strikes(stage, which, by, timing) {
  return [...stage.querySelectorAll(which)].map((tile) =>
    tile.animate(
      [{ transform: "none" }, { transform: `translateX(${by})` }, { transform: "none" }],
      timing,
    ),
  );
}
