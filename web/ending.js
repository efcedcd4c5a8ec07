// After a game at one's own seat: how it ended, on a card over the board, the score of the series, and
// what follows. The play page has one of these.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { resultCard } from "./resultcard.js";
import { Rematch } from "./rematch.js";
import { Series } from "./series.js";
import { sentence, words } from "./texts.js";

/**
 * What it asks of the play page.
 * @typedef {object} Host
 * @property {string} game
 * @property {import("./boardpage.js").BoardPage} page
 * @property {(message: object) => void} say
 * @property {() => void} draw
 * @property {() => void} again A new game, as the last one was asked for.
 */

export class Ending {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.series = new Series(host.game);
    this.rematch = new Rematch(host.say, host.draw);
    this.clear();
  }

  /** Another game begins. */
  clear() {
    /** Whether the card is put away, to look at the board. */
    this.away = false;
    this.shared = false;
    /** How one did in the deal of the day, as a line to share. */
    this.daily = "";
    this.resigned = false;
    this.rematch.forget();
  }

  /** The game is over for this seat: another one may follow with the same people. @param {string | null} token */
  stay(token) {
    const { timeline, id, viewer } = this.host.page;
    if (typeof viewer !== "number") return;
    const seats = timeline.table?.seats ?? [];
    // Of two, the other one wins when one resigns; who resigns is not told the end.
    const given = this.resigned && seats.length === 2 ? [2 - viewer, viewer + 1] : null;
    const places = timeline.over?.places ?? given;
    if (places) this.series.count(viewer, places);
    if (token) this.rematch.stay({ table: id, token, seat: viewer }, seats);
  }

  /** Whether there is anything to show. */
  isOver() {
    const { page } = this.host;
    const atEnd = page.timeline.over !== null && page.place === page.timeline.last;
    return atEnd || this.resigned;
  }

  /** The card over the board. */
  card() {
    if (!this.isOver() || this.away) return null;
    const { page } = this.host;
    const { over, last } = page.timeline;
    const seat = /** @type {number} */ (page.viewer);
    const view = page.timeline.view(last, seat);
    const ctx = page.context();
    return resultCard({
      headline: this.headline(),
      won: over?.places?.[seat] === 1,
      over,
      names: page.timeline.names(last),
      seat,
      decided: over && !over.void ? (page.board.decided?.(view, ctx) ?? "") : "",
      series: this.daily || this.score(),
      actions: this.actions(),
      close: () => this.put(true),
    });
  }

  /** What follows, while the card is away. */
  below() {
    if (!this.isOver() || !this.away) return null;
    return [button(words.end.result, "button", () => this.put(false)), this.actions()];
  }

  actions() {
    const { page, game, again } = this.host;
    // Of two, nobody plays on.
    const over = page.timeline.over !== null || page.timeline.table?.seats.length === 2;
    const open = this.rematch.isOpen();
    const address = `/${game}/${over ? "games" : "tables"}/${encodeURIComponent(page.id)}`;
    return [
      this.rematch.shown(),
      button(open ? words.play.newGame : words.play.again, open ? "button" : "button main", again),
      h("a", { class: "button", href: address }, over ? words.end.review : words.play.watchOn),
      over ? this.shareButton(address) : null,
      h("a", { class: "button plain", href: `/${game}` }, words.play.toLobby),
    ];
  }

  /** @param {string} address */
  shareButton(address) {
    const share = async () => {
      const url = new URL(address, location.href).href;
      const text = this.daily || words.end.shareText(this.headline());
      if (navigator.share)
        await navigator.share({ title: document.title, text, url }).catch(() => 0);
      else {
        await navigator.clipboard
          ?.writeText(this.daily ? `${this.daily}\n${url}` : url)
          .catch(() => 0);
        this.shared = true;
        this.host.draw();
      }
    };
    return h(
      "button",
      { class: "button", type: "button", onclick: share },
      icon(this.shared ? "tick" : "link"),
      h("span", { "aria-live": "polite" }, this.shared ? words.replay.copied : words.end.share),
    );
  }

  /** @param {boolean} away */
  put(away) {
    this.away = away;
    this.host.draw();
  }

  headline() {
    const { over } = this.host.page.timeline;
    if (!over) return words.play.resigned;
    if (over.void) return `${words.play.void} ${sentence(over.void)}`;
    const seat = /** @type {number} */ (this.host.page.viewer);
    const places = over.places ?? [];
    const place = places[seat];
    const shared = places.filter((other) => other === place).length;
    if (over.how?.[seat] === "timed out") return words.play.outOfTime;
    if (place === 1) return shared > 1 ? words.play.shared : words.play.won;
    return places.length === 2 ? words.end.lost : words.end.placed(place, places.length);
  }

  /** "You 2, Kim 1", from the second game on. */
  score() {
    const { score } = this.series;
    if (!score || score.games < 2) return "";
    const names = this.host.page.timeline.names(0);
    const own = score.wins[score.seat];
    if (names.length === 2) return words.end.series(own, score.wins[1 - score.seat]);
    const others = names.flatMap((name, seat) =>
      seat === score.seat || score.wins[seat] === 0 ? [] : [`${name} ${score.wins[seat]}`],
    );
    return words.end.wins(score.games, [words.end.own(own), ...others].join(", "));
  }
}

/** @param {string} text @param {string} kind @param {() => void} onclick */
function button(text, kind, onclick) {
  return h("button", { class: kind, type: "button", onclick }, text);
}
