// What the pages say about SubSim.

import { rules } from "./rules.js";

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "SubSim",
  tagline: "Hunt by sonar. Everyone moves at once.",
  facts: "2 to 64 boats, one sea",
  options: {
    map_size: [12, 12],
    obstacles: [
      [3, 3],
      [4, 3],
      [3, 4],
      [9, 2],
      [10, 2],
      [9, 5],
      [10, 5],
      [4, 7],
      [4, 8],
      [5, 8],
      [2, 11],
      [9, 9],
      [10, 9],
      [10, 10],
      [6, 11],
    ],
  },
  outOnTime: true,
  guide: [
    "You see only your own boat. Each turn it gets one order: move, and charge something on the way.",
    "Charge the sonar and ping to find others. Charge the torpedo, then fire at what you found.",
    "A torpedo hurts everything around its square, you too. The ? above has the rules.",
  ],
  brief: {
    words:
      "All submarines get one order per turn and carry it out together. Charge your equipment while you move, find the others by sonar, and hit them with torpedoes and mines.",
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
