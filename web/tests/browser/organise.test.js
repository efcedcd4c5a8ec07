// An event of sixteen teams, from the list of teams to the winner, through the pages alone.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { houseTeams, serveEvent } from "../kit/event.js";

/** @typedef {import("playwright-core").Page} Page */

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serveEvent>>} */
let server;
const data = mkdtempSync(join(tmpdir(), "parlor-organise-"));

before(async () => {
  [browser, server] = await Promise.all([launch(), serveEvent({ data })]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(data, { recursive: true, force: true });
});

/** @param {Page} page */
async function signIn(page) {
  await page.goto(`${server.url}/organise`);
  await page.getByLabel("Token").fill(server.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".new-tournament").waitFor();
}

/** Says yes to what the desk asks. @param {Page} page @param {string} name */
async function sayYes(page, name) {
  await page.locator("dialog").getByRole("button", { name, exact: true }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
}

/** Bots that play with the keys of the slips, and return whenever they are cut off. @param {Page} page @param {{ name: string, key: string }[]} players */
function letPlay(page, players) {
  return page.evaluate((players) => {
    for (const { name, key } of players) {
      const connect = () => {
        const socket = new WebSocket(`ws://${location.host}/house/gamba`);
        const say = (/** @type {object} */ message) => socket.send(JSON.stringify(message));
        const join = () => say({ do: "join", name, key: key || undefined });
        socket.onopen = join;
        socket.onclose = () => setTimeout(connect, 200);
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.type === "update" && message.your_move)
            say({ do: "act", seq: message.seq, action: message.legal[0] });
          if (message.type === "over") join();
          if (message.type === "refused" && message.code !== "already-seated")
            setTimeout(join, 500);
        };
      };
      connect();
    }
  }, players);
}

test("web: an event of sixteen is made, disturbed and finished through the pages alone", async () => {
  const { page } = await openPage(browser);
  await signIn(page);
  await page.getByLabel("Name of the tournament").fill("cup");
  await page.getByLabel("Minimum seconds between turns, for an audience").fill("0.1");
  await page.getByLabel("Seconds to join before a game is forfeited").fill("600");
  const bots = houseTeams(12, ["thrifty", "random"]).map(
    ({ name, bot }) => `${name},,house:${bot}`,
  );
  const teams = ["name,display", "ann,Ann's bot", "ben", "gone1", "gone2", ...bots];
  await page.locator("textarea").first().fill(teams.join("\n"));
  await page.getByText("Teams (16)").waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator(".slip").first().waitFor();
  assert.equal(await page.locator(".slip").count(), 4, "house bots need no key");
  assert.deepEqual(await findings(page), []);

  // The printed slips' keys work.
  const players = [];
  for (const name of ["ann", "ben"]) {
    const slip = page.locator(".slip", { has: page.locator(".name", { hasText: name }) });
    players.push({ name, key: await slip.locator(".key code").innerText() });
  }
  const arena = await openPage(browser);
  await arena.page.goto(`${server.url}/tournaments`);
  await letPlay(arena.page, players);
  await page.getByText("2 connected, 2 not").waitFor();

  // A player who has lost its key learns so, and so does the desk.
  await letPlay(arena.page, [{ name: "gone1", key: "" }]);
  const gone = page.locator(".desk-teams li", { has: page.getByText("gone1", { exact: true }) });
  await gone.getByText("the name 'gone1' belongs to whoever has its key").waitFor();
  const ann = page.locator(".desk-teams li", { hasText: "Ann's bot" });
  assert.match(await ann.innerText(), /no errors/);

  // A spectator sees it all, and no control.
  const spectator = await openPage(browser);
  await spectator.page.goto(`${server.url}/gamba/tournaments/cup`);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await sayYes(page, "Start");
  await spectator.page.locator(".bracket").waitFor();
  const controls = /Withdraw|Cancel|Pause|Decide|Ban|Close/;
  assert.equal(await spectator.page.getByRole("button", { name: controls }).count(), 0);

  // A kick, and the bot returns; then the server crashes, and everything continues.
  await page.getByRole("button", { name: "Close its connections: ann" }).click();
  await sayYes(page, "Close them");
  await page.getByText(/admin: closed \d+ connections? \(name ann\)/).waitFor();
  const { port } = server;
  await server.crash();
  server = await serveEvent({ data, port });
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).click();

  // Players who never came lose by decision, until there is a winner.
  const over = spectator.page.locator(".notice.winner");
  while ((await over.count()) === 0) {
    const need = page.locator(".need", { hasText: /gone\d has not joined/ }).first();
    if ((await need.count()) > 0) {
      await need.getByRole("button", { name: "Decide" }).click();
      const present = page.locator("dialog label", { hasNotText: /gone|No one/ });
      if ((await present.count()) > 0) await present.first().click();
      await sayYes(page, "Decide");
    }
    await spectator.page.waitForTimeout(100);
  }
  assert.match(await over.innerText(), /has won\.$/);
  assert.ok((await spectator.page.getByText("decided by the organiser").count()) > 0);
  await page.context().close();
  await arena.page.context().close();
  await spectator.page.context().close();
});

test("web: a token that is not known opens nothing, and the desk works on a phone", async () => {
  const { page, complaints } = await openPage(browser, {
    viewport: { width: 390, height: 800 },
    colorScheme: "dark",
  });
  const entrants = houseTeams(4, ["random"]);
  await server.call("POST", "tournaments", { game: "subsim", id: "phone", entrants });
  await page.goto(`${server.url}/organise`);
  await page.getByLabel("Token").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("This server does not know this token.").waitFor();
  assert.deepEqual(await findings(page), []);
  await signIn(page);
  await page.getByText("phone", { exact: true }).waitFor();
  assert.deepEqual(await findings(page), []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} px wide`);
  await page.getByText("phone", { exact: true }).click();
  await page.getByText("Knockout. 4 teams have entered.").waitFor();
  assert.deepEqual(await findings(page), []);
  expectNoComplaints(complaints.filter((each) => !/401|403/.test(each)));
  await page.context().close();
});
