// A line to the house wire of one game that comes back by itself: after a loss it waits, a little longer
// each time and never at the same moment as everybody else, and then says again what it said first.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/**
 * @typedef {{ open: boolean, since: number, retryAt: number | null }} State `since`: when it opened or broke.
 *
 * @typedef {object} Ears
 * @property {(message: any) => void} heard
 * @property {(state: State) => void} changed
 * @property {() => object[]} greeting What to say whenever the line has opened.
 */

export class Link {
  /** @param {string} game @param {Ears} ears */
  constructor(game, ears) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.address = `${scheme}://${location.host}/house/${game}`;
    this.ears = ears;
    /** @type {State} */
    this.state = { open: false, since: Date.now(), retryAt: null };
    this.failures = 0;
    this.ended = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.open();
    // A browser that finds its network again need not wait.
    addEventListener("online", () => this.retry());
  }

  open() {
    clearTimeout(this.timer);
    this.socket = new WebSocket(this.address);
    this.socket.onopen = () => {
      this.failures = 0;
      this.#change({ open: true, since: Date.now(), retryAt: null });
      for (const message of this.ears.greeting()) this.say(message);
    };
    this.socket.onmessage = (event) => this.ears.heard(JSON.parse(event.data));
    this.socket.onclose = () => this.#lost();
  }

  #lost() {
    if (this.ended) return;
    const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.failures);
    const wait = most / 2 + (Math.random() * most) / 2;
    this.failures += 1;
    const since = this.state.open ? Date.now() : this.state.since;
    this.timer = setTimeout(() => this.open(), wait);
    this.#change({ open: false, since, retryAt: Date.now() + wait });
  }

  /** @param {State} state */
  #change(state) {
    this.state = state;
    this.ears.changed(state);
  }

  /** Tries at once instead of waiting. */
  retry() {
    if (!this.ended && !this.state.open && this.state.retryAt !== null) this.open();
  }

  /** @param {object} message @returns {boolean} whether it went out */
  say(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
