#!/usr/bin/env node
// A Sushi Go bot to start from: sushi_go.mjs [HOST] [PORT] [NAME] [GAME]
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [host = "127.0.0.1", port = "7878", name = "starter-js", game] = process.argv.slice(2);
let [token, hand, refused] = ["", [], []];

// The index of the card to play, one of `options`. `hand` is a list of card names. Edit this first.
function choose(hand, options) {
  return options.find((index) => hand[index].endsWith("Nigiri")) ?? options[0];
}

function play() {
  const all = [...hand.keys()];
  const options = all.filter((index) => !refused.includes(index));
  const index = choose(hand, options.length ? options : all);
  refused.push(index); // If the server takes it, the next HAND clears this.
  return `PLAY ${index}`;
}

function exit(code, why) {
  if (why) console.error(why);
  process.exit(code);
}

// What to say to a line of the server; undefined for nothing.
function answer(line) {
  const [word, ...rest] = line.split(" ");
  if (word === "GAMES") {
    return `JOIN ${JSON.parse(line.slice(6))[0].id} ${name}`;
  } else if (word === "WELCOME") {
    token = rest[2];
    return "READY";
  } else if (word === "HAND") {
    hand = [...line.matchAll(/\d+:(.*?)(?=\s\d+:|$)/g)].map((match) => match[1]);
    refused = [];
    return play();
  } else if (word === "ERROR" && ["E006", "E007", "E009"].includes(rest[0])) {
    return play(); // The move was not possible.
  } else if (word === "ERROR" && rest[0] !== "E008") {
    exit(1, line); // E008: the clock was faster, so wait for the next HAND.
  } else if (word === "GAME_END") {
    exit(0);
  }
}

// A lost connection is made anew, and the seat taken back.
for (const seconds of [0, 0.2, 1, 2, 4, 8]) {
  await sleep(seconds * 1000);
  try {
    const socket = net.connect(Number(port), host).setNoDelay(true).setEncoding("utf8");
    await once(socket, "connect");
    socket.write((token ? `REJOIN ${token}` : game ? `JOIN ${game} ${name}` : "GAMES") + "\n");
    let rest = "";
    for await (const piece of socket) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        console.log(line);
        const reply = answer(line);
        if (reply) socket.write(reply + "\n");
      }
    }
  } catch (error) {
    if (!token) exit(1, `no server at ${host}:${port}: start one with 'cargo run --release -- serve'`);
    console.log(error.message);
  }
}
exit(1, "the server is gone");
