// The organiser's token, as long as its tab is open. There are no cookies.

const NAME = "parlor-token";

/** @returns {string} empty if there is none */
export function savedToken() {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return kept;
  }
}

/** Where storage is switched off, it is kept by the page alone. */
let kept = "";

/** @param {string} token Empty: none any more. */
export function saveToken(token) {
  kept = token;
  try {
    if (token) sessionStorage.setItem(NAME, token);
    else sessionStorage.removeItem(NAME);
  } catch {
    // The page keeps it.
  }
}
