// Before one sits down: under which name, and against whom.

import { h } from "../dom.js";
import { LEVELS, calledByPeople, levelFace, levelOf } from "../levels.js";
import { field } from "../parts.js";
import { words } from "../texts.js";
import { beCalled, isKeyed, who } from "../who.js";

/**
 * What the play page shows here, and what it takes back.
 * @typedef {object} Host
 * @property {any} hello
 * @property {string} name
 * @property {import("../types.d.ts").About} telling
 * @property {string | null} invited
 * @property {string[]} hosts Who invites.
 * @property {{ turn_timeout_ms?: number, house_bots?: string[] } | null} options Of the tables that are open to anybody.
 * @property {{ code?: string } | null} refused
 * @property {() => import("../dom.js").Child} refusal
 * @property {{ against: string, bots: string[] | null, seconds: number }} choice
 * @property {(wish: object) => void} join
 * @property {() => void} draw
 */

/** @param {Host} host @param {string} title */
export function setup(host, title) {
  const { hello, choice, invited } = host;
  const least = Math.max(1, hello.seats.min - 1);
  const most = Math.min(8, hello.seats.max - 1);
  const strategies = /** @type {{ name: string, level: number, words: string }[]} */ (
    hello.strategies
  );
  choice.bots ??= Array.from({ length: least }, () => usual(strategies));
  return h(
    "form",
    {
      class: "setup",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        host.join(wish(host, choice.bots ?? []));
      },
    },
    h("h1", null, title),
    nameField(host),
    isAboutName(host.refused) ? host.refusal() : null,
    invited
      ? h("p", null, words.play.invited(host.hosts, host.telling.title))
      : h(
          "fieldset",
          null,
          h("legend", null, words.play.against),
          ["bots", "link", "anybody"].map((kind) => option(host, kind)),
        ),
    !invited && choice.against === "bots" ? bots(host, strategies, least, most) : null,
    !invited && choice.against === "link" && most > least ? seats(host, least, most) : null,
    !invited && choice.against !== "anybody" ? time(host) : null,
    isAboutName(host.refused) ? null : host.refusal(),
    h(
      "button",
      { class: "button main large", type: "submit" },
      invited ? words.lobby.sitDown : words.play.go[choice.against],
    ),
  );
}

/** @param {Host} host */
function nameField(host) {
  const { name, key } = who();
  if (key)
    return h(
      "p",
      { class: "claimed" },
      words.play.claimedAs,
      h("b", null, name),
      ". ",
      h("span", { class: "note" }, words.play.notYou),
    );
  return field(
    words.play.name,
    h("input", {
      value: host.name,
      required: true,
      maxlength: 64,
      dir: "auto",
      autocomplete: "nickname",
      oninput: (/** @type {Event} */ event) => {
        host.name = /** @type {HTMLInputElement} */ (event.target).value;
        beCalled(host.name);
        // The key of a claimed name is not shown any longer than it takes to type it.
        if (isKeyed(host.name)) host.name = who().name;
        host.draw();
      },
    }),
  );
}

/** What one plays without having chosen anything: against decent house bots. @param {Host} host */
export function usualWish(host) {
  const { hello, choice } = host;
  const least = Math.max(1, hello.seats.min - 1);
  choice.bots ??= Array.from({ length: least }, () => usual(hello.strategies));
  return wish({ ...host, choice }, choice.bots);
}

/** Whom one plays unless one chooses: whom one chose last, else somebody in the middle. @param {{ name: string, level: number }[]} strategies */
function usual(strategies) {
  const last = lastLevel();
  if (strategies.some(({ name }) => name === last)) return last;
  return (strategies.filter((each) => each.level <= 2).pop() ?? strategies[0]).name;
}

function lastLevel() {
  try {
    return localStorage.getItem("level") ?? LEVELS[2];
  } catch {
    return LEVELS[2];
  }
}

/** @param {string} strategy */
function keepLevel(strategy) {
  try {
    localStorage.setItem("level", strategy);
  } catch {
    // Storage is switched off: the next game begins in the middle.
  }
}

/** @param {{ code?: string } | null} refused */
export function isAboutName(refused) {
  return ["bad-name", "name-taken", "needs-key", "banned"].includes(refused?.code ?? "");
}

/** At which pace the open tables are played, and by whom. @param {Host} host */
function terms({ options, hello }) {
  if (!options) return "";
  const strategies = /** @type {{ name: string, level: number }[]} */ (hello.strategies);
  const bots = (options.house_bots ?? []).map((name) => {
    const level = strategies.find((each) => each.name === name)?.level;
    if (levelOf(name) > 0) return words.play.ofFive(calledByPeople(name), levelOf(name));
    return level ? words.play.strategy(name, words.play.level(level)) : name;
  });
  const ms = options.turn_timeout_ms ?? 0;
  return words.play.terms(ms > 0 ? ms / 1000 : null, bots);
}

/** @param {Host} host @param {string[]} bots */
function wish({ invited, choice, telling }, bots) {
  if (invited) return { table: invited };
  const clock = { clock_s: choice.seconds, ...telling.options };
  if (choice.against === "bots") return { bots, options: clock };
  if (choice.against === "link") return { options: { ...clock, seats: bots.length + 1 } };
  return {};
}

/** @param {Host} host @param {string} kind */
function option(host, kind) {
  const { choice } = host;
  return h(
    "label",
    { class: "option" },
    h("input", {
      type: "radio",
      name: "against",
      value: kind,
      checked: choice.against === kind,
      onchange: () => {
        choice.against = kind;
        host.draw();
      },
    }),
    h(
      "span",
      null,
      h("b", null, words.play.kinds[kind].title),
      h("span", { class: "note" }, words.play.kinds[kind].hint),
      kind === "anybody" ? h("span", { class: "note" }, terms(host)) : null,
    ),
  );
}

/** Who was chosen to play along. @param {Host} host */
function choosing(host) {
  const change = (/** @type {string[]} */ next) => {
    host.choice.bots = next;
    host.draw();
  };
  return { chosen: host.choice.bots ?? [], change };
}

/** One line for each bot: how strong it is. @param {Host} host @param {{ name: string, level: number, words: string }[]} strategies @param {number} least @param {number} most */
function bots(host, strategies, least, most) {
  const { chosen, change } = choosing(host);
  return h(
    "fieldset",
    null,
    h("legend", null, words.play.bots),
    chosen.map((name, at) =>
      h(
        "label",
        { class: "field", key: at },
        h("span", { class: "bot-named" }, levelFace(name, 32), words.play.bot(at + 1)),
        h(
          "select",
          {
            value: name,
            onchange: (/** @type {Event} */ event) => {
              const { value } = /** @type {HTMLSelectElement} */ (event.target);
              if (levelOf(value) > 0) keepLevel(value);
              change(chosen.map((other, place) => (place === at ? value : other)));
            },
          },
          byLevel(strategies),
        ),
      ),
    ),
    most > least ? fewerOrMore(chosen, change, least, most) : null,
  );
}

/** Those with a level first; then a game's own strategies, for those who know them. @param {{ name: string, level: number, words: string }[]} strategies */
function byLevel(strategies) {
  const known = strategies.map(({ name }) => name);
  const levels = LEVELS.filter((name) => known.includes(name));
  const others = strategies.filter(({ name }) => !levels.includes(name));
  const { level, ofFive } = words.play;
  const own = others.map((each) =>
    h("option", { value: each.name }, `${level(each.level)}: ${each.name}, ${each.words}`),
  );
  if (levels.length === 0) return own;
  return [
    levels.map((name) => h("option", { value: name }, ofFive(calledByPeople(name), levelOf(name)))),
    h("optgroup", { label: words.play.otherBots }, own),
  ];
}

/** How long a move may take: people need longer than bots. @param {Host} host */
function time(host) {
  return field(
    words.play.time,
    h(
      "select",
      {
        value: String(host.choice.seconds),
        onchange: (/** @type {Event} */ event) => {
          host.choice.seconds = Number(/** @type {HTMLSelectElement} */ (event.target).value);
          host.draw();
        },
      },
      [15, 30, 60, 120, 300, 600].map((seconds) =>
        h("option", { value: String(seconds) }, words.play.seconds(seconds)),
      ),
    ),
  );
}

/** How many others, where no bots are asked for. @param {Host} host @param {number} least @param {number} most */
function seats(host, least, most) {
  const { chosen, change } = choosing(host);
  return h(
    "fieldset",
    null,
    h("legend", null, words.play.players(chosen.length + 1)),
    fewerOrMore(chosen, change, least, most),
  );
}

/** @param {string[]} chosen @param {(next: string[]) => void} change @param {number} least @param {number} most */
function fewerOrMore(chosen, change, least, most) {
  return h(
    "div",
    { class: "pair" },
    h(
      "button",
      {
        class: "button",
        type: "button",
        disabled: chosen.length >= most,
        onclick: () => change([...chosen, chosen[chosen.length - 1]]),
      },
      words.play.more,
    ),
    h(
      "button",
      {
        class: "button",
        type: "button",
        disabled: chosen.length <= least,
        onclick: () => change(chosen.slice(0, -1)),
      },
      words.play.fewer,
    ),
  );
}
