// A table that is being played, live.

import { getJson, send } from "../api.js";
import { BoardPage } from "../boardpage.js";
import { h } from "../dom.js";
import { savedToken, saveToken } from "../event/token.js";
import { about, board as loadBoard } from "../games.js";
import { Link } from "../link.js";
import { awayNotice, seatList } from "../parts.js";
import { loading, show, stateOf } from "../shell.js";
import { words } from "../texts.js";

/** How soon a page says that it is behind. */
const SOON_MS = 250;

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
  const isDelayed = () => timeline.table?.broadcast === "delayed";
  const draw = () => {
    if (isDelayed() && timeline.table?.status !== "waiting") drawDelayed(page, link);
    else if (timeline.last < 0) drawWaiting(page, link);
    else page.draw();
  };
  // Bots move faster than anybody looks: what they did is drawn at the page's own pace, and how far
  // behind it is a few times a second.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let due;
  const drawSoon = () => {
    due ??= setTimeout(() => {
      due = undefined;
      draw();
    }, SOON_MS);
  };
  let all = false;
  const link = new Link(game, {
    greeting: () => [
      { do: "watch", table: id },
      { do: "history", from: 0 },
    ],
    changed: draw,
    ticket: async () => {
      const shown = savedToken();
      if (!shown) return "";
      try {
        return await ticket(shown);
      } catch (error) {
        // A token that is not good any more is none; a server that is away is asked again.
        if (/** @type {any} */ (error).status === 0) throw error;
        saveToken("");
        return "";
      }
    },
    heard: (message) => {
      if (message.type === "history") {
        page.fill(message, link);
      } else if (message.type === "closed" || message.type === "refused") {
        if (message.code === "not-found" || message.code === "already-over")
          location.replace(replayOf(game, id));
      } else if (message.type === "over" && isDelayed()) {
        // Now it is shown to everybody, with every hand, as if it were played now.
        location.replace(`${replayOf(game, id)}?turn=1&autoplay=1`);
      } else if (isDelayed()) timeline.take(message);
      else page.take(message);
      // Whoever may see everything came to see it.
      if (!all && timeline.updates[0]?.seat_views) {
        all = true;
        page.see("all");
      }
      if (timeline.last > 0 && page.place < timeline.last) drawSoon();
      else draw();
    },
  });
  page.notices = () => awayNotice(link);
  const eyes = new Eyes(page, link, draw);
  page.below = () =>
    timeline.over
      ? h("a", { class: "button main", href: replayOf(game, id) }, words.live.fromStart)
      : [page.shareButton(), eyes.shown()];
  setInterval(() => {
    if (page.deadline !== null && !timeline.over && page.place === timeline.last) page.draw();
  }, 1000);
}

/** What a WebSocket shows in place of a token, once. @param {string} token @returns {Promise<string>} */
async function ticket(token) {
  return (await send("POST", "/api/v1/tickets", undefined, token)).ticket;
}

/** What those who watch see of the hands, and how one sees more. */
class Eyes {
  /** @param {BoardPage} page @param {Link} link @param {() => void} draw */
  constructor(page, link, draw) {
    this.page = page;
    this.link = link;
    this.draw = draw;
    this.wrong = "";
  }

  shown() {
    const { full, fullHint, shows } = words.live;
    const { table } = this.page.timeline;
    const note = (/** @type {string} */ text) => h("span", { class: "note small" }, text);
    if (this.page.timeline.updates[0]?.seat_views) return note(full);
    if (table?.broadcast !== "full") return note(shows);
    return h(
      "form",
      { class: "eyes", onsubmit: (/** @type {SubmitEvent} */ event) => this.show(event) },
      h("label", { class: "note small", for: "token" }, fullHint),
      h("input", {
        id: "token",
        type: "password",
        autocomplete: "off",
        required: true,
        "aria-describedby": this.wrong ? "token-wrong" : null,
      }),
      h("button", { class: "button", type: "submit" }, words.live.showFull),
      this.wrong ? h("p", { class: "wrong", id: "token-wrong", role: "alert" }, this.wrong) : null,
    );
  }

  /** @param {SubmitEvent} event */
  async show(event) {
    event.preventDefault();
    const field = /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("input");
    const typed = field?.value.trim() ?? "";
    try {
      // A ticket is given for a good token only.
      await ticket(typed);
      saveToken(typed);
      this.wrong = "";
      this.link.renew();
    } catch (error) {
      this.wrong = error instanceof Error ? error.message : String(error);
    }
    this.draw();
  }
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

/** Everything is shown, later. @param {BoardPage} page @param {Link} link */
function drawDelayed(page, link) {
  const { game, id, telling, timeline } = page;
  show(
    { title: id, game, place: { game, title: telling.title, note: id } },
    awayNotice(link),
    h("h1", null, words.live.delayed),
    h("p", { class: "note" }, words.live.delayedHint),
    seatList(timeline.table?.seats ?? []),
  );
}
