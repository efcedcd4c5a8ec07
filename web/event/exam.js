// What `parlor check` has said of a bot, question by question.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { copyField, section } from "../parts.js";
import { connect as texts } from "./connecttexts.js";

/**
 * @typedef {{ item: string, mark: "ok" | "wrong" | "n/a", comment: string, faults: { what: string, lines: string[] }[] }} Item
 * @typedef {{ game: string, at: number, items: Item[] }} Exam
 */

const SIGNS = { ok: "tick", wrong: "cross", "n/a": "dash" };

/** @param {string} game @param {Exam | undefined} exam @param {string | null} name Whose key is shown. @param {() => void} changed */
export function examSection(game, exam, name, changed) {
  const asked = exam?.items.filter(({ mark }) => mark !== "n/a") ?? [];
  const passed = asked.filter(({ mark }) => mark === "ok").length;
  const upload = name ? ` --upload ${location.host} --key-file ${name}.key` : "";
  return section(
    texts.check,
    exam
      ? {
          note: texts.exam.passed(passed, asked.length),
          end: new Date(exam.at).toLocaleString("en-GB", {
            day: "numeric",
            month: "short",
            hour: "2-digit",
            minute: "2-digit",
          }),
        }
      : {},
    exam
      ? h(
          "ul",
          { class: "rows exam" },
          exam.items.map((item) => question(item)),
        )
      : h(
          "p",
          { class: "note" },
          `${texts.checkAbout} `,
          h("a", { href: "/docs/guides/test-your-bot" }, texts.checkMore),
        ),
    copyField(`parlor check ${game} --bot './bot {host} {port} {name}'${upload}`, changed),
    name ? h("p", { class: "note" }, texts.exam.upload(name)) : null,
  );
}

/** @param {Item} item */
function question({ item, mark, comment, faults }) {
  return h(
    "li",
    { key: item, class: mark === "wrong" ? "wrong" : null },
    icon(SIGNS[mark], 16),
    h("span", { class: "what" }, item.charAt(0).toUpperCase() + item.slice(1)),
    h(
      "span",
      { class: "note small" },
      mark === "wrong" ? texts.exam.wrong : mark === "n/a" ? texts.exam.none : comment,
    ),
    mark === "n/a" && comment ? h("p", { class: "note small" }, comment) : null,
    faults.map(({ what, lines }) => [
      h("p", { class: "small" }, `${what}.`),
      lines.length > 0
        ? h(
            "details",
            null,
            h("summary", { class: "small" }, texts.exam.lines),
            h("pre", { tabindex: "0" }, lines.join("\n")),
          )
        : null,
    ]),
  );
}
