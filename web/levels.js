// House bots of five levels, as people know them: a name and a face each. A game's own strategies have
// neither.

import { face } from "./faces.js";

/** Strategies of the server, the weakest first; each wins about two games of three against the one before. */
export const LEVELS = ["pip", "mika", "otto", "vera", "sage"];

/** From 1 to 5, or 0 for a strategy without a level. @param {string} strategy */
export function levelOf(strategy) {
  return LEVELS.indexOf(strategy) + 1;
}

/** "Otto". @param {string} strategy */
export function calledByPeople(strategy) {
  return strategy.charAt(0).toUpperCase() + strategy.slice(1);
}

/** @param {string} strategy @param {number} [size] */
export function levelFace(strategy, size = 40) {
  const level = levelOf(strategy);
  return level > 0 ? face(`level-${level}`, size) : null;
}

/** Calls bots with a level by their names instead of those on the wire, "otto1". @param {import("./types.d.ts").TableMessage} table */
export function callBots({ seats }) {
  for (const strategy of LEVELS) {
    const those = seats.filter((seat) => seat?.bot === strategy);
    those.forEach((seat, at) => {
      const name = calledByPeople(strategy);
      if (seat) seat.display ??= those.length > 1 ? `${name} ${at + 1}` : name;
    });
  }
}
