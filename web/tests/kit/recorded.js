// Real games for tests, as a page hears them: house bots play one, and it is told with everybody's views.

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
