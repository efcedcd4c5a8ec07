// One game's lobby: tables to join or watch, who is strong, what was played, how to connect a bot.

import { games, keepAsking, openTables, ratings, results, tournaments } from "../directory.js";
import { h } from "../dom.js";
import { tournamentList } from "../event/list.js";
import { about, emblem } from "../games.js";
import { copyField, programme, section } from "../parts.js";
import { ranks } from "../ranks.js";
import { loading, show, stateOf } from "../shell.js";
import { resultList, tableCard } from "../tablecard.js";
import { count, words } from "../texts.js";

/** @param {string} game */
export default async function lobby(game) {
  show({ title: game, game }, loading());
  try {
    const state = new Lobby(game, await about(game));
    await keepAsking(3000, () => state.ask());
  } catch {
    const { noPage, noPageHint, toGames } = words.errors;
    show(
      { title: noPage },
      stateOf({ title: noPage, hint: noPageHint, wrong: true, link: [toGames, "/"] }),
    );
  }
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
      [this.tables, this.rated, this.results, this.tournaments] = await Promise.all([
        openTables(game),
        ratings(game, 10),
        results(game, 12),
        tournaments(game),
      ]);
      this.worth ??= await (await import("../seatworth.js")).seatWorth(game);
      this.wrong = "";
    } catch (error) {
      this.wrong = error instanceof Error ? error.message : String(error);
    }
    this.draw();
  }

  draw() {
    const { game, telling } = this;
    const playing = this.tables?.filter((table) => table.status === "playing") ?? [];
    show(
      { title: telling.title, game },
      this.wrong
        ? h("div", { class: "notice look", role: "status" }, this.wrong, " ", words.errors.network)
        : null,
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
            `${telling.facts} · ${count(playing.length, "table")} in play`,
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
        h("div", null, this.open(), this.events(), this.leaderboard(), this.recent()),
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

  recent() {
    return resultList(words.lobby.recent, this.results, false);
  }

  connect() {
    const { connect, steps } = words.lobby;
    const { game } = this;
    const file = game.replaceAll("-", "_");
    const [dialect] = this.hosted?.dialects ?? [game];
    const port = this.hosted?.ports?.[dialect];
    const draw = () => this.draw();
    const socket = location.protocol === "https:" ? "wss" : "ws";
    return section(
      connect,
      { id: "connect" },
      h("p", { class: "note" }, steps.starter),
      copyField(`python3 examples/${file}.py ${location.hostname}${port ? ` ${port}` : ""}`, draw),
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
