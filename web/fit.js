// How wide words are on a board, and where to cut them so that they keep to their room. A browser
// measures them in its own font; elsewhere they are guessed, rather too wide than too narrow.

/** What measures, or null where there is no browser. @type {CanvasRenderingContext2D | null | undefined} */
let pen;
let family = "";

/** @param {string} words @param {number} size Of the font. @param {boolean} [bold] */
export function widthOf(words, size, bold = false) {
  pen ??=
    typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
  if (!pen) return guess(words) * size * (bold ? 1.08 : 1);
  family ||= getComputedStyle(document.documentElement).fontFamily;
  pen.font = `${bold ? 600 : 400} ${size}px ${family}`;
  return pen.measureText(words).width;
}

/** The words, or as many of their letters as there is room for. @param {string} words @param {number} room @param {number} size @param {boolean} [bold] */
export function cut(words, room, size, bold = false) {
  if (widthOf(words, size, bold) <= room) return words;
  const letters = [...words];
  // A letter and three dots say more than nothing.
  let [least, most] = [1, letters.length - 1];
  const shortened = (/** @type {number} */ n) => `${letters.slice(0, n).join("").trimEnd()}…`;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (widthOf(shortened(middle), size, bold) <= room) least = middle;
    else most = middle - 1;
  }
  return shortened(least);
}

/** In sizes of the font. @param {string} words */
function guess(words) {
  let width = 0;
  for (const letter of words) {
    if (/[ijltfr.,:;'!|()[\] 1]/.test(letter)) width += 0.4;
    else if (/[mwMW@—…]/.test(letter)) width += 0.98;
    else width += /[A-Z]/.test(letter) ? 0.7 : letter > "\u2e80" ? 1 : 0.6;
  }
  return width;
}
