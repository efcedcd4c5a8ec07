// What the pages say about tic-tac-toe.

/** @param {string} board @param {number | null} toMove @param {string} alt */
function picture(board, toMove, alt) {
  return { view: { board, to_move: toMove }, names: ["Ann", "Ben"], viewer: 0, alt };
}

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "Tic-tac-toe",
  tagline: "Three in a row.",
  facts: "2 seats, less than a minute",
  brief: {
    words: "Two players take turns to mark one of nine squares. Three in a row win.",
    list: [
      ["X", "begins"],
      ["O", "is second"],
    ],
  },
  rules: [
    {
      title: "A turn",
      words: ["Mark a square that is free. Then it is the other player's turn."],
      picture: picture("X...O....", 0, "Ann is X, Ben is O. It is Ann's turn."),
    },
    {
      title: "A row",
      words: ["Three marks in a row, across, down or diagonally, win."],
      picture: picture("XXX.O...O", null, "Ann has the top row and wins."),
    },
    {
      title: "A draw",
      words: ["If all squares are marked and nobody has a row, it is a draw."],
      picture: picture("XXOOOXXOX", null, "All squares are marked, and nobody has won."),
    },
  ],
};
