// A game that is over: scrub, step, play, see it with anybody's eyes, link to a turn.

import { getLines } from "../api.js";
import { BoardPage } from "../boardpage.js";
import { h } from "../dom.js";
import { about, board as loadBoard } from "../games.js";
import { onDrop, readReplay } from "../replayfile.js";
import { ReviewPanel } from "../review.js";
import { loading, show, stateOf } from "../shell.js";
import { words } from "../texts.js";

/** @param {string} game @param {string} id */
export default async function replay(game, id) {
  show({ title: id, game, wide: true }, loading());
  try {
    await showReplay(game, id, await frames(game, id));
  } catch (error) {
    // Its table's page shows what there is to see of it.
    if (/** @type {any} */ (error).code === "not-over")
      return location.replace(`/${game}/tables/${encodeURIComponent(id)}`);
    const { title, toGames } = words.errors;
    const hint = error instanceof Error ? error.message : String(error);
    show({ title, game }, stateOf({ title, hint, wrong: true, link: [toGames, `/${game}`] }));
  }
}

/** A game from its frames. @param {string} game @param {string} id @param {any[]} messages */
export async function showReplay(game, id, messages) {
  const [telling, board] = await Promise.all([about(game), loadBoard(game)]);
  const page = new BoardPage({ game, id, telling, board, mode: "replay" });
  const panel = new ReviewPanel(page);
  page.below = () => [links(page, panel), panel.view()];
  page.reviewed = () => panel.marks();
  open(page, messages);
  onDrop((file) => dropped(file, page), page.ended.signal);
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
  if (!messages.some(({ type }) => type === "update"))
    throw new Error("This game ended before its first turn.");
  page.clear();
  for (const message of messages) page.timeline.take(message);
  const { asked, timeline } = page;
  const viewers = timeline.viewers();
  const wanted = viewers.find((viewer) => String(viewer) === asked.get("viewer"));
  page.viewer = wanted ?? viewers[viewers.length - 1];
  const turn = Number(asked.get("turn"));
  const autoplay = ["1", "true"].includes(asked.get("autoplay") ?? "");
  page.place = turn > 0 ? timeline.placeOf(turn, page.board) : autoplay ? 0 : timeline.last;
  // The first drawing measures the stage, the second one fits it.
  page.draw();
  page.draw();
  if (autoplay && !page.playing) page.toggle();
}

/** Another game in place of this one. @param {File} file @param {BoardPage} page */
async function dropped(file, page) {
  try {
    const { game, messages } = await readReplay(file);
    if (game !== null && game !== page.game) {
      page.end();
      return await showReplay(game, file.name, messages);
    }
    page.id = file.name;
    page.notices = () => null;
    open(page, messages);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    page.notices = () =>
      h("div", { class: "notice wrong", role: "alert" }, words.replay.notShown(file.name, why));
    page.draw();
    document.querySelector("[role=alert]")?.scrollIntoView({ block: "center" });
  }
}

/** @param {BoardPage} page @param {ReviewPanel} panel */
function links(page, panel) {
  const address = `/api/v1/results/${page.game}/${encodeURIComponent(page.id)}`;
  const { frames, file, drop } = words.replay;
  // A link to a turn may be followed while the game goes on: this is what was played so far.
  if (!page.timeline.over)
    return [
      h(
        "a",
        { class: "button main", href: `/${page.game}/tables/${encodeURIComponent(page.id)}` },
        words.live.watch,
      ),
      page.shareButton(),
    ];
  return [
    panel.button(),
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
    h("a", { class: "note small", href: "/replay" }, drop),
  ];
}
