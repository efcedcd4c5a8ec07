// Pages that open while the network is away: a worker keeps what they are made of (worker.js).

const WORKER = "/worker.js";

/** Browsers have workers only where nobody can have changed them on the way: over TLS, and on this machine. */
export async function keepForOffline() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(/** @type {string} */ (trusted()));
  } catch {
    // A browser that keeps nothing shows its own page when the network is away.
  }
}

/** The only script that is begun by its address; the server's policy takes no other. */
function trusted() {
  const { trustedTypes } = /** @type {any} */ (window);
  if (!trustedTypes) return WORKER;
  const policy = trustedTypes.createPolicy("worker", { createScriptURL: () => WORKER });
  return policy.createScriptURL(WORKER);
}
