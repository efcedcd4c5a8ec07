// How a turn comes about: boats glide by themselves; then torpedoes run, what they hit goes off, and
// sonar spreads, in the order of the rules.

/** Milliseconds: a torpedo's square, a blast, a step of the sonar. */
const SQUARE = 60;
const BLAST = 300;
const RING = 70;
/** Nothing takes longer than this, or a turn would not be over before the next. */
const LONGEST = 600;
const NAME = "subsim";

/** @param {Element} stage @returns {Animation[]} */
export function motion(stage) {
  for (const animation of stage.getAnimations({ subtree: true })) {
    if (animation.id === NAME) animation.cancel();
  }
  /** @type {Animation[]} */
  const begun = [];
  const animate = (
    /** @type {Element} */ element,
    /** @type {Keyframe[]} */ frames,
    /** @type {KeyframeAnimationOptions} */ how,
  ) => begun.push(element.animate(frames, { fill: "backwards", id: NAME, ...how }));
  const all = (/** @type {string} */ name) => [...stage.querySelectorAll(`.subsim ${name}`)];

  let fired = 200;
  for (const torpedo of all(".torpedo")) {
    const points = (torpedo.getAttribute("data-points") ?? "")
      .split(" ")
      .map((point) => point.split(",").map(Number));
    const duration = Math.min(LONGEST, SQUARE * points.length);
    animate(torpedo, course(points, torpedo), { delay: 200, duration, fill: "both" });
    fired = Math.max(fired, 200 + duration);
  }
  const blasts = all(".burst");
  for (const burst of blasts) {
    const origin = originOf(burst);
    animate(
      burst,
      [
        { transform: "scale(0)", transformOrigin: origin, opacity: 0 },
        { transform: "scale(1.5)", transformOrigin: origin, opacity: 1, offset: 0.5 },
        { transform: "scale(1)", transformOrigin: origin, opacity: 1 },
      ],
      { delay: fired, duration: BLAST, easing: "ease-out" },
    );
  }
  for (const area of all(".area")) {
    animate(area, [{ opacity: 0 }, { opacity: 1 }], { delay: fired + 80, duration: BLAST });
  }
  for (const boat of all(".afloat")) {
    animate(boat, [{ opacity: 1 }, { opacity: 1 }], { duration: fired + BLAST / 2 });
  }
  const after = blasts.length ? fired + BLAST : fired;
  for (const tag of all(".tag-word.hit")) {
    animate(tag, [{ opacity: 0 }, { opacity: 1 }], { delay: after - 100, duration: 200 });
  }
  let heard = after;
  for (const sonar of all(".sonar")) {
    const reach = Number(sonar.getAttribute("data-reach"));
    const step = Math.min(RING, LONGEST / reach);
    heard = Math.max(heard, after + step * reach);
    for (const rim of sonar.querySelectorAll(".rim")) {
      const delay = after + step * Number(rim.getAttribute("data-step"));
      animate(
        rim,
        [
          { opacity: 0 },
          {
            opacity: 1,
            strokeOpacity: 1,
            strokeWidth: "3px",
            strokeDasharray: "none",
            offset: 0.25,
          },
          {},
        ],
        { delay, duration: 4 * RING },
      );
    }
    for (const water of sonar.querySelectorAll(".water")) {
      animate(water, [{ opacity: 0 }, { opacity: 1 }], { delay: heard - 100, duration: 260 });
    }
  }
  for (const late of all(".contact, .tag-word:not(.hit)")) {
    animate(late, [{ opacity: 0 }, { opacity: 1 }], { delay: heard, duration: 160 });
  }
  return begun;
}

/** From the first square to the last and then to where it stays, always nose first. @param {number[][]} points @param {Element} torpedo @returns {Keyframe[]} */
function course(points, torpedo) {
  const inner = torpedo.firstElementChild?.getAttribute("transform") ?? "";
  const [x, y, turned] = (inner.match(/-?[\d.]+/g) ?? []).map(Number);
  const frames = points.map(([px, py], at) => {
    const [fx, fy] = at ? points[at - 1] : points[at];
    const [tx, ty] = at ? points[at] : (points[1] ?? points[0]);
    const angle = (Math.atan2(ty - fy, tx - fx) * 180) / Math.PI - turned;
    // The torpedo is drawn where it stays: it is brought back to its middle, turned, and put elsewhere.
    return {
      transform: `translate(${px}px, ${py}px) rotate(${nearest(angle)}deg) translate(${-x}px, ${-y}px)`,
      opacity: 1,
    };
  });
  return [...frames, { transform: frames.at(-1)?.transform, opacity: 0, offset: 1 }].map(
    (frame, at, list) => ({
      ...frame,
      offset: at / (list.length - 1),
    }),
  );
}

/** The same direction without going all the way round. @param {number} angle */
function nearest(angle) {
  return angle > 180 ? angle - 360 : angle < -180 ? angle + 360 : angle;
}

/** @param {Element} burst */
function originOf(burst) {
  const [x, y] = (
    burst.firstElementChild?.getAttribute("transform")?.match(/-?[\d.]+/g) ?? []
  ).slice(0, 2);
  return `${x}px ${y}px`;
}
