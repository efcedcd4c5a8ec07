// Real games for tests, as a page receives them: house bots play one, and it is recorded with every view.

import { Timeline } from "../../timeline.js";
import { record } from "./parlor.js";

/**
 * @param {string} game
 * @param {string[]} bots
 * @param {{ seed?: number, set?: string[] }} [more]
 */
export function recorded(game, bots, { seed = 7, set = [] } = {}) {
  const timeline = new Timeline();
  for (const line of record(game, bots, String(seed), set).trim().split("\n"))
    timeline.take(JSON.parse(line));
  return timeline;
}
