// What a projector shows, one slide at a time: large, without a control.

import { h } from "../dom.js";
import { emblem } from "../games.js";
import { icon } from "../icons.js";
import { chipMark } from "../marks.js";
import { stage } from "../stage.js";
import { clock } from "../texts.js";
import { ON_A_PAGE, drawBracket, entrant, layOut, pairingCard } from "./bracket.js";
import { bracket, coming, form, inRounds, isOver, running } from "./model.js";
import { displayOf, events, inBrief, roundOf, standsSentence, whereItStands } from "./words.js";

/** @typedef {import("./types.d.ts").Tournament} Tournament */

export const show = {
  standings: (/** @type {string} */ where) => `standings. ${where}`,
  final: "final standings",
  lastGames: "the last seven pairings, 2 points for a win",
  ofTheCup: (/** @type {string} */ round) => `Tournament, ${round}`,
  more: (/** @type {number} */ n) => `and ${n} more`,
  playing: "playing now",
  next: "Next",
  playAlong: "Play along:",
  live: "Live",
  later: "Shown after the game, with all hands open",
  allShown: "All hands are shown",
  publicOnly: "Hidden hands stay hidden",
  and: "and",
  won: "has won",
  waiting: "No game is being played. The next one is shown by itself.",
  away: (/** @type {string} */ since) => `No connection since ${since}. Trying again.`,
  enter: "Enter at",
};

/** @param {Tournament} tournament @param {import("../dom.js").Child} middle @param {import("../dom.js").Child} [end] */
export function slideHead(tournament, middle, end = null) {
  return h(
    "header",
    { class: "slide-head" },
    emblem(tournament.game, 48),
    h("h1", null, tournament.id),
    h("span", { class: "note" }, middle),
    pausedMark(tournament),
    end ? h("span", { class: "end note" }, end) : null,
  );
}

/** @param {Tournament | null} tournament */
function pausedMark(tournament) {
  return tournament?.phase === "paused"
    ? h("span", { class: "paused" }, icon("pause", 32), events.pausedShort)
    : null;
}

/** The strip at the foot. @param {Tournament | null} tournament */
export function strip(tournament) {
  const next = tournament ? coming(tournament).slice(0, 2) : [];
  return h(
    "footer",
    { class: "strip" },
    next.length > 0 ? h("b", null, show.next) : h("b"),
    h(
      "span",
      { class: "pairs" },
      tournament
        ? next.map((pairing) =>
            h(
              "span",
              { class: "pair", key: pairing.id },
              pairing.entrants.map((id, at) => [
                at > 0 ? h("span", { class: "note" }, show.and) : null,
                person(tournament, id, 44),
              ]),
            ),
          )
        : null,
    ),
    h(
      "span",
      { class: "end" },
      h("span", { class: "note" }, show.playAlong),
      h("b", null, location.host),
    ),
  );
}

/** @param {Tournament} tournament @param {number} id @param {number} size */
function person(tournament, id, size) {
  const who = entrant(tournament, id);
  return h(
    "span",
    { class: "person" },
    chipMark(who, size),
    h("span", { class: "cut" }, displayOf(tournament, who.name)),
  );
}

/** A game: players at the left, the board at the right. @param {import("./playback.js").Playback} playback @param {Tournament | null} tournament @param {number} width Of the board. */
export function boardSlide(playback, tournament, width) {
  const { board, place, timeline } = playback;
  if (!board || place < 0 || timeline.last < 0) return null;
  const view = playback.view(place);
  const ctx = playback.context(width);
  const points = board.points(view, ctx);
  const caption = board.caption(view, ctx);
  return h(
    "section",
    { class: "slide board-slide", key: "board", "data-game": playback.game },
    h(
      "header",
      { class: "slide-head" },
      emblem(playback.game, 48),
      h("h1", null, tournament?.id ?? playback.telling?.title ?? ""),
      h(
        "span",
        { class: "note" },
        tournament && inRounds(tournament)
          ? `${show.ofTheCup(roundOf(tournament))}. ${playback.telling?.title ?? ""}: ${board.where(view)}`
          : board.where(view),
      ),
      pausedMark(tournament),
      timeline.over ? null : h("span", { class: "live" }, h("span", { class: "dot" }), show.live),
      h("span", { class: "end note" }, playback.viewer === "all" ? show.allShown : ""),
    ),
    h(
      "div",
      { class: "players" },
      ctx.names.map((name, seat) => {
        const owes = ctx.toMove.includes(seat) && !ctx.over;
        const shown = tournament ? displayOf(tournament, name) : name;
        const left = ctx.timeLeftMs;
        return h(
          "div",
          { class: `player ${owes ? "owes" : ""}`, key: seat },
          h(
            "div",
            { class: "person" },
            chipMark(
              { name: ctx.seats[seat]?.name ?? name, bot: ctx.seats[seat]?.bot ?? null },
              72,
            ),
            h("span", { class: "cut" }, shown),
          ),
          h(
            "div",
            { class: "figures" },
            left === null || !owes
              ? null
              : h("span", { class: `time ${left < 3000 ? "late" : ""}` }, clock(left)),
            points[seat] === null ? null : h("b", null, points[seat]),
          ),
          h(
            "div",
            { class: "bar-of-time" },
            h("i", {
              style: {
                width:
                  owes && left !== null && ctx.clockMs
                    ? `${Math.round((100 * left) / ctx.clockMs)}%`
                    : "0%",
              },
            }),
          ),
        );
      }),
      h("p", { class: "says", "aria-live": "polite" }, caption.now, " ", caption.next ?? ""),
    ),
    h("div", { class: "board-room" }, stage(board, view, ctx)),
  );
}

/** Rows of a page of the standings. */
export const ROWS = 8;

/** @param {Tournament} tournament @param {number} page */
export function standingsSlide(tournament, page) {
  const isThere = (/** @type {number} */ id) => {
    const { present, bot } = tournament.entrants[id];
    return present || bot;
  };
  const now = new Set(running(tournament).flatMap(({ entrants }) => entrants.filter(isThere)));
  const from = page * ROWS;
  return h(
    "section",
    { class: "slide standings-slide", key: `standings${page}`, "data-game": tournament.game },
    slideHead(
      tournament,
      isOver(tournament) ? show.final : show.standings(standsSentence(tournament)),
      show.lastGames,
    ),
    h(
      "ol",
      { class: "places" },
      tournament.standings.slice(from, from + ROWS).map((standing) =>
        h(
          "li",
          { key: standing.name, "data-flip": `place-${standing.name}` },
          h("span", { class: `place ${standing.place === 1 ? "first" : ""}` }, standing.place),
          person(tournament, standing.entrant, 62),
          h(
            "span",
            {
              class: "form",
              role: "img",
              "aria-label": `${standing.won} won, ${standing.lost} lost`,
            },
            form(tournament, standing.entrant, 7).map((kind) => h("i", { class: kind })),
          ),
          now.has(standing.entrant)
            ? h("span", { class: "live" }, h("span", { class: "dot" }), show.playing)
            : h("span"),
          h("b", null, standing.points),
        ),
      ),
    ),
  );
}

/** More pairings of a round than this are cards on slides of their own: as a tree they could not be read. */
const MOST_IN_A_TREE = 8;
const CARDS = 32;

/** @param {Tournament} tournament @param {{ width: number, height: number }} room In CSS pixels. @returns {(() => import("../dom.js").VNode)[]} */
export function bracketSlides(tournament, room) {
  const columns = bracket(tournament);
  const from = Math.max(
    0,
    columns.findIndex((slots) => slots.length <= MOST_IN_A_TREE),
  );
  const running = columns.findIndex((slots) => slots.some(({ pairing }) => !pairing?.decision));
  if (running === -1 || running >= from) return [() => treeSlide(tournament, room, from)];
  const slots = columns[running];
  return Array.from(
    { length: Math.ceil(slots.length / CARDS) },
    (_, page) => () => cardsSlide(tournament, slots.slice(page * CARDS, (page + 1) * CARDS), page),
  );
}

/** The pairings of a round. @param {Tournament} tournament @param {import("./model.js").Slot[]} slots @param {number} page */
function cardsSlide(tournament, slots, page) {
  const [where, below] = whereItStands(tournament);
  return h(
    "section",
    { class: "slide cards-slide", key: `cards${page}`, "data-game": tournament.game },
    slideHead(tournament, `${where}, ${below}`, inBrief(tournament)),
    h(
      "div",
      { class: `cards ${slots.length > CARDS / 2 ? "many" : ""}` },
      slots.map((slot, at) =>
        pairingCard(tournament, slot, { key: `${page}/${at}`, links: false }),
      ),
    ),
  );
}

/** @param {Tournament} tournament @param {{ width: number, height: number }} room @param {number} from The first round that is drawn. */
function treeSlide(tournament, room, from) {
  const columns = bracket(tournament).slice(from);
  const size = { ...ON_A_PAGE, gap: 18, head: 56 };
  const { height } = layOut(columns, size);
  const many = Math.max(1, columns.length);
  const between = size.between;
  const least = many * 180 + (many - 1) * between;
  const zoom = Math.min(room.height / Math.max(height, 1), room.width / least, 2.4);
  const width = Math.min(320, Math.floor((room.width / zoom - (many - 1) * between) / many));
  return h(
    "section",
    { class: "slide bracket-slide", key: "bracket", "data-game": tournament.game },
    slideHead(
      tournament,
      whereItStands(tournament)
        .filter(Boolean)
        .join(isOver(tournament) ? " " : ", "),
      inBrief(tournament),
    ),
    h(
      "div",
      { class: "zoomed", style: { zoom: String(Math.round(zoom * 100) / 100) } },
      drawBracket(tournament, { size: { ...size, width }, links: false, from }),
    ),
  );
}

/** @param {Tournament} tournament */
export function nextSlide(tournament) {
  const next = coming(tournament).slice(0, 6);
  return h(
    "section",
    { class: "slide next-slide", key: "next", "data-game": tournament.game },
    slideHead(tournament, show.next),
    h(
      "ul",
      { class: "places" },
      next.map((pairing) =>
        h(
          "li",
          { key: pairing.id },
          pairing.entrants.map((id, at) => [
            at > 0 ? h("span", { class: "note" }, show.and) : null,
            person(tournament, id, 62),
          ]),
        ),
      ),
    ),
  );
}

const MOST_TEAMS = 64;

/** Before the start: who is in. @param {Tournament} tournament */
export function teamsSlide(tournament) {
  const all = tournament.entrants.length;
  return h(
    "section",
    { class: "slide teams-slide", key: "teams", "data-game": tournament.game },
    slideHead(
      tournament,
      `${inBrief(tournament)}. ${standsSentence(tournament)}`,
      tournament.open ? [show.enter, " ", h("b", null, `${location.host}/tournaments`)] : null,
    ),
    h(
      "ul",
      { class: `team-cloud ${all > 36 ? "many" : all > 18 ? "some" : ""}` },
      tournament.entrants
        .slice(0, all > MOST_TEAMS ? MOST_TEAMS - 1 : all)
        .map((one, id) =>
          h(
            "li",
            { key: one.name, class: one.present || one.bot ? "" : "away" },
            person(tournament, id, 48),
          ),
        ),
      all > MOST_TEAMS ? h("li", { class: "note" }, show.more(all - MOST_TEAMS + 1)) : null,
    ),
  );
}

/** @param {Tournament} tournament */
export function winnerSlide(tournament) {
  const name = tournament.winner ?? "";
  return h(
    "section",
    { class: "slide winner-slide", key: "winner", "data-game": tournament.game },
    slideHead(tournament, inBrief(tournament)),
    h("div", { class: "trophy" }, icon("trophy", 220)),
    h("h2", null, displayOf(tournament, name)),
    h("p", { class: "note" }, `${show.won} ${tournament.id}.`),
    h(
      "ol",
      { class: "podium" },
      tournament.standings
        .slice(1, 4)
        .map((standing) =>
          h(
            "li",
            { key: standing.name },
            h("span", { class: "note" }, standing.place),
            person(tournament, standing.entrant, 44),
          ),
        ),
    ),
  );
}

/** Nothing is going on. */
export function idleSlide() {
  return h(
    "section",
    { class: "slide idle-slide", key: "idle" },
    h("h1", null, "Parlor"),
    h("p", { class: "note" }, events.none390),
    h("p", { class: "note" }, show.waiting),
  );
}
