// Parts that several pages show.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { playerChip } from "./marks.js";
import { words } from "./texts.js";

/** One line above everything while the line to the server is lost. @param {import("./link.js").Link} link */
export function awayNotice(link) {
  const { open, since, retryAt } = link.state;
  if (open || retryAt === null) return null;
  const time = new Date(since).toLocaleTimeString();
  return h(
    "div",
    { class: "notice look", role: "status" },
    icon("plug"),
    h("span", null, words.live.away(time)),
    h("button", { class: "button", type: "button", onclick: () => link.retry() }, words.live.retry),
  );
}

/** Who sits where. @param {(import("./types.d.ts").Seated | null)[]} seats */
export function seatList(seats) {
  return h(
    "ul",
    { class: "seat-list" },
    seats.map((seat) =>
      h("li", null, seat ? playerChip(seat) : h("span", { class: "note" }, words.live.free)),
    ),
  );
}

/** A line to copy. @param {string} text @param {() => void} changed */
export function copyField(text, changed = () => {}) {
  return h(
    "div",
    { class: "copy" },
    // A line breaks between words only: an option never comes apart.
    h(
      "code",
      { tabindex: "0" },
      text.split(/(?<= )/).map((word) => h("span", null, word)),
    ),
    copyButton(text, changed),
  );
}

/** A button that copies a text. @param {string} text @param {() => void} changed */
export function copyButton(text, changed) {
  const done = copied.has(text);
  return h(
    "button",
    {
      class: "button",
      type: "button",
      onclick: async () => {
        await navigator.clipboard?.writeText(text).catch(() => undefined);
        copied.add(text);
        changed();
        setTimeout(() => {
          copied.delete(text);
          changed();
        }, 2000);
      },
    },
    icon(done ? "tick" : "copy"),
    h("span", { "aria-live": "polite" }, done ? words.replay.copied : words.copy),
  );
}

/** What was copied in the last two seconds. */
const copied = new Set();

/** A heading on a rule. @param {string} title @param {{ id?: string, note?: import("./dom.js").Child, end?: import("./dom.js").Child }} beside @param {...import("./dom.js").Child} content */
export function section(title, { id, note, end }, ...content) {
  return h(
    "section",
    { class: "section", key: title, id },
    h(
      "header",
      null,
      h("h2", null, title),
      note ? h("span", { class: "note" }, note) : null,
      end ? h("span", { class: "end" }, end) : null,
    ),
    ...content,
  );
}

/** A control with its name above it. @param {string} label @param {import("./dom.js").Child} control @param {string} [hint] */
export function field(label, control, hint) {
  return h(
    "label",
    { class: "field" },
    h("span", null, label),
    control,
    hint ? h("span", { class: "note" }, hint) : null,
  );
}

/** Name, dotted leader, value. @param {[import("./dom.js").Child, import("./dom.js").Child][]} rows */
export function programme(rows) {
  return h(
    "dl",
    { class: "programme" },
    rows.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
  );
}
