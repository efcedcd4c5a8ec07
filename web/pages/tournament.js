// One tournament, live: bracket or standings, the tables where it is played, results with their causes.

import { getJson } from "../api.js";
import { ratings } from "../directory.js";
import { h } from "../dom.js";
import { drawBracket, sizeFor } from "../event/bracket.js";
import { entryForm } from "../event/entry.js";
import { follow } from "../event/feed.js";
import { drawLadder } from "../event/ladder.js";
import { LiveTables } from "../event/livetable.js";
import { bracket, coming, decided, formatOf, gameNow, isOver, running } from "../event/model.js";
import { drawRounds, pairingRow } from "../event/pairings.js";
import { drawStandings } from "../event/standings.js";
import { displayOf, events, inBrief, rulesOfTheDay, whereItStands } from "../event/words.js";
import { about, emblem } from "../games.js";
import { icon } from "../icons.js";
import { playerChip } from "../marks.js";
import { travel } from "../motion.js";
import { awayNotice, programme, section } from "../parts.js";
import { loading, show, stateOf } from "../shell.js";
import { words } from "../texts.js";

/** So many tables are drawn as boards; all others are lines with links. */
const MOST_BOARDS = 2;
/** So many results are listed before all of them are asked for. */
const FEW = 8;
/** Ratings change with results, and are asked for so often at most. */
const RATINGS_MS = 5000;

/** @param {string} game @param {string} id */
export default async function tournament(game, id) {
  show({ title: id, game }, loading());
  try {
    const [telling, first] = await Promise.all([
      about(game),
      getJson(`/api/v1/tournaments/${game}/${encodeURIComponent(id)}`),
    ]);
    new TournamentPage(game, id, telling, first).open();
  } catch (error) {
    const hint = error instanceof Error ? error.message : String(error);
    const link = /** @type {[string, string]} */ ([events.tournaments, "/tournaments"]);
    show(
      { title: words.errors.title, game },
      stateOf({ title: words.errors.title, hint, wrong: true, link }),
    );
  }
}

/** What the padding of an element takes of its width. @param {Element} element */
function sides(element) {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
}

class TournamentPage {
  /**
   * @param {string} game @param {string} id
   * @param {import("../types.d.ts").About} telling
   * @param {import("../event/types.d.ts").Tournament} first
   */
  constructor(game, id, telling, first) {
    this.game = game;
    this.id = id;
    this.telling = telling;
    this.now = first;
    /** @type {Map<string, import("../event/types.d.ts").Rating>} */
    this.ratings = new Map();
    this.rated = 0;
    this.tables = new LiveTables(game, () => this.draw());
    this.everything = false;
    /** The round of a knockout that a phone shows; null: the running one. @type {number | null} */
    this.shown = null;
    this.entry = entryForm(game, id, () => this.draw());
    /** @type {import("../link.js").Link | null} */
    this.link = null;
  }

  open() {
    this.link = follow(this.game, this.id, {
      heard: (tournament) => this.hear(tournament),
      changed: () => this.draw(),
    });
    document.addEventListener("visibilitychange", () => {
      this.tables.visible = !document.hidden;
      this.draw();
    });
    this.hear(this.now);
  }

  /** @param {import("../event/types.d.ts").Tournament} tournament */
  hear(tournament) {
    const rows = document.querySelector(".standings");
    this.now = tournament;
    // Rows that change places are seen to.
    if (rows) travel(rows, () => this.draw(), 300);
    else this.draw();
    this.rate();
  }

  async rate() {
    const now = Date.now();
    if (now - this.rated < RATINGS_MS) return;
    this.rated = now;
    try {
      this.ratings = new Map((await ratings(this.game)).map((rated) => [rated.name, rated]));
      this.draw();
    } catch {
      // The standings stand without them; the next result asks again.
    }
  }

  draw() {
    const { game, now } = this;
    this.tables.follow(
      running(now)
        .slice(0, MOST_BOARDS)
        .flatMap(({ table }) => table ?? []),
    );
    show(
      { title: now.id, game, at: "/tournaments" },
      this.link ? awayNotice(this.link) : null,
      this.head(),
      this.notice(),
      now.phase === "entering" ? this.entering() : this.played(),
    );
  }

  head() {
    const { game, now, telling } = this;
    const [where, below] = whereItStands(now);
    const [live] = running(now);
    return h(
      "div",
      { class: "lobby-head event-head" },
      h("div", { class: "picture" }, emblem(game, 72)),
      h(
        "div",
        null,
        h(
          "div",
          { class: "note" },
          h("a", { href: `/${game}` }, telling.title),
          " / ",
          h("a", { href: "/tournaments" }, events.tournaments),
        ),
        h("h1", { class: "cut", title: now.id }, now.id),
        h("p", { class: "lead" }, inBrief(now)),
      ),
      h(
        "div",
        { class: "end" },
        h(
          "div",
          { class: "where" },
          h("b", null, where),
          h("span", { class: "note small" }, below),
        ),
        h(
          "div",
          { class: "buttons" },
          live
            ? h(
                "a",
                {
                  class: "button main",
                  href: `/${game}/tables/${encodeURIComponent(live.table ?? "")}`,
                },
                icon("eye"),
                events.watchLive,
              )
            : null,
          h(
            "a",
            { class: "button", href: `/show?tournament=${game}/${encodeURIComponent(now.id)}` },
            events.projector,
          ),
        ),
      ),
    );
  }

  notice() {
    const { phase, winner } = this.now;
    if (phase === "paused")
      return h("div", { class: "notice", role: "status" }, icon("pause"), events.paused);
    if (phase === "cancelled")
      return h("div", { class: "notice look", role: "status" }, events.cancelled);
    if (phase === "over" && winner) {
      return h(
        "div",
        { class: "notice winner", role: "status" },
        icon("trophy"),
        h("b", null, events.won(displayOf(this.now, winner))),
      );
    }
    return null;
  }

  entering() {
    return h(
      "div",
      { class: "columns" },
      h("div", null, this.teams(), this.now.open ? this.entry.draw(this.now) : null),
      h("div", null, this.rules()),
    );
  }

  played() {
    const { name } = formatOf(this.now);
    const [knockout, ladder] = [name === "knockout", name === "ladder"];
    const enters = ladder && !isOver(this.now) && this.now.open;
    return [
      knockout ? this.bracket() : this.standings(),
      h(
        "div",
        { class: "columns event-columns" },
        h(
          "div",
          null,
          this.atTheTables(),
          this.results(),
          knockout ? this.standings() : ladder ? null : this.rounds(),
        ),
        h("div", null, this.next(), this.rules(), enters ? this.entry.draw(this.now) : null),
      ),
    ];
  }

  bracket() {
    const columns = bracket(this.now);
    const running = columns.findIndex((slots) => slots.some(({ pairing }) => !pairing?.decision));
    const main = document.querySelector("main");
    const room = main ? main.clientWidth - sides(main) : innerWidth;
    return drawBracket(this.now, {
      size: sizeFor(columns.length, room),
      room,
      shown: this.shown ?? Math.max(0, running),
      choose: (round) => {
        this.shown = round;
        this.draw();
      },
    });
  }

  standings() {
    const { game, id } = this.now;
    const api = `/api/v1/tournaments/${game}/${encodeURIComponent(id)}`;
    const { name } = formatOf(this.now);
    const notes = { knockout: null, ladder: events.ladder.note };
    return section(
      events.standings,
      {
        note: name in notes ? notes[/** @type {"ladder"} */ (name)] : events.pointsAre,
        end: h(
          "span",
          { class: "files" },
          h(
            "a",
            { href: `${api}/standings.csv`, download: `${id}-standings.csv` },
            events.spreadsheet,
          ),
          h("a", { href: `${api}/results.csv`, download: `${id}-results.csv` }, events.resultsFile),
          h("a", { href: api }, events.json),
          h(
            "button",
            { class: "plain-link", type: "button", onclick: () => print() },
            events.print,
          ),
        ),
      },
      name === "ladder" ? drawLadder(this.now, Date.now()) : drawStandings(this.now, this.ratings),
    );
  }

  atTheTables() {
    const live = running(this.now);
    if (isOver(this.now)) return null;
    const note =
      live.length > 0
        ? h("span", { class: "live" }, h("span", { class: "dot" }), live.length)
        : null;
    return section(
      events.tables,
      { note, id: "tables" },
      live.length === 0 ? h("p", { class: "note" }, events.none390) : null,
      h(
        "div",
        { class: "live-tables" },
        live.slice(0, MOST_BOARDS).map((pairing) => this.liveTable(pairing)),
      ),
      live.length > MOST_BOARDS
        ? h(
            "ul",
            { class: "rows pairings" },
            live.slice(MOST_BOARDS).map((pairing) => pairingRow(this.now, pairing)),
          )
        : null,
    );
  }

  /** @param {import("../event/types.d.ts").Pairing} pairing */
  liveTable(pairing) {
    const { table = "", entrants } = pairing;
    const live = this.tables.get(table);
    const address = `/${this.game}/tables/${encodeURIComponent(table)}`;
    const width = Math.min(412, innerWidth - 64);
    return h(
      "article",
      { class: "sheet live-table", key: table },
      h(
        "header",
        null,
        h(
          "span",
          { class: "players" },
          entrants.map((id) => playerChip(this.now.entrants[id])),
        ),
        h("a", { class: "button", href: address }, words.lobby.watch),
      ),
      live?.isDelayed() ? h("p", { class: "note" }, words.live.delayed) : live?.draw(width),
      h(
        "p",
        { class: "note small" },
        `${events.game(gameNow(pairing))}${live?.where() ? `, ${live.where()}` : ""}`,
      ),
    );
  }

  results() {
    const all = decided(this.now);
    const few = this.everything ? all : all.slice(0, FEW);
    return section(
      events.results,
      {
        end:
          all.length > few.length
            ? h(
                "button",
                {
                  class: "plain-link",
                  type: "button",
                  onclick: () => {
                    this.everything = true;
                    this.draw();
                  },
                },
                events.all(all.length),
              )
            : null,
      },
      few.length > 0
        ? h(
            "ul",
            { class: "rows pairings" },
            few.map((pairing) => pairingRow(this.now, pairing)),
          )
        : h("p", { class: "note" }, events.noResults),
    );
  }

  rounds() {
    return section(events.schedule, { id: "rounds" }, drawRounds(this.now));
  }

  next() {
    const next = coming(this.now);
    if (next.length === 0) return null;
    const knockout = formatOf(this.now).name === "knockout";
    return section(
      events.next,
      { note: knockout ? null : events.nextNote },
      h(
        "ul",
        { class: "rows pairings narrow" },
        next.slice(0, FEW).map((pairing) => pairingRow(this.now, pairing)),
      ),
    );
  }

  teams() {
    const { entrants } = this.now;
    return section(
      events.teams,
      { note: String(entrants.length) },
      entrants.length === 0 ? h("p", { class: "note" }, events.nobody) : null,
      h(
        "ul",
        { class: "rows teams" },
        entrants.map((entrant) =>
          h(
            "li",
            { key: entrant.name },
            playerChip(entrant),
            h(
              "span",
              { class: `note small ${entrant.present ? "here" : ""}` },
              entrant.bot ? events.houseBot : entrant.present ? events.here : events.away,
            ),
          ),
        ),
      ),
      h(
        "p",
        { class: "note" },
        this.now.starts_when_full
          ? events.startsFull(this.now.plan.max_entrants)
          : events.notStarted,
      ),
    );
  }

  rules() {
    return section(events.rules, {}, programme(rulesOfTheDay(this.now)));
  }
}
