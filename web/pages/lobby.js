// One game's lobby: tables to join or watch, who is strong, what was played, how to connect a bot.

import { whatWentWrong } from "../api.js";
import { games, keepAsking, openTables, ratings, resultsOf, tournaments } from "../directory.js";
import { h } from "../dom.js";
import { tournamentList } from "../event/list.js";
import { about, emblem } from "../games.js";
import { copyField, programme, section } from "../parts.js";
import { ranks } from "../ranks.js";
import { loading, show } from "../shell.js";
import { fetchCommand, fileOf, runCommand, system } from "../starters.js";
import { isWorthListing, recentGames, tableCard } from "../tablecard.js";
import { words } from "../texts.js";

/** @param {string} game */
export default async function lobby(game) {
  show({ title: game, game }, loading());
  const state = new Lobby(game, await about(game));
  await keepAsking(3000, () => state.ask());
}

class Lobby {
  /** @param {string} game @param {import("../types.d.ts").About} telling */
  constructor(game, telling) {
    this.game = game;
    this.telling = telling;
    /** @type {import("../directory.js").Table[] | null} */
    this.tables = null;
    /** @type {import("../directory.js").Rated[]} */
    this.rated = [];
    /** @type {import("../directory.js").Result[]} */
    this.results = [];
    /** Of tournaments. @type {import("../directory.js").Result[]} */
    this.matches = [];
    /** @type {import("../directory.js").Tournament[]} */
    this.tournaments = [];
    /** @type {import("../directory.js").Game | null} */
    this.hosted = null;
    /** @type {(() => import("../dom.js").Child) | null} */
    this.worth = null;
    this.wrong = "";
  }

  async ask() {
    const { game } = this;
    try {
      this.hosted ??= (await games()).find((each) => each.name === game) ?? null;
      const [tables, rated, open, matches, events] = await Promise.all([
        openTables(game),
        ratings(game, 10),
        resultsOf(game, 40, false),
        resultsOf(game, 40, true),
        tournaments(game),
      ]);
      Object.assign(this, { tables, rated, tournaments: events });
      this.results = open.filter(isWorthListing).slice(0, 12);
      this.matches = matches.filter(isWorthListing).slice(0, 6);
      this.worth ??= await (await import("../seatworth.js")).seatWorth(game);
      this.wrong = "";
    } catch (error) {
      this.wrong = whatWentWrong(error);
    }
    this.draw();
  }

  draw() {
    const { game, telling } = this;
    const playing = this.tables?.filter((table) => table.status === "playing") ?? [];
    show(
      { title: telling.title, game },
      this.wrong ? h("div", { class: "notice look", role: "status" }, this.wrong) : null,
      h(
        "div",
        { class: "lobby-head" },
        h("div", { class: "picture" }, emblem(game, 96)),
        h(
          "div",
          null,
          h("h1", null, telling.title),
          h("p", { class: "lead" }, telling.tagline),
          h(
            "p",
            { class: "note small" },
            `${telling.facts} · ${words.lobby.inPlayNow(playing.length)}`,
          ),
        ),
        h(
          "div",
          { class: "buttons" },
          h("a", { class: "button main", href: `/${game}/play` }, words.home.playNow),
          playing.length > 0
            ? h(
                "a",
                {
                  class: "button",
                  href: `/${game}/tables/${encodeURIComponent(playing[playing.length - 1].id)}`,
                },
                words.home.watch,
              )
            : null,
        ),
      ),
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          null,
          this.open(),
          this.events(),
          this.leaderboard(),
          recentGames(this.results, this.matches, false),
        ),
        h("div", null, this.connect(), this.brief(), this.worth?.()),
      ),
    );
  }

  open() {
    const { tables, newTable, noTables, noTablesHint } = words.lobby;
    const sorted = [...(this.tables ?? [])].sort(
      (a, b) =>
        Number(a.status === "playing") - Number(b.status === "playing") ||
        b.opened_at - a.opened_at,
    );
    // A table that gathers without anybody is what the next player finds anyway.
    const shown = sorted
      .filter((table) => table.status === "playing" || table.players > 0)
      .slice(0, 24);
    const link = h("a", { href: `/${this.game}/play` }, newTable);
    if (!this.tables) return section(tables, {}, loading());
    return section(
      tables,
      { end: link },
      shown.length > 0
        ? h("div", { class: "tables" }, shown.map(tableCard))
        : h(
            "div",
            { class: "state" },
            h("h3", null, noTables),
            h("p", null, noTablesHint),
            h("a", { class: "button", href: `/${this.game}/play` }, newTable),
          ),
    );
  }

  /** Those one can watch or enter, and the last that ended. */
  events() {
    const open = this.tournaments.filter(({ phase }) => phase !== "over" && phase !== "cancelled");
    const shown = (open.length > 0 ? open : this.tournaments.slice(-1)).slice(-5).reverse();
    if (shown.length === 0) return null;
    const all = h("a", { href: "/tournaments" }, words.lobby.allTournaments);
    return section(words.tournaments, { end: all }, tournamentList(shown));
  }

  leaderboard() {
    const { leaderboard, ranked, noRatings } = words.lobby;
    const shown = this.rated;
    if (shown.length === 0) return section(leaderboard, {}, h("p", { class: "note" }, noRatings));
    return section(
      leaderboard,
      {
        note: ranked,
        end: h("a", { href: `/players?game=${this.game}` }, words.players),
      },
      ranks(shown, this.game),
    );
  }

  connect() {
    const { connect, steps } = words.lobby;
    const { game } = this;
    const [dialect] = this.hosted?.dialects ?? [game];
    const port = this.hosted?.ports?.[dialect];
    const draw = () => this.draw();
    const on = system();
    const socket = location.protocol === "https:" ? "wss" : "ws";
    return section(
      connect,
      { id: "connect" },
      h("p", { class: "note" }, steps.starter),
      copyField(fetchCommand(fileOf(game, "python"), on), draw),
      copyField(runCommand({ game, language: "python", on, port, player: "NAME" }), draw),
      h(
        "p",
        { class: "note" },
        h("a", { href: "/starters" }, steps.more),
        " · ",
        h("a", { href: `/docs/reference/games/${game}` }, steps.protocol),
      ),
      h("p", { class: "note" }, steps.house),
      copyField(`${socket}://${location.host}/house/${game}`, draw),
      h("p", { class: "note" }, steps.bot),
      copyField(`parlor bot ${game} --wire house --connect ${location.host}`, draw),
      h("p", { class: "note" }, steps.model),
      copyField(`${location.origin}/mcp`, draw),
    );
  }

  brief() {
    const { brief, allRules } = words.lobby;
    const { words: text, list } = this.telling.brief;
    return section(
      brief,
      { end: h("a", { href: `/${this.game}/rules` }, allRules) },
      h("p", { class: "note" }, text),
      programme(list),
    );
  }
}
