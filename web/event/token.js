// A secret as long as its tab is open: the organiser's token, or the key of an author's name. There
// are no cookies.

/** Where storage is switched off, they are kept by the page alone. @type {Record<string, string>} */
const kept = {};

/** @param {string} name @returns {string} empty if there is none */
function saved(name) {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return kept[name] ?? "";
  }
}

/** @param {string} name @param {string} secret Empty: none any more. */
function save(name, secret) {
  kept[name] = secret;
  try {
    if (secret) sessionStorage.setItem(name, secret);
    else sessionStorage.removeItem(name);
  } catch {
    // The page keeps it.
  }
}

export const savedToken = () => saved("parlor-token");
/** @param {string} token */
export const saveToken = (token) => save("parlor-token", token);
export const savedKey = () => saved("parlor-key");
/** @param {string} key */
export const saveKey = (key) => save("parlor-key", key);
