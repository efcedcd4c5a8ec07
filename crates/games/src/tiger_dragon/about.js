// What the pages say about Tiger & Dragon.

/** What the Dojo says a last tile is worth. */
const DOJO = Object.fromEntries(
  [..."12345678TD"].map((tile) => {
    const points = { 1: 10, 2: 2, 3: 2, 7: 4, 8: 4, T: 1, D: 1 }[tile] ?? 3;
    return [tile, { points, bonus: /[2-8]/.test(tile) ? 1 : 0 }];
  }),
);

/** "6a 4d -f": tiles on the table, and what each was played for. @param {string} text */
function laid(text) {
  const acts = { a: "attack", d: "defend", f: "face-down" };
  return text
    .split(" ")
    .filter(Boolean)
    .map(([tile, act]) => ({
      tile: tile === "-" ? null : tile,
      act: acts[/** @type {"a" | "d" | "f"} */ (act)],
    }));
}

/**
 * A small position of three, as Ann sees it.
 * @param {{ hand: string, table: [string, string, string], more: Record<string, any> }} position
 */
function position({ hand, table, more }) {
  const discards = table.map(laid);
  return {
    viewer: { seat: 0 },
    ruleset: "official",
    target: 10,
    battlefield: "dojo",
    worths: DOJO,
    effect: "",
    round: 1,
    start: 0,
    turn: 9,
    phase: "Defend",
    current: 0,
    attack: null,
    answered: null,
    hand: [...hand],
    hand_sizes: [hand.length, 5, 4],
    face_down: [0, 0, 0],
    legal: [],
    scores: [0, 0, 0],
    discards,
    exits: [null, null, null],
    news: [],
    outcome: null,
    ...more,
  };
}

/** @param {ReturnType<typeof position>} view @param {string} alt */
function picture(view, alt) {
  return { view, names: ["Ann", "Ben", "Cleo"], viewer: 0, alt };
}

/** @type {import("../../../../web/types.d.ts").About} */
export default {
  title: "Tiger & Dragon",
  tagline: "Answer the tile or let the attack through.",
  facts: "2 to 5 seats, first to ten",
  guide: [
    "Attack with a tile: choose one and press the button. Players answer with the same number.",
    "If you can answer, you attack next. If no one answers, the attacker puts a tile face down for a bonus and attacks again.",
    "Going out scores what your last tile is worth on this battlefield. The ? above has the rules.",
  ],
  brief: {
    words:
      "Attack with any tile. The first player to answer with the same number attacks next. If no one does, the attacker puts a tile face down and attacks again. The first player to empty their hand scores.",
    list: [
      ["1 to 8", "as many of each as its number"],
      ["Tiger", "answers even numbers, and is answered by them"],
      ["Dragon", "answers odd numbers, and is answered by them"],
      ["Face-down tiles", "a bonus point each"],
    ],
  },
  rules: [
    {
      title: "The tiles",
      words: [
        "There are 38 tiles: one 1, two 2s, three 3s and so on to eight 8s, and one Tiger and one Dragon. Even numbers are blue, the Tiger's colour; odd numbers are red, the Dragon's.",
        "With two players each gets 13 tiles, with three 11, with four 9, with five 7. The player who starts gets one more. The other tiles stay hidden.",
      ],
    },
    {
      title: "Attack and answer",
      words: [
        "The attacker plays any tile face up. In turn, starting at the left, the others play the same number or pass. You may pass even if you could answer.",
        "The first player who answers ends the attack and attacks next.",
      ],
      picture: picture(
        position({
          hand: "1668",
          table: ["7d 5a", "6a", "7a"],
          more: {
            attack: { seat: 1, tile: "6" },
            legal: ["6", "pass"],
            news: [{ passed: { seat: 2 } }],
          },
        }),
        "Ben has attacked with a 6 and Cleo has passed. Ann may answer with one of her sixes.",
      ),
    },
    {
      title: "Tiger and Dragon",
      words: [
        "The Tiger answers every even number, the Dragon every odd one. An attack with the Tiger is answered by any even number, one with the Dragon by any odd number.",
      ],
      picture: picture(
        position({
          hand: "1D8",
          table: ["7d 5a 4d", "6d 3a", "7a 5d Ta"],
          more: {
            phase: "Attack",
            answered: { seat: 2, tile: "T" },
            news: [{ defended: { seat: 0, tile: "4" } }],
          },
        }),
        "Cleo has attacked with the Tiger, Ann has answered with a 4 and attacks next.",
      ),
    },
    {
      title: "No one answers",
      words: [
        "If all others pass, the attacker puts any tile face down and attacks again. A face-down tile is a bonus point if its owner wins the round.",
      ],
      picture: picture(
        position({
          hand: "178",
          table: ["7d 5a 4f", "6d 3a", "7a 5d"],
          more: { phase: "Attack", face_down: [1, 0, 0], news: [{ "put-face-down": { seat: 0 } }] },
        }),
        "No one has answered Ann's 5. She has put a 4 face down and attacks again.",
      ),
    },
    {
      title: "Points",
      words: [
        "The first player to empty their hand wins the round. The battlefield says what the last tile is worth, and what each of the winner's face-down tiles adds. A last 1 is worth ten points, the Tiger and the Dragon only one.",
        "Then all tiles are dealt again, and the next player to the left starts. The first player to reach the target, usually ten points, wins the match.",
      ],
    },
  ],
};
