// Fingers: what is to be pressed on a phone is large enough for one, and what was pressed is seen whole.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { serve } from "../kit/parlor.js";
import { sitDown } from "../kit/player.js";

/** Pixels that a finger needs. */
const FINGER = 44;

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** @param {number} width */
const phone = (width) => ({ viewport: { width, height: 844 }, isMobile: true, hasTouch: true });

/** @param {import("playwright-core").Locator} what */
async function tooSmall(what) {
  const found = [];
  for (const each of await what.all()) {
    if (!(await each.isVisible())) continue;
    const box = await each.boundingBox();
    if (!box || box.width < FINGER - 0.1 || box.height < FINGER - 0.1)
      found.push(
        `${await each.textContent()}${await each.getAttribute("aria-label")}: ${box?.width} × ${box?.height}`,
      );
  }
  return found;
}

for (const width of [360, 390]) {
  test(`labyrinth: every arrow is as large as a finger, ${width} px`, async () => {
    const { page } = await openPage(browser, phone(width));
    await sitDown(page, server.url, "labyrinth", { name: "Fay" });
    await page.waitForSelector(".controls");
    const arrows = page.locator("#stage .arrow[role=button]");
    assert.ok((await arrows.count()) > 4);
    assert.deepEqual(await tooSmall(arrows), []);
    // With a slide chosen, every tile that can be walked to is its own again.
    const lit = page.locator("#stage .lit[role=button]");
    for (let at = 0; (await lit.count()) === 0; at += 1) {
      await arrows.nth(at).tap();
      if ((await lit.count()) === 0) await page.getByRole("button", { name: "Take back" }).tap();
    }
    for (const tile of await lit.all()) {
      // The slide is animated: a tile on its way in crosses the arrow it came from.
      await (await tile.elementHandle())?.waitForElementState("stable");
      const { x, y, width, height } = await tile.evaluate((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        return { x, y, width, height };
      });
      for (const [across, down] of [
        [0.1, 0.5],
        [0.9, 0.5],
        [0.5, 0.1],
        [0.5, 0.9],
      ]) {
        const hit = await page.evaluate(
          ([x, y]) => document.elementFromPoint(x, y)?.closest(".arrow") !== null,
          [x + width * across, y + height * down],
        );
        assert.ok(!hit, "an arrow covers a lit tile");
      }
    }
    await page.context().close();
  });
}

test("web: the links at the foot of a page are as large as a finger", async () => {
  const { page } = await openPage(browser, phone(390));
  for (const address of ["/", "/sushi-go", "/tournaments"]) {
    await page.goto(server.url + address);
    await page.locator(".foot").waitFor();
    assert.deepEqual(await tooSmall(page.locator(".foot a, .bar a, .bar button")), [], address);
  }
  await page.context().close();
});

for (const width of [360, 390, 1280]) {
  test(`sushi-go: the ring round a chosen card is seen whole, ${width} px`, async () => {
    const how = width < 700 ? phone(width) : { viewport: { width, height: 800 } };
    const { page } = await openPage(browser, how);
    await sitDown(page, server.url, "sushi-go", { name: "Fay" });
    await page.waitForSelector(".controls");
    const cards = page.locator(".sushi-hand button.card");
    for (const at of [0, 4, (await cards.count()) - 1]) {
      await cards.nth(at).click();
      const cut = await cards.nth(at).evaluate(async (card) => {
        const ring = /** @type {Element} */ (card.querySelector("svg"));
        await Promise.all(ring.getAnimations().map((each) => each.finished));
        const { outlineWidth, outlineOffset } = getComputedStyle(ring);
        const wide = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
        const box = ring.getBoundingClientRect();
        const under = (/** @type {number} */ x, /** @type {number} */ y) =>
          document.elementFromPoint(x, y)?.closest(".card");
        const middle = box.top + box.height / 2;
        const neighbours = [
          under(box.left - wide + 1, middle),
          under(box.right + wide - 1, middle),
        ];
        const above = under(box.left + box.width / 2, box.top - wide + 1);
        if (above && above !== card && above.querySelector("span")) neighbours.push(above);
        return {
          out: box.left - wide < 0 || box.right + wide > innerWidth,
          over: neighbours.some((other) => other && other !== card),
        };
      });
      assert.deepEqual(cut, { out: false, over: false }, `card ${at + 1}`);
    }
    await page.context().close();
  });
}
