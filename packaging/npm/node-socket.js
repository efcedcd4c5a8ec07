// The part of a WebSocket that this package needs, for Nodes that have none: text frames, pings, and the
// end.

import { createHash, randomBytes } from "node:crypto";
import { request as http } from "node:http";
import { request as https } from "node:https";

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
/** No message of a server is longer. */
const LONGEST = 64 * 1024 * 1024;

export class NodeSocket {
  onmessage = () => {};
  onerror = () => {};
  onclose = () => {};

  #stream = null;
  #bytes = Buffer.alloc(0);
  #text = [];
  #ended = false;

  constructor(address) {
    const url = new URL(address);
    const secure = url.protocol === "wss:";
    url.protocol = secure ? "https:" : "http:";
    const key = randomBytes(16).toString("base64");
    const asked = (secure ? https : http)(url, {
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": key,
      },
    });
    asked.on("error", (error) => this.#end(error.message));
    asked.on("response", (answer) => {
      answer.resume();
      this.#end(`the server answered ${answer.statusCode}`);
    });
    asked.on("upgrade", (answer, stream, head) => {
      const wanted = createHash("sha1").update(key + MAGIC).digest("base64");
      if (this.#ended || answer.headers["sec-websocket-accept"] !== wanted) {
        stream.destroy();
        this.#end("the server does not speak WebSocket");
        return;
      }
      this.#stream = stream;
      stream.setNoDelay(true);
      stream.on("error", (error) => this.#end(error.message));
      stream.on("close", () => this.#end("the connection was closed"));
      stream.on("end", () => stream.end());
      stream.on("data", (bytes) => this.#take(bytes));
      this.#take(head);
    });
    asked.end();
  }

  send(text) {
    this.#frame(TEXT, Buffer.from(text));
  }

  close() {
    this.#frame(CLOSE, Buffer.from([3, 232]));
    this.#end("closed by this program");
    this.#stream?.end();
  }

  /** What a client says is masked, as the protocol asks for. */
  #frame(kind, payload) {
    if (!this.#stream || this.#ended) return;
    const { length } = payload;
    const head =
      length < 126 ? Buffer.from([0x80 | kind, 0x80 | length])
      : length < 65_536 ? Buffer.from([0x80 | kind, 0x80 | 126, length >> 8, length & 255])
      : Buffer.concat([Buffer.from([0x80 | kind, 0x80 | 127]), eightBytes(length)]);
    const mask = randomBytes(4);
    this.#stream.write(Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at % 4])]));
  }

  #take(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (let frame = this.#next(); frame; frame = this.#next()) {
      const { kind, last, payload } = frame;
      if (kind === PING) this.#frame(PONG, payload);
      else if (kind === CLOSE) return this.#close(payload);
      else if (kind <= TEXT) {
        this.#text.push(payload);
        if (last) this.onmessage({ data: Buffer.concat(this.#text.splice(0)).toString() });
      }
    }
  }

  /** Cuts the next whole frame off, if there is one. */
  #next() {
    const bytes = this.#bytes;
    if (this.#ended || bytes.length < 2) return null;
    const short = bytes[1] & 127;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < head) return null;
    const length =
      short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (length > LONGEST) {
      this.#stream.destroy();
      this.#end("the server sent a frame that is too long");
      return null;
    }
    if (bytes.length < head + length) return null;
    this.#bytes = bytes.subarray(head + length);
    return { kind: bytes[0] & 15, last: bytes[0] >= 0x80, payload: bytes.subarray(head, head + length) };
  }

  #close(payload) {
    this.#frame(CLOSE, payload.subarray(0, 2));
    this.#end(payload.subarray(2).toString() || "the server closed the connection");
    this.#stream.end();
  }

  #end(reason) {
    if (this.#ended) return;
    this.#ended = true;
    this.onclose({ reason });
  }
}

function eightBytes(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}
