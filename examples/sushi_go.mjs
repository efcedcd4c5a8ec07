#!/usr/bin/env node
// A Sushi Go bot to start from: sushi_go.mjs [HOST] [PORT] [NAME] [GAME]
import net from "node:net";
import readline from "node:readline";

const [host = "127.0.0.1", port = "7878", name = "starter-js", game] = process.argv.slice(2);
const socket = net.connect(Number(port), host);
socket.setNoDelay(true);
const send = (line) => socket.write(line + "\n");

// The index of the card to play. `hand` is a list of card names. Edit this first.
function choose(hand) {
  const nigiri = hand.findIndex((card) => card.endsWith("Nigiri"));
  return nigiri >= 0 ? nigiri : 0;
}

socket.on("connect", () => send(game ? `JOIN ${game} ${name}` : "GAMES"));
for await (const line of readline.createInterface({ input: socket })) {
  console.log(line);
  const [word] = line.split(" ");
  if (word === "GAMES") {
    send(`JOIN ${JSON.parse(line.slice(6))[0].id} ${name}`);
  } else if (word === "WELCOME") {
    send("READY");
  } else if (word === "HAND") {
    const hand = [...line.matchAll(/\d+:(.*?)(?=\s\d+:|$)/g)].map((match) => match[1]);
    send(`PLAY ${choose(hand)}`);
  } else if (word === "GAME_END") {
    socket.end();
    break;
  }
}
