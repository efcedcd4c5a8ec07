// A tournament, live: all of it at once, and again whenever it has changed. It comes back by itself.

import { Link } from "../link.js";
import { isOver } from "./model.js";

/**
 * @param {string} game @param {string} id
 * @param {{ heard: (tournament: import("./types.d.ts").Tournament) => void, changed: () => void }} ears
 * @returns {Link}
 */
export function follow(game, id, { heard, changed }) {
  const link = new Link(`/watch/${game}/tournaments/${encodeURIComponent(id)}`, {
    greeting: () => [],
    changed,
    heard: (tournament) => {
      // The server says its last and hangs up.
      if (isOver(tournament)) link.end();
      heard(tournament);
    },
  });
  return link;
}
