// What calls a person to the board: sounds that the page makes itself, a notification, vibration. All of it
// is off until it is switched on in the settings.

import { isOn } from "./settings.js";
import { words } from "./texts.js";

/** @type {AudioContext | undefined} */
let audio;

/** Notes in hertz, each with its beginning and length in seconds. @type {Record<string, [number, number, number][]>} */
const TUNES = {
  turn: [
    [660, 0, 0.12],
    [880, 0.1, 0.18],
  ],
  move: [[330, 0, 0.07]],
  tick: [[1200, 0, 0.03]],
  won: [
    [523, 0, 0.14],
    [659, 0.12, 0.14],
    [784, 0.24, 0.14],
    [1047, 0.36, 0.34],
  ],
  lost: [
    [392, 0, 0.2],
    [311, 0.18, 0.3],
  ],
};

/** @param {keyof typeof TUNES & string} name */
export function play(name) {
  if (!isOn("sound")) return;
  audio ??= new AudioContext();
  // A browser keeps a page silent until it was pressed once.
  if (audio.state === "suspended") audio.resume();
  for (const [pitch, from, length] of TUNES[name]) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const begin = audio.currentTime + from;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.16, begin + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}

/** Calls a person whenever something begins that they should know of. */
export class Attention {
  /** @param {string} title The game's. */
  constructor(title) {
    this.title = title;
    this.mine = false;
    this.over = false;
    this.second = -1;
  }

  /**
   * How things stand now.
   * @param {{ mine: boolean, sent: boolean, over: boolean, won: boolean, late: boolean, leftMs: number | null }} now
   */
  see({ mine, sent, over, won, late, leftMs }) {
    if (mine && !this.mine) this.call();
    if (this.mine && !mine && sent) play("move");
    if (over && !this.over) play(won ? "won" : "lost");
    const second = Math.ceil((leftMs ?? 0) / 1000);
    if (late && second !== this.second) play("tick");
    Object.assign(this, { mine, over, second: late ? second : -1 });
  }

  /** It is one's move. */
  call() {
    play("turn");
    if (isOn("vibrate")) navigator.vibrate?.([60, 40, 60]);
    if (isOn("notify") && document.hidden && Notification.permission === "granted") {
      const note = new Notification(words.play.yourMove, { body: this.title, tag: "turn" });
      note.onclick = () => {
        focus();
        note.close();
      };
    }
  }
}
