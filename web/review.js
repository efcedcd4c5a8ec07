// The review of a finished game: asked for, followed while it is made, then shown under the board. It
// marks turns on the scrubber and leads from one mistake to the next.

import { streamLines } from "./api.js";
import { h } from "./dom.js";
import { seatColour } from "./marks.js";
import { plot } from "./plot.js";
import { words } from "./texts.js";

/** How many mistakes are listed. */
const LISTED = 8;
const WRONG = ["slip", "mistake", "blunder"];

/**
 * @typedef {import("./boardpage.js").BoardPage} BoardPage
 *
 * @typedef {object} Choice
 * @property {string} words
 * @property {number} value
 * @property {number} error
 *
 * @typedef {object} Decision
 * @property {number} seq
 * @property {number} seat
 * @property {string} kind
 * @property {string} mark
 * @property {number} regret
 * @property {Choice} chosen
 * @property {Choice} [better]
 * @property {Choice[]} candidates
 *
 * @typedef {object} Player
 * @property {number} seat
 * @property {string} name
 * @property {number} decisions
 * @property {number} regret
 * @property {number} luck
 * @property {number} luck_error
 * @property {Record<string, number>} marks
 *
 * @typedef {object} Review
 * @property {number} deals
 * @property {Player[]} players
 * @property {{ seq: number, values: number[], error: number }[]} line
 * @property {Decision[]} decisions
 */

export class ReviewPanel {
  /** @type {Review | null} */
  review = null;
  /** Whether it was asked for and is not there yet. */
  asked = false;
  /** @type {{ done: number, all: number }} */
  progress = { done: 0, all: 0 };
  /** What went wrong. */
  error = "";

  /** @param {BoardPage} page */
  constructor(page) {
    this.page = page;
  }

  async ask() {
    if (this.asked || this.review) return;
    [this.asked, this.error] = [true, ""];
    this.page.draw();
    const address = `/api/v1/results/${this.page.game}/${encodeURIComponent(this.page.id)}/review`;
    try {
      await streamLines(address, (message) => this.#take(message), this.page.ended.signal);
      if (!this.review) throw new Error(words.review.broken);
    } catch (error) {
      if (this.page.ended.signal.aborted) return;
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.asked = false;
    this.page.draw();
  }

  /** @param {any} message */
  #take(message) {
    if (message.type === "progress") this.progress = message;
    else if (message.type === "review") this.review = message.review;
    this.page.draw();
  }

  /** Where a turn stands on the page. @param {number} seq */
  placeOf(seq) {
    return this.page.timeline.updates.findIndex((update) => update.seq === seq);
  }

  /** Slips and worse, in the order of the game: those of the seat whose eyes one has, or all. */
  mistakes() {
    const { viewer } = this.page;
    const wrong = this.review?.decisions.filter(({ mark }) => WRONG.includes(mark)) ?? [];
    return wrong.filter(({ seat }) => typeof viewer !== "number" || seat === viewer);
  }

  /** For the scrubber. */
  marks() {
    const marks = this.mistakes().map(({ seq, mark }) => ({
      place: this.placeOf(seq),
      word: mark,
    }));
    return marks.filter(({ place }) => place >= 0);
  }

  next() {
    const places = this.marks().map(({ place }) => place);
    const next = places.find((place) => place > this.page.place) ?? places[0];
    if (next !== undefined) this.page.go(next);
  }

  button() {
    if (this.review)
      return h(
        "button",
        {
          class: "button",
          type: "button",
          disabled: this.marks().length === 0,
          onclick: () => this.next(),
        },
        words.review.next,
      );
    return h(
      "button",
      {
        class: "button main",
        type: "button",
        disabled: this.asked,
        onclick: () => this.ask(),
      },
      words.review.ask,
    );
  }

  view() {
    if (this.error) return h("div", { class: "notice wrong", role: "alert" }, this.error);
    if (this.asked) {
      const { done, all } = this.progress;
      return h(
        "p",
        { class: "review-progress", role: "status" },
        h("progress", { max: Math.max(1, all), value: done }),
        ` ${words.review.making(done, all)}`,
      );
    }
    if (!this.review) return null;
    return h(
      "section",
      { class: "review panel", key: "review", "aria-label": words.review.title },
      this.#plot(),
      this.#here(),
      this.#players(),
      this.#worst(),
      h("p", { class: "note small" }, words.review.judge(this.review.deals)),
    );
  }

  #plot() {
    const { page } = this;
    const width = Math.max(200, page.width() - 170);
    const line = this.review?.line ?? [];
    const names = page.timeline.names(0);
    const values = (/** @type {number} */ seq) =>
      line.findLast((point) => point.seq <= seq)?.values;
    const points = page.timeline.updates.map(({ seq }, place) => {
      const found = place === page.timeline.last ? line.at(-1)?.values : values(seq);
      return names.map((_, seat) => (found ? Math.round(1000 * found[seat]) / 10 : null));
    });
    return [
      h(
        "p",
        { class: "plot-title" },
        h("b", null, words.review.chance),
        h("span", { class: "note" }, ` ${words.review.chanceNote}`),
      ),
      plot({ points, names, place: page.place, width, inset: 10, named: page.width() > 620 }),
    ];
  }

  /** The decisions of the turn that is shown. */
  #here() {
    const { page } = this;
    const { seq } = page.timeline.updates[page.place];
    const { viewer } = page;
    const here = (this.review?.decisions ?? []).filter(
      (one) => one.seq === seq && (typeof viewer !== "number" || one.seat === viewer),
    );
    return here.map((decision) => [
      h("p", { class: "review-here" }, this.#sentence(decision)),
      h(
        "ol",
        { class: "review-choices" },
        decision.candidates
          .slice(0, 5)
          .map(({ words, value, error }) =>
            h("li", null, words, h("b", null, ` ${percent(value)}`), ` ± ${percent(error)}`),
          ),
      ),
    ]);
  }

  #players() {
    const { kinds } = words.review;
    return h(
      "table",
      { class: "review-players" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          [
            words.review.player,
            words.review.regret,
            ...WRONG.map((mark) => kinds[mark]),
            words.review.luck,
          ].map((head) => h("th", { scope: "col" }, head)),
        ),
      ),
      h(
        "tbody",
        null,
        this.review?.players.map((player) =>
          h(
            "tr",
            null,
            h("th", { scope: "row", style: { color: seatColour(player.seat) } }, player.name),
            h("td", null, percent(player.regret)),
            WRONG.map((mark) => h("td", null, player.marks[mark])),
            h(
              "td",
              null,
              `${player.luck > 0 ? "+" : ""}${percent(player.luck)} ± ${percent(player.luck_error)}`,
            ),
          ),
        ),
      ),
    );
  }

  #worst() {
    const worst = this.mistakes()
      .toSorted((a, b) => b.regret - a.regret)
      .slice(0, LISTED);
    if (worst.length === 0) return h("p", null, words.review.none);
    return h(
      "ul",
      { class: "review-worst" },
      worst.map((decision) => {
        const place = this.placeOf(decision.seq);
        const turn = place < 0 ? "" : this.page.timeline.turnAt(place, this.page.board);
        return h(
          "li",
          null,
          h(
            "button",
            {
              class: "button plain small",
              type: "button",
              disabled: place < 0,
              onclick: () => this.page.go(place),
            },
            `${words.replay.turn} ${turn}`,
          ),
          " ",
          this.#sentence(decision),
        );
      }),
    );
  }

  /** @param {Decision} decision */
  #sentence({ seat, mark, chosen, better }) {
    const name = this.page.timeline.names(0)[seat];
    return [
      h("b", { class: `mark-${mark}` }, words.review.kinds[mark]),
      ` ${name}: ${chosen.words}, ${percent(chosen.value)}`,
      better ? `; ${words.review.better(better.words, percent(better.value))}` : "",
    ];
  }
}

/** @param {number} share */
function percent(share) {
  return `${Math.round(100 * share)} %`;
}
