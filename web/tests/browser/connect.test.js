// The page for bot authors: a name that is claimed there is good everywhere.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, openPage } from "../kit/browser.js";
import { expectNoComplaints } from "../kit/complaints.js";
import { serve } from "../kit/parlor.js";

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

test("web: an author claims a name, and the command line carries it", async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/connect?game=gamba`);
  await page.getByLabel("Name").fill("ann");
  await page.getByRole("button", { name: "Claim it" }).click();
  const key = await page.locator(".slip .key code").innerText();
  assert.match(key, /^pk_[0-9a-z]{26}$/);
  const line = () => page.locator(".copy code").first().innerText();
  assert.match(await line(), new RegExp(`^python3 examples/gamba.py 127.0.0.1 \\d+ ann:${key} `));
  await page.getByRole("button", { name: "JavaScript" }).click();
  await page.getByRole("button", { name: "SubSim" }).click();
  assert.match(await line(), /^node examples\/subsim.mjs /);
  // Nobody else gets the name.
  await page.reload();
  await page.getByLabel("Name").fill("ANN");
  await page.getByRole("button", { name: "Claim it" }).click();
  await page.getByText("the name 'ann' is claimed already").waitFor();
  expectNoComplaints(complaints.filter((each) => !each.includes("409")));
  await page.context().close();
});
