// The first page: the five games, what is being played, the newest results.

import { whatWentWrong } from "../api.js";
import { DailyCard, gameOfToday } from "../daily.js";
import { everything, keepAsking } from "../directory.js";
import { h } from "../dom.js";
import { tournamentList } from "../event/list.js";
import { Featured } from "../featured.js";
import { about, emblem } from "../games.js";
import { icon } from "../icons.js";
import { copyField, programme, section } from "../parts.js";
import { lastSeat } from "../seat.js";
import { loading, show } from "../shell.js";
import { measured } from "../stage.js";
import { fetchCommand, runCommand, system } from "../starters.js";
import { isWorthListing, recentGames, tableCard } from "../tablecard.js";
import { words } from "../texts.js";

export default async function home() {
  const state = new Home();
  state.draw();
  await keepAsking(4000, () => state.ask());
}

class Home {
  constructor() {
    /** @type {import("../directory.js").Game[]} */
    this.games = [];
    /** @type {Map<string, import("../types.d.ts").About>} */
    this.about = new Map();
    /** @type {import("../directory.js").Table[]} */
    this.tables = [];
    /** @type {import("../directory.js").Result[]} */
    this.results = [];
    /** Of tournaments. @type {import("../directory.js").Result[]} */
    this.matches = [];
    /** @type {import("../directory.js").Tournament[]} */
    this.tournaments = [];
    this.wrong = "";
    this.daily = new DailyCard(() => this.draw());
    this.featured = new Featured(() => this.draw());
    this.width = measured(() => this.draw());
  }

  async ask() {
    try {
      const { games, tables, open, matches, tournaments } = await everything();
      if (this.games.length === 0)
        for (const { name } of games) this.about.set(name, await about(name));
      const newest = [...open, ...matches].sort((a, b) => b.closed_at - a.closed_at);
      Object.assign(this, { games, tables, tournaments });
      this.results = open.filter(isWorthListing).slice(0, 8);
      this.matches = matches.filter(isWorthListing).slice(0, 5);
      await this.featured.choose(this.tables, newest);
      this.wrong = "";
    } catch (error) {
      this.wrong = whatWentWrong(error);
    }
    this.draw();
  }

  draw() {
    const { home } = words;
    show(
      { title: "Parlor" },
      this.wrong ? h("div", { class: "notice look", role: "status" }, this.wrong) : null,
      this.way(),
      h(
        "div",
        { class: "welcome" },
        h("div", null, h("h1", null, home.title), h("p", { class: "lead" }, home.lead)),
        this.counts(),
      ),
      this.games.length > 0
        ? h(
            "ul",
            { class: "game-cards" },
            this.games.map((game) => this.card(game.name)),
          )
        : loading(),
      this.ofToday(),
      h(
        "div",
        { class: "columns" },
        h("div", null, this.floor(), this.events(), recentGames(this.results, this.matches, true)),
        h("div", null, this.bring()),
      ),
    );
  }

  /** To a game that this browser has left. */
  way() {
    const left = this.games.find(({ name }) => lastSeat(name) !== null);
    const telling = left ? this.about.get(left.name) : null;
    if (!left || !telling) return null;
    return h(
      "div",
      { class: "notice", role: "status" },
      h("span", null, words.home.backTitle(telling.title)),
      h("a", { class: "button main", href: `/${left.name}/play?back` }, words.home.back),
    );
  }

  ofToday() {
    const game = gameOfToday(this.games.map(({ name }) => name));
    const telling = this.about.get(game);
    return telling ? this.daily.draw(game, telling.title) : null;
  }

  counts() {
    const playing = this.tables.filter((table) => table.status === "playing");
    const seated = this.tables.flatMap((table) => table.company.filter((seat) => seat !== null));
    const people = seated.filter((seat) => seat.person).length;
    const { playing: tables, bots, people: persons } = words.home;
    const each = (/** @type {number} */ n, /** @type {(n: number) => string} */ label) =>
      n > 0 ? h("div", null, h("b", null, n), h("span", { class: "note small" }, label(n))) : null;
    return h(
      "div",
      { class: "counts" },
      each(playing.length, tables),
      each(seated.length - people, bots),
      each(people, persons),
    );
  }

  /** A game as a playing card. @param {string} game */
  card(game) {
    const telling = this.about.get(game);
    if (!telling) return null;
    const playing = this.tables.filter(
      (table) => table.game === game && table.status === "playing",
    ).length;
    return h(
      "li",
      { class: "sheet game-card", key: game, "data-game": game },
      h(
        "a",
        {
          class: "picture",
          href: `/${game}`,
          "aria-label": playing > 0 ? `${telling.title}, ${words.tables(playing)}` : telling.title,
        },
        playing > 0
          ? h(
              "span",
              { class: "index", title: words.tables(playing) },
              playing,
              h("span", { class: "dot" }),
            )
          : null,
        emblem(game, 104),
      ),
      h("h2", null, h("a", { href: `/${game}` }, telling.title)),
      h("p", { class: "tagline" }, telling.tagline),
      h("p", { class: "label" }, telling.facts),
      h(
        "div",
        { class: "buttons" },
        h("a", { class: "button main", href: `/${game}/play?now` }, words.home.playNow),
        h(
          "a",
          {
            class: "button icon plain",
            href: `/${game}/play`,
            title: words.play.settings,
            "aria-label": `${words.play.settings}: ${telling.title}`,
          },
          icon("gear"),
        ),
        h("a", { class: "button plain", href: `/${game}` }, words.home.watch),
      ),
    );
  }

  floor() {
    const { floor, last, nothing } = words.home;
    const playing = this.tables.filter((table) => table.status === "playing");
    const shown = [...playing].sort((a, b) => b.opened_at - a.opened_at).slice(0, 6);
    return section(
      playing.length > 0 || !this.featured.shown ? floor : last,
      {
        note:
          playing.length > 0
            ? h("span", { class: "live" }, h("span", { class: "dot" }), playing.length)
            : null,
      },
      this.featured.draw(Math.min(this.width(), 660)),
      shown.length > 0
        ? h("div", { class: "tables" }, shown.map(tableCard))
        : h("p", { class: "note" }, nothing),
    );
  }

  /** What is played, and what one can still enter. */
  events() {
    const open = this.tournaments.filter(({ phase }) => phase !== "over" && phase !== "cancelled");
    if (open.length === 0) return null;
    const all = h("a", { href: "/tournaments" }, words.lobby.allTournaments);
    return section(words.tournaments, { end: all }, tournamentList(open.slice(-5).reverse()));
  }

  bring() {
    const { bring, anyLanguage, wires } = words.home;
    const on = system();
    const draw = () => this.draw();
    const gamba = this.games.find(({ name }) => name === "gamba");
    const port = gamba?.ports?.[gamba.dialects[0]];
    return section(
      bring,
      {},
      h("p", { class: "note" }, anyLanguage),
      copyField(fetchCommand("gamba.py", on), draw),
      copyField(runCommand({ game: "gamba", language: "python", on, port, player: "NAME" }), draw),
      h(
        "p",
        { class: "note" },
        h("a", { href: "/starters" }, words.lobby.steps.more),
        " · ",
        h("a", { href: "/docs" }, words.documentation),
      ),
      h("p", { class: "note" }, wires),
      programme(
        this.games.map(({ name }) => [
          h("a", { href: `/${name}#connect` }, this.about.get(name)?.title ?? name),
          h("code", null, `/house/${name}`),
        ]),
      ),
    );
  }
}
