// The language of the pages: the one chosen in the settings, else what the browser asks for, else English.
// Texts are English as they lie; a dictionary (languages/) takes their places before a page opens. What a
// dictionary does not have stays English, such as what boards say of a running game.

import { playerWords } from "./playertexts.js";
import { causes, words } from "./texts.js";

/** By what their speakers call them. @type {Record<string, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch", cs: "Čeština", ja: "日本語" };

/** @typedef {Partial<import("./types.d.ts").About>} Telling */
/** @typedef {{ words: object, playerWords: object, causes: object, games: Record<string, Telling> }} Dictionary */

/** @type {Record<string, () => Promise<{ default: any }>>} */
const DICTIONARIES = {
  de: () => import("./languages/de.js"),
  cs: () => import("./languages/cs.js"),
  ja: () => import("./languages/ja.js"),
};

/** What games say of themselves in the reader's language. @type {Record<string, Telling>} */
let tellings = {};

/** @param {string} game @returns {Telling} */
export function inOwnWords(game) {
  return tellings[game] ?? {};
}

export function language() {
  return known(chosen()) ?? navigator.languages.map(known).find(Boolean) ?? "en";
}

/** What was chosen here, in an address or in the settings. */
function chosen() {
  const asked = new URLSearchParams(location.search).get("lang");
  try {
    return asked ?? localStorage.getItem("language") ?? "";
  } catch {
    return asked ?? "";
  }
}

/** "de" for "de-AT". @param {string} tag */
function known(tag) {
  const code = tag.toLowerCase().split("-")[0];
  return code in LANGUAGES ? code : undefined;
}

/** @param {string} code */
export function choose(code) {
  try {
    localStorage.setItem("language", code);
  } catch {
    // Storage is switched off: the address says it, for this page.
  }
  const here = new URL(location.href);
  here.searchParams.delete("lang");
  if (chosen() !== code) here.searchParams.set("lang", code);
  location.assign(here);
}

/** Puts the words of the reader's language in their places. */
export async function speak() {
  const code = language();
  document.documentElement.lang = code;
  const dictionary = DICTIONARIES[code];
  if (!dictionary) return;
  try {
    /** @type {Dictionary} */
    const own = (await dictionary()).default;
    translate(words, own.words);
    translate(playerWords, own.playerWords);
    translate(causes, own.causes);
    tellings = own.games;
  } catch {
    // Better English than nothing.
    document.documentElement.lang = "en";
  }
}

/** @param {any} into @param {any} from */
export function translate(into, from) {
  for (const [key, value] of Object.entries(from)) {
    if (value && typeof value === "object" && !Array.isArray(value)) translate(into[key], value);
    else into[key] = value;
  }
}
