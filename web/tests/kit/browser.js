// A real browser: Debian's Chromium, found where it is, silent towards the outside.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

import { GAMES } from "./parlor.js";

/** @typedef {import("playwright-core").Browser} Browser */
/** @typedef {import("playwright-core").Page} Page */

/** @returns {Promise<Browser>} */
export function launch() {
  const places = [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  const executablePath = places.find((place) => place && existsSync(place));
  if (!executablePath)
    throw new Error("no Chromium: install the package chromium, or set CHROMIUM");
  const args = ["--disable-background-networking", "--disable-component-update", "--no-first-run"];
  return chromium.launch({ executablePath, args });
}

/**
 * A page that remembers everything that should not have been said: console messages, errors, failed
 * requests, requests to elsewhere.
 * @param {Browser} browser
 * @param {import("playwright-core").BrowserContextOptions} [options]
 * @param {{ novice?: boolean }} [who] A novice gets the bubbles of a first game.
 * @returns {Promise<{ page: Page, complaints: string[] }>}
 */
export async function openPage(browser, options = {}, { novice = false } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  if (!novice)
    await context.addInitScript((games) => {
      try {
        localStorage.setItem("learnt", JSON.stringify(games));
      } catch {
        // A page that may keep nothing has nothing to forget.
      }
    }, GAMES);
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack ?? error.message}`));
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== "data:" && hostname !== "127.0.0.1") complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints };
}
