// What a page of the documentation gains with a script: the theme button, a search as one types, and
// buttons that copy code. Without one it is whole as well.

import { h, patch } from "../dom.js";
import { copyButton } from "../parts.js";
import { themeButton } from "../shell.js";
import { changeTheme } from "../themes.js";
import { words } from "../texts.js";
import { openSearch } from "./search.js";

const end = document.querySelector(".bar .end");
if (end) patch(end, h("div", { class: "end" }, themeButton()));

for (const pre of document.querySelectorAll(".manual pre")) {
  const text = pre.textContent ?? "";
  const place = document.createElement("div");
  place.className = "code";
  pre.replaceWith(place);
  const button = document.createElement("div");
  place.append(pre, button);
  const draw = () => patch(button, h("div", null, copyButton(text.trimEnd(), draw)));
  draw();
}

// On a wide screen there is room for the contents beside the page.
const contents = /** @type {HTMLDetailsElement | null} */ (
  document.querySelector(".contents details")
);
const wide = matchMedia("(min-width: 1100px)");
const fit = () => contents?.toggleAttribute("open", wide.matches);
wide.addEventListener("change", fit);
fit();

const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".find"));
if (form) openSearch(form);

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/** @type {HTMLElement} */ (event.target).closest("input, select, textarea")) return;
  if (event.key === "d") changeTheme();
  if (event.key === "/") {
    event.preventDefault();
    form?.querySelector("input")?.focus();
  }
});

// Tests wait for this.
document.documentElement.dataset.ready = words.docs;
