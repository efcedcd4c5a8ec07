// A client for the JSON protocol that plays every game of a Parlor server. Types are in index.d.ts.

/** The server has understood, and says no. */
export class Refused extends Error {
  constructor(message) {
    super(message.hint ? `${message.message} (${message.hint})` : message.message);
    this.name = "Refused";
    this.code = message.code;
    this.answer = message;
  }
}

/** The connection is gone. */
export class Disconnected extends Error {
  constructor(why) {
    super(why);
    this.name = "Disconnected";
  }
}

/** How often `play` tries to get its seat back, and how long it waits before each attempt. */
const ATTEMPTS = 8;
const wait = (attempt) => new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** attempt, 10_000)));

/** A move that answers a turn which is over is no mistake: the next update asks again. */
const LATE = new Set(["stale", "already-moved", "not-your-turn", "already-over"]);

/** Connects to a server such as ws://127.0.0.1:7800 for one game. */
export async function connect(server, game, options = {}) {
  const base = String(server).replace(/^http/, "ws").replace(/\/+$/, "");
  const address = `${base}/house/${encodeURIComponent(game)}`;
  const connection = new Connection(address, options.WebSocket ?? (await socketClass()));
  await connection.open();
  return connection;
}

/** Browsers, Deno, Bun and Node from 22 on have one; older Nodes get the one of this package. */
async function socketClass() {
  return globalThis.WebSocket ?? (await import("./node-socket.js")).NodeSocket;
}

export class Connection {
  /** The server's greeting. */
  hello = null;

  #address;
  #Socket;
  #socket = null;
  #asked = new Map();
  #last = 0;
  #heard = [];
  #waiting = [];
  #end = null;

  constructor(address, Socket) {
    this.#address = address;
    this.#Socket = Socket;
  }

  /** Connects, and waits for the greeting. */
  async open() {
    this.#end = null;
    this.#heard = [];
    const socket = new this.#Socket(this.#address);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    // The close event that follows says what went wrong.
    socket.onerror = () => {};
    socket.onclose = ({ reason }) => {
      if (this.#socket === socket) this.#lose(reason || "the connection was closed");
    };
    const { value } = await this.next();
    if (value?.type !== "hello") {
      this.close();
      throw new Disconnected(this.#end?.message ?? `${this.#address} does not speak this protocol`);
    }
    this.hello = value;
  }

  /** Says something, and waits for nothing. */
  send(message) {
    if (this.#end) throw this.#end;
    this.#socket.send(JSON.stringify(message));
  }

  /** Says something, and resolves with the direct answer. */
  ask(message) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      try {
        this.send({ ...message, id });
      } catch (error) {
        this.#asked.delete(id);
        reject(error);
      }
    });
  }

  /** The next message that is no direct answer; `done` when the connection has ended. */
  next() {
    if (this.#heard.length > 0) return Promise.resolve({ value: this.#heard.shift(), done: false });
    if (this.#end) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** Sits down, plays one game with `choose`, and resolves with the message `over`. */
  async play(join, choose) {
    const { table, token } = await this.ask({ do: "join", ...join });
    for (;;) {
      try {
        return await this.#playOn(table, choose);
      } catch (error) {
        if (!(error instanceof Disconnected)) throw error;
        await this.#resume(token, error);
      }
    }
  }

  async #playOn(table, choose) {
    for await (const message of this) {
      if (message.type === "over") return message;
      if (message.type === "closed") throw new Disconnected(message.reason);
      if (message.type === "update" && message.your_move) {
        const action = await choose(message);
        await this.ask({ do: "act", seq: message.seq, action }).catch((error) => {
          if (!LATE.has(error.code)) throw error;
        });
      }
    }
    throw this.#end ?? new Disconnected(`the connection to table ${table} has ended`);
  }

  async #resume(token, lost) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await wait(attempt);
      try {
        await this.open();
        await this.ask({ do: "resume", token });
        return;
      } catch (error) {
        // A seat that is gone stays gone.
        if (error instanceof Refused && error.code !== "unavailable") throw error;
      }
    }
    throw lost;
  }

  close() {
    this.#socket?.close();
  }

  #hear(message) {
    const asked = this.#asked.get(message.id);
    if (asked) {
      this.#asked.delete(message.id);
      if (message.type === "refused") asked.reject(new Refused(message));
      else asked.resolve(message);
      return;
    }
    const waiting = this.#waiting.shift();
    if (waiting) waiting({ value: message, done: false });
    else this.#heard.push(message);
  }

  #lose(reason) {
    this.#end = new Disconnected(reason);
    for (const { reject } of this.#asked.values()) reject(this.#end);
    this.#asked.clear();
    for (const waiting of this.#waiting.splice(0)) waiting({ value: undefined, done: true });
  }
}
