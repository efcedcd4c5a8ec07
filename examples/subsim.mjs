#!/usr/bin/env node
// A SubSim bot to start from.
//
//   subsim.mjs [HOST] [PORT] [NAME]   play one game
//   subsim.mjs --games 0              play one game after the other, until you stop it
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const options = { games: { type: "string", default: "1" } };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const [host = "127.0.0.1", port = "9555", name = `bot${process.pid % 10000}`] = positionals;
const STEPS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const pick = (list) => list[Math.floor(Math.random() * list.length)];

// One command for the submarine. Edit this first.
// here: its square; me: its variables, such as torpedo_range; target: the last square where sonar
// saw a submarine, if any; isFree(x, y): whether there is no obstacle.
function order(turn, here, me, target, isFree) {
  const distance = target && Math.abs(target[0] - here[0]) + Math.abs(target[1] - here[1]);
  if (distance > 1 && distance <= Number(me.torpedo_range ?? 0)) return ["F", turn, 0, ...target];
  if (Number(me.sonar_range ?? 0) >= 6) return ["P", turn, 0];
  const ways = Object.keys(STEPS).filter((way) => isFree(here[0] + STEPS[way][0], here[1] + STEPS[way][1]));
  if (ways.length && Math.random() < 0.8) return ["M", turn, 0, pick(ways), pick(["Sonar", "Torpedo"])];
  return ["S", turn, 0, "Sonar", "Torpedo"];
}

// The lines of a connection, split at |.
async function* messages(socket) {
  let rest = "";
  for await (const piece of socket) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      console.log(line);
      yield line.trim().split("|");
    }
  }
}

// Plays one game. True once it is over, false if the connection ended before.
async function play(socket) {
  const send = (fields) => socket.write(fields.join("|") + "\n");
  const blocked = new Set();
  let [width, height, settings, here, me, active, target, scores] = [0, 0, 0, [], {}, false, undefined, Infinity];
  const isFree = (x, y) => x >= 1 && x <= width && y >= 1 && y <= height && !blocked.has(`${x},${y}`);
  function join() {
    do here = [1 + Math.floor(Math.random() * width), 1 + Math.floor(Math.random() * height)];
    while (!isFree(...here));
    send(["J", name, ...here]);
  }
  // A message without fields is a refusal.
  for await (const [kind, ...fields] of messages(socket)) {
    if (!fields.length && left === Number(values.games)) exit(1, `the server refuses ${name}: ${kind}`);
    if (kind === "C") { // C|version|title|width|height|count, then that many V lines with settings
      [width, height, settings] = fields.slice(2).map(Number);
      if (settings === 0) join();
    } else if (kind === "V") {
      if (fields[0] === "Obstacle") blocked.add(`${fields[1]},${fields[2]}`);
      if (--settings === 0) join();
    } else if (kind === "I") { // I|turn|sub|x|y|active|variable=value...
      [here, active] = [fields.slice(2, 4).map(Number), fields[4] === "1"];
      me = Object.fromEntries(fields.slice(5).map((item) => item.split("=")));
    } else if (kind === "O" && Number(fields[3]) < 1000 && fields.slice(1, 3).join() !== here.join()) {
      target = fields.slice(1, 3).map(Number);
    } else if (kind === "B" && active) { // B|turn
      const command = order(fields[0], here, me, target, isFree);
      if (command[0] === "F") target = undefined;
      send(command);
    } else if (kind === "F") { // F|players|turns|status, then one P line for each player
      scores = Number(fields[0]);
    } else if (kind === "P") {
      scores--;
    }
    if (scores === 0) return true;
  }
  return false;
}

function exit(code, why) {
  if (why) console.error(why);
  process.exit(code);
}

let [left, known, failures] = [Number(values.games), false, 0];
for (;;) { // A game whose connection was lost cannot be rejoined: the next one is played.
  let over = false;
  try {
    const socket = net.connect(Number(port), host).setNoDelay(true).setEncoding("utf8");
    await once(socket, "connect");
    known = true;
    over = await play(socket);
  } catch (error) {
    if (!known) exit(1, `no server at ${host}:${port}: start one with 'cargo run --release -- serve'`);
    console.error(error.message);
  }
  failures = over ? 0 : failures + 1;
  if (over && --left === 0) exit(0);
  if ((failures > 6 && values.games !== "0") || (failures && values.games === "1")) {
    exit(1, "the connection ended before the game did");
  }
  await sleep(Math.min(100 * 2 ** failures, 5000));
}
