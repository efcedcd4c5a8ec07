// Settings behind the gear: the name one plays under, and how the page calls for one's attention. All of
// it stays in this browser.

import { h, patch } from "./dom.js";
import { icon } from "./icons.js";
import { LANGUAGES, choose, language } from "./language.js";
import { field } from "./parts.js";
import { words } from "./texts.js";
import { changeTheme, isDark } from "./themes.js";
import { beCalled, forgetWho, isKeyed, movingLink, who } from "./who.js";

/** What can be switched on; everything is off at first. */
export const SWITCHES = /** @type {const} */ (["sound", "notify", "vibrate"]);

/** @typedef {(typeof SWITCHES)[number]} Switch */

/** @param {Switch} name */
export function isOn(name) {
  try {
    return localStorage.getItem(`on:${name}`) === "1";
  } catch {
    return false;
  }
}

/** @param {Switch} name @param {boolean} on */
async function turn(name, on) {
  if (name === "notify" && on && Notification.permission !== "granted")
    on = (await Notification.requestPermission()) === "granted";
  try {
    if (on) localStorage.setItem(`on:${name}`, "1");
    else localStorage.removeItem(`on:${name}`);
  } catch {
    // Storage is switched off: nothing is kept, so nothing is on.
  }
}

/** @param {Switch} name */
function isPossible(name) {
  if (name === "sound") return "AudioContext" in window;
  return name === "notify" ? "Notification" in window : "vibrate" in navigator;
}

export function settingsButton() {
  const { title } = words.settings;
  return h(
    "button",
    {
      class: "button icon plain",
      type: "button",
      title,
      "aria-label": title,
      onclick: () => openSettings(),
    },
    icon("gear"),
  );
}

function openSettings() {
  const dialog = document.createElement("dialog");
  dialog.className = "drawer settings";
  dialog.setAttribute("aria-label", words.settings.title);
  document.body.after(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const draw = () => patch(dialog, drawn(dialog, draw));
  draw();
  dialog.showModal();
}

/** @param {HTMLDialogElement} dialog @param {() => void} draw */
function drawn(dialog, draw) {
  const texts = words.settings;
  return h(
    "dialog",
    { class: "drawer settings", "aria-label": texts.title },
    h(
      "header",
      null,
      h("h2", null, texts.title),
      h(
        "button",
        {
          class: "button icon plain",
          type: "button",
          "aria-label": texts.close,
          onclick: () => dialog.close(),
        },
        icon("cross"),
      ),
    ),
    who().key ? claimedName(draw) : plainName(draw),
    h(
      "fieldset",
      null,
      h("legend", null, texts.look),
      h(
        "label",
        { class: "switch" },
        h("input", {
          type: "checkbox",
          checked: isDark(),
          onchange: () => {
            changeTheme();
            draw();
          },
        }),
        texts.dark,
      ),
      h(
        "label",
        { class: "switch" },
        texts.language,
        h(
          "select",
          {
            onchange: (/** @type {Event} */ event) =>
              choose(/** @type {HTMLSelectElement} */ (event.target).value),
          },
          Object.entries(LANGUAGES).map(([code, name]) =>
            h("option", { value: code, lang: code, selected: code === language() }, name),
          ),
        ),
      ),
    ),
    h(
      "fieldset",
      null,
      h("legend", null, texts.attention),
      SWITCHES.filter(isPossible).map((name) =>
        h(
          "label",
          { class: "switch", key: name },
          h("input", {
            type: "checkbox",
            checked: isOn(name),
            onchange: async (/** @type {Event} */ event) => {
              await turn(name, /** @type {HTMLInputElement} */ (event.target).checked);
              draw();
            },
          }),
          texts.switches[name],
        ),
      ),
    ),
  );
}

/** @param {() => void} draw */
function plainName(draw) {
  const texts = words.settings;
  const take = (/** @type {string} */ text) => {
    if (!isKeyed(text)) return false;
    beCalled(text);
    draw();
    return true;
  };
  return [
    field(
      words.play.name,
      h("input", {
        value: who().name,
        maxlength: 64,
        dir: "auto",
        autocomplete: "nickname",
        oninput: (/** @type {Event} */ event) => {
          const { value } = /** @type {HTMLInputElement} */ (event.target);
          if (!take(value)) beCalled(value);
        },
      }),
      texts.nameHint,
    ),
    field(
      texts.keyFile,
      h("input", {
        type: "file",
        accept: ".key,text/plain",
        onchange: async (/** @type {Event} */ event) => {
          const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
          if (file && file.size < 1000) take((await file.text()).trim());
        },
      }),
    ),
  ];
}

/** @param {() => void} draw */
function claimedName(draw) {
  const texts = words.settings;
  const { name, key } = who();
  const file = new Blob([`${name}:${key}\n`], { type: "text/plain" });
  return h(
    "section",
    { class: "claimed" },
    h("p", null, texts.playsAs, h("b", null, name), "."),
    h("p", { class: "note" }, texts.claimedHint),
    h(
      "div",
      { class: "pair" },
      h(
        "button",
        {
          class: "button",
          type: "button",
          onclick: () => navigator.clipboard?.writeText(movingLink()).catch(() => 0),
        },
        texts.moveLink,
      ),
      h(
        "button",
        {
          class: "button",
          type: "button",
          onclick: () => {
            const link = document.createElement("a");
            link.href = URL.createObjectURL(file);
            link.download = `${name}.key`;
            link.click();
            URL.revokeObjectURL(link.href);
          },
        },
        texts.moveFile,
      ),
      h(
        "button",
        {
          class: "button plain",
          type: "button",
          onclick: () => {
            forgetWho();
            draw();
          },
        },
        texts.forget,
      ),
    ),
  );
}
