// From an address to its page. Addresses are plain: every link is a request.

import { show, stateOf, changeTheme } from "./shell.js";
import { words } from "./texts.js";

/** @type {[RegExp, () => Promise<{ default: (...parts: string[]) => void }>][]} */
const PAGES = [
  [/^\/$/, () => import("./pages/home.js")],
  [/^\/connect\/?$/, () => import("./pages/connect.js")],
  [/^\/organise\/?$/, () => import("./pages/organise.js")],
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
  for (const [address, page] of PAGES) {
    const parts = address.exec(location.pathname);
    if (!parts) continue;
    if (parts[1] && !parts[0].startsWith("/players"))
      document.documentElement.dataset.game = parts[1];
    (await page()).default(...parts.slice(1).map(decodeURIComponent));
    return;
  }
  const { noPage, noPageHint, toGames } = words.errors;
  show(
    { title: noPage },
    stateOf({ title: noPage, hint: noPageHint, wrong: true, link: [toGames, "/"] }),
  );
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/** @type {HTMLElement} */ (event.target).closest("input, select, textarea")) return;
  if (event.key === "d") changeTheme();
});

await open();
