// Who one is in this browser: a name in any letters, or a claimed name with its key, entered once. Where a
// game's protocol takes few letters, the name on the wire is made of it.

import { playerName, rememberName } from "./seat.js";

/** @typedef {{ name: string, key?: string }} Identity What `join` says of a person. */

const KEYED = /^(.{1,64}):(pk_[a-z0-9]{26})$/u;

/** What every game's protocol takes as it is. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_.-]{1,11}$/;

/** The name as people read it, and the key of a claimed one. @returns {{ name: string, key: string | null }} */
export function who() {
  const kept = playerName();
  const keyed = KEYED.exec(kept);
  return keyed ? { name: keyed[1], key: keyed[2] } : { name: kept, key: null };
}

/** Whether this is a claimed name with its key, as `parlor names claim` shows it. @param {string} text */
export function isKeyed(text) {
  return KEYED.test(text.trim());
}

/** From now on one is called so; `name:pk_…` brings a claimed name with its key. @param {string} text */
export function beCalled(text) {
  rememberName(isKeyed(text) ? text.trim() : text);
}

/** The browser forgets name and key. */
export function forgetWho() {
  rememberName("");
}

/** For somebody who has given no name: one that stays the same in this browser. */
export function guestName() {
  const { name } = who();
  if (name.trim()) return name;
  const guest = `Guest ${ANIMALS[Math.floor(Math.random() * ANIMALS.length)]}`;
  rememberName(guest);
  return guest;
}

/**
 * What to join a table as.
 * @param {boolean} [another] The usual name is taken, perhaps by oneself in another tab.
 * @returns {Identity}
 */
export function identity(another = false) {
  const { name, key } = who();
  if (key) return { name, key };
  const called = guestName().trim();
  if (PLAIN.test(called) && !another) return { name: called };
  return { name: wireName(called, another) };
}

/** A name that every protocol takes: up to 12 letters. @param {string} display @param {boolean} fresh */
export function wireName(display, fresh) {
  const plain = display
    .normalize("NFKD")
    .replace(/^Guest /, "")
    .replace(/[^A-Za-z0-9]/g, "");
  return `${plain.slice(0, 7) || "player"}-${fresh ? random() : tail()}`;
}

/** What sets this browser's names apart from others'. */
function tail() {
  try {
    const kept = localStorage.getItem("tail") ?? random();
    localStorage.setItem("tail", kept);
    return kept;
  } catch {
    // Storage is switched off: another one each time.
    return random();
  }
}

function random() {
  const letters = "abcdefghijkmnpqrstuvwxyz23456789";
  const picked = crypto.getRandomValues(new Uint8Array(4));
  return [...picked].map((byte) => letters[byte % letters.length]).join("");
}

/** The claimed name of a link from another device, which goes no further than this browser. */
export function takeMoved() {
  const moved = /^#be=(.+)$/.exec(location.hash)?.[1];
  if (!moved) return;
  history.replaceState(null, "", location.pathname + location.search);
  const text = decodeURIComponent(moved);
  if (isKeyed(text)) beCalled(text);
}

/** A link that brings a claimed name to another device. Servers never see what follows the #. */
export function movingLink() {
  const { name, key } = who();
  return `${location.origin}/#be=${encodeURIComponent(`${name}:${key}`)}`;
}

const ANIMALS =
  "Otter Badger Heron Lynx Marten Puffin Raven Seal Stork Tapir Walrus Wombat Yak Zebra Beaver Crane Dingo Falcon Gecko Hare Ibis Jackal Koala Lemur Moose Newt Okapi Panda Quokka Robin".split(
    " ",
  );
