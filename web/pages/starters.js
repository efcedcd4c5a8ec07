// Bots to start from: one file for each game and language, and the commands that fetch and run it.

import { whatWentWrong } from "../api.js";
import { games } from "../directory.js";
import { h } from "../dom.js";
import { about, emblem } from "../games.js";
import { icon } from "../icons.js";
import { copyField, field, section } from "../parts.js";
import { show } from "../shell.js";
import { fetchCommand, fileOf, runCommand, system } from "../starters.js";
import { starters as texts } from "../startertexts.js";

export default async function page() {
  const state = new Starters();
  state.draw();
  try {
    const hosted = await games();
    const told = await Promise.all(hosted.map(({ name }) => about(name)));
    state.games = hosted.map(({ name, dialects, ports = {} }, at) => ({
      name,
      title: told[at].title,
      port: ports[dialects[0]],
    }));
  } catch (error) {
    state.wrong = whatWentWrong(error);
  }
  state.draw();
}

class Starters {
  constructor() {
    const asked = new URLSearchParams(location.search);
    /** @type {{ name: string, title: string, port: number | undefined }[]} */
    this.games = [];
    this.wrong = "";
    this.name = asked.get("name") ?? "";
    /** @type {import("../starters.js").Language} */
    this.language = asked.get("lang") === "javascript" ? "node" : "python";
    this.on = system();
  }

  draw() {
    show(
      { title: texts.title, at: "/starters" },
      this.wrong ? h("div", { class: "notice look", role: "status" }, this.wrong) : null,
      h(
        "div",
        { class: "welcome" },
        h("div", null, h("h1", null, texts.title), h("p", { class: "lead" }, texts.lead)),
      ),
      h("div", { class: "columns" }, h("div", null, this.each()), h("div", null, this.aside())),
    );
  }

  /** @param {string} label @param {[string, string][]} options @param {string} now @param {(value: any) => void} chosen */
  choice(label, options, now, chosen) {
    return h(
      "div",
      { class: "choice wrap", role: "group", "aria-label": label },
      options.map(([value, name]) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": value === now,
            onclick: () => {
              chosen(value);
              this.draw();
            },
          },
          name,
        ),
      ),
    );
  }

  each() {
    const { language, on } = this;
    const player = this.name.trim() || "NAME";
    return section(
      texts.games,
      {},
      h(
        "div",
        { class: "starter-choices" },
        this.choice(texts.language, texts.languages, language, (value) => (this.language = value)),
        this.choice(texts.system, texts.systems, on, (value) => (this.on = value)),
      ),
      this.games.map(({ name, title, port }) =>
        h(
          "section",
          { class: "starter", key: name, "data-game": name },
          h(
            "header",
            null,
            emblem(name, 28),
            h("h3", null, title),
            h("a", { href: `/docs/reference/games/${name}` }, texts.protocol),
            h("a", { href: `/${name}/rules` }, texts.rules),
            h(
              "a",
              { class: "end", href: this.address(fileOf(name, language)), download: "" },
              icon("download", 16),
              fileOf(name, language),
            ),
          ),
          copyField(fetchCommand(fileOf(name, language), on), () => this.draw()),
          copyField(runCommand({ game: name, language, on, port, player }), () => this.draw()),
        ),
      ),
    );
  }

  /** Where a file is, with the name that was typed. @param {string} file */
  address(file) {
    const name = this.name.trim();
    return `/starters/${file}${name ? `?name=${encodeURIComponent(name)}` : ""}`;
  }

  aside() {
    const draw = () => this.draw();
    return [
      section(
        texts.name,
        {},
        field(
          texts.nameLabel,
          h("input", {
            value: this.name,
            maxlength: 64,
            autocomplete: "off",
            oninput: (/** @type {any} */ event) => {
              this.name = event.target.value;
              this.draw();
            },
          }),
          texts.nameHint,
        ),
        h("p", { class: "note" }, texts.keys, " ", h("a", { href: "/connect" }, texts.toConnect)),
      ),
      section(
        texts.all,
        {},
        h("p", { class: "note" }, texts.allAbout),
        h(
          "div",
          { class: "buttons" },
          texts.languages.map(([, label]) => {
            const file = `${label.toLowerCase()}.zip`;
            const props = { class: "button", href: this.address(file), download: "" };
            return h("a", props, icon("download"), file);
          }),
        ),
      ),
      section(
        texts.library,
        {},
        h("p", { class: "note" }, texts.libraryAbout),
        copyField(fetchCommand("net.py", this.on), draw),
        h(
          "p",
          { class: "note" },
          h("a", { href: "/docs/reference/json-protocol" }, texts.jsonProtocol),
        ),
      ),
      section(
        texts.next,
        {},
        h(
          "ul",
          { class: "links" },
          texts.links.map(([href, label]) => h("li", null, h("a", { href }, label))),
        ),
      ),
    ];
  }
}
