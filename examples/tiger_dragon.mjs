#!/usr/bin/env node
// A Tiger & Dragon bot to start from.
//
//   tiger_dragon.mjs [HOST] [PORT] [NAME]   play one match
//   tiger_dragon.mjs --games 0              play one match after the other, until you stop it
//
// It speaks WebSocket by itself; from Node 22 on, the global WebSocket can replace the class Connection.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const options = { games: { type: "string", default: "1" } };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [host = "127.0.0.1", port = "9002", name = `starter-${process.pid}`] = positionals;
let left = Number(values.games); // counted down to 0; from 0 on it never gets there
let [known, state, refused] = [false, {}, []];

// One of `options`, which are legal. Edit this first.
function choose(state, options) {
  return options.findLast((choice) => choice !== "pass") ?? "pass";
}

function move(connection) {
  const legal = state.legal.split(",");
  const untried = legal.filter((choice) => !refused.includes(choice));
  const choice = choose(state, untried.length ? untried : legal);
  refused.push(choice); // If the server takes it, the next state clears this.
  connection.send("action", { choice });
}

class Connection {
  async open() {
    this.socket = net.connect(Number(port), host).setNoDelay(true);
    await once(this.socket, "connect");
    const key = randomBytes(16).toString("base64");
    this.socket.write(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`);
  }

  frame(opcode, payload) {
    const [mask, size] = [randomBytes(4), payload.length];
    const length = size < 126 ? [0x80 | size] : [0x80 | 126, size >> 8, size & 255];
    const masked = payload.map((byte, index) => byte ^ mask[index % 4]);
    this.socket.write(Buffer.concat([Buffer.from([0x80 | opcode, ...length]), mask, masked]));
  }

  send(type, fields) {
    this.frame(1, Buffer.from(JSON.stringify({ type, room_id: "room1", player_id: name, ...fields })));
  }

  // Joins, and then the server's messages, until the connection is lost.
  async *messages() {
    let [bytes, open] = [Buffer.alloc(0), false];
    for await (const piece of this.socket) {
      bytes = Buffer.concat([bytes, piece]);
      const head = bytes.indexOf("\r\n\r\n");
      if (!open && head < 0) continue;
      if (!open) {
        [open, bytes] = [true, bytes.subarray(head + 4)];
        this.send("join", { role: "player" }); // Not before: a client waits for the server's handshake.
      }
      for (;;) {
        const start = { 126: 4, 127: 10 }[bytes[1]] ?? 2;
        if (bytes.length < start) break;
        const size = start === 2 ? bytes[1] : start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
        if (bytes.length < start + size) break;
        const [opcode, payload] = [bytes[0] & 15, bytes.subarray(start, start + size)];
        bytes = bytes.subarray(start + size);
        if (opcode === 9) this.frame(10, payload); // ping
        if (opcode === 1) yield JSON.parse(payload.toString());
      }
    }
  }
}

function exit(code, why) {
  if (why) console.error(why);
  process.exit(code);
}

// A lost connection is replaced, and the seat taken back by name.
for (let failures = 1; failures <= 6 || values.games === "0"; failures++) {
  const connection = new Connection();
  let seated = false;
  state = {};
  try {
    await connection.open();
    for await (const message of connection.messages()) {
      console.log(JSON.stringify(message));
      if (message.type === "join_ack") {
        seated = true;
      } else if (message.type === "error" && !(seated && state.phase)) {
        break; // No seat: another bot may have this name, or a lost connection still holds the seat.
      } else if (!seated) {
        continue; // All clients receive the messages of others' matches.
      } else if (message.type === "game_over") {
        [state, seated] = [{}, false];
        if (--left === 0) exit(0);
        connection.send("join", { role: "player" });
      } else if (message.type === "state") {
        [known, failures, state, refused] = [true, 0, message, []];
      }
      if (state.legal && (message.type === "state" || message.message === "illegal action")) move(connection);
    }
  } catch (error) {
    if (!known) exit(1, `no server at ${host}:${port}: start one with 'cargo run --release -- serve'`);
    console.error(error.message);
  }
  await sleep(Math.min(100 * 2 ** (failures + 1), 5000));
}
exit(1, `given up: no game at ${host}:${port}`);
