// What is going on, as the first page and the lobbies show it. Lists may come whole or in pages; either
// way a list comes out.

import { getJson } from "./api.js";

/**
 * @typedef {object} Table
 * @property {string} game
 * @property {string} id
 * @property {string} status
 * @property {number} players
 * @property {number} seats
 * @property {({ name: string, display?: string, present: boolean, bot?: string, person?: boolean } | null)[]} company
 * @property {string[]} reserved
 * @property {number} seq
 * @property {number[]} owed
 * @property {number} opened_at
 * @property {"public" | "delayed" | "full"} broadcast
 *
 * @typedef {object} Result
 * @property {string} game
 * @property {string} id
 * @property {string} status
 * @property {string[]} players
 * @property {number} closed_at
 * @property {string[]} causes
 * @property {boolean} rated
 * @property {string | null} tournament
 * @property {any} closing
 *
 * @typedef {{ name: string, display?: string, mean: number, uncertainty: number, games: number }} Rated
 * @typedef {{ name: string, dialects: string[], bots: { name: string, about: string }[], options: any, ports?: Record<string, number> }} Game
 * @typedef {{ id: string, game: string, name?: string, title?: string, phase: string, plan?: any, entrants?: any[], convened_at?: number }} Tournament
 */

/** @returns {Promise<Game[]>} */
export function games() {
  return getJson("/api/v1/games");
}

/**
 * What the first page shows, in one answer.
 * @returns {Promise<{ games: Game[], tables: Table[], open: Result[], matches: Result[], tournaments: Tournament[] }>}
 */
export async function everything() {
  const all = await getJson("/api/v1/home");
  return {
    games: all.games,
    tables: [...listOf(all.waiting, "tables"), ...listOf(all.playing, "tables")],
    open: listOf(all.results, "results"),
    matches: listOf(all.matches, "results"),
    tournaments: listOf(all.tournaments, "tournaments"),
  };
}

/** Tables that are open: gathering or being played. @param {string | null} game @returns {Promise<Table[]>} */
export async function openTables(game = null) {
  const of = game ? `&game=${game}` : "";
  const both = await Promise.all(
    ["waiting", "playing"].map((status) =>
      getJson(`/api/v1/tables?status=${status}&limit=200${of}`),
    ),
  );
  return both.flatMap((page) => listOf(page, "tables"));
}

/** The newest first. @param {string | null} game @param {number} limit @param {string | null} [player] @returns {Promise<Result[]>} */
export async function results(game, limit, player = null) {
  const of =
    (game ? `&game=${game}` : "") + (player ? `&player=${encodeURIComponent(player)}` : "");
  return listOf(await getJson(`/api/v1/results?limit=${limit}&status=finished${of}`), "results");
}

/** Open games, or those of tournaments, the newest first. @param {string | null} game @param {number} limit @param {boolean} ofTournaments @returns {Promise<Result[]>} */
export async function resultsOf(game, limit, ofTournaments) {
  const of = `${game ? `&game=${game}` : ""}&tournament=${ofTournaments}`;
  const page = await getJson(`/api/v1/results?limit=${limit}&status=finished${of}`);
  // An earlier release sends both kinds. There, only games of tournaments and ladders are rated.
  return /** @type {Result[]} */ (listOf(page, "results")).filter(
    ({ tournament, rated }) =>
      (tournament === undefined ? rated : Boolean(tournament)) === ofTournaments,
  );
}

/** The strongest first, all of them unless so many are enough. @param {string} game @param {number | null} [limit] @returns {Promise<Rated[]>} */
export async function ratings(game, limit = null) {
  const most = limit === null ? "" : `?limit=${limit}`;
  return listOf(await getJson(`/api/v1/ratings/${game}${most}`), "ratings");
}

/** @param {string | null} game @returns {Promise<Tournament[]>} */
export async function tournaments(game = null) {
  const of = game ? `&game=${game}` : "";
  return listOf(await getJson(`/api/v1/tournaments?limit=200${of}`), "tournaments");
}

/** @param {any} page @param {string} name @returns {any[]} */
function listOf(page, name) {
  return Array.isArray(page) ? page : (page[name] ?? []);
}

/**
 * Asks again and again, not while nobody looks, and never twice at once.
 * @param {number} every Milliseconds.
 * @param {() => Promise<void>} ask
 */
export async function keepAsking(every, ask) {
  await ask();
  const again = () =>
    setTimeout(async () => {
      if (!document.hidden) await ask();
      again();
    }, every);
  again();
}
