/**
 * Runs in the page: scrubs through a game as every viewer, and says what is wrong.
 * @param {number} most At most this number of turns: of a long game the first and last ones.
 */
export function drawEverything(most) {
  /** @type {string[]} */
  const wrong = [];
  const range = () => /** @type {HTMLInputElement} */ (document.querySelector("input[type=range]"));
  const buttons = () => document.querySelectorAll(".seen .choice button");
  const turns = Number(range().max) + 1;
  for (let viewer = 0; viewer < buttons().length; viewer += 1) {
    /** @type {HTMLElement} */ (buttons()[viewer]).click();
    for (let turn = 0; turn < turns; turn += 1) {
      if (turn >= most / 2 && turn < turns - most / 2) continue;
      range().value = String(turn);
      range().dispatchEvent(new Event("input", { bubbles: true }));
      const stage = document.getElementById("stage");
      const words = document.querySelector(".caption")?.textContent ?? "";
      if (!stage?.firstElementChild) wrong.push(`nothing at turn ${turn + 1}`);
      if (words.length < 10 || /undefined|null|NaN|\[object/.test(words))
        wrong.push(`"${words}" at turn ${turn + 1}`);
      if (/undefined|NaN/.test(stage?.outerHTML ?? ""))
        wrong.push(`undefined or NaN at turn ${turn + 1}`);
    }
  }
  return { turns, wrong };
}
