// For a bot's author: a name of one's own, and the command that brings a bot to the table.

import { send } from "../api.js";
import { games } from "../directory.js";
import { h } from "../dom.js";
import { connect as texts } from "../event/connecttexts.js";
import { about, emblem } from "../games.js";
import { icon } from "../icons.js";
import { copyField, programme, section } from "../parts.js";
import { show } from "../shell.js";

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
    state.game = new URLSearchParams(location.search).get("game") ?? hosted[0]?.name ?? "";
  } catch (error) {
    state.wrong = error instanceof Error ? error.message : String(error);
  }
  state.draw();
}

class Connect {
  constructor() {
    /** @type {Hosted[]} */
    this.games = [];
    this.game = "";
    this.language = "python";
    this.name = "";
    this.wrong = "";
    /** @type {{ name: string, key: string } | null} */
    this.claimed = null;
    this.busy = false;
  }

  /** @param {Event} event */
  async claim(event) {
    event.preventDefault();
    if (this.busy) return;
    Object.assign(this, { busy: true, wrong: "" });
    this.draw();
    try {
      this.claimed = await send("POST", "/api/v1/names", { name: this.name.trim() });
    } catch (error) {
      this.wrong = error instanceof Error ? error.message : String(error);
    }
    this.busy = false;
    this.draw();
  }

  draw() {
    show(
      { title: texts.title, at: "/connect" },
      h(
        "div",
        { class: "welcome" },
        h("div", null, h("h1", null, texts.title), h("p", { class: "lead" }, texts.lead)),
      ),
      h(
        "div",
        { class: "columns" },
        h("div", null, this.start(), this.house(), this.check()),
        h("div", null, this.own(), this.where()),
      ),
    );
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
            copyField(this.command(hosted), () => this.draw()),
            h("p", { class: "note" }, texts.loops),
          ]
        : null,
    );
  }

  /** @param {Hosted} hosted */
  command({ name, dialects, ports }) {
    const player = this.claimed
      ? `${this.claimed.name}:${this.claimed.key}`
      : this.name.trim() || "NAME";
    if (this.language === "other")
      return `parlor bot ${name} --wire house --connect ${location.host}`;
    const program = this.language === "python" ? "python3" : "node";
    const file = `${name.replaceAll("-", "_")}.${this.language === "python" ? "py" : "mjs"}`;
    const port = ports[dialects[0]];
    return `${program} examples/${file} ${location.hostname}${port ? ` ${port}` : ""} ${player} --games 0`;
  }

  house() {
    const socket = location.protocol === "https:" ? "wss" : "ws";
    return section(
      texts.house,
      {},
      h("p", { class: "note" }, texts.houseAbout),
      copyField(`${socket}://${location.host}/house/${this.game}`, () => this.draw()),
    );
  }

  check() {
    return section(
      texts.check,
      {},
      h("p", { class: "note" }, texts.checkAbout),
      copyField(`parlor check ${this.game} --bot './bot'`, () => this.draw()),
    );
  }

  own() {
    const { claimed } = this;
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
    return section(
      texts.own,
      {},
      h("p", { class: "note" }, texts.ownAbout),
      h(
        "form",
        { class: "setup entry", onsubmit: (/** @type {Event} */ event) => this.claim(event) },
        h(
          "label",
          { class: "field" },
          h("span", null, texts.name),
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
          h("span", { class: "note" }, texts.nameHint),
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
                  h("span", { class: "who" }, dialect === name ? title : dialect),
                ),
                h("code", null, `${location.hostname}:${port}`),
              ]),
          ),
        ),
      ),
    );
  }
}
