// A person at a page: sits down and plays, with the mouse or with the keyboard alone.

/** @typedef {import("playwright-core").Page} Page */

/**
 * Sits down against house bots, or as the choice says.
 * @param {Page} page @param {string} url @param {string} game @param {{ name?: string, against?: string }} [how]
 */
export async function sitDown(page, url, game, { name = "Ann", against = "House bots" } = {}) {
  // What others do is shown faster than people would want it.
  await page.goto(`${url}/${game}/play?fps=20`);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel(against).check();
  await page.locator("form .button.main").click();
}

let thrown = 7;

/** The same numbers in every run. @param {number} sides */
function dice(sides) {
  thrown = (thrown * 1103515245 + 12345) % 2147483648;
  return Math.floor((thrown / 2147483648) * sides);
}

/**
 * Chooses and makes a move. The first thing that may be chosen will do.
 * @type {Record<string, { mouse: (page: Page) => Promise<void>, keys: (page: Page) => Promise<void> }>}
 */
export const MOVES = {
  "sushi-go": {
    mouse: async (page) => {
      await page.locator(".sushi-hand button:not([disabled])").first().click();
      await page.locator(".controls .button.main:not([disabled])").click();
    },
    keys: async (page) => {
      await page.keyboard.press("1");
      await page.keyboard.press("Enter");
    },
  },
  gamba: {
    mouse: async (page) => {
      const card = page.locator("#stage .pressable");
      if ((await card.count()) > 0 && (await card.first().getAttribute("aria-pressed")) !== null)
        // Cards overlap: what is seen of this one is its left edge.
        await card.first().click({ position: { x: 10, y: 30 } });
      await page.locator(".controls .button.main:not([disabled])").click();
    },
    keys: async (page) => {
      // From card to card until one is chosen; with none to choose, the pile.
      const main = page.locator(".controls .button.main");
      for (let key = 1; key < 10 && (await main.isDisabled()); key += 1)
        await page.keyboard.press(String(key));
      await page.keyboard.press((await main.innerText()).startsWith("Pick up") ? "p" : "Enter");
    },
  },
  "tiger-dragon": {
    mouse: async (page) => {
      const tile = page.locator("#stage .pressable");
      if ((await tile.count()) > 0) await tile.first().click();
      await page.locator(".controls .button.main:not([disabled])").click();
    },
    keys: async (page) => {
      const main = page.locator(".controls .button.main");
      for (const key of "12345678td") if (await main.isDisabled()) await page.keyboard.press(key);
      await page.keyboard.press((await main.innerText()) === "Pass" ? "p" : "Enter");
    },
  },
  labyrinth: {
    mouse: async (page) => {
      const found = await chooseWay(page);
      const name = found ? /^Walk to/ : "Pass";
      await page.locator(".controls").getByRole("button", { name }).click();
    },
    keys: async (page) => {
      const main = page.locator(".controls .button.main:not([disabled])");
      const ways = ["Up", "Left", "Down", "Right"].map((way) => `Arrow${way}`);
      for (let tries = 0; tries < 6; tries += 1) {
        await page.keyboard.press(String(2 * dice(4)));
        await page.keyboard.press(ways[dice(4)]);
        for (const way of ways) {
          await page.keyboard.press(way);
          if ((await main.count()) > 0) return page.keyboard.press("Enter");
        }
        await page.keyboard.press("Escape");
      }
      await page.getByRole("button", { name: "Pass", exact: true }).press("Enter");
    },
  },
  subsim: {
    mouse: async (page) => {
      // Before the first turn, the middle of the chart. A boat that sleeps is found soon.
      const sleep = page.locator(".orders .kinds button").nth(1);
      await ((await sleep.count()) ? sleep : page.locator(".subsim .whole")).click();
      await page.locator(".controls .button.main").click();
    },
    keys: async (page) => {
      const placing = (await page.locator(".orders .kinds").count()) === 0;
      for (const key of placing ? ["ArrowUp", "Enter", "Enter"] : ["s", "2", "1", "Enter"])
        await page.keyboard.press(key);
    },
  },
};

/**
 * In Labyrinth, any arrow and any tile: two players who always do the same may go round in circles, up
 * to the thousandth turn.
 * @param {Page} page
 * @returns {Promise<boolean>} whether there was a way
 */
export async function chooseWay(page) {
  const arrows = page.locator(".arrow:not([aria-disabled=true])");
  const lit = page.locator(".lit[role=button]");
  for (let tries = 0; tries < 30; tries += 1) {
    await arrows.nth(dice(await arrows.count())).click();
    const ways = await lit.count();
    if (ways > 0) {
      await lit.nth(dice(ways)).click();
      return true;
    }
    await page.getByRole("button", { name: "Take back", exact: true }).click();
  }
  return false;
}

/**
 * Plays until the game is over and says what the page says then.
 * @param {Page} page @param {string} game @param {"mouse" | "keys"} how
 */
export async function playToTheEnd(page, game, how) {
  for (;;) {
    const what = await state(page);
    if (what === "over") return page.locator(".result").innerText();
    if (what === "mine") await MOVES[game][how](page);
  }
}

/** Waits until the person is to move or the game is over. @param {Page} page @returns {Promise<"mine" | "over">} */
async function state(page) {
  const found = await page.waitForFunction(() => {
    if (document.querySelector(".result")) return "over";
    const tag = document.querySelector(".bar .tag")?.textContent;
    return tag === "Your move" && document.querySelector(".controls") ? "mine" : null;
  });
  return /** @type {any} */ (await found.jsonValue());
}
