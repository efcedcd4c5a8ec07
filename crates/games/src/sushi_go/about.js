// What the pages say about Sushi Go.

const NAMES = ["Ann", "Ben", "Cleo"];

/**
 * A position of three players as Ann sees it: what everybody has laid, and her hand.
 * @param {string[][]} tables
 * @param {string[]} hand
 * @param {string} alt
 * @param {object} [more]
 */
function picture(tables, hand, alt, more = {}) {
  const puddings = tables.map((table) => table.filter((card) => card === "Pudding").length);
  const turn = tables[0].length + 1;
  const view = {
    ...{ viewer: { seat: 0 }, round: 1, turn, turns: turn + hand.length - 1, passes_to: [1, 2, 0] },
    ...{ two_player_pudding_penalty: true, hand_sizes: tables.map(() => hand.length), hand },
    seats: tables.map((table, seat) => ({ table, puddings: puddings[seat], score: 0, exit: null })),
    ...{ news: null, outcome: null, ...more },
  };
  return { view, names: NAMES, viewer: 0, alt };
}

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "Sushi Go",
  tagline: "Draft a card, pass the rest, hope for sashimi.",
  facts: "2 to 5 seats, three rounds",
  guide: [
    "Choose a card of your hand, then press the button. All players show their cards together.",
    "Hands move on: the cards you leave go to the next player, and you get others. Sets of the same card score most.",
    "After three rounds the highest total wins. The ? above has the rules, and every card tells what it is worth.",
  ],
  brief: {
    words:
      "All players pick one card in secret, all picks are shown, and each hand goes to the next seat. The player with the most points after three rounds wins.",
    list: [
      ["Tempura", "5 for each pair"],
      ["Sashimi", "10 for each three"],
      ["Dumpling", "1, 3, 6, 10, 15"],
      ["Maki rolls", "most 6, second 3"],
      ["Nigiri", "1, 2 or 3"],
      ["Wasabi", "next nigiri times three"],
      ["Chopsticks", "two cards in a later turn"],
      ["Pudding", "most +6, fewest −6"],
    ],
  },
  rules: [
    {
      title: "A turn",
      words: [
        "All players pick one card of their hand in secret. When all have picked, the cards are laid down together and each hand goes to the next seat.",
        "With 2, 3, 4 or 5 players a hand has 10, 9, 8 or 7 cards. When the hands are empty, the round is scored and new hands are dealt. There are three rounds.",
      ],
      picture: picture(
        [["Tempura"], ["Maki Roll (2)"], ["Squid Nigiri"]],
        ["Sashimi", "Wasabi", "Dumpling", "Maki Roll (3)", "Pudding", "Tempura"],
        "Each player has played one card. Ann picks the next of the six she holds; then her hand goes to Ben, Ben's to Cleo and Cleo's to Ann.",
      ),
    },
    {
      title: "Sets",
      words: [
        "Two tempura are worth 5 and three sashimi 10; an incomplete set is worth nothing. Dumplings are worth 1, 3, 6, 10 and 15 for one, two, three, four, and five or more.",
        "The player with the most maki icons in a round gets 6, the second most get 3. Ties share, rounded down.",
      ],
      picture: picture(
        [
          ["Sashimi", "Sashimi", "Tempura", "Tempura"],
          ["Dumpling", "Dumpling", "Dumpling", "Maki Roll (1)"],
          ["Maki Roll (3)", "Maki Roll (2)", "Sashimi", "Tempura"],
        ],
        ["Sashimi", "Dumpling", "Maki Roll (2)"],
        "Ann has a pair of tempura and two of three sashimi; the third is in her hand. Ben has three dumplings, worth 6. Cleo leads with five maki rolls.",
      ),
    },
    {
      title: "Nigiri and wasabi",
      words: [
        "Egg is worth 1, salmon 2 and squid 3. A nigiri laid after a free wasabi lies down on it and counts three times.",
      ],
      picture: picture(
        [
          ["Wasabi", "Squid Nigiri", "Wasabi"],
          ["Salmon Nigiri", "Wasabi", "Egg Nigiri"],
          ["Egg Nigiri", "Tempura", "Salmon Nigiri"],
        ],
        ["Salmon Nigiri", "Maki Roll (1)", "Tempura", "Dumpling"],
        "Ann's squid lies on a wasabi and is worth 9. Her second wasabi waits for a nigiri: the salmon in her hand would be worth 6.",
      ),
    },
    {
      title: "Chopsticks",
      words: [
        "With chopsticks before you, you may lay two cards of your hand in one turn. The chopsticks go back into the hand that you pass on.",
      ],
      picture: picture(
        [
          ["Chopsticks", "Sashimi"],
          ["Dumpling", "Maki Roll (2)"],
          ["Tempura", "Pudding"],
        ],
        ["Sashimi", "Sashimi", "Egg Nigiri", "Dumpling", "Maki Roll (1)"],
        "With the chopsticks before her Ann may lay both sashimi in this turn, and completes her three.",
      ),
    },
    {
      title: "Puddings and the end",
      words: [
        "Puddings stay until the end of the game. Then the most are worth 6 more and the fewest 6 less; ties share. The highest total wins; equal totals are decided by puddings.",
      ],
    },
  ],
};
