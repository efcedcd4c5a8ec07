// What the pages say about Sushi Go.

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "Sushi Go",
  tagline: "Draft a card, pass the rest, hope for sashimi.",
  facts: "2 to 5 seats, three rounds",
  brief: {
    words:
      "Everybody picks one card in secret, all picks are shown, and each hand goes to the next seat. The highest total after three rounds wins.",
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
        "Everybody holds a hand and picks one card of it in secret. When all have picked, the cards are laid down together and each hand goes to the next seat.",
        "With 2, 3, 4 or 5 players a hand has 10, 9, 8 or 7 cards. When the hands are empty, the round is scored and new hands are dealt. There are three rounds.",
      ],
    },
    {
      title: "Sets",
      words: [
        "Two tempura are worth 5 and three sashimi 10; an incomplete set is worth nothing. Dumplings are worth 1, 3, 6, 10 and 15 for one, two, three, four, and five or more.",
        "Who has laid the most maki rolls in a round gets 6, the second most 3. Equals share, rounded down.",
      ],
    },
    {
      title: "Nigiri and wasabi",
      words: [
        "Egg is worth 1, salmon 2 and squid 3. A nigiri laid after a free wasabi lies down on it and counts three times.",
      ],
    },
    {
      title: "Chopsticks",
      words: [
        "With chopsticks before you, you may lay two cards of your hand in one turn. The chopsticks go back into the hand that you pass on.",
      ],
    },
    {
      title: "Puddings and the end",
      words: [
        "Puddings stay until the end of the game. Then the most are worth 6 more and the fewest 6 less; equals share. The highest total wins; equal totals are decided by puddings.",
      ],
    },
  ],
};
