// What the pages say about Labyrinth.

import { HOME, START, WALKED } from "./positions.js";

const names = ["Ann", "Ben"];

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "Labyrinth",
  tagline: "Slide a row, open a way, take the jewel.",
  facts: "2 to 9 seats, one maze",
  outOnTime: true,
  guide: [
    "Push the spare tile in: choose an arrow at the edge. You see at once where you could walk.",
    "Then walk to a lit tile. Your secret treasure shows where to go first; afterwards return home.",
    "Nothing is final before the button. Take back and try another arrow as often as you like.",
  ],
  brief: {
    words:
      "Slide a row or column by pushing in the spare tile, then walk along open corridors. The first player to reach their treasure and then their home wins.",
    list: [
      ["Slide", "rows and columns with an even number"],
      ["Spare tile", "turned as you like"],
      ["Walk", "any distance, but you must move"],
      ["Not allowed", "undoing the last slide"],
    ],
  },
  rules: [
    {
      title: "Where you want to go",
      words: [
        "You look for one tile: the one with your pair of gems. No other player knows which one it is. End a turn on it, then end a turn at your home. The first player to come home wins, and the game is over at once.",
        "Walking across your treasure does not count, and neither does standing on it when the game begins.",
      ],
      picture: {
        view: START,
        names,
        viewer: 0,
        alt: "A labyrinth of five by five tiles as Ann sees it: her pawn stands at her home, and a gold frame with a star marks the tile with her two gems.",
      },
    },
    {
      title: "Your turn",
      words: [
        "First, turn the spare tile as you like and push it into a row or column with an even number. All tiles of that line move on by one, and the one that drops out at the other end is the next spare. Pawns on a moving tile travel with it. A pawn that is pushed out comes in again on the tile at the other end.",
        "Then walk along open corridors as far as you like. Several pawns may stand on one tile. You must end on a different tile from the one you stood on after the slide.",
        "Or pass: then nothing slides and you stay where you are.",
      ],
      picture: {
        view: WALKED,
        names,
        alt: "Ann has pushed the spare tile into row 2 from the left. The row is framed, the new tile dashed, and dots show her way from her home over four tiles.",
      },
    },
    {
      title: "What never moves",
      words: [
        "Tiles whose row and column are both odd are pinned to the board. Homes and treasures are on such tiles, so they stay where they are while the ways to them change.",
      ],
    },
    {
      title: "No undoing",
      words: [
        "The last slide must not be undone, by any player: the same line cannot slide back. The arrow for it is crossed out. Passing does not change this.",
      ],
    },
    {
      title: "The end",
      words: [
        "The game ends when a player comes home with the treasure. It also ends, usually without a winner, when all players pass in a row, after the last round, or when no player is left.",
        "A player who breaks a rule or lets the clock run out is out of the game. The others play on, even one alone.",
      ],
      picture: {
        view: HOME,
        names,
        alt: "Ann is home with her treasure and has won. The treasures of all players are listed now.",
      },
    },
  ],
};
