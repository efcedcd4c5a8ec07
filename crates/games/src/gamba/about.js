// What the pages say about Gamba.

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "Gamba",
  tagline: "Shed your cards. Never trust a seven.",
  facts: "2 seats, about two minutes",
  brief: {
    words:
      "Two players, three cards in hand and three face-down reserves each. Play as high as the top card or higher, or pick up the pile. Who gets rid of all cards first wins.",
    list: [
      ["2", "goes on anything, and anything on it"],
      ["7", "goes on anything, then 7 or lower"],
      ["10", "burns the pile"],
      ["Reserves", "played unseen, when the hand is empty"],
    ],
  },
  rules: [
    {
      title: "A turn",
      words: [
        "Play one or more cards of one rank. They must be at least as high as the top card of the pile. Aces are highest. If you cannot or do not want to, pick up the whole pile.",
      ],
    },
    {
      title: "Two, seven and ten",
      words: [
        "A 2 goes on anything, and anything goes on a 2.",
        "A 7 goes on anything. After it only a 7 or lower may be played, and a 10 is refused too.",
        "A 10 takes the whole pile out of the game.",
      ],
    },
    {
      title: "Reserves",
      words: [
        "When your hand is empty, play a reserve. Nobody knows which card it is. If it does not fit, that card and the pile become your hand.",
      ],
    },
  ],
};
