// A game that is over: scrub, step, play, see it with anybody's eyes, link to a turn.

import { getLines, lines, postLines } from "../api.js";
import { BoardPage } from "../boardpage.js";
import { h } from "../dom.js";
import { about, board as loadBoard } from "../games.js";
import { loading, show, stateOf } from "../shell.js";
import { words } from "../texts.js";

/** @param {string} game @param {string} id */
export default async function replay(game, id) {
  show({ title: id, game, wide: true }, loading());
  try {
    const [telling, board] = await Promise.all([about(game), loadBoard(game)]);
    const page = new BoardPage({ game, id, telling, board, mode: "replay" });
    page.below = () => links(page);
    open(page, await frames(game, id));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => dropped(event, page));
  } catch (error) {
    const { title, toGames } = words.errors;
    const hint = error instanceof Error ? error.message : String(error);
    show({ title, game }, stateOf({ title, hint, wrong: true, link: [toGames, `/${game}`] }));
  }
}

/** Everything if it may be seen, else what the public saw. @param {string} game @param {string} id */
async function frames(game, id) {
  const address = `/api/v1/results/${game}/${encodeURIComponent(id)}/frames?viewer=`;
  try {
    return await getLines(`${address}all`);
  } catch (error) {
    if (/** @type {any} */ (error).status !== 409) throw error;
    return await getLines(`${address}public`);
  }
}

/** @param {BoardPage} page @param {any[]} messages */
function open(page, messages) {
  page.timeline.updates = [];
  page.timeline.over = null;
  for (const message of messages) page.timeline.take(message);
  if (page.timeline.last < 0) throw new Error("This game ended before its first turn.");
  page.forget();
  const { asked, timeline } = page;
  const viewers = timeline.viewers();
  const wanted = viewers.find((viewer) => String(viewer) === asked.get("viewer"));
  page.viewer = wanted ?? viewers[viewers.length - 1];
  const turn = Number(asked.get("turn"));
  const autoplay = ["1", "true"].includes(asked.get("autoplay") ?? "");
  page.place = turn > 0 ? timeline.placeOf(turn, page.board) : autoplay ? 0 : timeline.last;
  const fps = Number(asked.get("fps"));
  if (fps > 0) page.speed = fps * 1.6;
  // The first drawing measures the stage, the second one fits it.
  page.draw();
  page.draw();
  if (autoplay && !page.playing) page.toggle();
}

/** A replay file, or frames, dropped on the page. @param {DragEvent} event @param {BoardPage} page */
async function dropped(event, page) {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  const text = await file.text();
  try {
    const told = lines(text);
    const isFrames = told.some((line) => line.type === "update");
    const messages = isFrames ? told : await postLines("/api/v1/frames?viewer=all", text);
    page.id = file.name;
    page.notices = () => null;
    open(page, messages);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    page.notices = () =>
      h("div", { class: "notice wrong", role: "alert" }, words.replay.notShown(file.name, why));
    page.draw();
  }
}

/** @param {BoardPage} page */
function links(page) {
  const address = `/api/v1/results/${page.game}/${encodeURIComponent(page.id)}`;
  const { frames, file, drop } = words.replay;
  return [
    page.shareButton(),
    h(
      "a",
      {
        class: "button",
        href: `${address}/frames?viewer=${page.viewer}`,
        download: `${page.id}-frames.jsonl`,
      },
      frames,
    ),
    h("a", { class: "button", href: `${address}/replay`, download: `${page.id}.jsonl` }, file),
    h("span", { class: "note small" }, drop),
  ];
}
