// One sentence about whatever has a title: where the pointer rests the browser shows it; on a touch screen a
// long press does, and with the keyboard what has the focus.

const PRESS_MS = 450;
const SEEN_MS = 4000;

/** @type {HTMLElement | null} */
let tip = null;

/** The sentence of an element or of what it is in. @param {Element | null} element */
function sentenceOf(element) {
  const at = element?.closest("[title], [data-tip], svg *");
  for (let each = at ?? null; each; each = each.parentElement) {
    const own = each.getAttribute("data-tip") ?? each.getAttribute("title");
    if (own) return own;
    const inside = [...each.children].find((child) => child.localName === "title");
    if (inside?.textContent) return inside.textContent;
    if (each.id === "page") break;
  }
  return null;
}

/** @param {string} sentence @param {number} x @param {number} y */
function showTip(sentence, x, y) {
  hideTip();
  tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "tooltip");
  tip.textContent = sentence;
  document.body.after(tip);
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, x - width / 2))}px`;
  tip.style.top = `${y - height - 16 < 8 ? y + 20 : y - height - 16}px`;
  setTimeout(hideTip, SEEN_MS);
}

function hideTip() {
  tip?.remove();
  tip = null;
}

export function watchTips() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  addEventListener("pointerdown", (event) => {
    hideTip();
    if (event.pointerType !== "touch") return;
    const { target, clientX: x, clientY: y } = event;
    timer = setTimeout(() => {
      const sentence = sentenceOf(/** @type {Element} */ (target));
      if (sentence) showTip(sentence, x, y);
    }, PRESS_MS);
  });
  for (const end of ["pointerup", "pointercancel", "pointermove", "scroll"])
    addEventListener(end, () => clearTimeout(timer), { passive: true });
  addEventListener("focusin", (event) => {
    const element = /** @type {Element} */ (event.target);
    if (!element.matches(":focus-visible") || element.matches("input, select, textarea, a")) return;
    const sentence = element.getAttribute("data-tip") ?? element.getAttribute("title");
    const { left, top, width } = element.getBoundingClientRect();
    if (sentence) showTip(sentence, left + width / 2, top);
  });
  addEventListener("keydown", (event) => event.key === "Escape" && hideTip());
}
