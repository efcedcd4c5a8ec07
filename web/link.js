// A line to the house wire of one game, or to a feed, that comes back by itself: after a loss it waits, a little longer
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
 * @property {() => Promise<string | null>} [ticket] Stands for a token or a key, once each time.
 */

export class Link {
  /** @param {string} place A game, for its house wire, or the path of another feed. @param {Ears} ears */
  constructor(place, ears) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const path = place.startsWith("/") ? place : `/house/${place}`;
    this.address = `${scheme}://${location.host}${path}`;
    this.ears = ears;
    /** @type {State} */
    this.state = { open: false, since: Date.now(), retryAt: null };
    this.failures = 0;
    this.attempts = 0;
    this.ended = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.open();
    // A browser that finds its network again need not wait.
    this.online = () => this.retry();
    addEventListener("online", this.online);
  }

  async open() {
    clearTimeout(this.timer);
    this.attempts += 1;
    const attempt = this.attempts;
    let ticket;
    try {
      ticket = (await this.ears.ticket?.()) ?? null;
    } catch {
      return this.#lost();
    }
    // Meanwhile somebody may have wanted no line any more, or another one.
    if (this.ended || attempt !== this.attempts) return;
    this.socket = new WebSocket(ticket ? `${this.address}?ticket=${ticket}` : this.address);
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

  /** Opens the line anew, as somebody else. */
  renew() {
    hangUp(this.socket);
    this.open();
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
    removeEventListener("online", this.online);
    hangUp(this.socket);
  }
}

/**
 * Closes a line of which nothing more is to be heard. One that is not open yet is closed when it is: before
 * that a browser would complain of it.
 *
 * @param {WebSocket | undefined} socket
 */
function hangUp(socket) {
  if (!socket) return;
  socket.onmessage = null;
  socket.onclose = null;
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
  else socket.close();
}
