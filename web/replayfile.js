// A replay file from somebody's disk: what `parlor play --replays` and `tournament run --out` write, or
// frames. Only the server knows rules, so it makes frames of records.

import { lines, postLines } from "./api.js";
import { savedToken } from "./event/token.js";
import { words } from "./texts.js";

/** @param {File} file @returns {Promise<{ game: string | null, messages: any[] }>} Frames do not say of which game they are. */
export async function readReplay(file) {
  const text = await file.text();
  const told = parsed(text);
  if (told.some(({ type }) => type === "update")) return { game: null, messages: told };
  if (typeof told[0]?.game !== "string") throw new Error(words.replay.noReplay);
  const messages = await postLines("/api/v1/frames?viewer=all", text, savedToken());
  return { game: told[0].game, messages };
}

/** @param {string} text */
function parsed(text) {
  try {
    return lines(text);
  } catch {
    throw new Error(words.replay.noReplay);
  }
}

/** Takes files that are dropped anywhere on the page. @param {(file: File) => void} take @param {AbortSignal} [signal] */
export function onDrop(take, signal) {
  addEventListener("dragover", (event) => event.preventDefault(), { signal });
  addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) take(file);
    },
    { signal },
  );
}
