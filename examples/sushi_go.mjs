#!/usr/bin/env node
// A Sushi Go bot to start from.
//
//   sushi_go.mjs [HOST] [PORT] [NAME] [GAME]   play one game
//   sushi_go.mjs --games 0                     play one game after the other, until you stop it
//   sushi_go.mjs --tournament cup              enter an open tournament and play all of its matches
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { games: { type: "string", default: "1" }, tournament: { type: "string", default: "" } },
});
let [host = "127.0.0.1", port = "7878", name = `starter-${process.pid}`, game = ""] = positionals;
const { tournament } = values;
let left = Number(values.games); // counted down to 0; from 0 on it never gets there
let [known, token, hand, refused] = [false, "", [], []];

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

// The first line on a new connection: back to our seat, or to a new game.
function hello() {
  if (token) return `REJOIN ${token}`;
  if (tournament) return `TOURNEY ${tournament} ${name}`;
  return game ? `JOIN ${game} ${name}` : "GAMES";
}

let sent = []; // What we have said and the server has not replied to yet.
const REPLIES = ["OK", "ERROR", "GAMES", "WELCOME", "REJOINED", "TOURNAMENT_WELCOME", "TOURNAMENT_REJOINED"];

// What to say to a line of the server; undefined for nothing.
async function answer(line) {
  const [word, ...rest] = line.split(" ");
  const command = REPLIES.includes(word) ? sent.shift() : undefined;
  if (word === "GAMES") {
    return `JOIN ${JSON.parse(line.slice(6))[0].id} ${name}`;
  } else if (word === "WELCOME" || word === "TOURNAMENT_WELCOME") {
    [token, game] = [rest[2], ""];
    return word === "WELCOME" ? "READY" : undefined;
  } else if (word === "TOURNAMENT_MATCH" && rest[1] !== "BYE") {
    return `TJOIN ${rest[1]}`;
  } else if (word === "TOURNAMENT_COMPLETE") {
    exit(0);
  } else if (word === "HAND") {
    hand = [...line.matchAll(/\d+:(.*?)(?=\s\d+:|$)/g)].map((match) => match[1]);
    refused = [];
    return play();
  } else if (word === "GAME_END" && tournament) {
    return "LEAVE"; // The next match is called when we have left this one.
  } else if (word === "GAME_END") {
    token = "";
    return --left === 0 ? exit(0) : "GAMES";
  } else if (word === "ERROR" && ["E006", "E007", "E009"].includes(rest[0])) {
    return play(); // The move was not possible.
  } else if (word === "ERROR" && command?.startsWith("PLAY")) {
    return; // Too late: the clock was faster, or the game was closed while we thought.
  } else if (word === "ERROR" && ["E003", "E004", "E005", "E011"].includes(rest[0]) && !game && !tournament) {
    token = ""; // That game is full, running or over: look for another.
    await sleep(200);
    return "GAMES";
  } else if (word === "ERROR") {
    exit(1, line);
  }
}

// A lost connection is replaced, and the seat taken back.
for (let failures = 1; failures <= 6 || values.games === "0"; failures++) {
  try {
    const socket = net.connect(Number(port), host).setNoDelay(true).setEncoding("utf8");
    await once(socket, "connect");
    const say = (text) => {
      sent.push(text);
      socket.write(text + "\n");
    };
    sent = [];
    say(hello());
    let rest = "";
    for await (const piece of socket) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        [known, failures] = [true, token ? 0 : failures];
        console.log(line);
        const reply = await answer(line);
        if (reply) say(reply);
      }
    }
  } catch (error) {
    if (!known) exit(1, `no server at ${host}:${port}: start one with 'cargo run --release -- serve'`);
    console.error(error.message);
  }
  await sleep(Math.min(100 * 2 ** (failures + 1), 5000));
}
exit(1, `given up: no game at ${host}:${port}`);
