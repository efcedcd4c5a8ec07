// Shows pages while the network is away. Pages are asked of the server first; files whose names say what is
// in them are kept as long as the page names them. Answers of the API are never kept.

/** @typedef {{ request: Request, respondWith: (answer: Promise<Response>) => void, waitUntil: (work: Promise<unknown>) => void }} Fetched */

const KEPT = "parlor";
const SHELL = "/";

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {Fetched} */ event) => {
  worker.skipWaiting();
  event.waitUntil(fetch(SHELL, { headers: { Accept: "text/html" } }).then(keepShell));
});

worker.addEventListener("activate", (/** @type {Fetched} */ event) =>
  event.waitUntil(worker.clients.claim()),
);

worker.addEventListener("fetch", (/** @type {Fetched} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && !url.pathname.startsWith("/docs"))
    event.respondWith(page(request, event));
});

/** @param {Request} request */
async function file(request) {
  const kept = await caches.open(KEPT);
  const known = await kept.match(request.url, { ignoreVary: true });
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await kept.put(request.url, answer.clone());
  return answer;
}

/** @param {Request} request @param {Fetched} event */
async function page(request, event) {
  try {
    const answer = await fetch(request);
    if (answer.ok) event.waitUntil(renew(answer.clone()));
    return answer;
  } catch (error) {
    const kept = await caches.open(KEPT);
    const shell = await kept.match(SHELL, { ignoreVary: true });
    if (shell) return shell;
    throw error;
  }
}

/** Whether the server has become another release since. @param {Response} answer */
async function renew(answer) {
  const kept = await (await caches.open(KEPT)).match(SHELL, { ignoreVary: true });
  const now = start(await answer.text());
  if (kept && start(await kept.text()) === now) return;
  await keepShell(await fetch(SHELL, { headers: { Accept: "text/html" } }));
}

/** What a page begins with. @param {string} page */
function start(page) {
  return /"(\/assets\/[^"]+\/main\.js)"/.exec(page)?.[1];
}

/** Keeps the page, and of another release nothing. @param {Response} shell */
async function keepShell(shell) {
  if (!shell.ok) return;
  await caches.delete(KEPT);
  const kept = await caches.open(KEPT);
  const names = (await shell.clone().text()).matchAll(/"(\/assets\/[^"]+)"/g);
  await kept.put(SHELL, shell);
  await kept.addAll([...new Set([...names].map(([, name]) => name))]);
}
