// QR codes, read back by another way than the one they were written by.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isKeyed, wireName } from "../../who.js";
import { qr } from "../../qr.js";

/** Where data may stand: everything but the patterns. @param {number} size */
function isData(size) {
  const version = (size - 17) / 4;
  const centres = version === 1 ? [] : version === 2 ? [18] : version === 3 ? [22] : [26];
  return (/** @type {number} */ r, /** @type {number} */ c) => {
    if (r === 6 || c === 6) return false;
    if (r < 9 && (c < 9 || c >= size - 8)) return false;
    if (r >= size - 8 && c < 9) return false;
    return !centres.some((at) => Math.abs(r - at) <= 2 && Math.abs(c - at) <= 2);
  };
}

const MASKS = [
  (/** @type {number} */ r, /** @type {number} */ c) => (r + c) % 2,
  (/** @type {number} */ r) => r % 2,
  (/** @type {number} */ _, /** @type {number} */ c) => c % 3,
  (/** @type {number} */ r, /** @type {number} */ c) => (r + c) % 3,
  (/** @type {number} */ r, /** @type {number} */ c) => ((r >> 1) + Math.floor(c / 3)) % 2,
  (/** @type {number} */ r, /** @type {number} */ c) => ((r * c) % 2) + ((r * c) % 3),
  (/** @type {number} */ r, /** @type {number} */ c) => (((r * c) % 2) + ((r * c) % 3)) % 2,
  (/** @type {number} */ r, /** @type {number} */ c) => (((r + c) % 2) + ((r * c) % 3)) % 2,
];

/** The text of a code that has one block. @param {boolean[][]} code */
function read(code) {
  const size = code.length;
  // The mask stands beside the upper left corner, under another mask.
  const mask = [2, 3, 4].reduce((sum, at) => sum * 2 + Number(code[8][at]), 0) ^ 0b101;
  const data = isData(size);
  /** @type {number[]} */
  const bits = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const r = up ? size - 1 - step : step;
      for (const c of [right, right - 1])
        if (data(r, c)) bits.push(Number(code[r][c]) ^ Number(MASKS[mask](r, c) === 0));
    }
  }
  const number = (/** @type {number} */ from, /** @type {number} */ length) =>
    bits.slice(from, from + length).reduce((sum, bit) => sum * 2 + bit, 0);
  assert.equal(number(0, 4), 4, "bytes");
  const bytes = Array.from({ length: number(4, 8) }, (_, at) => number(12 + at * 8, 8));
  return new TextDecoder().decode(new Uint8Array(bytes));
}

test("web: a QR code holds the link it was made of", () => {
  for (const text of [
    "a",
    "http://10.0.0.7:7800/",
    "Zoë 李",
    "http://10.0.0.7/gamba/play?table=R1",
  ]) {
    const code = qr(text);
    assert.ok(code);
    assert.equal(read(code), text);
  }
  assert.equal(qr("x".repeat(214)), null, "too long for version 10");
  assert.equal(qr("x".repeat(213))?.length, 57);
});

test("web: names on the wire are short and plain, whatever people are called", () => {
  for (const name of ["Zoë", "李小龍", "Guest Otter", "🦦", "Bartholomäus von Hohenstein", "a b"])
    assert.match(wireName(name, true), /^[A-Za-z0-9]{1,7}-[a-z0-9]{4}$/, name);
  assert.match(wireName("Guest Otter", true), /^Otter-/);
  assert.ok(isKeyed(`carla:pk_${"a".repeat(26)}`));
  assert.ok(!isKeyed("carla:pk_short") && !isKeyed("carla"));
});
