// A table that is being played, live.

import { getJson } from "../api.js";
import { BoardPage } from "../boardpage.js";
import { h } from "../dom.js";
import { about, board as loadBoard } from "../games.js";
import { Link } from "../link.js";
import { awayNotice, seatList } from "../parts.js";
import { loading, show, stateOf } from "../shell.js";
import { words } from "../texts.js";

/** @param {string} game @param {string} id */
export default async function table(game, id) {
  show({ title: id, game, wide: true }, loading());
  try {
    const [telling, board, info] = await Promise.all([
      about(game),
      loadBoard(game),
      getJson(`/api/v1/tables/${game}/${encodeURIComponent(id)}`),
    ]);
    if (info.status === "finished") return location.replace(replayOf(game, id));
    watch(new BoardPage({ game, id, telling, board, mode: "live" }));
  } catch (error) {
    if (/** @type {any} */ (error).status === 404) return location.replace(replayOf(game, id));
    const { title, toGames } = words.errors;
    const hint = error instanceof Error ? error.message : String(error);
    show({ title, game }, stateOf({ title, hint, wrong: true, link: [toGames, `/${game}`] }));
  }
}

/** @param {string} game @param {string} id */
function replayOf(game, id) {
  return `/${game}/games/${encodeURIComponent(id)}`;
}

/** @param {BoardPage} page */
function watch(page) {
  const { game, id, timeline } = page;
  const draw = () => (timeline.last < 0 ? drawWaiting(page, link) : page.draw());
  const link = new Link(game, {
    greeting: () => [
      { do: "watch", table: id },
      { do: "history", from: 0 },
    ],
    changed: draw,
    heard: (message) => {
      if (message.type === "history") {
        for (const update of message.updates) page.take(update);
        if (message.next !== null && message.next !== undefined)
          link.say({ do: "history", from: message.next });
      } else if (message.type === "closed" || message.type === "refused") {
        if (message.code === "not-found" || message.code === "already-over")
          location.replace(replayOf(game, id));
      } else page.take(message);
      draw();
    },
  });
  page.notices = () => awayNotice(link);
  page.below = () =>
    timeline.over
      ? h("a", { class: "button main", href: replayOf(game, id) }, words.live.fromStart)
      : page.shareButton();
  setInterval(() => {
    if (page.deadline !== null && !timeline.over && page.place === timeline.last) page.draw();
  }, 1000);
}

/** Nobody has begun. @param {BoardPage} page @param {Link} link */
function drawWaiting(page, link) {
  const { game, id, telling, timeline } = page;
  show(
    { title: id, game, place: { game, title: telling.title, note: id } },
    awayNotice(link),
    timeline.table
      ? [
          h("h1", null, words.live.waiting),
          h("p", { class: "note" }, timeline.table.starts),
          seatList(timeline.table.seats),
          h(
            "a",
            { class: "button main", href: `/${game}/play?table=${encodeURIComponent(id)}` },
            words.lobby.sitDown,
          ),
        ]
      : loading(),
  );
}
