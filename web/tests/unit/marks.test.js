import assert from "node:assert/strict";
import { test } from "node:test";

import { chipMark, monogram, seatGlyph } from "../../marks.js";
import { cut, widthOf } from "../../fit.js";
import { texts } from "../kit/drawing.js";

test("marks: names that differ in their number alone have marks that differ", () => {
  const bots = ["counter1", "counter2", "counter3", "counter12"];
  assert.deepEqual(bots.map(monogram), ["C1", "C2", "C3", "C12"]);
  for (const marks of [
    bots.map((name, seat) => texts(seatGlyph(seat, { name })).join("")),
    bots.map((name) => texts(chipMark({ name, bot: "counter" })).join("")),
  ])
    assert.equal(new Set(marks).size, bots.length);
  // A year or an id is no number to tell people apart by.
  assert.deepEqual(["Ann", "Brno-3", "ada1815", "7", "Zoë 2", ""].map(monogram), [
    "A",
    "B3",
    "A",
    "7",
    "Z2",
    "?",
  ]);
});

test("fit: what is cut keeps to its room, and nothing is cut that fits", () => {
  for (const name of [
    "Bo",
    "counter1",
    "Maximiliane-Wolkenstein",
    "WWWWWWWWWWWW",
    "名前が長い人",
  ]) {
    for (const room of [30, 60, 90, 120, 300]) {
      const said = cut(name, room, 14, true);
      if (widthOf(name, 14, true) <= room) assert.equal(said, name);
      else assert.ok(said.endsWith("…") && (said.length === 2 || widthOf(said, 14, true) <= room));
    }
  }
});
