// For a bot's author: a name of one's own, the command that brings a bot to the table, and the window on
// what it says and hears there.

import { send } from "../api.js";
import { games, keepAsking } from "../directory.js";
import { h } from "../dom.js";
import { connect as texts } from "../event/connecttexts.js";
import { examSection } from "../event/exam.js";
import { thinking } from "../event/thinking.js";
import { saveKey, savedKey } from "../event/token.js";
import { Wire } from "../event/wire.js";
import { about, emblem } from "../games.js";
import { icon } from "../icons.js";
import { chipMark } from "../marks.js";
import { copyField, field, programme, section } from "../parts.js";
import { show } from "../shell.js";
import { fetchCommand, fileOf, runCommand, system } from "../starters.js";
import { starters } from "../startertexts.js";

/** @typedef {{ name: string, title: string, dialects: string[], ports: Record<string, number> }} Hosted */

export default async function page() {
  const state = new Connect();
  state.draw();
  try {
    const hosted = await games();
    const told = await Promise.all(hosted.map(({ name }) => about(name)));
    state.games = hosted.map(({ name, dialects, ports = {} }, at) => ({
      name,
      title: told[at].title,
      dialects,
      ports,
    }));
    const asked = new URLSearchParams(location.search).get("game");
    state.chosen ||= asked !== null;
    state.game = asked ?? (state.wire?.game || hosted[0]?.name) ?? "";
  } catch (error) {
    state.wrong = error instanceof Error ? error.message : String(error);
  }
  state.draw();
  keepAsking(10_000, () => state.readExams());
}

class Connect {
  constructor() {
    /** @type {Hosted[]} */
    this.games = [];
    this.game = "";
    /** Whether somebody has chosen it. */
    this.chosen = false;
    this.language = "python";
    this.on = system();
    this.name = "";
    this.wrong = "";
    /** @type {{ name: string, key: string } | null} */
    this.claimed = null;
    this.busy = false;
    this.key = "";
    this.typed = "";
    this.wrongKey = "";
    /** @type {import("../event/exam.js").Exam[]} */
    this.exams = [];
    /** @type {Wire | null} */
    this.wire = null;
    this.open(savedKey());
  }

  /** Opens the window of whoever has this key. @param {string} key */
  open(key) {
    if (!key) return;
    this.key = key;
    this.wire?.end();
    this.wire = new Wire(
      key,
      () => {
        if (this.wire?.name && this.key) saveKey(this.key);
        // The key of a slip is for one game.
        if (this.wire?.game && !this.chosen) this.game = this.wire.game;
        this.draw();
      },
      (why) => {
        this.close();
        this.wrongKey = why;
        this.draw();
      },
    );
    this.readExams();
  }

  /** What was uploaded meanwhile. */
  async readExams() {
    const { key } = this;
    if (!key) return;
    try {
      const { exams } = await send("GET", "/api/v1/exams", undefined, key);
      if (this.key === key) this.exams = exams;
    } catch {
      // The wire says what is wrong with the key or the connection.
    }
    this.draw();
  }

  close() {
    this.wire?.end();
    Object.assign(this, { wire: null, key: "", claimed: null, exams: [] });
    saveKey("");
  }

  /** @param {string} game */
  titleOf(game) {
    return this.games.find(({ name }) => name === game)?.title ?? game;
  }

  /** @param {Event} event */
  async claim(event) {
    event.preventDefault();
    if (this.busy) return;
    Object.assign(this, { busy: true, wrong: "" });
    this.draw();
    try {
      const claimed = await send("POST", "/api/v1/names", { name: this.name.trim() });
      this.claimed = claimed;
      this.open(claimed.key);
    } catch (error) {
      this.wrong = error instanceof Error ? error.message : String(error);
    }
    this.busy = false;
    this.draw();
  }

  draw() {
    const { wire } = this;
    const lines = document.querySelector(".wire-lines");
    const follows = !lines || lines.scrollHeight - lines.scrollTop - lines.clientHeight < 60;
    show(
      { title: texts.title, at: "/connect" },
      h(
        "div",
        { class: "welcome", key: "head" },
        h(
          "div",
          null,
          h("h1", null, wire ? texts.wire.title : texts.title),
          h("p", { class: "lead" }, wire ? texts.wire.lead : texts.lead),
        ),
      ),
      h(
        "div",
        { class: `columns${wire ? " window" : ""}`, key: "columns" },
        wire
          ? h(
              "div",
              { key: "wire" },
              wire.draw((game) => this.titleOf(game)),
              this.thinking(wire),
            )
          : h("div", { key: "begin" }, this.start(), this.house(), this.exam()),
        wire
          ? h("div", { key: "side" }, this.start(), this.own(), this.exam(), this.where())
          : h("div", { key: "own" }, this.own(), this.showKey(), this.where()),
      ),
    );
    const now = document.querySelector(".wire-lines");
    if (now && follows) now.scrollTop = now.scrollHeight;
  }

  /** @param {Wire} wire */
  thinking(wire) {
    const game = wire.shown().at(-1)?.game;
    return thinking(wire.lines.filter((line) => line.game === game));
  }

  exam() {
    const { game, exams, wire } = this;
    const exam = exams.find((each) => each.game === game);
    return examSection(game, exam, wire ? wire.name : null, () => this.draw());
  }

  start() {
    const hosted = this.games.find(({ name }) => name === this.game);
    /** @param {string} value @param {string} label @param {string} now @param {() => void} onclick */
    const choice = (value, label, now, onclick) =>
      h("button", { type: "button", "aria-pressed": value === now, onclick }, label);
    return section(
      texts.start,
      {},
      h(
        "div",
        { class: "choice wrap", role: "group", "aria-label": texts.game },
        this.games.map(({ name, title }) =>
          choice(name, title, this.game, () => {
            this.game = name;
            this.chosen = true;
            this.draw();
          }),
        ),
      ),
      h(
        "div",
        { class: "choice wrap", role: "group", "aria-label": texts.language },
        texts.languages.map(([value, label]) =>
          choice(value, label, this.language, () => {
            this.language = value;
            this.draw();
          }),
        ),
      ),
      hosted
        ? [
            this.language === "other" ? null : this.systems(),
            this.commands(hosted).map((line) => copyField(line, () => this.draw())),
            this.language === "other" ? null : h("p", { class: "note" }, texts.loops),
            h(
              "p",
              { class: "note" },
              h("a", { href: "/starters" }, texts.starters),
              " · ",
              h("a", { href: `/docs/reference/games/${hosted.name}` }, texts.protocol),
            ),
          ]
        : null,
    );
  }

  systems() {
    return h(
      "div",
      { class: "choice wrap", role: "group", "aria-label": texts.system },
      starters.systems.map(([value, label]) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": value === this.on,
            onclick: () => {
              this.on = /** @type {import("../starters.js").System} */ (value);
              this.draw();
            },
          },
          label,
        ),
      ),
    );
  }

  /** What to type, line by line. @param {Hosted} hosted */
  commands({ name, dialects, ports }) {
    const player = this.claimed
      ? `${this.claimed.name}:${this.claimed.key}`
      : this.wire?.name
        ? `${this.wire.name}:${this.key}`
        : this.name.trim() || "NAME";
    if (this.language === "other")
      return [`parlor bot ${name} --wire house --connect ${location.host}`];
    const language = this.language === "python" ? "python" : "node";
    const { on } = this;
    const port = ports[dialects[0]];
    return [
      fetchCommand(fileOf(name, language), on),
      runCommand({ game: name, language, on, port, player }),
    ];
  }

  house() {
    const socket = location.protocol === "https:" ? "wss" : "ws";
    return section(
      texts.house,
      {},
      h("p", { class: "note" }, texts.houseAbout),
      copyField(`${socket}://${location.host}/house/${this.game}`, () => this.draw()),
      h(
        "p",
        { class: "note" },
        h("a", { href: "/docs/reference/json-protocol" }, texts.jsonProtocol),
      ),
    );
  }

  /** For whoever has a key from before, or from a slip. */
  showKey() {
    return section(
      texts.keyTitle,
      {},
      h("p", { class: "note" }, texts.keyAbout),
      h(
        "form",
        {
          class: "setup entry",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.wrongKey = "";
            // A slip has both: ann:pk_…
            this.open(this.typed.trim().split(":").at(-1) ?? "");
            this.typed = "";
            this.draw();
          },
        },
        field(
          texts.key,
          h("input", {
            type: "password",
            value: this.typed,
            required: true,
            placeholder: "pk_…",
            autocomplete: "off",
            oninput: (/** @type {any} */ event) => (this.typed = event.target.value),
          }),
        ),
        this.wrongKey ? h("p", { class: "notice wrong", role: "alert" }, this.wrongKey) : null,
        h("button", { class: "button", type: "submit" }, icon("eye"), texts.keyGo),
      ),
    );
  }

  own() {
    const { claimed, wire } = this;
    if (claimed) {
      return section(
        texts.own,
        {},
        h(
          "div",
          { class: "slip" },
          h("p", { class: "note small" }, texts.once),
          h("p", { class: "name" }, claimed.name),
          h("p", { class: "key" }, h("code", null, claimed.key)),
        ),
        copyField(`${claimed.name}:${claimed.key}`, () => this.draw()),
        h("p", { class: "note" }, texts.showIt),
        h("p", { class: "note" }, h("a", { href: "/tournaments" }, texts.enter)),
      );
    }
    if (wire) {
      return h(
        "p",
        { class: "signed-in", key: "own" },
        wire.name ? chipMark({ name: wire.name }, 24) : null,
        h("span", { class: "cut" }, texts.signedIn(wire.name)),
        h(
          "button",
          {
            class: "plain-link note",
            type: "button",
            onclick: () => {
              this.close();
              this.draw();
            },
          },
          texts.forget,
        ),
      );
    }
    return section(
      texts.own,
      {},
      h("p", { class: "note" }, texts.ownAbout),
      h(
        "form",
        { class: "setup entry", onsubmit: (/** @type {Event} */ event) => this.claim(event) },
        field(
          texts.name,
          h("input", {
            value: this.name,
            required: true,
            maxlength: 24,
            autocomplete: "off",
            oninput: (/** @type {any} */ event) => {
              this.name = event.target.value;
              this.draw();
            },
          }),
          texts.nameHint,
        ),
        this.wrong ? h("p", { class: "notice wrong", role: "alert" }, this.wrong) : null,
        h(
          "button",
          { class: "button main", type: "submit", disabled: this.busy },
          icon("key"),
          texts.claim,
        ),
      ),
    );
  }

  where() {
    return section(
      texts.where,
      {},
      programme(
        this.games.flatMap(({ name, title, ports }) =>
          Object.entries(ports).map(
            ([dialect, port]) =>
              /** @type {[import("../dom.js").Child, import("../dom.js").Child]} */ ([
                h(
                  "span",
                  { class: "chip" },
                  emblem(name, 20),
                  h(
                    "span",
                    { class: "who" },
                    dialect === name ? title : (texts.others[dialect] ?? dialect),
                  ),
                ),
                h("code", null, `${location.hostname}:${port}`),
              ]),
          ),
        ),
      ),
    );
  }
}
