// What the pages say about SubSim.

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
      ["Surface", "repairs a shield, seen by all"],
    ],
  },
  rules: [
    {
      title: "A turn",
      words: [
        "Every player gives each submarine one order. Then all of them happen, in this order: sleep, move, sprint, mine, fire, reactor explosions, surfacing and repairs, sonar.",
      ],
    },
    {
      title: "Charging",
      words: [
        "Moving one square charges one piece of equipment; staying where you are charges two. With charge c the sonar reaches c + 1 squares and a torpedo c − 1. A mine is ready at 3, a sprint from 3 on.",
        "Charging nothing, or what is full, damages the reactor. At 9 it explodes.",
      ],
    },
    {
      title: "Hits",
      words: [
        "A torpedo or mine deals 2 damage on its square and 1 on the eight around it. Damage takes shields; without one left, a submarine sinks. Damage to others is your points, and the last one afloat gets one more.",
      ],
    },
  ],
};
