#!/usr/bin/env node
// A Labyrinth bot to start from. Players are called by their colours.
//
//   labyrinth.mjs [HOST] [PORT] [COLOR]   play one game
//   labyrinth.mjs --games 0               play one game after the other, until you stop it
import { once } from "node:events";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const options = { games: { type: "string", default: "1" } };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const anyColor = Math.floor(Math.random() * 16 ** 6).toString(16).toUpperCase().padStart(6, "0");
const [host = "127.0.0.1", port = "7676", color = anyColor] = positionals;
const OPEN = { "│": "UD", "─": "LR", "┐": "DL", "└": "UR", "┌": "DR", "┘": "UL", "┬": "LRD", "├": "UDR", "┴": "LRU", "┤": "UDL", "┼": "UDLR" };
const STEP = { U: [-1, 0, "D"], D: [1, 0, "U"], L: [0, -1, "R"], R: [0, 1, "L"] };

// Of all `shifts` without rotation, the one that leads nearest to the goal, or undefined to pass. Edit this first.
function choose(state, goal, shifts) {
  const { board, spare, plmt } = state;
  const at = [plmt[0].current["row#"], plmt[0].current["column#"]];
  const distance = ([row, column]) => (row - goal["row#"]) ** 2 + (column - goal["column#"]) ** 2;
  const choices = shifts.flatMap((shift) =>
    reachable(...slide(board.connectors, spare.tilekey, ...shift, at)).map((to) => ({ shift, to })));
  return choices.sort((a, b) => distance(a.to) - distance(b.to))[0];
}

const transposed = (board) => board[0].map((_, column) => board.map((row) => row[column]));

// The connectors after a slide, and where a player at [row, column] is then.
function slide(board, spare, index, direction, [row, column]) {
  if (direction === "UP" || direction === "DOWN") { // With rows for columns, up is left.
    const across = direction === "UP" ? "LEFT" : "RIGHT";
    const [turned, there] = slide(transposed(board), spare, index, across, [column, row]);
    return [transposed(turned), there.reverse()];
  }
  const [line, by] = [board[index], direction === "LEFT" ? -1 : 1];
  const slid = by < 0 ? [...line.slice(1), spare] : [spare, ...line.slice(0, -1)];
  const there = row === index ? (column + by + line.length) % line.length : column;
  return [board.map((each, at) => (at === index ? slid : each)), [row, there]];
}

function reachable(board, at) {
  const found = [at];
  for (const [row, column] of found) {
    for (const way of OPEN[board[row][column]]) {
      const [down, right, back] = STEP[way];
      const there = [row + down, column + right];
      const isNew = !found.some((known) => known.join() === there.join());
      if (isNew && OPEN[board[there[0]]?.[there[1]]]?.includes(back)) found.push(there);
    }
  }
  return found.slice(1);
}

// Plays one game and returns how it ended; undefined if we were refused or removed.
async function play(socket) {
  const send = (...values) => socket.write(values.map((value) => JSON.stringify(value) + "\n").join(""));
  const isState = (value) => value?.board !== undefined;
  let [rest, joined, state, goal] = ["", false, undefined, undefined];

  // On our turn the legal shifts are asked for; the answer brings the move.
  function move(shifts) {
    const choice = choose(state, goal, shifts);
    if (!choice) return send(["pass", []]);
    const [row, column] = choice.to;
    send(["rotate_spare_tile", [0]], ["shift_and_insert", choice.shift], ["move_avatar", [{ "row#": row, "column#": column }]]);
  }

  send({ color });
  for await (const piece of socket) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop();
    for (const value of lines.map((line) => JSON.parse(line))) {
      if (!joined && value !== "SUCCESS") return console.error(`refused: ${value}`);
      if (isState(value)) {
        [state, joined] = [value, true];
        const me = state.plmt.find((player) => player.color === color);
        if (!me) return console.error("removed from the game");
        if (goal && state.last && JSON.stringify(me.current) === JSON.stringify(goal)) goal = me.home;
        if (!goal) send(["get_treasure_location", []]);
        if (me === state.plmt[0]) send(["get_legal_shift_ops", []]);
      } else if (value[0] === "get_treasure_location") {
        goal = value[1];
      } else if (value[0] === "get_legal_shift_ops") {
        move(value[1]);
      } else if (joined && !Array.isArray(value)) {
        return value; // A pair of gems is our treasure; anything else is the end.
      }
      joined = true;
    }
  }
}

function exit(code, why) {
  if (why) console.error(why);
  process.exit(code);
}

let [left, known, failures] = [Number(values.games), false, 0];
for (;;) { // A game whose connection was lost cannot be rejoined: the next one is played.
  let result;
  try {
    const socket = net.connect(Number(port), host).setNoDelay(true).setEncoding("utf8");
    await once(socket, "connect");
    known = true;
    result = await play(socket);
    console.log(`${color} played:`, result);
  } catch (error) {
    if (!known) exit(1, `no server at ${host}:${port}: start one with 'cargo run --release -- serve'`);
    console.error(error.message);
  }
  failures = result ? 0 : failures + 1;
  if (result && --left === 0) exit(0);
  if ((failures > 6 && values.games !== "0") || (failures && values.games === "1")) {
    exit(1, "the connection ended before the game did");
  }
  await sleep(Math.min(100 * 2 ** failures, 5000));
}
