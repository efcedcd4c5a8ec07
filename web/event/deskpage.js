// The desk of one tournament: what waits for a decision, the teams, the running tables, what was done.

import { send } from "../api.js";
import { keepAsking } from "../directory.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { chipMark } from "../marks.js";
import { section } from "../parts.js";
import { list } from "../texts.js";
import { Asking } from "./asking.js";
import { deskActs, deskBans, deskFiles } from "./deskrecords.js";
import { deskTeams } from "./deskteams.js";
import { desk } from "./desktexts.js";
import { follow } from "./feed.js";
import { gameNow, isOver, running } from "./model.js";
import { displayOf, events, inBrief, standsSentence } from "./words.js";

/** @typedef {import("./types.d.ts").Tournament} Tournament */

export class Desk {
  /**
   * @param {string} game @param {string} id
   * @param {{ token: () => string, changed: () => void, operates: () => boolean, organises: () => boolean }} office
   */
  constructor(game, id, { token, changed, operates, organises }) {
    this.game = game;
    this.id = id;
    this.token = token;
    this.changed = changed;
    this.operates = operates;
    /** Whether the token may change anything; else there is nothing to press. */
    this.organises = organises;
    /** @type {Tournament | null} */
    this.now = null;
    this.wrong = "";
    this.adding = "";
    /** Keys that were given out just now, and never again. @type {import("./slips.js").Slip[]} */
    this.slips = [];
    this.asking = new Asking(changed);
    /** The winner that was chosen: its place in the pairing; -1 nobody. */
    this.chosen = 0;
    /** @type {any[]} */
    this.acts = [];
    /** @type {any[]} */
    this.bans = [];
    /** What went wrong last, by team. @type {Map<string, import("./deskteams.js").Trouble>} */
    this.troubles = new Map();
    this.link = follow(game, id, {
      heard: (tournament) => {
        this.now = tournament;
        changed();
      },
      changed,
    });
    this.read();
    keepAsking(2000, () => this.readTroubles());
  }

  /** Nothing of it is in the feed, which everybody reads. */
  async readTroubles() {
    if (this.link.ended && this.now) return;
    try {
      const { troubles } = await send("GET", `${this.address}/troubles`, undefined, this.token());
      this.troubles = new Map(troubles.map((/** @type {any} */ each) => [each.name, each]));
      this.changed();
    } catch {
      // The desk works without them; they are asked for again soon.
    }
  }

  get address() {
    return `/api/v1/tournaments/${this.game}/${encodeURIComponent(this.id)}`;
  }

  /** Does something, then shows what became of it. @param {string} method @param {string} address @param {unknown} [body] */
  async order(method, address, body) {
    try {
      const answer = await send(method, address, body, this.token());
      this.wrong = "";
      if (answer?.pairings) {
        this.now = answer;
        this.slips = [...this.slips, ...(answer.keys ?? [])];
      }
    } catch (error) {
      this.wrong = error instanceof Error ? error.message : String(error);
    }
    await this.read();
    this.changed();
  }

  /** What was done, and who is banned: for tokens that may know. */
  async read() {
    if (!this.operates()) return;
    try {
      const [{ acts }, { bans }] = await Promise.all([
        send("GET", "/api/v1/audit?limit=12", undefined, this.token()),
        send("GET", "/api/v1/bans", undefined, this.token()),
      ]);
      Object.assign(this, { acts, bans });
    } catch {
      // The desk works without them; the next order reads them again.
    }
    this.changed();
  }

  end() {
    this.link.end();
  }

  /** @param {{ title: string, about: string, go: string }} words @param {string} method @param {string} address @param {unknown} [body] */
  ask(words, method, address, body) {
    this.asking.ask({ ...words, act: () => this.order(method, address, body) });
  }

  /** @param {import("../dom.js").Child} [more] */
  draw(more = null) {
    const { now } = this;
    if (!now) return h("div", { class: "bars" }, h("i"), h("i"));
    return [
      this.head(now),
      this.wrong ? h("p", { class: "notice wrong", role: "alert" }, this.wrong) : null,
      now.phase === "paused"
        ? h("div", { class: "notice look", role: "status" }, icon("pause"), events.paused)
        : null,
      isOver(now) || !this.organises() ? null : this.needs(now),
      now.phase === "entering" ? more : null,
      h(
        "div",
        { class: "columns" },
        h("div", null, deskTeams(this, now)),
        h("div", null, this.tables(now), deskFiles(this), deskActs(this), deskBans(this)),
      ),
      // The keys are on paper by then, and whoever runs an event looks at the teams.
      now.phase === "entering" ? null : more,
      this.asking.draw(),
    ];
  }

  /** @param {Tournament} now */
  head(now) {
    const { ask } = desk;
    const at = this.address;
    /** @param {string} name @param {() => void} onclick @param {string} [kind] */
    const button = (name, onclick, kind = "") =>
      this.organises()
        ? h("button", { class: `button ${kind}`, type: "button", onclick }, name)
        : null;
    return h(
      "div",
      { class: "welcome desk-head" },
      h(
        "div",
        null,
        h("p", { class: "note" }, h("a", { href: "/organise" }, desk.title)),
        h("h1", { class: "cut" }, now.id),
        h("p", { class: "lead" }, `${inBrief(now)}. ${standsSentence(now)}`),
      ),
      h(
        "div",
        { class: "buttons" },
        now.phase === "entering"
          ? button(desk.start, () => this.ask(ask.start(now.id), "POST", `${at}/start`), "main")
          : null,
        now.phase === "running"
          ? button(desk.pause, () => this.order("POST", `${at}/pause`))
          : null,
        now.phase === "paused"
          ? button(desk.resume, () => this.order("POST", `${at}/resume`), "main")
          : null,
        isOver(now)
          ? null
          : button(desk.cancel, () => this.ask(ask.cancel(now.id), "POST", `${at}/cancel`)),
        h(
          "a",
          { class: "button", href: `/${now.game}/tournaments/${encodeURIComponent(now.id)}` },
          desk.page,
        ),
        h(
          "a",
          {
            class: "button",
            href: `/show?tournament=${now.game}/${encodeURIComponent(now.id)}`,
            target: "_blank",
            rel: "opener",
          },
          desk.projector,
        ),
      ),
    );
  }

  /** @param {Tournament} now */
  needs(now) {
    const people = now.entrants.filter((entrant) => !entrant.bot && !entrant.withdrawn);
    const away = people.filter((entrant) => !entrant.present);
    const late = running(now).flatMap((pairing) =>
      pairing.entrants
        .map((id) => now.entrants[id])
        .filter((entrant) => !entrant.present && !entrant.bot && !entrant.withdrawn)
        .map((entrant) => ({ entrant, pairing })),
    );
    return section(
      desk.needs,
      {},
      late.length === 0 && !(now.phase === "entering" && away.length > 0)
        ? h("p", { class: "note" }, desk.nothing)
        : null,
      h(
        "div",
        { class: "needs" },
        now.phase === "entering" && away.length > 0
          ? h(
              "article",
              { class: "sheet need" },
              h("h3", null, desk.allAway(away.length, people.length)),
              h("p", { class: "note" }, desk.allAwayHint),
            )
          : null,
        late.map(({ entrant, pairing }) =>
          h(
            "article",
            { class: "sheet need", key: `${pairing.id}/${entrant.name}` },
            h("h3", null, icon("chair", 16), desk.notSeated(entrant.display ?? entrant.name)),
            h("p", { class: "note" }, desk.notSeatedHint),
            h(
              "div",
              { class: "buttons" },
              h(
                "button",
                { class: "button", type: "button", onclick: () => this.decide(now, pairing) },
                desk.decide,
              ),
              h(
                "button",
                { class: "button", type: "button", onclick: () => this.withdraw(entrant.name) },
                `${desk.withdraw} ${entrant.name}`,
              ),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {string} name */
  withdraw(name) {
    this.ask(
      desk.ask.withdraw(name),
      "DELETE",
      `${this.address}/entrants/${encodeURIComponent(name)}`,
    );
  }

  /** @param {Tournament} now @param {import("./types.d.ts").Pairing} pairing */
  decide(now, pairing) {
    this.chosen = 0;
    const names = pairing.names.map((name) => displayOf(now, name));
    /** @param {number} at @param {string} label */
    const option = (at, label) =>
      h(
        "label",
        { class: "check" },
        h("input", {
          type: "radio",
          name: "winner",
          checked: at === 0,
          onchange: () => (this.chosen = at),
        }),
        h("span", null, label),
      );
    this.asking.ask({
      ...desk.ask.decide(list(names)),
      more: h(
        "fieldset",
        { class: "winners" },
        h("legend", null, desk.places),
        names.map((name, at) => option(at, name)),
        option(-1, desk.draw),
      ),
      act: () => {
        const places = pairing.names.map((_, at) =>
          this.chosen === -1 || at === this.chosen ? 1 : 2,
        );
        return this.order("POST", `${this.address}/pairings/${pairing.id}/adjudicate`, { places });
      },
    });
  }

  /** @param {Tournament} now */
  tables(now) {
    const live = running(now);
    if (isOver(now)) return null;
    return section(
      desk.tables,
      {
        note:
          live.length > 0
            ? h("span", { class: "live" }, h("span", { class: "dot" }), live.length)
            : null,
      },
      h(
        "ul",
        { class: "rows desk-tables" },
        live.map((pairing) => {
          const table = encodeURIComponent(pairing.table ?? "");
          const names = list(pairing.names.map((name) => displayOf(now, name)));
          return h(
            "li",
            { key: pairing.id, "data-pairing": pairing.id },
            h(
              "span",
              { class: "players" },
              pairing.entrants.map((id, at) => [
                chipMark({ ...now.entrants[id], bot: now.entrants[id].bot ?? null }, 20),
                h("span", { class: "cut" }, displayOf(now, pairing.names[at])),
                pairing.entrants.length === 2 ? h("b", null, pairing.games_won[at]) : null,
              ]),
            ),
            h("span", { class: "note small" }, events.game(gameNow(pairing))),
            h(
              "span",
              { class: "buttons" },
              h("a", { class: "button", href: `/${now.game}/tables/${table}` }, desk.watch),
              this.organises()
                ? [
                    h(
                      "button",
                      { class: "button", type: "button", onclick: () => this.decide(now, pairing) },
                      desk.decide,
                    ),
                    h(
                      "button",
                      {
                        class: "button",
                        type: "button",
                        onclick: () =>
                          this.ask(
                            desk.ask.close(names),
                            "DELETE",
                            `/api/v1/tables/${now.game}/${table}`,
                          ),
                      },
                      desk.again,
                    ),
                  ]
                : null,
            ),
          );
        }),
      ),
      h("p", { class: "note small" }, desk.pauseHint),
    );
  }
}
