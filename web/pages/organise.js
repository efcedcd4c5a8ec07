// The organiser's desk: signing in with a token, making tournaments, running one.

import { ApiError, send, whatWentWrong } from "../api.js";
import { games, keepAsking, tournaments } from "../directory.js";
import { h } from "../dom.js";
import { Desk } from "../event/deskpage.js";
import { desk as texts } from "../event/desktexts.js";
import { drawFleet, fleet } from "../event/fleet.js";
import { newestFirst } from "../event/list.js";
import { cardLine, dayOf } from "../event/words.js";
import { newForm } from "../event/newform.js";
import { drawSlips } from "../event/slips.js";
import { saveToken, savedToken } from "../event/token.js";
import { about, emblem } from "../games.js";
import { icon } from "../icons.js";
import { field, section } from "../parts.js";
import { show } from "../shell.js";

export default function page() {
  new Office().open();
}

/** Whether a token may run tournaments. There is no such tournament, but the server checks the token first. @param {string} token */
async function mayOrganise(token) {
  try {
    await send("GET", "/api/v1/tournaments/-/-/troubles", undefined, token);
  } catch (error) {
    return !(error instanceof ApiError && error.code === "needs-scope");
  }
  return true;
}

class Office {
  constructor() {
    this.token = savedToken();
    this.typed = "";
    this.wrong = "";
    /** Whether the token also opens the audit log, bans and kicks. */
    this.operates = false;
    /** Whether it may change anything. */
    this.organises = true;
    /** Whether it was accepted. */
    this.accepted = false;
    /** @type {{ name: string, title: string, ports: Record<string, number> }[]} */
    this.games = [];
    /** @type {any[]} */
    this.all = [];
    /** @type {import("../event/fleet.js").Fleet | null} */
    this.fleet = null;
    /** @type {Desk | null} */
    this.desk = null;
    /** @type {{ game: string, id: string, slips: import("../event/slips.js").Slip[] } | null} */
    this.given = null;
    /** Where teams find the server. */
    this.host = location.hostname;
    this.form = newForm({ changed: () => this.draw(), make: (wish) => this.make(wish) });
  }

  async open() {
    this.draw();
    if (this.token) await this.signIn(this.token);
    await keepAsking(3000, () => this.ask());
  }

  async ask() {
    if (!this.accepted) return;
    try {
      if (this.games.length === 0) {
        const hosted = await games();
        const titles = await Promise.all(hosted.map(({ name }) => about(name)));
        this.games = hosted.map(({ name, options, ports = {} }, at) => ({
          name,
          title: titles[at].title,
          options,
          ports,
        }));
      }
      this.all = newestFirst(await tournaments());
      this.fleet = await fleet();
      this.wrong = "";
    } catch (error) {
      this.wrong = whatWentWrong(error);
    }
    this.draw();
  }

  /** @param {string} token */
  async signIn(token) {
    try {
      await send("GET", "/api/v1/audit?limit=1", undefined, token);
      this.operates = true;
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "";
      this.operates = false;
      if (code !== "needs-scope") {
        this.wrong = code === "network" ? String(error) : texts.wrongToken;
        saveToken("");
        this.token = "";
        return this.draw();
      }
    }
    const organises = this.operates || (await mayOrganise(token));
    saveToken(token);
    Object.assign(this, { token, typed: "", wrong: "", accepted: true, organises });
    const wanted = new URLSearchParams(location.search).get("tournament");
    if (wanted) this.sitDown(wanted);
    await this.ask();
  }

  /** @param {string} which */
  sitDown(which) {
    const [game, ...rest] = which.split("/");
    this.desk?.end();
    this.desk = new Desk(game, rest.join("/"), {
      token: () => this.token,
      operates: () => this.operates,
      organises: () => this.organises,
      changed: () => this.draw(),
    });
  }

  /** @param {import("../event/newform.js").Wish} wish */
  async make(wish) {
    const made = await send("POST", "/api/v1/tournaments", wish, this.token);
    this.given = { game: made.game, id: made.id, slips: made.keys ?? [] };
    history.pushState(null, "", `/organise?tournament=${made.game}/${encodeURIComponent(made.id)}`);
    addEventListener("popstate", () => location.reload(), { once: true });
    this.sitDown(`${made.game}/${made.id}`);
  }

  draw() {
    const end = this.accepted
      ? h(
          "button",
          {
            class: "button plain",
            type: "button",
            onclick: () => {
              saveToken("");
              location.assign("/organise");
            },
          },
          icon("key"),
          texts.signOut,
        )
      : null;
    const game = this.desk?.game ?? null;
    if (!game) delete document.documentElement.dataset.game;
    show(
      { title: texts.title, at: "/organise", game, end },
      this.wrong ? h("p", { class: "notice wrong", role: "alert" }, this.wrong) : null,
      this.accepted && !this.organises
        ? h("p", { class: "notice look", role: "status" }, texts.readOnly)
        : null,
      !this.accepted ? this.door() : this.desk ? this.desk.draw(this.slips()) : this.overview(),
    );
  }

  door() {
    return [
      h("h1", null, texts.title),
      h("p", { class: "lead" }, texts.signInLead),
      h(
        "form",
        {
          class: "setup door",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            this.signIn(this.typed.trim());
          },
        },
        field(
          texts.token,
          h("input", {
            type: "password",
            required: true,
            autocomplete: "off",
            value: this.typed,
            oninput: (/** @type {any} */ event) => (this.typed = event.target.value),
          }),
          texts.tokenHint,
        ),
        h("button", { class: "button main", type: "submit" }, texts.signIn),
      ),
    ];
  }

  overview() {
    return [
      h("div", { class: "welcome" }, h("h1", null, texts.title)),
      h(
        "div",
        { class: "columns" },
        h("div", null, this.organises ? this.form.draw(this.games) : null),
        h(
          "div",
          null,
          section(
            texts.all,
            {},
            this.all.length === 0 ? h("p", { class: "note" }, texts.none) : null,
            h(
              "ul",
              { class: "rows desk-list" },
              this.all.map((card) =>
                h(
                  "li",
                  { key: `${card.game}/${card.id}` },
                  emblem(card.game, 24),
                  h(
                    "a",
                    {
                      class: "cut",
                      href: `/organise?tournament=${card.game}/${encodeURIComponent(card.id)}`,
                    },
                    h("b", null, card.id),
                  ),
                  h(
                    "span",
                    { class: "note small" },
                    cardLine(card),
                    h("br"),
                    card.convened_at ? dayOf(card.convened_at) : "",
                  ),
                ),
              ),
            ),
          ),
          this.fleet ? drawFleet(this.fleet, (game) => this.title(game)) : null,
        ),
      ),
    ];
  }

  /** @param {string} game */
  title(game) {
    return this.games.find(({ name }) => name === game)?.title ?? game;
  }

  slips() {
    const { desk, given } = this;
    if (!desk) return null;
    const slips = [...(given?.id === desk.id ? given.slips : []), ...desk.slips];
    if (slips.length === 0) return null;
    const ports = this.games.find(({ name }) => name === desk.game)?.ports ?? {};
    const change = (/** @type {string} */ name) => {
      this.host = name;
      this.draw();
    };
    return drawSlips({ game: desk.game, id: desk.id, slips, ports }, { name: this.host, change });
  }
}
