// One player: its rating over time with how sure we are of it, against whom it wins, how fast it moves,
// and what went wrong.

import { getJson } from "../api.js";
import { results } from "../directory.js";
import { h } from "../dom.js";
import { about, emblem } from "../games.js";
import { causeIcon, icon } from "../icons.js";
import { chipMark, playerChip } from "../marks.js";
import { programme, section } from "../parts.js";
import { latestGames, placements } from "../playerrecord.js";
import { ratingPlot, timesPlot } from "../playerplots.js";
import { eloWords, strengths } from "../ranks.js";
import { sure } from "../ratingbar.js";
import { loading, show, stateOf } from "../shell.js";
import { playerWords } from "../playertexts.js";
import { ago, duration, words } from "../texts.js";

/**
 * @typedef {{ at: number, mean: number, uncertainty: number, games: number }} Rating
 * @typedef {{ game: string, rating: Rating | null, rank: number | null, latest: number }} Played
 * @typedef {{ name: string, won: number, drawn: number, lost: number }} Opponent
 * @typedef {{ games: number, won: number, shared: number, lost: number }} Tally
 * @typedef {import("../playerrecord.js").Placement} Placement
 *
 * @typedef {object} InGame
 * @property {Rating[]} history
 * @property {number | null} rank
 * @property {number} games
 * @property {number} won
 * @property {number} shared
 * @property {number} lost
 * @property {number} void
 * @property {Tally} rated
 * @property {Tally} tournament
 * @property {Tally} open
 * @property {{ cause: string, games: number }[]} causes
 * @property {Opponent[]} opponents
 * @property {number | null} next
 *
 * @typedef {object} Moves
 * @property {number} games
 * @property {number} moves
 * @property {number | null} half_ms
 * @property {number | null} hundredth_ms
 * @property {number | null} slowest_ms
 * @property {{ up_to_ms: number | null, moves: number }[]} times
 * @property {number | null} clock_ms
 * @property {number} timeouts
 * @property {number} refused
 * @property {{ version: string | null, games: number, won: number, first_at: number, last_at: number }[]} versions
 */

/** So many opponents are shown before all are asked for. */
const MET = 8;
const LATEST = 60;

/** @param {string} name */
export default async function player(name) {
  show({ title: name }, loading());
  try {
    const { games, display, placements } =
      /** @type {{ games: Played[], display?: string, placements: Placement[] }} */ (
        await getJson(`/api/v1/players/${encodeURIComponent(name)}`)
      );
    const titles = await Promise.all(games.map(({ game }) => about(game)));
    const state = new Player(
      name,
      games.map((each, at) => ({ ...each, title: titles[at].title })),
    );
    state.display = display;
    state.placements = placements;
    await state.open(asked(games));
  } catch (error) {
    const { nobody } = playerWords;
    const hint = error instanceof Error ? error.message : String(error);
    show(
      { title: nobody },
      stateOf({ title: nobody, hint, wrong: true, link: [words.players, "/players"] }),
    );
  }
}

/** The game of the address, or the one played last. @param {Played[]} games */
function asked(games) {
  const wanted = new URLSearchParams(location.search).get("game");
  const latest = [...games].sort((a, b) => b.latest - a.latest);
  return (games.find(({ game }) => game === wanted) ?? latest[0]).game;
}

class Player {
  /** @param {string} name @param {(Played & { title: string })[]} games */
  constructor(name, games) {
    this.name = name;
    this.games = games;
    /** @type {string | undefined} */
    this.display = undefined;
    /** @type {Placement[]} */
    this.placements = [];
    this.game = "";
    /** @type {InGame | null} */
    this.record = null;
    /** @type {Moves | null} */
    this.moves = null;
    /** @type {import("../directory.js").Result[]} */
    this.results = [];
    /** @type {import("../ranks.js").Strength[]} */
    this.strengths = [];
    this.month = false;
    this.everybodyMet = false;
  }

  /** @param {string} game */
  async open(game) {
    this.game = game;
    this.record = null;
    this.moves = null;
    this.results = [];
    this.strengths = [];
    this.draw();
    const feed = `/api/v1/players/${encodeURIComponent(this.name)}/${game}`;
    const [record, moves, latest] = await Promise.all([
      getJson(feed),
      getJson(`${feed}/moves`),
      results(game, LATEST, this.name),
    ]);
    if (this.game !== game) return;
    this.record = record;
    this.moves = moves;
    this.results = latest;
    this.draw();
    // These may take a while, and everything else stands without them.
    const own = `?name=${encodeURIComponent(this.name)}`;
    const all = await Promise.all([strengths(game, own), strengths(game, `${own}&per=version`)]);
    if (this.game !== game) return;
    this.strengths = all.flat();
    this.draw();
  }

  draw() {
    const { name, game, record, moves } = this;
    show(
      { title: name, game, at: "/players" },
      this.head(),
      this.tabs(),
      record && moves
        ? [
            this.rating(record, moves),
            h(
              "div",
              { class: "thirds", key: "thirds" },
              this.met(record),
              this.times(moves),
              this.troubles(record, moves),
            ),
            placements(this.placements.filter((each) => each.game === game)),
            this.versions(moves),
            latestGames(this.results, name),
          ]
        : loading(),
    );
  }

  head() {
    const { name, record, moves } = this;
    const rated = this.games.find(({ game }) => game === this.game)?.rating;
    const { ratedGames, openGames, wonShare, usually } = playerWords;
    /** @param {Tally} tally */
    const share = ({ won, shared, lost }) =>
      won + shared + lost > 0
        ? `, ${wonShare(Math.round((100 * won) / (won + shared + lost)))}`
        : "";
    /** @type {[string, string][]} */
    const counts = [];
    if (rated) counts.push([sure(rated), playerWords.ratingNow]);
    /** A count and a share of the same games. @param {Tally} tally @param {string} what */
    const count = (tally, what) =>
      counts.push([
        `${tally.games.toLocaleString("en")}${record?.next ? "+" : ""}`,
        `${what}${share(tally)}`,
      ]);
    if (record && record.rated.games > 0) count(record.rated, ratedGames);
    if (record && record.open.games > 0) count(record.open, openGames);
    const [whole] = this.strengths;
    if (whole) {
      const [elo, low, high] = [whole.elo, whole.low, whole.high].map(Math.round);
      counts.push([String(elo), playerWords.eloBand(low, high)]);
    }
    if (moves?.half_ms !== null && moves) counts.push([duration(moves.half_ms), usually]);
    return h(
      "div",
      { class: "player-head" },
      chipMark({ name }, 72),
      h(
        "div",
        null,
        h("h1", { class: "cut", title: name }, this.display ?? name),
        this.display ? h("p", { class: "note" }, name) : null,
        h(
          "p",
          { class: "lead" },
          playerWords.plays(words.list(this.games.map(({ title }) => title))),
          " ",
          playerWords.last(ago(Date.now() - Math.max(...this.games.map(({ latest }) => latest)))),
        ),
      ),
      h(
        "div",
        { class: "counts" },
        counts.map(([number, what]) =>
          h("div", { key: what }, h("b", null, number), h("span", { class: "note small" }, what)),
        ),
      ),
    );
  }

  tabs() {
    return h(
      "nav",
      { class: "tabs", "aria-label": words.games },
      this.games.map(({ game, title, rating }) =>
        h(
          "a",
          {
            key: game,
            "data-game": game,
            href: `?game=${game}`,
            "aria-current": game === this.game ? "page" : null,
            onclick: (/** @type {MouseEvent} */ event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              history.replaceState(null, "", `?game=${game}`);
              this.open(game);
            },
          },
          emblem(game, 28),
          h(
            "span",
            null,
            h("b", null, title),
            h(
              "span",
              { class: "note small" },
              rating ? playerWords.rated(sure(rating)) : playerWords.unrated,
            ),
          ),
        ),
      ),
    );
  }

  /** @param {InGame} record @param {Moves} moves */
  rating(record, moves) {
    const { rating, band, unratedHint, month, all, span } = playerWords;
    const title = rating(this.games.find(({ game }) => game === this.game)?.title ?? "");
    if (record.history.length === 0)
      return section(title, {}, h("p", { class: "note" }, unratedHint));
    const choose = (/** @type {boolean} */ month) => () => {
      this.month = month;
      this.draw();
    };
    const choice = h(
      "span",
      { class: "choice", role: "group", "aria-label": span },
      [
        [month, true],
        [all, false],
      ].map(([word, is]) =>
        h(
          "button",
          { type: "button", "aria-pressed": is === this.month, onclick: choose(Boolean(is)) },
          word,
        ),
      ),
    );
    return section(
      title,
      { note: band, end: choice },
      ratingPlot(record.history, moves.versions, {
        since: this.month ? Date.now() - 30 * 86_400_000 : 0,
        rank: record.rank,
      }),
    );
  }

  /** @param {InGame} record */
  met({ opponents, games, next }) {
    const { met, wonLost, allMet, ofLatest } = playerWords;
    const shown = this.everybodyMet ? opponents : opponents.slice(0, MET);
    const most = Math.max(1, ...opponents.map(({ won, lost }) => Math.max(won, lost)));
    const all = () => {
      this.everybodyMet = true;
      this.draw();
    };
    return section(
      met,
      { note: next ? ofLatest(games) : wonLost },
      h(
        "ul",
        { class: "rows met" },
        shown.map(({ name, won, drawn, lost }) =>
          h(
            "li",
            { key: name },
            h(
              "a",
              { href: `/players/${encodeURIComponent(name)}?game=${this.game}` },
              playerChip({ name }),
            ),
            h("b", { "aria-label": `won ${won}` }, won),
            h(
              "span",
              { class: "versus", title: drawn ? `${drawn} drawn` : null, "aria-hidden": "true" },
              h("i", { class: "won", style: { width: `${(50 * won) / most}%` } }),
              h("i", { class: "lost", style: { width: `${(50 * lost) / most}%` } }),
            ),
            h("span", { class: "note", "aria-label": `lost ${lost}` }, lost),
          ),
        ),
      ),
      shown.length < opponents.length
        ? h("button", { class: "button", type: "button", onclick: all }, allMet(opponents.length))
        : null,
    );
  }

  /** @param {Moves} moves */
  times({ moves, half_ms, hundredth_ms, slowest_ms, times, clock_ms, games }) {
    const { timeAMove, inMoves, noMoves, half, hundredth, slowest } = playerWords;
    if (half_ms === null || hundredth_ms === null || slowest_ms === null)
      return section(timeAMove, {}, h("p", { class: "note" }, noMoves));
    return section(
      timeAMove,
      { note: inMoves(moves, games) },
      timesPlot(times, { half: half_ms, limit: clock_ms }),
      programme([
        [half, duration(half_ms)],
        [hundredth, duration(hundredth_ms)],
        [slowest, duration(slowest_ms)],
      ]),
    );
  }

  /** @param {InGame} record @param {Moves} moves */
  troubles({ causes, games }, { refused, timeouts, games: read }) {
    const { wrong, inGames, refusedMoves, byClock, causeWords, fine } = playerWords;
    const ended = (/** @type {string} */ cause) =>
      causes.find((each) => each.cause === cause)?.games ?? 0;
    /** @type {[import("../dom.js").Child, string, number, string][]} */
    const rows = [
      [icon("cross", 16), refusedMoves, refused, inGames(read)],
      [icon("clock", 16), byClock, timeouts, inGames(read)],
      ...Object.entries(causeWords).map(
        ([cause, word]) =>
          /** @type {[import("../dom.js").Child, string, number, string]} */ ([
            causeIcon(cause),
            word,
            ended(cause),
            inGames(games),
          ]),
      ),
    ];
    const some = rows.filter(([, , times]) => times > 0);
    return section(
      wrong,
      { note: inGames(games) },
      some.length === 0 ? h("p", { class: "note" }, fine) : null,
      h(
        "ul",
        { class: "rows troubles" },
        some.map(([sign, word, times, among]) =>
          h(
            "li",
            { key: word },
            h("span", { class: "sign" }, sign),
            h("span", null, word, h("span", { class: "note small" }, ` ${among}`)),
            h("b", null, times),
          ),
        ),
      ),
    );
  }

  /** Only of programs that say which version they are. @param {Moves} moves */
  versions({ versions, games }) {
    const named = versions.filter(({ version }) => version !== null);
    if (named.length === 0) return null;
    const { versions: title, inGames, since, columns } = playerWords;
    const day = (/** @type {number} */ at) => new Date(at).toLocaleDateString("en-GB", DAY);
    return section(
      title,
      { note: inGames(games) },
      h(
        "table",
        { class: "ranks" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            columns.map((column) => h("th", { scope: "col" }, column)),
          ),
        ),
        h(
          "tbody",
          null,
          versions.map(({ version, games, won, first_at }) =>
            h(
              "tr",
              { key: version ?? "" },
              h("th", { scope: "row" }, version ?? "—"),
              h("td", null, since(day(first_at))),
              h("td", null, games),
              h("td", null, h("b", null, `${Math.round((100 * won) / games)} %`)),
              h("td", { class: "note" }, eloWords(this.strengthOf(version))),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {string | null} version */
  strengthOf(version) {
    // The first is of all versions together.
    return this.strengths.slice(1).find((each) => (each.version ?? null) === version);
  }
}

/** @type {Intl.DateTimeFormatOptions} */
const DAY = { day: "numeric", month: "long" };
