// Gamba's cards and Tiger & Dragon's tiles in a real browser: what they do between two turns, and at a
// seat.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { record, serve } from "../kit/parlor.js";
import { MOVES, sitDown } from "../kit/player.js";
import { openSite } from "../kit/site.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const FRAMES = {
  gamba: record("gamba", ["random", "thrifty"], "11", ["gamba.deal=full-deck"]),
  "tiger-dragon": record("tiger-dragon", ["counter", "random", "counter"], "7"),
  "sushi-go": record("sushi-go", ["greedy", "random", "greedy"], "7"),
};

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof openSite>>} */
let site;

before(async () => {
  const games = Object.entries(FRAMES).map(([game, frames]) => [`${game}/game`, frames]);
  site = await openSite(Object.fromEntries(games));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** The first turn with such news, counted from 1. @param {keyof typeof FRAMES} game @param {(news: any) => boolean} is */
function turnOf(game, is) {
  const updates = FRAMES[game]
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((message) => message.type === "update");
  const at = updates.findIndex((update) => update.view.news.some(is));
  assert.ok(at > 0, "the game has such a turn");
  return { turn: at + 1, view: updates[at].view, before: updates[at - 1].view };
}

/**
 * What moves when a step leads to a turn: names, and how.
 * @param {string} game
 * @param {number} turn
 * @param {string} viewer
 */
async function moving(game, turn, viewer) {
  const { page } = await openPage(browser);
  try {
    await page.goto(`${site.url}/${game}/games/game?turn=${turn - 1}&viewer=${viewer}`);
    await page.waitForSelector("#stage");
    return await page.evaluate(() => {
      document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }),
      );
      return document
        .getAnimations()
        .map((animation) => /** @type {KeyframeEffect} */ (animation.effect))
        .filter((effect) => effect.target?.closest("#stage"))
        .map((effect) => ({
          name: effect.target?.getAttribute("data-flip") ?? "",
          delay: Number(effect.getTiming().delay),
          steps: effect.getKeyframes().length,
          start: String(effect.getKeyframes()[0].transform ?? ""),
          from: effect.target?.getAttribute("data-from") ?? "",
        }));
    });
  } finally {
    await page.context().close();
  }
}

test("gamba: a ten comes down on the pile before it burns, and the pile waits for it", async () => {
  const { turn, view, before } = turnOf("gamba", (news) => news.played?.burned > 2);
  const moved = await moving("gamba", turn, "all");
  const [ten] = view.news[0].played.cards;
  assert.equal(moved.find(({ name }) => name === ten)?.steps, 4, "from the hand, down, and away");
  const top = moved.find(({ name }) => name === before.pile.at(-1));
  assert.ok(top && top.delay > 0, "the top of the pile goes later");
});

test("gamba: a pile that is picked up comes card by card, also into a hand nobody sees", async () => {
  const { turn, view, before } = turnOf("gamba", (news) => news["picked-up"]?.taken > 3);
  const { seat, taken } = view.news[0]["picked-up"];
  for (const [viewer, is] of /** @type {[string, (name: string) => boolean][]} */ ([
    ["all", (name) => before.pile.includes(name)],
    ["public", (name) => new RegExp(`^back-${seat}-`).test(name)],
  ])) {
    const delays = (await moving("gamba", turn, viewer))
      .filter(({ name }) => is(name))
      .map(({ delay }) => delay);
    assert.equal(new Set(delays.filter((delay) => delay > 0)).size, taken - 1, viewer);
  }
});

test("tiger-dragon: a tile goes to the table and to the middle, and strikes the attack", async () => {
  const { turn, view } = turnOf("tiger-dragon", (news) => news.defended);
  const { seat } = view.news[0].defended;
  const moved = await moving("tiger-dragon", turn, String(seat));
  const names = moved.map(({ name }) => name);
  assert.ok(names.includes(`laid-1-${seat}-${view.discards[seat].length - 1}`));
  const strikes = moved.filter(({ name, steps }) => name.startsWith("clash-") && steps === 3);
  assert.deepEqual(strikes.map(({ name }) => name).sort(), ["clash-answer", "clash-attack"]);
});

test("sushi-go: a card that is laid comes from its place in the hand, and nothing flies larger than life", async () => {
  const updates = FRAMES["sushi-go"]
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((message) => message.type === "update");
  for (const turn of [2, 4, 6]) {
    const moved = await moving("sushi-go", turn, "0");
    for (const { name, start } of moved) {
      const size = Number(/scale\(([\d.]+)\)/.exec(start)?.[1] ?? 1);
      assert.ok(size <= 1.5 && size >= 0.66, `${name} begins at ${size} times its size`);
    }
    const [card] = updates[turn - 1].view.news.played[0];
    const place = updates[turn - 2].seat_views[0].hand.indexOf(card);
    const laid = moved.filter(({ name }) => name.startsWith("laid-0-"));
    assert.ok(
      laid.some(({ from }) => from === `held-1-${turn - 1}-${place}`),
      `turn ${turn}: ${JSON.stringify(laid)}`,
    );
    // It begins where that card was: one of ten, not the whole hand.
    const others = moved.filter(({ name }) => /^laid-[12]-/.test(name));
    assert.ok(others.some(({ from }) => from.startsWith("hand-")));
  }
});

for (const game of ["gamba", "tiger-dragon"]) {
  test(`${game}: at a seat Enter chooses what has the keyboard, then plays it; axe finds nothing`, async () => {
    const server = await serve();
    const { page, complaints } = await openPage(browser);
    try {
      await sitDown(page, server.url, game);
      const first = page.locator("#stage [role=button]").first();
      await first.focus();
      await page.keyboard.press("Enter");
      assert.equal(await first.getAttribute("aria-pressed"), "true");
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const { violations } = await /** @type {any} */ (window).axe.run();
        return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`);
      });
      assert.deepEqual(found, []);
      await page.keyboard.press("Enter");
      await page.locator(".moves li").first().waitFor();
      expectNoComplaints(complaints);
    } finally {
      await page.context().close();
      await server.stop();
    }
  });
}

test("tiger-dragon: who can only pass does so without being asked", async () => {
  const server = await serve();
  const { page, complaints } = await openPage(browser);
  try {
    let passed = 0;
    // Most games have such a turn; not every one has.
    for (let games = 0; passed === 0 && games < 20; games += 1) {
      await sitDown(page, server.url, "tiger-dragon", { name: `Ann${games}` });
      for (;;) {
        const what = await page.waitForFunction(atTurn);
        if ((await what.jsonValue()) === "over") break;
        if ((await page.locator(".controls .button.main").innerText()) !== "Pass") {
          await MOVES["tiger-dragon"].mouse(page);
          continue;
        }
        // Nothing is pressed: it is said, seen, and done.
        await page.getByText("None of your tiles answers this attack: you pass.").waitFor();
        const before = await page.locator(".moves li").count();
        await page.waitForFunction(
          (before) => document.querySelectorAll(".moves li").length > before,
          before,
        );
        passed += 1;
        break;
      }
    }
    assert.ok(passed > 0, "a turn without an answer came");
    expectNoComplaints(complaints);
  } finally {
    await page.context().close();
    await server.stop();
  }
});

/** Runs in the page: whether one can move, or the game is over. */
function atTurn() {
  if (document.querySelector(".result")) return "over";
  const tag = document.querySelector(".bar .tag")?.textContent;
  return tag === "Your move" && document.querySelector(".controls .button.main") ? "mine" : null;
}

test("tiger-dragon: the key of the Dragon never turns the lights out", async () => {
  const server = await serve();
  const { page, complaints } = await openPage(browser, { colorScheme: "light" });
  try {
    const theme = () =>
      page.evaluate(
        () => `${document.documentElement.dataset.theme} ${getComputedStyle(document.body).color}`,
      );
    await sitDown(page, server.url, "tiger-dragon");
    const light = await theme();
    await page.waitForFunction(atTurn);
    // At one's turn, whether the Dragon is held or not, and while others think.
    const holds = (await page.locator('#stage [role=button][aria-label^="Dragon"]').count()) > 0;
    for (const key of ["d", "D", "t"]) await page.keyboard.press(key);
    await page.keyboard.press("d");
    const chosen = page.locator('#stage [role=button][aria-label="Dragon"][aria-pressed=true]');
    assert.equal(await chosen.count(), holds ? 1 : 0);
    assert.equal(await theme(), light);
    await page.keyboard.press("Escape");
    await MOVES["tiger-dragon"].mouse(page);
    for (let times = 0; times < 5; times += 1) await page.keyboard.press("d");
    assert.equal(await theme(), light);
    expectNoComplaints(complaints);
  } finally {
    await page.context().close();
    await server.stop();
  }
});
