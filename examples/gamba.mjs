#!/usr/bin/env node
// A Gamba bot to start from.
//
//   gamba.mjs [HOST] [PORT] [NAME]   play one game
//   gamba.mjs --games 0              play one game after the other, until you stop it
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const options = { games: { type: "string", default: "1" } };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [host = "127.0.0.1", port = "8080", name = `starter-${process.pid}`] = positionals;
const [CONNECT, RECONNECT] = [`0|||name=${name}`, `6|||name=${name}`];
let left = Number(values.games); // counted down to 0; from 0 on it never gets there
let [known, returning, state, refused] = [false, false, {}, []];

// One of `plays`, the cards that fit, by rank: [["3H"], ["9C", "9D"]]. Edit this first.
function choose(state, plays) {
  const index = Math.random() < 0.9 ? 0 : Math.floor(Math.random() * plays.length);
  return plays[index]; // Two that never vary may never end.
}

function value(card) {
  const rank = card.slice(0, -1);
  return { J: 11, Q: 12, K: 13, A: 14 }[rank] ?? Number(rank);
}

function fits(card) {
  const [mine, top] = [value(card), value(state.top_card)];
  if (state.top_card === "1S" || mine === 2 || top === 2) return true;
  return state.must_play_low === "true" ? mine <= 7 : mine === 7 || mine === 10 || mine >= top;
}

// A line to send. `state` has the fields of the last GAME_STATE.
function move() {
  const hand = state.hand.split(",").filter(Boolean);
  const ranks = [...new Set(hand.filter(fits).map(value))].sort((a, b) => a - b);
  const plays = ranks.map((rank) => hand.filter((card) => value(card) === rank));
  const untried = plays.filter((play) => !refused.includes(play.join()));
  if (hand.length && !untried.length && state.discard_pile_size !== "0") return "8|||";
  const play = hand.length ? choose(state, untried.length ? untried : plays) : ["RESERVE"];
  refused.push(play.join()); // If the server takes it, the next GAME_STATE clears this.
  return `7|||cards=${play}`;
}

function exit(code, why) {
  if (why) console.error(why);
  process.exit(code);
}

// What to say to a message of the server; undefined for nothing.
async function answer(kind, fields) {
  const error = fields.error ?? "";
  if (kind === "100") {
    known = true; // A player who returns to a game gets its state before the PONG to this PING.
    return returning ? "4|||" : "2|||";
  } else if (kind === "104" && returning) {
    returning = false; // There was no game to return to.
    return "2|||";
  } else if (kind === "101" && fields.room_full === "true") {
    return "5|||";
  } else if (kind === "112") {
    left--; // the game is over
  } else if (kind === "102") {
    return left === 0 ? exit(0) : "2|||"; // back in the lobby
  } else if (kind === "106" || error === "Invalid card play") {
    if (kind === "106") [returning, state, refused] = [false, fields, []];
    return state.your_turn === "true" ? move() : undefined;
  } else if (error.endsWith("name already taken") && !returning) {
    returning = true; // Taken perhaps by ourselves, before a crash.
    return RECONNECT;
  } else if (error === "Reconnection failed" && known) {
    returning = false; // The server does not know us any more, or not yet that we left.
    await sleep(1000);
    return CONNECT;
  } else if (error === "Reconnection failed" && returning) {
    exit(1, `another program is connected as ${name}: stop it, or use another name`);
  } else if (error === "Error occurred while joining room") {
    await sleep(1000);
    return "2|||";
  } else if (error.includes("name") || error.includes("failed")) {
    exit(1, `the server does not take the name ${name}: ${error}`);
  }
}

// A lost connection is replaced, and the seat taken back.
for (let failures = 1; failures <= 6 || values.games === "0"; failures++) {
  let pings;
  try {
    const socket = net.connect(Number(port), host).setNoDelay(true).setEncoding("utf8");
    await once(socket, "connect");
    pings = setInterval(() => socket.write("4|||\n"), 30_000); // Only PING counts as a sign of life.
    returning = known;
    socket.write((known ? RECONNECT : CONNECT) + "\n");
    let rest = "";
    for await (const piece of socket) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        if (known) failures = 0;
        console.log(line);
        const [kind, , , ...data] = line.split("|");
        const reply = await answer(kind, Object.fromEntries(data.map((item) => item.split("="))));
        if (reply) socket.write(reply + "\n");
      }
    }
  } catch (error) {
    if (!known && failures === 1) exit(1, `no server at ${host}:${port}: start one with 'cargo run --release -- serve'`);
    console.error(error.message);
  }
  clearInterval(pings);
  await sleep(Math.min(100 * 2 ** (failures + 1), 5000));
}
exit(1, `given up: no game at ${host}:${port}`);
