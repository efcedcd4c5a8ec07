// The search of the documentation, in the browser: an index of a few hundred parts, fetched when the reader
// first searches. Results come in the same order as the server's own.

import { getJson } from "../api.js";
import { h, patch } from "../dom.js";

/**
 * @typedef {[path: string, title: string, anchor: string, heading: string, excerpt: string, words: string]} Row
 * @typedef {{ row: Row, worth: number }} Found
 */

const MOST = 8;

/** What a word is worth where it is found. */
const IN_TITLE = 12;
const IN_HEADING = 8;
const IN_TEXT = 2;

/** The words of a text, in small letters. @param {string} text */
export function wordsOf(text) {
  const all = text.toLowerCase().split(/[^\p{L}\p{N}_]+/u);
  return new Set(all.filter((word) => word.length >= 2 && word.length <= 40));
}

/** @param {string} word @param {[number, Set<string>][]} places */
function worthOf(word, places) {
  let best = 0;
  for (const [worth, words] of places) {
    const whole = words.has(word);
    const begins = whole || [...words].some((other) => other.startsWith(word));
    best = Math.max(best, whole ? worth * 2 : begins ? worth : 0);
  }
  return best;
}

/** The parts that hold all words, the best first. @param {Row[]} rows @param {string} query @returns {Row[]} */
export function search(rows, query) {
  const wanted = [...wordsOf(query)];
  if (wanted.length === 0) return [];
  /** @type {Found[]} */
  const found = [];
  for (const row of rows) {
    const [path, title, anchor, heading, , text] = row;
    const places = /** @type {[number, Set<string>][]} */ ([
      [IN_TITLE, wordsOf(`${path} ${title}`)],
      [IN_HEADING, wordsOf(heading)],
      [IN_TEXT, wordsOf(text)],
    ]);
    const each = wanted.map((word) => worthOf(word, places));
    if (each.every((worth) => worth > 0)) {
      const worth = each.reduce((sum, one) => sum + one, anchor === "" ? 1 : 0);
      found.push({ row, worth });
    }
  }
  found.sort((one, other) => other.worth - one.worth);
  return found.slice(0, MOST).map(({ row }) => row);
}

/** Shows what is found below the field while the reader types. @param {HTMLFormElement} form */
export function openSearch(form) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  const place = document.createElement("div");
  form.append(place);
  /** @type {Promise<Row[]> | null} */
  let index = null;
  const read = () => (index ??= getJson("/docs/search.json"));
  const draw = async () => {
    const query = input.value;
    const rows = query.trim() === "" ? [] : search(await read(), query);
    if (input.value === query) patch(place, results(query, rows));
  };
  // Enter asks the server, which always works; so does a search whose index did not come.
  const quietly = () => draw().catch(() => (index = null));
  input.addEventListener("focus", () => read().catch(() => (index = null)), { once: true });
  input.addEventListener("input", quietly);
  form.addEventListener("keydown", (event) => {
    const links = [...form.querySelectorAll("a[data-hit]")];
    const at = links.indexOf(/** @type {Element} */ (document.activeElement));
    if (event.key === "Escape") {
      patch(place, h("div", null));
      input.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = links[at + (event.key === "ArrowDown" ? 1 : -1)];
      event.preventDefault();
      /** @type {HTMLElement} */ (next ?? input).focus();
    }
  });
}

/** @param {string} query @param {Row[]} rows */
function results(query, rows) {
  if (query.trim() === "") return h("div", null);
  if (rows.length === 0)
    return h("div", { class: "hits", role: "status" }, h("p", null, "Nothing found."));
  return h(
    "div",
    { class: "hits" },
    h(
      "ul",
      null,
      rows.map(([path, title, anchor, heading, excerpt]) =>
        h(
          "li",
          { key: `${path}#${anchor}` },
          h(
            "a",
            { href: `/docs/${path}${anchor ? `#${anchor}` : ""}`, "data-hit": "" },
            h("b", null, title),
            heading ? h("span", null, ` ${heading}`) : null,
            h("span", { class: "note" }, excerpt),
          ),
        ),
      ),
    ),
  );
}
