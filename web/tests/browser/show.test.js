// The projector: rotates by itself, has no control, returns after the server, stays small for days.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { houseTeams, serveEvent } from "../kit/event.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serveEvent>>} */
let server;
const data = mkdtempSync(join(tmpdir(), "parlor-show-"));
const SCREEN = { viewport: { width: 1920, height: 1080 } };

before(async () => {
  [browser, server] = await Promise.all([launch(), serveEvent({ data })]);
  const entrants = houseTeams(6, ["thrifty", "random"]);
  const options = { pace_ms: 300 };
  await server.call("POST", "tournaments", {
    game: "gamba",
    id: "league",
    plan: { format: "round-robin", concurrency: 2 },
    entrants,
    options,
  });
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(data, { recursive: true, force: true });
});

test("web: the projector goes from the teams to games, standings and what comes next, without a control", async () => {
  const { page, complaints } = await openPage(browser, SCREEN);
  await page.goto(`${server.url}/show?every=1`);
  await page.locator(".teams-slide li").first().waitFor();
  await server.call("POST", "tournaments/gamba/league/start");
  for (const slide of [".board-slide #stage svg", ".standings-slide li", ".next-slide li"]) {
    await page.locator(slide).first().waitFor();
    assert.equal(await page.locator("button, input, select, a").count(), 0, slide);
    const { width, height } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      height: document.documentElement.scrollHeight,
    }));
    assert.ok(width <= 1920 && height <= 1080, `${slide}: ${width} by ${height}`);
  }
  assert.deepEqual(await findings(page), []);
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: the projector goes on after the server was away", async () => {
  const { page } = await openPage(browser, SCREEN);
  await page.goto(`${server.url}/show?tournament=gamba/league&every=1`);
  await page.locator(".standings-slide").waitFor();
  const { port } = server;
  await server.stop();
  await page.locator(".show-away").waitFor();
  // The slides continue, and each has its emblem.
  for (const slide of [".next-slide", ".standings-slide"]) {
    await page.locator(slide).waitFor();
    const whole = await page
      .locator(`${slide} img`)
      .evaluate((/** @type {HTMLImageElement} */ each) =>
        each.decode().then(
          () => true,
          () => false,
        ),
      );
    assert.ok(whole, `the emblem of ${slide}`);
  }
  assert.ok((await page.locator(".slide").count()) > 0, "what was shown stays");
  server = await serveEvent({ data, port });
  await page.locator(".show-away").waitFor({ state: "detached" });
  await page.locator(".board-slide #stage svg").first().waitFor();
  await page.context().close();
});

test("web: ten thousand events leave the projector no larger", async () => {
  const { page, complaints } = await openPage(browser, {
    viewport: { width: 960, height: 540 },
    reducedMotion: "reduce",
  });
  const tournament = await (await fetch(`${server.url}/api/v1/tournaments/gamba/league`)).json();
  for (const pairing of tournament.pairings) delete pairing.table;
  // A feed with as many events as a whole day, as fast as the page reads it.
  await page.addInitScript(() => {
    class Feed {
      readyState = 1;
      /** @param {string} address */
      constructor(address) {
        this.address = address;
        /** @type {any} */ (window).feed = this;
        setTimeout(() => /** @type {any} */ (this).onopen?.());
      }
      close() {}
      send() {}
    }
    /** @type {any} */ (window).WebSocket = Object.assign(Feed, { OPEN: 1 });
  });
  await page.goto(`${server.url}/show?tournament=gamba/league&every=0.3`);
  await page.waitForFunction(() => /** @type {any} */ (window).feed?.onmessage);
  const session = await page.context().newCDPSession(page);
  /** @param {number} events */
  const grow = async (events) => {
    await page.evaluate(
      async ({ tournament, events }) => {
        const standings = tournament.standings;
        for (let at = 0; at < events; at += 1) {
          standings.push(standings.shift());
          const data = JSON.stringify({ ...tournament, round: 1 + (at % 9) });
          /** @type {any} */ (window).feed.onmessage({ data });
          if (at % 20 === 19) await new Promise(requestAnimationFrame);
        }
      },
      { tournament, events },
    );
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize;
  };
  const before = await grow(2000);
  const after = await grow(10_000);
  assert.ok(after < before * 1.1, `${before} bytes, then ${after}`);
  expectNoComplaints(complaints);
  await page.context().close();
});

test("web: the projector plays a game that is shown afterwards with all hands, once it is over", async () => {
  const { page, complaints } = await openPage(browser, SCREEN);
  /** @type {string[]} */
  const received = [];
  let over = false;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const text = String(payload);
      over ||= text.includes('"type":"over"');
      // With the end comes the last position, which is open to all.
      if (!over) received.push(text);
    }),
  );
  const options = { broadcast: "delayed", pace_ms: 60, house_bots: ["random", "random"] };
  await server.call("POST", "tables", { game: "gamba", id: "late", options });
  await page.goto(`${server.url}/show?table=gamba/late&pace=100`);
  await page.getByText("All hands are shown").waitFor();
  assert.ok(over, "the game was over before");
  const turns = received.filter((text) => text.includes('"type":"update"'));
  assert.ok(turns.length <= 1 && !turns.join().includes("seat_views"), "a turn was sent before");
  expectNoComplaints(complaints);
  await page.context().close();
});
