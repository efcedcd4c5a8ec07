// What an organiser reads on the desk, at the widths of usual screens.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { findings } from "../kit/axe.js";
import { launch, openPage } from "../kit/browser.js";
import { serveEvent } from "../kit/event.js";

/** @type {Awaited<ReturnType<typeof serveEvent>>} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  [server, browser] = await Promise.all([serveEvent(), launch()]);
});
after(async () => {
  await browser.close();
  await server.stop();
});

/** @param {import("playwright-core").Page} page @param {string} token */
async function signIn(page, token = server.token) {
  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Connects a player of the house's protocol, and leaves it waiting. @param {import("playwright-core").Page} page @param {string} game @param {{ name: string, key?: string }} who */
function connect(page, game, who) {
  return page.evaluate(
    ([game, who]) =>
      new Promise((done) => {
        const socket = new WebSocket(`ws://${location.host}/house/${game}`);
        socket.onopen = () => {
          socket.send(JSON.stringify({ do: "join", ...who }));
          done(null);
        };
      }),
    /** @type {const} */ ([game, who]),
  );
}

test("web: the desk shows every team's name beside what can be done with it", async () => {
  const { page } = await openPage(browser, { viewport: { width: 1120, height: 800 } });
  const entrants = [
    { name: "red-foxes", display: "Red Foxes of the Northern Forest" },
    { name: "blue-owls", display: "Blue Owls and Friends" },
    { name: "house-team", bot: "random" },
  ];
  const made = { game: "gamba", id: "names", entrants, open_names: true };
  await server.call("POST", "tournaments", made);
  await page.goto(`${server.url}/tournaments`);
  await connect(page, "gamba", { name: "red-foxes" });
  await connect(page, "gamba", { name: "blue-owls" });
  const desk = await page.context().newPage();
  await desk.goto(`${server.url}/organise?tournament=gamba/names`);
  await signIn(desk);
  await desk.getByText("2 connected, 0 not").waitFor();
  assert.equal(await desk.getByText("Close its connections").count(), 2);
  for (const width of [1120, 1140, 1280, 1920, 2560, 390]) {
    await desk.setViewportSize({ width, height: 800 });
    const cut = await desk
      .locator(".desk-teams .who")
      .evaluateAll((all) =>
        all
          .filter((each) => each.scrollWidth > each.clientWidth || each.clientWidth < 60)
          .map((each) => `${each.textContent} has ${each.clientWidth} px`),
      );
    assert.deepEqual(cut, [], `at ${width} px`);
  }
  assert.deepEqual(await findings(desk), []);
  await page.context().close();
});

test("web: the round and a pause are on the desk, the page and the projector", async () => {
  const entrants = Array.from({ length: 6 }, (_, at) => ({ name: `swiss${at}`, bot: "random" }));
  const plan = { format: { swiss: { rounds: 3 } }, max_entrants: 6 };
  const made = { game: "gamba", id: "rounds", plan, entrants, options: { pace_ms: 5000 } };
  await server.call("POST", "tournaments", made);
  await server.call("POST", "tournaments/gamba/rounds/start");
  await server.call("POST", "tournaments/gamba/rounds/pause");
  const shown = await server.call("GET", "tournaments/gamba/rounds");
  assert.deepEqual([shown.phase, shown.round, shown.rounds], ["paused", 1, 3]);
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/organise?tournament=gamba/rounds`);
  await signIn(page);
  await page.getByText("Round 1 of 3, 0 of 3 pairings decided.").waitFor();
  await page.getByText("Paused by the organiser.").waitFor();
  await page.goto(`${server.url}/gamba/tournaments/rounds`);
  await page.getByText("Round 1 of 3", { exact: true }).waitFor();
  await page.goto(`${server.url}/show?tournament=gamba/rounds&every=1`);
  await page.getByText("Tournament, round 1 of 3.").waitFor();
  await page.locator(".paused", { hasText: "Paused" }).waitFor();
  await page.locator(".standings-slide", { hasText: "Round 1 of 3" }).waitFor();
  await page.locator(".standings-slide .paused").waitFor();
  await page.context().close();
});

test("web: the form has the whole plan", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/organise`);
  await signIn(page);
  await page.locator(".new-tournament select").first().selectOption("gamba");
  await page.getByLabel("Name of the tournament").fill("whole");
  await page.locator("textarea").first().fill("solo");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("At least two teams are needed.").waitFor();
  await page.locator("textarea").first().fill("ann\nbob\nAnn\ncy");
  await page.getByText("Teams (4)").waitFor();
  await page.getByText("Ann is there twice: see line 3.").waitFor();
  await page.locator("textarea").first().fill("ann\nbob\ncy");
  await page.getByLabel("Format").selectOption("gauntlet");
  await page.getByLabel("How many teams, from the top of the list, play all others").fill("2");
  await page.getByLabel("How often each pair plays").fill("3");
  await page.getByText("Other teams may enter until it starts").click();
  await page.getByLabel("Places", { exact: true }).fill("9");
  await page.getByText("More settings").click();
  await page.getByLabel("Minutes for a whole game (0: no limit)").fill("5");
  await page.getByLabel("Games at the same time (0: no limit)").fill("4");
  await page.getByLabel("What spectators see").selectOption("delayed");
  await page.getByLabel("Seed for pairings").fill("7");
  await page.getByText("Games count for the ratings").click();
  await page.getByLabel("Options of the game").fill("strikes=5\nnonsense");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("'nonsense' is not an option. Write one KEY=VALUE per line.").waitFor();
  // The hint lists the options that have no field in the form.
  const hint = await page.locator(".more .field", { hasText: "Options of the game" }).innerText();
  assert.match(hint, /strikes=3/);
  assert.doesNotMatch(hint, /turn_timeout_ms/);
  await page.getByLabel("Options of the game").fill("strikes=5");
  await page.getByText("Only players who have claimed their names may enter").click();
  await page.locator("textarea").first().fill("name,version\nann,1.4\nbob\ncy");
  assert.deepEqual(await findings(page), []);
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator(".slip").first().waitFor();
  const {
    plan,
    terms,
    open,
    starts_when_full: full,
    entrants,
    entry,
  } = await server.call("GET", "tournaments/gamba/whole");
  assert.deepEqual(plan.format, { gauntlet: { challengers: 2, cycles: 3 } });
  assert.deepEqual([plan.max_entrants, plan.concurrency, plan.rated], [9, 4, false]);
  assert.deepEqual([terms.game_ms, terms.broadcast, open, full], [300_000, "delayed", true, false]);
  assert.equal(terms.strikes, 5);
  assert.equal(entrants[0].version, "1.4");
  assert.equal(entry, "claimed");
  await page.context().close();
});

test("web: a bracket of thirty fits a laptop, and its cards the projector", async () => {
  const entrants = Array.from({ length: 30 }, (_, at) => ({
    name: `ko${at}`,
    display: `Team number ${at} of thirty`,
    bot: "random",
  }));
  const made = { game: "gamba", id: "thirty", plan: { max_entrants: 30 }, entrants };
  await server.call("POST", "tournaments", { ...made, options: { pace_ms: 10_000 } });
  const { page } = await openPage(browser, { viewport: { width: 1920, height: 1080 } });
  await page.goto(`${server.url}/show?tournament=gamba/thirty`);
  await page.locator(".team-cloud li").nth(29).waitFor();
  const foot = await page.locator(".strip").boundingBox();
  const last = await page.locator(".team-cloud li").nth(29).boundingBox();
  assert.ok(last && foot && last.y + last.height <= foot.y, "all teams are on the slide");
  await server.call("POST", "tournaments/gamba/thirty/start");
  await page.goto(`${server.url}/show?tournament=gamba/thirty&every=1`);
  await page.locator(".cards-slide").waitFor();
  const size = await page
    .locator(".cards-slide .who")
    .first()
    .evaluate((each) => Number.parseFloat(getComputedStyle(each).fontSize));
  assert.ok(size >= 24, `${size} px`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${server.url}/gamba/tournaments/thirty`);
  await page.locator(".bracket").waitFor();
  const fits = await page
    .locator(".bracket-scroll")
    .evaluate((each) => each.scrollWidth <= each.clientWidth);
  assert.ok(fits, "the final is in the frame");
  await page.context().close();
});

test("web: who may only read has nothing to press", async () => {
  const entrants = [{ name: "reader1", bot: "random" }, { name: "reader2" }];
  await server.call("POST", "tournaments", { game: "gamba", id: "readers", entrants });
  const { token } = await server.call("POST", "tokens", { name: "eye", scope: "read" });
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/organise?tournament=gamba/readers`);
  await signIn(page, token);
  await page.getByText("This token may only watch.").waitFor();
  await page.locator(".desk-teams").waitFor();
  const press = page.locator("main").getByRole("button");
  assert.deepEqual(await press.allInnerTexts(), []);
  await page.context().close();
});

test("web: the key of a slip opens the window with its own game and command", async () => {
  const entrants = ["slipper", "other"];
  const made = await server.call("POST", "tournaments", {
    game: "sushi-go",
    id: "slips",
    entrants,
  });
  const { name, key } = made.keys.find((/** @type {any} */ each) => each.name === "slipper");
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/connect`);
  await page.getByPlaceholder("pk_…").fill(`${name}:${key}`);
  await page.keyboard.press("Enter");
  const command = page.locator(".copy code", { hasText: "python3 sushi_go.py" });
  await command.waitFor();
  assert.match(await command.innerText(), new RegExp(`slipper:${key} --games 0$`));
  await connect(page, "sushi-go", { name, key });
  await page.getByText("waiting for its next game in slips").waitFor();
  await page.context().close();
});

test("web: one team is too few, and the desk says so in English", async () => {
  const { page } = await openPage(browser);
  const made = { game: "gamba", id: "alone", entrants: ["solo"], open: true };
  await server.call("POST", "tournaments", made);
  await page.goto(`${server.url}/organise?tournament=gamba/alone`);
  await signIn(page);
  await page.getByText("1 of 1 teams is not connected").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator("dialog").getByRole("button", { name: "Start", exact: true }).click();
  await page.getByText(/1 entrant is too few: at least 2 are needed/i).waitFor();
  await page.context().close();
});

test("web: the desk's list says which tournament is paused", async () => {
  const entrants = Array.from({ length: 4 }, (_, at) => ({ name: `rest${at}`, bot: "random" }));
  const made = { game: "gamba", id: "resting", entrants, options: { pace_ms: 5000 } };
  await server.call("POST", "tournaments", made);
  await server.call("POST", "tournaments/gamba/resting/start");
  await server.call("POST", "tournaments/gamba/resting/pause");
  const { page } = await openPage(browser);
  for (const address of ["/", "/gamba", "/tournaments"]) {
    await page.goto(server.url + address);
    const row = page.locator(".tournaments li", { hasText: "resting" });
    await row.getByText(/^paused, round 1 of 2, 4 teams$/).waitFor();
  }
  await page.goto(`${server.url}/organise`);
  await signIn(page);
  await page.getByText(/paused, round 1 of 2, 4 teams/).waitFor();
  await page.context().close();
});

test("web: a name of sixty letters covers nothing, in a bracket and on the projector", async () => {
  const long = (/** @type {number} */ at) =>
    `Team ${at} of the Society for Very Long and Winding Names in Cups`.slice(0, 60);
  const entrants = Array.from({ length: 8 }, (_, at) => ({
    ...{ name: `long${at}`, display: long(at), bot: "random" },
  }));
  const made = { game: "gamba", id: "long", plan: { best_of: 3 }, entrants };
  await server.call("POST", "tournaments", { ...made, options: { pace_ms: 2000 } });
  await server.call("POST", "tournaments/gamba/long/start");
  const league = {
    ...made,
    id: "longer",
    plan: { format: "round-robin" },
    options: { pace_ms: 2000 },
  };
  const named = league.entrants.map((each) => ({ ...each, name: `${each.name}b` }));
  await server.call("POST", "tournaments", { ...league, entrants: named });
  await server.call("POST", "tournaments/gamba/longer/start");
  for (const [address, sign, width] of /** @type {[string, string, number][]} */ ([
    ["/gamba/tournaments/long", ".bracket .row", 1280],
    ["/show?tournament=gamba/long&every=1", ".bracket-slide .row", 1920],
    ["/show?tournament=gamba/longer&every=1", ".standings-slide li", 1920],
    ["/show?tournament=gamba/longer&every=1", ".next-slide li", 1920],
    ["/show?tournament=gamba/longer&every=1", ".board-slide .player", 1920],
  ])) {
    const { page } = await openPage(browser, { viewport: { width, height: 1080 } });
    await page.goto(server.url + address);
    await page.locator(sign).first().waitFor();
    assert.deepEqual(await page.evaluate(covering, sign), [], `${address} ${sign}`);
    await page.context().close();
  }
});

/** Runs in the page: names that lie on what stands beside them, stick out, or are cut without saying so. @param {string} sign */
function covering(sign) {
  const found = [];
  const rows = [...document.querySelectorAll(sign), ...document.querySelectorAll(".strip")];
  for (const row of rows) {
    for (const name of row.querySelectorAll(".cut")) {
      const box = name.getBoundingClientRect();
      if (box.width === 0) continue;
      if (box.right > innerWidth + 1) found.push(`${name.textContent} sticks out`);
      const cut = name.scrollWidth > name.clientWidth + 1;
      if (cut && getComputedStyle(name).textOverflow !== "ellipsis")
        found.push(`${name.textContent} is cut within a letter`);
      for (const other of row.querySelectorAll(".score, .form, .live, b, .end")) {
        if (other.contains(name) || name.contains(other)) continue;
        const there = other.getBoundingClientRect();
        if (there.width === 0) continue;
        const across = Math.min(box.right, there.right) - Math.max(box.left, there.left);
        const down = Math.min(box.bottom, there.bottom) - Math.max(box.top, there.top);
        if (across > 1 && down > 1) found.push(`${name.textContent} on ${other.textContent}`);
      }
    }
  }
  return found;
}
