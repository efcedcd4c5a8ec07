// What the pages say about Labyrinth.

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "Labyrinth",
  tagline: "Slide a row, open a way, take the jewel.",
  facts: "2 to 9 seats, one maze",
  brief: {
    words:
      "Slide a row or column by pushing in the spare tile, then walk along open corridors. First to your treasure, then home: who does that first wins.",
    list: [
      ["Slide", "rows and columns with an even number"],
      ["Spare tile", "turned as you like"],
      ["Walk", "any distance, but you must move"],
      ["Not allowed", "undoing the last slide"],
    ],
  },
  rules: [
    {
      title: "A turn",
      words: [
        "Turn the spare tile, push it into a row or column with an even number, and the tile at the other end becomes the new spare. Whoever stands on a tile that is pushed out comes in again at the other end.",
        "Then walk to any other tile that is connected with yours. You must move. Or pass, and do nothing at all.",
      ],
    },
    {
      title: "Treasure and home",
      words: [
        "Every player looks for a pair of jewels that nobody else knows. End a walk on its tile, then end one at your home. Who is home first wins.",
      ],
    },
    {
      title: "No way back",
      words: ["The last slide must not be undone, whoever made it."],
    },
  ],
};
