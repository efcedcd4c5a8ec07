// The words of tournaments: what rounds are called, how results came about, what ties are broken by.

import { causes, count, words } from "../texts.js";
import { formatOf, inRounds, isOver, progress, rounds } from "./model.js";

/** @typedef {import("./types.d.ts").Tournament} Tournament */

const NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** @param {number} n */
const number = (n) => NUMBERS[n] ?? String(n);

/** What a round of a knockout is called, by how many play in it. @param {number} players @param {number} seats @param {number} round */
export function roundName(players, seats, round) {
  if (seats !== 2) return `Round ${round}`;
  if (players === 2) return "Final";
  if (players === 4) return "Semi-finals";
  if (players === 8) return "Quarter-finals";
  return players > 8 ? `Round of ${players}` : `Round ${round}`;
}

/** "Knockout of 16, best of three". Before the start nobody knows of how many. @param {Tournament} tournament */
export function inBrief(tournament) {
  const { name, cycles, rounds: planned } = formatOf(tournament);
  const { length } = tournament.entrants;
  const many = tournament.phase === "entering" ? "" : ` of ${length}`;
  const { best_of: bestOf, table_seats: seats } = tournament.plan;
  const times = cycles === 1 ? "once" : cycles === 2 ? "twice" : `${number(cycles)} times`;
  const what = {
    knockout: `Knockout${many}`,
    "round-robin": `Round-robin${many}, everyone plays everyone ${times}`,
    swiss: `Swiss${many}${planned ? `, ${count(planned, "round")}` : ""}`,
    gauntlet: `Gauntlet${many}`,
    ladder: `Ladder${many}, without an end`,
  }[name];
  return [
    what,
    bestOf > 1 ? `best of ${number(bestOf)}` : "",
    seats > 2 ? `tables of ${number(seats)}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Where a tournament stands: a few words, and fewer below them. @param {Tournament} tournament @returns {[string, string]} */
export function whereItStands(tournament) {
  const { phase, entrants, plan, winner } = tournament;
  const { done, of } = progress(tournament);
  if (phase === "entering")
    return [
      count(entrants.length, "team"),
      tournament.open
        ? `of ${plan.max_entrants} at most`
        : entrants.length === 1
          ? "has entered"
          : "have entered",
    ];
  if (phase === "cancelled") return ["Cancelled", `after ${count(done, "result")}`];
  if (phase === "over")
    return [winner ? displayOf(tournament, winner) : "Over", winner ? "has won" : ""];
  if (formatOf(tournament).name === "knockout") {
    const round = rounds(tournament).at(-1);
    const players = round ? round[1].reduce((sum, pairing) => sum + pairing.entrants.length, 0) : 0;
    return [roundName(players, plan.table_seats, tournament.round), roundOf(tournament)];
  }
  if (formatOf(tournament).name === "ladder") {
    const waiting = entrants.filter((entrant) => entrant.waiting_since && !entrant.bot).length;
    return [`${of - done} at the tables`, `${waiting} waiting`];
  }
  if (inRounds(tournament)) {
    const now = progress(tournament, tournament.round);
    return [capital(roundOf(tournament)), `${now.done} of ${now.of} pairings decided`];
  }
  return [`${done} of ${of}`, "pairings decided"];
}

/** "round 2 of 5". An earlier release did not say of how many. @param {{ round: number, rounds?: number }} tournament */
export function roundOf({ round, rounds: all }) {
  return all ? `round ${round} of ${all}` : `round ${round}`;
}

/** The same as one sentence. @param {Tournament} tournament */
export function standsSentence(tournament) {
  const [where, below] = whereItStands(tournament);
  if (tournament.phase === "entering" && tournament.open)
    return `${tournament.entrants.length} of ${count(tournament.plan.max_entrants, "place")} taken.`;
  const apart = tournament.phase === "running" || tournament.phase === "paused";
  const pairs = apart && below !== "pairings decided";
  return `${where}${pairs ? "," : ""} ${below}`.trim() + ".";
}

/** What people read for a name. @param {Tournament} tournament @param {string} name */
export function displayOf(tournament, name) {
  return tournament.entrants.find((entrant) => entrant.name === name)?.display ?? name;
}

/** How somebody's last game ended, in a word or two. @param {string} cause */
export function causeWords(cause) {
  return causes[cause] ?? cause;
}

/** @type {Record<string, string>} */
export const verdicts = {
  lot: "the lot decided",
  adjudicated: "decided by the organiser",
  void: "no result, a fault of the server",
  withdrawn: "the opponent withdrew",
};

/** Each tie-break: what the column says, its name, and what it is. @type {Record<string, { short: string, name: string, about: string }>} */
export const tieBreaks = {
  direct: {
    short: "Direct",
    name: "Direct encounter",
    about: "Points from the games among the tied players, if all of them have met.",
  },
  games_won: {
    short: "Games",
    name: "Games won",
    about:
      "Single games won, where a pairing has several. A pairing won by a bye, by a withdrawal or by the organiser's decision counts as won by the majority: 2 games of 3.",
  },
  buchholz: {
    short: "Buch.",
    name: "Buchholz",
    about:
      "The points of all opponents, once for each meeting: the player who met the stronger field is ahead.",
  },
  sonneborn_berger: {
    short: "S.-B.",
    name: "Sonneborn-Berger",
    about: "The points of every opponent beaten, twice, and of every one drawn with, once.",
  },
  wins: { short: "Wins", name: "Wins", about: "Pairings won alone." },
  lot: {
    short: "Lot",
    name: "The lot",
    about: "Drawn at the start; decides between players who are still equal.",
  },
};

/** @param {Tournament} tournament @returns {[string, string][]} */
export function rulesOfTheDay(tournament) {
  const { plan, terms } = tournament;
  const { name, wait } = formatOf(tournament);
  /** @type {[string, string][]} */
  const rows = [];
  // Readers of the page must know what that gives up.
  if (tournament.open_names)
    rows.push([
      "Names",
      "open: anyone who uses a player's name plays in their place, without a key",
    ]);
  if (terms) {
    rows.push(["Time per move", terms.clock_ms === null ? "no limit" : seconds(terms.clock_ms)]);
    rows.push(["No-show", `forfeits after ${seconds(terms.no_show_ms)}`]);
    if (terms.strikes > 0)
      rows.push([`${capital(number(terms.strikes))} missed turns in a row`, "out: timed out"]);
    if (terms.strikes_in_all)
      rows.push([
        `${capital(number(terms.strikes_in_all))} missed turns in a game`,
        "out: timed out",
      ]);
    if (terms.game_ms)
      rows.push([
        "A whole game",
        `${Math.round(terms.game_ms / 60_000)} min at most; then the slowest player is out`,
      ]);
    if (terms.pace_ms > 0) rows.push(["Between two turns", `at least ${seconds(terms.pace_ms)}`]);
    rows.push(["Hidden information", shown[terms.broadcast]]);
  }
  if (plan.best_of > 1) rows.push(["A pairing", `best of ${number(plan.best_of)}`]);
  if (name === "ladder") rows.push(["Longest wait while others are free", `${wait} s`]);
  rows.push(["Rated", plan.rated ? "yes" : "no"]);
  return rows;
}

const shown = {
  public: "stays hidden",
  delayed: "shown after the game",
  full: "shown on the projector",
};

/** "18 Nov 2026, 14:05". @param {number} at Milliseconds since 1970. */
export function dayOf(at) {
  return new Date(at).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** The time of day, the same on all pages of an event. @param {number} at Milliseconds since 1970. */
export function timeOf(at) {
  return new Date(at).toLocaleTimeString("en-GB");
}

/** @param {number} ms */
export function seconds(ms) {
  return `${Math.round(ms / 100) / 10} s`;
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const events = {
  tournaments: words.tournaments,
  of: (/** @type {string} */ game) => `${game} tournaments`,
  none: "No tournaments yet",
  noneHint: "An organiser can create one on the organiser's desk.",
  toDesk: "Organiser's desk",
  phases: /** @type {Record<string, string>} */ ({
    entering: "not started",
    running: "being played",
    paused: "paused",
    over: "over",
    cancelled: "cancelled",
  }),
  standings: "Standings",
  seatsGiven: (/** @type {number} */ uneven) =>
    uneven === 0
      ? "Every player had each seat equally often."
      : `Every player had each seat equally often, give or take ${uneven}.`,
  pointsAre: "2 points for a win, 1 for a draw",
  player: "Player",
  points: "Points",
  record: "W D L",
  rating: "Rating and its uncertainty",
  equal: "Ties on points are broken in this order:",
  howTies: "How ties are broken",
  tables: "At the tables",
  game: (/** @type {number} */ n) => `Game ${n}`,
  next: "Next",
  nextNote: "as soon as their players are free",
  nextRound: "when this round is over",
  results: "Results",
  schedule: "Rounds and pairings",
  round: (/** @type {number} */ n) => `Round ${n}`,
  unplayed: "Not played out",
  rules: "The rules of the day",
  teams: "Teams",
  here: "connected",
  away: "not connected",
  houseBot: "house bot",
  withdrawn: "withdrawn",
  bye: "no opponent in this round",
  toCome: "to come",
  or: " or ",
  beingPlayed: "being played",
  stillToCome: "still to come",
  watchLive: "Watch live",
  projector: "Projector",
  spreadsheet: "Standings (CSV)",
  resultsFile: "Results (CSV)",
  json: "JSON",
  print: "Print",
  all: (/** @type {number} */ n) => `All ${n}`,
  paused: "Paused by the organiser. Running games continue, and no new ones start.",
  cancelled: "The organiser has cancelled this tournament.",
  won: (/** @type {string} */ name) => `${name} has won.`,
  notStarted: "Waiting for the organiser to start it.",
  startsFull: (/** @type {number} */ places) =>
    `It starts as soon as ${places} teams have entered. The organiser may start it earlier.`,
  pausedShort: "Paused",
  nobody: "No team has entered yet.",
  round390: "Round shown",
  scrollRight: "Scroll to the right for the later rounds.",
  none390: "Nothing is being played at the moment.",
  noResults: "No results yet.",
  ladder: {
    note: "strongest first, by the low end of the 95 % interval",
    interval: "95 % interval",
    now: "Now",
    plays: "playing",
    left: "has left",
    waits: (/** @type {string} */ time) => `has waited ${time}`,
    quarantine: (/** @type {string} */ time, /** @type {string} */ why) =>
      `in quarantine for ${time}: ${why}`,
  },
  enter: {
    title: "Enter your team",
    about:
      "Use a name that you have claimed. Your bot then joins with the name and its key, as in any game.",
    name: "Claimed name",
    key: "Its key",
    display: "Display name, if different",
    playsAs: "Colour, in games where players go by colours",
    go: "Enter",
    done: (/** @type {string} */ name) =>
      `${name} is in. Start your bot any time: it waits for its first game.`,
    claim: "No name yet? Claim one on the page for bot authors.",
    command: "The same in one command:",
  },
};

/** One line about where a tournament is, for lists. @param {Tournament & { entered?: number, winner_display?: string }} card */
export function cardLine(card) {
  const many = card.entrants?.length ?? card.entered ?? 0;
  if (card.phase === "over" && card.winner) return `won by ${card.winner_display ?? card.winner}`;
  if (isOver(card) || card.phase === "entering")
    return `${events.phases[card.phase]}, ${count(many, "team")}`;
  const where = formatOf(card).name === "ladder" ? "" : `${roundOf(card)}, `;
  const paused = card.phase === "paused" ? `${events.phases.paused}, ` : "";
  return `${paused}${where}${count(many, "team")}`;
}
