import assert from "node:assert/strict";
import { test } from "node:test";

import { Link } from "../../link.js";

// A socket that opens when the test says so.
class Socket {
  static CONNECTING = 0;
  static OPEN = 1;
  /** @type {Socket[]} */
  static made = [];

  readyState = Socket.CONNECTING;
  closed = false;
  /** @type {(() => void) | null} */
  onopen = null;

  constructor() {
    Socket.made.push(this);
  }

  close() {
    this.closed = true;
  }

  open() {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }
}

// Who left a page before its line was open left a complaint of the browser's on the console.
test("a line that is not open yet is closed when it is", async () => {
  const ears = { greeting: () => [], heard() {}, changed() {} };
  const location = { protocol: "http:", host: "here" };
  Object.assign(globalThis, {
    WebSocket: Socket,
    location,
    addEventListener() {},
    removeEventListener() {},
  });
  const link = new Link("gamba", ears);
  await new Promise((resolve) => setImmediate(resolve));
  link.end();
  const [socket] = Socket.made;
  assert.equal(socket.closed, false);
  socket.open();
  assert.equal(socket.closed, true);
});
