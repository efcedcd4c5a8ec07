// What follows from a tournament as the server tells it: its bracket, who meets whom, what decided.
// It draws nothing and asks nobody.

/**
 * @typedef {import("./types.d.ts").Tournament} Tournament
 * @typedef {import("./types.d.ts").Pairing} Pairing
 * @typedef {import("./types.d.ts").Standing} Standing
 * @typedef {import("./types.d.ts").TieBreaks} TieBreaks
 *
 * @typedef {"knockout" | "round-robin" | "swiss" | "gauntlet" | "ladder"} FormatName
 */

/** @param {Tournament} tournament @returns {{ name: FormatName, cycles: number, rounds: number, wait: number }} */
export function formatOf({ plan: { format } }) {
  if (typeof format === "string")
    return { name: /** @type {FormatName} */ (format), cycles: 1, rounds: 0, wait: 20 };
  const [[name, numbers]] = Object.entries(format);
  return {
    name: /** @type {FormatName} */ (name),
    cycles: numbers.cycles ?? 1,
    rounds: numbers.rounds ?? 0,
    wait: numbers.wait_s ?? 20,
  };
}

/** Whether a round begins only when the one before it is decided. @param {Tournament} tournament */
export function inRounds(tournament) {
  return ["knockout", "swiss"].includes(formatOf(tournament).name);
}

/** @param {Tournament} tournament */
export function isOver({ phase }) {
  return phase === "over" || phase === "cancelled";
}

/** Whether a pairing is one of somebody who meets nobody. @param {Pairing} pairing */
export function isBye({ entrants }) {
  return entrants.length === 1;
}

/** @param {Tournament} tournament */
export function running(tournament) {
  return tournament.pairings.filter((pairing) => pairing.table && !pairing.decision);
}

/** Who meets next, in the order in which they are paired. @param {Tournament} tournament */
export function coming(tournament) {
  return tournament.pairings.filter((pairing) => !pairing.table && !pairing.decision);
}

/** The newest first. @param {Tournament} tournament */
export function decided(tournament) {
  return tournament.pairings
    .filter((pairing) => pairing.decision && !isBye(pairing))
    .sort((a, b) => b.round - a.round || b.id - a.id);
}

/** The pairings of each round, in order. @param {Tournament} tournament @returns {[number, Pairing[]][]} */
export function rounds({ pairings }) {
  /** @type {Map<number, Pairing[]>} */
  const found = new Map();
  for (const pairing of pairings) {
    const round = found.get(pairing.round);
    if (round) round.push(pairing);
    else found.set(pairing.round, [pairing]);
  }
  return [...found].sort(([a], [b]) => a - b);
}

/** How many pairings are decided, and how many there are: in all, or in one round. @param {Tournament} tournament @param {number} [round] */
export function progress({ pairings }, round) {
  const real = pairings.filter(
    (pairing) => !isBye(pairing) && (round === undefined || pairing.round === round),
  );
  return { done: real.filter((pairing) => pairing.decision).length, of: real.length };
}

/** Why somebody did not play a pairing to its end; empty if it did. @param {Pairing} pairing @param {number} at Its place in the pairing. */
export function causeOf({ entrants, games, decision }, at) {
  const last = games.at(-1);
  const seat = last?.seats.indexOf(entrants[at]) ?? -1;
  const cause = last?.causes[seat] ?? "";
  if (cause !== "" && cause !== "finished") return cause;
  return decision && decision.places[at] === null ? "withdrew" : "";
}

/** Why the last pairing of somebody was not played to its end, if so. @param {Tournament} tournament @param {string} name */
export function lastCause({ pairings }, name) {
  const last = pairings.findLast((each) => each.names.includes(name) && each.games.length > 0);
  const cause = last ? causeOf(last, last.names.indexOf(name)) : "";
  return last && cause ? { cause, round: last.round } : null;
}

/** How a pairing was decided where its games do not say it: `lot`, `adjudicated`, `void`. @param {Pairing} pairing */
export function verdictOf({ decision }) {
  const how = decision?.how ?? "";
  return ["lot", "adjudicated", "void"].includes(how) ? how : "";
}

/** Which game of a pairing is played now. One that was closed without a result is played again, and counts once. @param {Pairing} pairing */
export function gameNow({ games }) {
  return 1 + games.filter((game) => game.how !== "void").length;
}

/** Who won alone, by its place in the pairing; -1 if nobody. @param {Pairing} pairing */
export function winnerOf({ decision, entrants }) {
  const winner = decision?.winner ?? null;
  return winner === null ? -1 : entrants.indexOf(winner);
}

/**
 * @typedef {object} Slot One box of a bracket.
 * @property {Pairing | null} pairing None: it is to come.
 * @property {Slot[]} from Where its players come from.
 * @property {number} seats How many rows it has.
 */

/**
 * The rounds of a knockout with those to come. Who has no opponent has a slot of its own.
 * @param {Tournament} tournament
 * @returns {Slot[][]}
 */
export function bracket(tournament) {
  const seats = tournament.plan.table_seats;
  /** @type {Slot[][]} */
  const columns = [];
  for (const [, pairings] of rounds(tournament)) {
    const before = columns.at(-1) ?? [];
    columns.push(
      pairings.map((pairing) => ({
        pairing,
        from: before.filter(
          (slot) =>
            slot.pairing && winnersOf(slot.pairing).some((id) => pairing.entrants.includes(id)),
        ),
        seats: pairing.entrants.length,
      })),
    );
  }
  if (tournament.phase === "cancelled" || columns.length === 0) return columns;
  while (columns[columns.length - 1].length > 1)
    columns.push(next(columns[columns.length - 1], seats));
  return columns;
}

/** @param {Pairing} pairing @returns {number[]} */
function winnersOf({ decision }) {
  const winner = decision?.winner ?? null;
  return winner === null ? [] : [winner];
}

/** The round after one that is not over. @param {Slot[]} before @param {number} seats @returns {Slot[]} */
function next(before, seats) {
  const players = before.length;
  // Of an odd number at tables of two, one by lot has nobody to meet: nobody knows yet who.
  const bye = seats === 2 && players % 2 === 1 && players > 1;
  const tables = bye ? (players - 1) / 2 : Math.ceil(players / seats);
  /** @type {Slot[]} */
  const slots = [];
  let at = 0;
  for (let table = 0; table < tables; table += 1) {
    const size = bye ? 2 : Math.floor(players / tables) + (table < players % tables ? 1 : 0);
    slots.push({ pairing: null, from: bye ? [] : before.slice(at, at + size), seats: size });
    at += size;
  }
  if (bye) slots.push({ pairing: null, from: [], seats: 1 });
  return slots;
}

/** The rows of a slot to come: who may sit there. @param {Slot} slot @returns {{ names: string[], sure: boolean }[]} */
export function candidates({ from, seats }) {
  return Array.from({ length: seats }, (_, row) => {
    const source = from[row]?.pairing;
    if (!source) return { names: [], sure: false };
    const won = winnerOf(source);
    return won >= 0
      ? { names: [source.names[won]], sure: true }
      : { names: source.names, sure: false };
  });
}

/**
 * What one made of its meetings with another.
 * @typedef {{ score: number | null, live: boolean, table?: string, replay?: string, cause: string }} Meeting
 *
 * @param {Tournament} tournament
 * @returns {Map<string, Meeting[]>} By `entrant/entrant`, a meeting each.
 */
export function meetings(tournament) {
  /** @type {Map<string, Meeting[]>} */
  const found = new Map();
  for (const pairing of tournament.pairings) {
    if (pairing.entrants.length !== 2) continue;
    const { decision, entrants } = pairing;
    for (const [at, entrant] of entrants.entries()) {
      const other = 1 - at;
      const key = `${entrant}/${entrants[other]}`;
      const list = found.get(key) ?? [];
      list.push({
        score: decision ? scoreAgainst(decision.places, at, other) : null,
        live: Boolean(pairing.table) && !decision,
        table: pairing.table,
        replay: pairing.games.findLast((game) => game.table && game.outcome)?.table,
        cause: causeOf(pairing, at),
      });
      found.set(key, list);
    }
  }
  return found;
}

/** 2 for ahead, 1 for level, 0 for behind. @param {(number | null)[]} places @param {number} at @param {number} other */
function scoreAgainst(places, at, other) {
  const [own, theirs] = [places[at], places[other]];
  if (own === null) return 0;
  if (theirs === null || own < theirs) return 2;
  return own === theirs ? 1 : 0;
}

/** The tie-breaks in the order in which they count. @type {(keyof TieBreaks)[]} */
export const TIE_BREAKS = ["direct", "games_won", "buchholz", "sonneborn_berger", "wins"];

/**
 * What puts each ahead of the next with equal points: a tie-break, or the lot. Null where points do.
 * @param {Standing[]} standings
 * @returns {(keyof TieBreaks | "lot" | null)[]}
 */
export function deciders(standings) {
  return standings.map((standing, at) => {
    const next = standings[at + 1];
    if (!next || next.points !== standing.points || next.place === standing.place) return null;
    const first = TIE_BREAKS.find((name) => standing.tie_breaks[name] !== next.tie_breaks[name]);
    return first ?? "lot";
  });
}

/** The last results of an entrant, the newest last. @param {Tournament} tournament @param {number} entrant @param {number} most @returns {("won" | "bye" | "")[]} */
export function form(tournament, entrant, most) {
  return tournament.pairings
    .filter((pairing) => pairing.decision && pairing.entrants.includes(entrant))
    .slice(-most)
    .map((pairing) => (isBye(pairing) ? "bye" : pairing.decision?.winner === entrant ? "won" : ""));
}

/**
 * The pairing that a projector shows: the newest of the highest round.
 * @param {Tournament} tournament
 */
export function foremost(tournament) {
  return running(tournament).sort((a, b) => b.round - a.round || b.id - a.id)[0] ?? null;
}
