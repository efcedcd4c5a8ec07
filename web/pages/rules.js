// A game's rules, with pictures drawn by its own board.

import { h } from "../dom.js";
import { figure } from "../figure.js";
import { about, board as loadBoard } from "../games.js";
import { programme } from "../parts.js";
import { loading, show, stateOf } from "../shell.js";
import { words } from "../texts.js";

/** Where a part of the rules is found. @param {string} title */
function anchor(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** @param {string} game */
export default async function rules(game) {
  show({ title: game, game }, loading());
  try {
    const telling = await about(game);
    const board = telling.rules.some((part) => part.picture) ? await loadBoard(game) : null;
    const { title } = telling;
    show(
      { title: words.rules.title(title), game, place: { game, title } },
      h("h1", null, words.rules.title(title)),
      h("p", { class: "lead" }, telling.brief.words),
      h(
        "div",
        { class: "buttons" },
        h("a", { class: "button main large", href: `/${game}/play?now` }, words.home.playNow),
      ),
      h(
        "nav",
        { class: "contents", "aria-label": words.rules.contents },
        telling.rules.map((part) => h("a", { href: `#${anchor(part.title)}` }, part.title)),
      ),
      h(
        "div",
        { class: "prose" },
        telling.rules.map((part) =>
          h(
            "section",
            { key: part.title },
            h("h2", { id: anchor(part.title) }, part.title),
            part.words.map((text) => h("p", null, text)),
            part.picture && board ? figure(game, board, part.picture) : null,
          ),
        ),
        h("section", null, h("h2", null, words.lobby.brief), programme(telling.brief.list)),
      ),
      h(
        "div",
        { class: "buttons" },
        h("a", { class: "button main large", href: `/${game}/play?now` }, words.home.playNow),
      ),
    );
  } catch (error) {
    const { title, toGames } = words.errors;
    const hint = error instanceof Error ? error.message : String(error);
    show({ title, game }, stateOf({ title, hint, wrong: true, link: [toGames, "/"] }));
  }
}
