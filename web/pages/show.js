// The projector: one slide after the other, for as long as the machine runs. It chooses by itself what
// to show, unless ?tournament=GAME/ID or ?table=GAME/ID says it.

import { send } from "../api.js";
import { openTables, tournaments } from "../directory.js";
import { h } from "../dom.js";
import { follow } from "../event/feed.js";
import { coming, foremost, formatOf } from "../event/model.js";
import { PACE_MS, Playback } from "../event/playback.js";
import {
  ROWS,
  boardSlide,
  bracketSlides,
  idleSlide,
  nextSlide,
  show as texts,
  standingsSlide,
  strip,
  teamsSlide,
  winnerSlide,
} from "../event/slides.js";
import { savedToken } from "../event/token.js";
import { timeOf } from "../event/words.js";
import { keepEmblem } from "../games.js";
import { isMotionWanted } from "../motion.js";
import { show } from "../shell.js";
import { drawMoving } from "../stage.js";

/** A slide stays for so long; one that shows a game, until its turn is over. */
const SLIDE_MS = 20_000;
/** How often it looks around for what is going on. */
const LOOK_MS = 5000;

export default function page() {
  const projector = new Projector(new URLSearchParams(location.search));
  projector.look();
  addEventListener("resize", () => projector.draw());
  addEventListener("keydown", (event) => {
    if (event.key === "f") document.documentElement.requestFullscreen?.().catch(() => undefined);
  });
}

class Projector {
  /** @param {URLSearchParams} asked */
  constructor(asked) {
    /** `game/id` of the tournament that was asked for, or found. */
    this.pinned = asked.get("tournament") ?? "";
    this.table = asked.get("table") ?? "";
    this.pace = Number(asked.get("pace")) || PACE_MS;
    this.every = Number(asked.get("every")) * 1000 || SLIDE_MS;
    this.shown = "";
    /** @type {import("../event/types.d.ts").Tournament | null} */
    this.tournament = null;
    /** @type {import("../link.js").Link | null} */
    this.feed = null;
    /** @type {Playback | null} */
    this.playback = null;
    /** Which slide of the round of slides is shown. */
    this.slide = 0;
    this.since = Date.now();
    /** @type {number | undefined} */
    this.frame = undefined;
    setInterval(() => this.look(), LOOK_MS);
    // Clocks, and slides that have been seen.
    setInterval(() => {
      this.turnOver();
      if (this.playback?.deadline) this.draw();
    }, 500);
  }

  /** Looks for what is going on. */
  async look() {
    try {
      await this.choose();
      const games = new Set([this.tournament?.game, this.playback?.game]);
      await Promise.all([...games].flatMap((game) => (game ? [keepEmblem(game)] : [])));
    } catch {
      // The server is away: what is shown stays, and the feed's line says since when.
    }
    this.draw();
  }

  async choose() {
    if (this.table) return this.watch(this.table);
    const wanted = this.pinned || (await newestTournament());
    if (wanted && wanted !== this.shown) {
      this.feed?.end();
      this.shown = wanted;
      this.tournament = null;
      const [game, ...rest] = wanted.split("/");
      this.feed = follow(game, rest.join("/"), {
        heard: (tournament) => {
          this.tournament = tournament;
          this.watchForemost();
          this.drawSoon();
        },
        changed: () => this.draw(),
      });
    }
    if (!wanted) {
      this.feed?.end();
      Object.assign(this, { feed: null, tournament: null, shown: "" });
      const playing = (await openTables()).filter((table) => table.status === "playing");
      const newest = playing.sort((a, b) => b.opened_at - a.opened_at)[0];
      if (newest && (!this.playback || this.playback.over))
        this.watch(`${newest.game}/${newest.id}`);
    }
  }

  /** The newest table of the highest round; one that is shown is shown to its end. */
  watchForemost() {
    const { tournament } = this;
    if (!tournament || this.table) return;
    const first = foremost(tournament);
    if (first?.table && (!this.playback || this.playback.over))
      this.watch(`${tournament.game}/${first.table}`);
  }

  /** @param {string} table */
  watch(table) {
    const [game, ...rest] = table.split("/");
    const id = rest.join("/");
    if (this.playback?.game === game && this.playback.id === id) return;
    this.playback?.end();
    this.playback = new Playback(game, id, {
      pace: this.pace,
      changed: (from) => this.moved(from),
      ticket: savedToken() ? ticket : undefined,
    });
  }

  /** The next slide, if this one was seen; a game is left when its turn is over. */
  turnOver() {
    if (Date.now() - this.since < this.every) return;
    this.slide += 1;
    this.since = Date.now();
    const change = () => this.draw();
    const root = /** @type {any} */ (document);
    if (!root.startViewTransition || !isMotionWanted()) return change();
    // One that is cut short by the next has changed the slide all the same.
    root.startViewTransition(change).ready.catch(() => undefined);
  }

  /** A turn of the game was shown. @param {number} from */
  moved(from) {
    const { playback } = this;
    if (playback?.over) this.watchForemost();
    const element = document.getElementById("stage");
    if (!playback?.board || !element || from < 0 || playback.place <= from) return this.draw();
    const step = {
      before: playback.view(from),
      view: playback.view(playback.place),
      ctx: playback.context(boardWidth()),
    };
    drawMoving(playback.board, step, () => this.draw());
  }

  /** @returns {import("../dom.js").Child} */
  content() {
    const { tournament, playback } = this;
    const live =
      playback && playback.place >= 0 ? boardSlide(playback, tournament, boardWidth()) : null;
    if (!tournament) return live ?? idleSlide();
    if (tournament.phase === "entering") return teamsSlide(tournament);
    const knockout = formatOf(tournament).name === "knockout";
    const pages = Math.ceil(tournament.standings.length / ROWS);
    const tables = knockout
      ? bracketSlides(tournament, room())
      : Array.from({ length: pages }, (_, page) => () => standingsSlide(tournament, page));
    const over = tournament.phase === "over" && tournament.winner;
    const slides = [
      ...(live && !(over && playback?.over) ? [() => live] : []),
      ...(over ? [() => winnerSlide(tournament)] : []),
      ...tables,
      ...(!knockout && coming(tournament).length > 0 ? [() => nextSlide(tournament)] : []),
    ];
    return slides[this.slide % slides.length]();
  }

  /** However much is heard, it is drawn once a frame. */
  drawSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  draw() {
    const { feed, playback } = this;
    const link = feed && !feed.ended ? feed : (playback?.link ?? null);
    const away = link && !link.ended && !link.state.open && link.state.retryAt !== null;
    show(
      {
        title: this.tournament?.id ?? "Parlor",
        bare: true,
        game: this.tournament?.game ?? playback?.game,
      },
      h(
        "div",
        { class: "show" },
        this.content(),
        away
          ? h("p", { class: "show-away", role: "status" }, texts.away(timeOf(link.state.since)))
          : null,
        strip(this.tournament),
      ),
    );
    fit();
  }
}

/** `game/id` of the newest tournament that is played, else one that gathers, else the last that ended. */
async function newestTournament() {
  const all = await tournaments();
  const newest = (/** @type {string[]} */ ...phases) =>
    all
      .filter((each) => phases.includes(each.phase))
      .sort((a, b) => (b.convened_at ?? 0) - (a.convened_at ?? 0))[0];
  const found = newest("running", "paused") ?? newest("entering") ?? newest("over");
  return found ? `${found.game}/${found.id}` : "";
}

async function ticket() {
  const token = savedToken();
  return token ? (await send("POST", "/api/v1/tickets", undefined, token)).ticket : null;
}

/** What everything is measured in: a pixel of a screen of 1920 by 1080. */
function unit() {
  return Math.min(innerWidth / 1920, innerHeight / 1080);
}

function boardWidth() {
  return Math.round(Math.max(374, innerWidth < 700 ? innerWidth - 32 : 1230 * unit()));
}

function room() {
  return { width: innerWidth - 112 * unit(), height: innerHeight - 280 * unit() };
}

/** A board that is higher than its room is drawn smaller. */
function fit() {
  const place = /** @type {HTMLElement | null} */ (document.querySelector(".board-room"));
  const stage = document.getElementById("stage");
  if (!place || !stage) return;
  stage.style.setProperty("zoom", "1");
  const share = place.clientHeight / Math.max(1, stage.scrollHeight);
  stage.style.setProperty("zoom", share < 1 && innerWidth >= 700 ? share.toFixed(3) : "1");
}
