// What the pages say about Tiger & Dragon.

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "Tiger & Dragon",
  tagline: "Answer the tile or let the attack through.",
  facts: "2 to 5 seats, first to ten",
  brief: {
    words:
      "Attack with any tile. Whoever answers with the same number attacks next. If nobody can, the attacker puts a tile face down and attacks again. Empty your hand first to score.",
    list: [
      ["1 to 8", "as many of each as its number"],
      ["Tiger", "answers even numbers, and is answered by them"],
      ["Dragon", "answers odd numbers, and is answered by them"],
      ["Face-down tiles", "a bonus point each"],
    ],
  },
  rules: [
    {
      title: "Attack and answer",
      words: [
        "The attacker plays any tile face up. In turn, the others play the same number or pass. The first who answers attacks next.",
        "If everybody passes, the attacker puts one tile face down and attacks again.",
      ],
    },
    {
      title: "Tiger and Dragon",
      words: [
        "The Tiger answers every even number, the Dragon every odd one. An attack with the Tiger is answered by any even tile, one with the Dragon by any odd tile.",
      ],
    },
    {
      title: "Points",
      words: [
        "Who empties the hand first wins the round. The battlefield says what the last tile is worth, and what each of the winner's face-down tiles adds. The first to reach the target, usually ten, wins the match.",
      ],
    },
  ],
};
