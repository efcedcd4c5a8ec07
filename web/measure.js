// What the pages cost: `npm run --prefix web measure` prints the figures of docs/internals/benchmarks.md. Nothing is
// asserted: machines differ.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { launch, openPage } from "./tests/kit/browser.js";
import { binary, record } from "./tests/kit/parlor.js";
import { openSite } from "./tests/kit/site.js";

/** @typedef {import("playwright-core").Browser} Browser */

/** How long something live is looked at. */
const SECONDS = 10;
const SPECTATORS = 1000;
/** A browser opens no more sockets to one place from one profile. */
const EACH = 200;
/** Clock ticks of Linux a second. */
const TICKS = 100;

/** Boats that last for a thousand turns. */
const STURDY = ["subsim.sub.0.max_shields=1000", "subsim.max_turns=1000"];

/** Every figure is taken so often, and every one is printed. */
const RUNS = 3;

const browser = await launch();
for (const measured of [scrubbing, livePage, spectators])
  for (let run = 0; run < RUNS; run += 1) await measured(browser);
await browser.close();

/** What a page's own thread has worked, in seconds, whatever else the machine does. @param {import("playwright-core").Page} page */
async function worked(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "ThreadTime")?.value ?? Number.NaN;
  };
}

/** Steps of a long replay, one by one, with everybody's cards. @param {Browser} browser */
async function scrubbing(browser) {
  const frames = record("subsim", ["random", "random"], "3", STURDY);
  const site = await openSite({ "subsim/long": frames });
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/subsim/games/long?turn=1`);
  await page.waitForSelector("#stage");
  const busy = await worked(page);
  const before = await busy();
  const steps = await page.evaluate(() => {
    const range = () =>
      /** @type {HTMLInputElement} */ (document.querySelector("input[type=range]"));
    const times = [];
    for (let place = 1; place <= Number(range().max); place += 1) {
      const begun = performance.now();
      range().value = String(place);
      range().dispatchEvent(new Event("input", { bubbles: true }));
      document.body.getBoundingClientRect();
      times.push(performance.now() - begun);
    }
    return times.sort((one, two) => one - two);
  });
  const own = (((await busy()) - before) * 1000) / steps.length;
  const at = (/** @type {number} */ share) =>
    steps[Math.floor(share * (steps.length - 1))].toFixed(1);
  console.log(
    `scrubbing ${steps.length} turns of SubSim: median ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `${own.toFixed(1)} ms of the page's own thread each`,
  );
  await page.context().close();
  await site.close();
}

/** A live page of bots that play as fast as they can. @param {Browser} browser */
async function livePage(browser) {
  const match = await startMatch("subsim.pace_ms=20");
  const { page } = await openPage(browser);
  await page.goto(`${match.site}/subsim/tables/${await match.table()}`);
  await page.waitForSelector("#stage");
  const busy = await worked(page);
  const before = await busy();
  await new Promise((done) => setTimeout(done, SECONDS * 1000));
  const share = ((await busy()) - before) / SECONDS;
  console.log(
    `a live page of bots that move every 20 ms: ${(share * 100).toFixed(1)} % of one core`,
  );
  await page.context().close();
  await match.stop();
}

/** Spectators as the pages are: JSON over WebSocket. @param {Browser} browser */
async function spectators(browser) {
  const match = await startMatch("subsim.pace_ms=50");
  const table = await match.table();
  /** @type {import("playwright-core").Page[]} */
  const pages = [];
  for (let opened = 0; opened < SPECTATORS; opened += EACH) {
    const { page } = await openPage(browser);
    await page.goto(`${match.site}/web/mark.svg`);
    await page.evaluate(watchMany, { table, many: EACH });
    pages.push(page);
  }
  const heard = async () => {
    const counts = await Promise.all(pages.map((page) => page.evaluate("window.heard")));
    return counts.reduce((sum, count) => sum + Number(count), 0);
  };
  const before = { cpu: match.cpu(), heard: await heard() };
  await new Promise((done) => setTimeout(done, SECONDS * 1000));
  const told = (await heard()) - before.heard;
  const cpu = match.cpu() - before.cpu;
  const each = (cpu / told) * 1e6;
  console.log(
    `${SPECTATORS} spectators over the JSON protocol: ${told} updates in ${SECONDS} s, ` +
      `${((cpu / SECONDS) * 100).toFixed(0)} % of one core, ${each.toFixed(1)} us of server CPU each`,
  );
  for (const page of pages) await page.context().close();
  await match.stop();
}

/** Runs in a page: opens sockets and counts what they hear. @param {{ table: string, many: number }} what */
function watchMany({ table, many }) {
  Object.assign(window, { heard: 0 });
  const opened = Array.from({ length: many }, () => {
    const socket = new WebSocket(`ws://${location.host}/house/subsim`);
    socket.onmessage = ({ data }) => {
      if (data.startsWith('{"type":"update"')) /** @type {any} */ (window).heard += 1;
    };
    return new Promise((done) => {
      socket.onopen = () => done(socket.send(JSON.stringify({ do: "watch", table })));
    });
  });
  return Promise.all(opened).then(() => undefined);
}

/** Long games of SubSim between house bots. @param {string} pace */
async function startMatch(pace) {
  const bots = ["--bot", "house:random", "--bot", "house:random"];
  const settings = [...STURDY, pace].flatMap((each) => ["--set", each]);
  const play = ["play", "subsim", "--browser", "--games", "9", ...bots, ...settings];
  // Without a screen nothing is opened.
  const env = { ...process.env, DISPLAY: "", WAYLAND_DISPLAY: "" };
  const child = spawn(binary(), play, { stdio: ["ignore", "pipe", "ignore"], env });
  const [address] = await once(createInterface({ input: child.stdout }), "line");
  const site = new URL(address).origin;
  return {
    site,
    table: async () => {
      for (;;) {
        const { tables } = await (await fetch(`${site}/api/v1/tables?game=subsim`)).json();
        const playing = tables.find((/** @type {any} */ each) => each.status === "playing");
        if (playing) return playing.id;
      }
    },
    /** Seconds of processor time. */
    cpu: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS;
    },
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
