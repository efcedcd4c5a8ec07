// What axe finds wrong with a page, in a line each.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @param {import("playwright-core").Page} page @returns {Promise<string[]>} */
export async function findings(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run();
    return violations.map(
      (/** @type {any} */ each) =>
        `${each.id}: ${each.nodes
          .map((/** @type {any} */ node) => node.html.slice(0, 120))
          .slice(0, 3)
          .join(" | ")}`,
    );
  });
}
