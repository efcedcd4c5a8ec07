// What the pages say about Gamba.

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/**
 * A small position for a picture, Ann's turn as Ann sees it.
 * @param {{ hand: string[], pile: string[], fits: string[], low?: boolean, burned?: string[], ben?: number, news?: any[] }} position
 */
function position({ hand, pile, fits, low = false, burned = [], ben = 3, news = [] }) {
  return {
    viewer: { seat: 0 },
    deal: "guide",
    turns_played: 8,
    to_act: 0,
    pile,
    must_play_low: low,
    fits,
    deck_size: 0,
    burned,
    seats: [
      { hand_size: hand.length, hand, reserves: 3, reserve_cards: null },
      { hand_size: ben, hand: null, reserves: 3, reserve_cards: null },
    ],
    news,
    ending: null,
  };
}

/** @param {string[]} cards @param {number} [burned] */
function ben(cards, burned = 0) {
  return [{ played: { seat: 1, cards, from: "hand", burned, drawn: 0 } }];
}

/** @param {ReturnType<typeof position>} view @param {string} alt */
function picture(view, alt) {
  return { view, names: ["Ann", "Ben"], viewer: 0, alt };
}

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "Gamba",
  tagline: "Shed your cards. Never trust a seven.",
  facts: "2 seats, about two minutes",
  guide: [
    "Get rid of all your cards first. Play a card that is as high as the pile, or higher; the lit ranks may go.",
    "Cards of one rank go together. A 10 takes the whole pile out of the game; after a 7 only low cards go.",
    "If no card fits, pick up the pile. Then play your hidden reserves, one by one. The ? above has the rules.",
  ],
  brief: {
    words:
      "Two players, three cards in hand and three face-down reserves each. Play as high as the top card or higher, or pick up the pile. The first player to get rid of all cards wins.",
    list: [
      ["2", "fits on anything, and anything fits on it"],
      ["7", "fits on anything, then 7 or lower"],
      ["10", "burns the pile"],
      ["Reserves", "played unseen, when the hand is empty"],
    ],
  },
  rules: [
    {
      title: "The deal",
      words: [
        "Each player gets three reserves, face down, and three cards in hand. No one may look at the reserves. The other forty cards are not used, and the pile starts empty.",
        "Some tables play with the full deck: one card starts the pile, and the rest is the deck. After each play from your hand you draw until you have three cards, as long as the deck lasts.",
      ],
    },
    {
      title: "A turn",
      words: [
        "Play one or more cards of one rank. They must be at least as high as the top card of the pile. Aces are highest.",
        "If you cannot or do not want to, pick up the whole pile. On an empty pile you may play any card.",
      ],
      picture: picture(
        position({
          hand: ["6D", "9C", "9S", "QH"],
          pile: ["4C", "8D"],
          fits: ["2", "7", "8", "9", "10", "J", "Q", "K", "A"],
          news: ben(["8D"]),
        }),
        "The top card is an 8. Ann may play her two nines or the queen; the 6 is too low.",
      ),
    },
    {
      title: "Two",
      words: ["A 2 can be played on any card, and any card can be played on a 2."],
      picture: picture(
        position({
          hand: ["3C", "KD", "KS"],
          pile: ["KH", "AD", "2S"],
          fits: RANKS,
          news: ben(["2S"]),
        }),
        "Ben has put a 2 on an ace. Ann may play anything.",
      ),
    },
    {
      title: "Seven",
      words: [
        "A 7 can be played on any card. The next card must be 7 or lower; even a 10 is not allowed. If it is another 7, the same is true for the card after it.",
      ],
      picture: picture(
        position({
          hand: ["3D", "6C", "6S", "10S", "QH"],
          pile: ["5C", "9D", "9S", "QC", "7H"],
          fits: RANKS.slice(0, 6),
          low: true,
          news: ben(["7H"]),
        }),
        "Ben has put a 7 on a queen. Ann may play her 3 or her sixes; the 10 and the queen are too high.",
      ),
    },
    {
      title: "Ten",
      words: [
        "A 10 can be played on any card, except after a 7. It removes the whole pile, itself included, from the game. Then it is the other player's turn, on an empty pile.",
      ],
      picture: picture(
        position({
          hand: ["4H", "JC"],
          pile: [],
          fits: RANKS,
          burned: ["6H", "JD", "KS", "10C"],
          ben: 2,
          news: ben(["10C"], 4),
        }),
        "Ben's 10 has burned a pile of four cards. Ann starts a new one with any card.",
      ),
    },
    {
      title: "Reserves",
      words: [
        "When your hand is empty, turn over a reserve. No one knows which card it is. If it fits, it is played. If not, that card and the whole pile become your hand.",
      ],
      picture: picture(
        position({
          hand: [],
          pile: ["5D", "9H"],
          fits: ["2", "7", "9", "10", "J", "Q", "K", "A"],
          news: ben(["9H"]),
        }),
        "Ann's hand is empty. She may turn over a reserve and hope that it fits on the 9.",
      ),
    },
    {
      title: "The end",
      words: [
        "The first player without cards, in hand and in reserve, wins at once. Any card may be the last one, even a 10.",
      ],
    },
  ],
};
