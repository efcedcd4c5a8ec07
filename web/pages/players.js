// Who is strong: one game's leaderboard at a time.

import { keepAsking, games, ratings } from "../directory.js";
import { h } from "../dom.js";
import { about, emblem } from "../games.js";
import { section } from "../parts.js";
import { ranks, strengths } from "../ranks.js";
import { loading, show } from "../shell.js";
import { playerWords } from "../playertexts.js";
import { words } from "../texts.js";

const PAGE = 50;

export default async function players() {
  show({ title: words.players }, loading());
  const hosted = (await games()).map(({ name }) => name);
  const titles = await Promise.all(hosted.map((game) => about(game)));
  const wanted = new URLSearchParams(location.search).get("game");
  let game = hosted.find((each) => each === wanted) ?? hosted[0];
  let most = PAGE;
  /** @type {import("../directory.js").Rated[] | null} */
  let rated = null;
  /** @type {import("../ranks.js").Strength[]} */
  let strong = [];

  const draw = () =>
    show(
      { title: words.players, game },
      h("h1", null, words.players),
      h("p", { class: "lead" }, playerWords.everybodyLead),
      h(
        "nav",
        { class: "tabs", "aria-label": words.games },
        hosted.map((each, at) =>
          h(
            "a",
            {
              key: each,
              "data-game": each,
              href: `?game=${each}`,
              "aria-current": each === game ? "page" : null,
              onclick: (/** @type {MouseEvent} */ event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                history.replaceState(null, "", `?game=${each}`);
                [game, most, rated, strong] = [each, PAGE, null, []];
                draw();
                ask();
              },
            },
            emblem(each, 28),
            h("span", null, h("b", null, titles[at].title)),
          ),
        ),
      ),
      board(),
    );

  const board = () => {
    if (!rated) return loading();
    const { leaderboard, ranked, noRatings } = words.lobby;
    const more = () => {
      most += PAGE;
      ask();
    };
    return section(
      leaderboard,
      { note: ranked },
      rated.length === 0
        ? h("p", { class: "note" }, noRatings)
        : ranks(rated.slice(0, most), game, strong),
      rated.length > most
        ? h("button", { class: "button", type: "button", onclick: more }, playerWords.more)
        : null,
    );
  };

  const ask = async () => {
    const of = game;
    // One more tells whether there are more.
    const found = await ratings(of, most + 1).catch(() => rated ?? []);
    if (of !== game) return;
    rated = found;
    draw();
    const all = await strengths(of);
    if (of !== game) return;
    strong = all;
    draw();
  };
  await keepAsking(10_000, ask);
}
