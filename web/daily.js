// The daily deal: one game a day, with the same cards and the same house bots for everybody. What everybody
// made of it is among the results of the day; only the first game under a name counts.

import { getJson } from "./api.js";
import { h } from "./dom.js";
import { face } from "./faces.js";
import { emblem } from "./games.js";
import { icon } from "./icons.js";
import { words } from "./texts.js";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What is dealt differently every time, one after the other. */
const GAMES = ["sushi-go", "tiger-dragon", "gamba", "labyrinth"];

/** @typedef {{ day: number, points: number, rank: number, of: number }} Standing */
/** @typedef {{ id: string, players: string[], closed_at: number, closing: any }} Played */

/** Days begin at midnight UTC. */
export function today() {
  return Math.floor(Date.now() / DAY_MS);
}

/** The game of today, of those that are hosted. @param {string[]} hosted */
export function gameOfToday(hosted) {
  const games = GAMES.filter((game) => hosted.includes(game));
  return games[today() % games.length];
}

/** Of which day a table is the deal. @param {string} table */
export function dayOf(table) {
  const day = /^daily-(\d+)-/.exec(table)?.[1];
  return day === undefined ? null : Number(day);
}

/** How a game of a daily deal stands among all of them. @param {string} game @param {string} table @returns {Promise<Standing | null>} */
export async function standing(game, table) {
  const day = dayOf(table);
  if (day === null) return null;
  const since = `since=${day * DAY_MS}&until=${(day + 2) * DAY_MS}`;
  const page = await getJson(`/api/v1/results?game=${game}&status=finished&limit=1000&${since}`);
  return ranked(day, table, page.results);
}

/** @param {number} day @param {string} table @param {Played[]} results The newest first. @returns {Standing | null} */
export function ranked(day, table, results) {
  /** @type {Map<string, { id: string, place: number, points: number }>} */
  const first = new Map();
  for (const { id, players, closing } of [...results].sort((a, b) => a.closed_at - b.closed_at)) {
    if (dayOf(id) !== day) continue;
    const who = id.split("-").slice(3).join("-");
    const seat = players.findIndex((name) => plain(name) === who);
    const made = (closing?.over?.standings ?? closing?.over)?.[seat];
    if (made && !first.has(players[seat]))
      first.set(players[seat], { id, place: made.place, points: made.points });
  }
  const all = [...first.values()];
  const own = all.find(({ id }) => id === table);
  if (!own) return null;
  const better = all.filter(
    ({ place, points }) => place < own.place || (place === own.place && points > own.points),
  );
  return { day, points: own.points, rank: better.length + 1, of: all.length };
}

/** A name as the ids of tables have it. @param {string} name */
function plain(name) {
  return [...name]
    .slice(0, 16)
    .map((letter) => (/[A-Za-z0-9]/.test(letter) ? letter : "-"))
    .join("");
}

/** "Parlor daily · Sushi Go · 47 points · rank 2 of 13". @param {string} title @param {Standing} standing */
export function shareLine(title, { points, rank, of }) {
  return words.daily.line(title, points, rank, of);
}

/** The game of today that this browser has played. @param {string} game */
export function playedToday(game) {
  try {
    const table = localStorage.getItem(`daily:${game}`) ?? "";
    return dayOf(table) === today() ? table : null;
  } catch {
    return null;
  }
}

/** @param {string} game @param {string} table */
export function keepPlayed(game, table) {
  try {
    if (!playedToday(game)) localStorage.setItem(`daily:${game}`, table);
  } catch {
    // Storage is switched off: the first page offers the deal again.
  }
}

/** On the first page. */
export class DailyCard {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Standing | null} */
    this.standing = null;
    this.asked = "";
    this.copied = false;
  }

  /** @param {string} game */
  async learn(game) {
    const table = playedToday(game);
    if (!table || this.asked === table) return;
    this.asked = table;
    this.standing = await standing(game, table).catch(() => null);
    this.changed();
  }

  /** @param {string} game @param {string} title */
  draw(game, title) {
    this.learn(game);
    const { daily } = words;
    const date = new Date(today() * DAY_MS).toLocaleDateString(document.documentElement.lang, {
      ...{ day: "numeric", month: "long", timeZone: "UTC" },
    });
    return h(
      "section",
      { class: "sheet daily", key: "daily", "data-game": game },
      emblem(game, 56),
      h(
        "div",
        { class: "told" },
        h("h2", null, daily.title),
        h("p", { class: "note" }, `${title} · ${date} · ${daily.same}`),
        this.standing ? h("p", null, h("b", null, shareLine(title, this.standing))) : null,
      ),
      h("span", { class: "who" }, face("level-3", 40)),
      this.standing
        ? this.shareButton(shareLine(title, this.standing))
        : h("a", { class: "button main", href: `/${game}/play?daily` }, daily.play),
    );
  }

  /** @param {string} line */
  shareButton(line) {
    const share = async () => {
      await navigator.clipboard?.writeText(line).catch(() => 0);
      this.copied = true;
      this.changed();
    };
    return h(
      "button",
      { class: "button", type: "button", onclick: share },
      icon(this.copied ? "tick" : "copy"),
      h("span", { "aria-live": "polite" }, this.copied ? words.replay.copied : words.end.share),
    );
  }
}
