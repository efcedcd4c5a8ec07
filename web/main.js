// From an address to its page. Addresses are plain: every link is a request.

import { isHosted } from "./games.js";
import { speak } from "./language.js";
import { keepForOffline } from "./offline.js";
import { show, stateOf } from "./shell.js";
import { words } from "./texts.js";
import { changeTheme } from "./themes.js";
import { watchTips } from "./tips.js";
import { takeMoved } from "./who.js";

/** @type {[RegExp, () => Promise<{ default: (...parts: string[]) => void }>][]} */
const PAGES = [
  [/^\/$/, () => import("./pages/home.js")],
  [/^\/connect\/?$/, () => import("./pages/connect.js")],
  [/^\/organise\/?$/, () => import("./pages/organise.js")],
  [/^\/starters\/?$/, () => import("./pages/starters.js")],
  [/^\/show\/?$/, () => import("./pages/show.js")],
  [/^\/tournaments\/?$/, () => import("./pages/tournaments.js")],
  [/^\/replay\/?$/, () => import("./pages/open.js")],
  [/^\/players\/?$/, () => import("./pages/players.js")],
  [/^\/players\/([^/]+)$/, () => import("./pages/player.js")],
  [/^\/([a-z-]+)\/?$/, () => import("./pages/lobby.js")],
  [/^\/([a-z-]+)\/rules$/, () => import("./pages/rules.js")],
  [/^\/([a-z-]+)\/play$/, () => import("./pages/play.js")],
  [/^\/([a-z-]+)\/tables\/([^/]+)$/, () => import("./pages/table.js")],
  [/^\/([a-z-]+)\/games\/([^/]+)$/, () => import("./pages/replay.js")],
  [/^\/([a-z-]+)\/tournaments\/([^/]+)$/, () => import("./pages/tournament.js")],
];

async function open() {
  await speak();
  for (const [address, page] of PAGES) {
    const parts = address.exec(location.pathname);
    if (!parts) continue;
    const game = parts[1] && !parts[0].startsWith("/players") ? parts[1] : null;
    if (game) document.documentElement.dataset.game = game;
    const [opened, hosted] = await Promise.all([page(), game ? isHosted(game) : true]);
    if (!hosted) break;
    opened.default(...parts.slice(1).map(decodeURIComponent));
    return;
  }
  delete document.documentElement.dataset.game;
  const { noPage, noPageHint, toGames } = words.errors;
  show(
    { title: noPage },
    stateOf({ title: noPage, hint: noPageHint, wrong: true, link: [toGames, "/"] }),
  );
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/** @type {HTMLElement} */ (event.target).closest("input, select, textarea")) return;
  // After the board, which may have taken the key for itself.
  if (event.key === "d") setTimeout(() => event.defaultPrevented || changeTheme());
});

takeMoved();
watchTips();
open();
addEventListener("load", () => keepForOffline());
