// How a friend comes to one's table: a link to copy or share, and a QR code for a telephone beside one.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { copyField } from "./parts.js";
import { qr } from "./qr.js";
import { words } from "./texts.js";

/** @param {string} link @param {string} title @param {() => void} draw */
export function invitation(link, title, draw) {
  return h(
    "section",
    { class: "invitation" },
    h(
      "div",
      null,
      h("h2", null, words.play.share),
      copyField(link, draw),
      "share" in navigator
        ? h(
            "button",
            {
              class: "button",
              type: "button",
              onclick: () => navigator.share({ title, url: link }).catch(() => 0),
            },
            icon("share"),
            words.end.share,
          )
        : null,
      isOnlyHere(link) ? h("p", { class: "notice look" }, words.play.onlyHere) : null,
    ),
    isOnlyHere(link) ? null : code(link),
  );
}

/** Whether no other machine can open this address. @param {string} link */
export function isOnlyHere(link) {
  return /^(localhost|127\..*|\[::1\])$/.test(new URL(link).hostname);
}

/** Light and dark squares, with the light margin that readers need. @param {string} link */
function code(link) {
  const rows = qr(link);
  if (!rows) return null;
  const size = rows.length + 8;
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : [])),
  );
  return h(
    "svg",
    {
      class: "qr",
      viewBox: `0 0 ${size} ${size}`,
      width: 200,
      height: 200,
      role: "img",
      "aria-label": words.play.qr,
    },
    h("rect", { width: size, height: size, fill: "#fff" }),
    h("path", { d: dark.join(""), fill: "#000", "shape-rendering": "crispEdges" }),
  );
}
