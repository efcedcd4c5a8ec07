// What the pages say about SubSim.

import { rules } from "./rules.js";

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "SubSim",
  tagline: "Hunt by sonar. Everyone moves at once.",
  facts: "2 to 64 boats, one sea",
  brief: {
    words:
      "All submarines get one order a turn and carry it out together. Charge your equipment while you move, find the others by sonar, and hit them with torpedoes and mines.",
    list: [
      ["Move", "one square, one charge"],
      ["Sleep", "stay, two charges"],
      ["Sonar", "finds boats, and tells them so"],
      ["Torpedo", "2 damage, 1 on the squares around"],
      ["Mine", "waits beside you"],
      ["Sprint", "up to 4 squares, heard by all near"],
      ["Surface", "repairs a shield, takes 3 turns"],
    ],
  },
  rules,
};
