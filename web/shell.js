// What surrounds every page: the bar on top, the theme, the line at the foot.

import { h, patch } from "./dom.js";
import { emblem } from "./games.js";
import { icon } from "./icons.js";
import { settingsButton } from "./settings.js";
import { words } from "./texts.js";
import { changeTheme, isDark } from "./themes.js";

/**
 * @typedef {import("./dom.js").Child} Child
 * @typedef {object} Page
 * @property {string} title What the tab says.
 * @property {string | null} [game] Whose colours it wears.
 * @property {boolean} [wide] Whether it uses all of a large screen.
 * @property {{ game: string, title: string, note?: Child } | null} [place] Where in the house one is.
 * @property {Child} [end] At the right end of the bar.
 * @property {string} [at] Which of the bar's links it belongs to.
 * @property {boolean} [bare] Nothing around it, for a frame in somebody's page.
 */

/** Brings the whole page to its description. @param {Page} page @param {...Child} content */
export function show(page, ...content) {
  document.title = page.title === "Parlor" ? "Parlor" : `${page.title} · Parlor`;
  if (page.game) document.documentElement.dataset.game = page.game;
  patch(
    document.body,
    h(
      "body",
      { class: page.bare ? "bare" : "" },
      page.bare ? null : h("a", { class: "skip", href: "#page" }, words.skip),
      page.bare ? null : bar(page),
      h(
        "main",
        { id: "page", key: "main", class: page.wide ? "page wide" : "page", tabindex: "-1" },
        ...content,
      ),
      page.bare ? null : foot(page),
    ),
  );
  makeRoom();
}

/** On a phone, what stands at the end of the bar gets short before the title is cut. */
function makeRoom() {
  const bar = /** @type {HTMLElement | null} */ (document.querySelector(".bar"));
  const title = bar?.querySelector(".place .cut");
  if (!bar || !title) return;
  delete bar.dataset.tight;
  if (innerWidth <= 700 && title.scrollWidth > title.clientWidth) bar.dataset.tight = "";
}

/** @param {Page} page */
function bar({ place, end, wide, at }) {
  const here = at ?? location.pathname;
  return h(
    "header",
    { class: `bar ${wide ? "wide" : ""} ${place ? "with-place" : ""}` },
    h(
      "div",
      { class: "inner" },
      h("a", { class: "mark", href: "/", "aria-label": "Parlor" }, MARK, h("span", null, "Parlor")),
      place
        ? h(
            "div",
            { class: "place" },
            h(
              "a",
              { href: `/${place.game}` },
              emblem(place.game, 24),
              h("span", { class: "cut" }, place.title),
            ),
            place.note ? h("span", { class: "note" }, place.note) : null,
          )
        : h(
            "nav",
            { "aria-label": "Parlor" },
            links().map(([href, name]) =>
              h("a", { href, "aria-current": here === href ? "page" : null }, name),
            ),
          ),
      h("div", { class: "end" }, end, themeButton(), settingsButton()),
    ),
  );
}

/** What the bar links to. @returns {[string, string][]} */
function links() {
  return [
    ["/", words.games],
    ["/tournaments", words.tournaments],
    ["/players", words.players],
    ["/connect", words.connectBot],
    ["/docs", words.docs],
  ];
}

/** What only the line at the foot links to. @returns {[string, string][]} */
function more() {
  return [
    ["/starters", words.starters],
    ["/api/v1/openapi.json", "API"],
  ];
}

const MARK = h(
  "svg",
  { viewBox: "0 0 28 28", width: 28, height: 28, "aria-hidden": "true" },
  h("circle", { cx: 14, cy: 14.6, r: 5.9, fill: "var(--ink)" }),
  [
    [14, 3.6, "sushi-go"],
    [24.2, 11.1, "subsim"],
    [20.3, 23.1, "gamba"],
    [7.7, 23.1, "labyrinth"],
    [3.8, 11.1, "tiger-dragon"],
  ].map(([cx, cy, game]) =>
    h("circle", { "data-game": game, cx, cy, r: 2.3, fill: "var(--fill)" }),
  ),
);

/** Light to dark and back, as a button. */
export function themeButton() {
  const dark = isDark();
  const label = dark ? words.theme.light : words.theme.dark;
  return h(
    "button",
    {
      class: "button icon plain theme",
      type: "button",
      title: label,
      "aria-label": label,
      onclick: (/** @type {Event} */ event) => {
        changeTheme();
        patch(/** @type {Element} */ (event.currentTarget), themeButton());
      },
    },
    icon(dark ? "sun" : "moon"),
  );
}

/** @param {Page} page */
function foot({ wide }) {
  return h(
    "footer",
    { class: `foot ${wide ? "wide" : ""}` },
    h(
      "div",
      { class: "inner" },
      h("span", null, "Parlor at ", h("b", null, location.host)),
      h(
        "nav",
        { class: "end", "aria-label": words.everywhere },
        [...links(), ...more()].map(([href, name]) => h("a", { href }, name)),
      ),
    ),
  );
}

/** A page that has only something to say. @param {{ title: string, hint: string, wrong?: boolean, link?: [string, string] }} state */
export function stateOf({ title, hint, wrong = false, link }) {
  return h(
    "div",
    { class: `state ${wrong ? "wrong" : ""}`, role: wrong ? "alert" : null },
    h("h1", { class: "h2" }, title),
    h("p", null, hint),
    link ? h("a", { class: "button", href: link[1] }, link[0]) : null,
  );
}

/** Grey bars where lines will be, after a moment. */
export function loading() {
  return h("div", { class: "bars", "aria-busy": "true" }, h("i"), h("i"), h("i"));
}
