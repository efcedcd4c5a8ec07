#!/usr/bin/env python3
"""A Labyrinth bot to start from. Players are called by their colours.

  labyrinth.py [HOST] [PORT] [COLOR]   play one game
  labyrinth.py --games 0               play one game after the other, until you stop it
"""
import argparse
import json
import random
import socket
import sys
import time

parser = argparse.ArgumentParser(description="A Labyrinth bot to start from.")
parser.add_argument("host", nargs="?", default="127.0.0.1")
parser.add_argument("port", nargs="?", type=int, default=7676)
parser.add_argument("color", nargs="?", default=f"{random.randrange(16**6):06X}", help="a name, or six digits 0-9A-F")
parser.add_argument("--games", type=int, default=1, help="how many games to play; 0 means no end")
args = parser.parse_intermixed_args()
OPEN = dict(zip("│─┐└┌┘┬├┴┤┼", "UD LR DL UR DR UL LRD UDR LRU UDL UDLR".split()))
STEP = {"U": (-1, 0, "D"), "D": (1, 0, "U"), "L": (0, -1, "R"), "R": (0, 1, "L")}


def choose(state, goal, shifts):
    """Of all `shifts` without rotation, the one that leads nearest to the goal: (row, column, shift), or None to
    pass. Edit this first."""
    board, spare, me = state["board"]["connectors"], state["spare"]["tilekey"], state["plmt"][0]["current"]
    options = [((row - goal["row#"]) ** 2 + (column - goal["column#"]) ** 2, row, column, shift)
               for shift in shifts
               for row, column in reachable(*slide(board, spare, *shift, (me["row#"], me["column#"])))]
    return min(options)[1:] if options else None


def slide(board, spare, index, direction, at):
    """The connectors after a slide, and where whoever stood at `at` is then."""
    if direction in ("UP", "DOWN"):  # With rows for columns, up is left.
        turned, across = list(map(list, zip(*board))), {"UP": "LEFT", "DOWN": "RIGHT"}[direction]
        board, at = slide(turned, spare, index, across, at[::-1])
        return list(map(list, zip(*board))), at[::-1]
    by = -1 if direction == "LEFT" else 1
    line = board[index][1:] + [spare] if by < 0 else [spare] + board[index][:-1]
    here = (index, (at[1] + by) % len(line)) if at[0] == index else at
    return board[:index] + [line] + board[index + 1:], here


def reachable(board, at):
    found = [at]
    for row, column in found:
        for way in OPEN[board[row][column]]:
            there, back = (row + STEP[way][0], column + STEP[way][1]), STEP[way][2]
            inside = 0 <= there[0] < len(board) and 0 <= there[1] < len(board[0])
            if inside and there not in found and back in OPEN[board[there[0]][there[1]]]:
                found.append(there)
    return found[1:]


def play(connection):
    """Plays one game and returns how it ended; None if we were refused or removed."""
    lines, early = connection.makefile("r", newline="\n", encoding="utf-8"), []

    def send(*values):
        connection.sendall("".join(json.dumps(value) + "\n" for value in values).encode())

    def hear():  # None once the connection is closed
        return json.loads(lines.readline() or "null")

    def ask(call):
        send([call, []])
        while (message := hear()) is not None:
            if isinstance(message, list) and message[0] == call:
                return message[1]
            early.append(message)  # something else, which was on its way

    def take_turn(state, goal):
        if choice := choose(state, goal, ask("get_legal_shift_ops") or []):
            row, column, shift = choice
            send(["rotate_spare_tile", [0]], ["shift_and_insert", shift],
                 ["move_avatar", [{"row#": row, "column#": column}]])
        else:
            send(["pass", []])

    send({"color": args.color})
    if (response := hear()) != "SUCCESS":
        return print(f"refused: {response}", file=sys.stderr)
    state, _, goal = hear(), hear(), ask("get_treasure_location")  # the start, our treasure, and where it is
    while isinstance(state, dict) and "board" in state:
        me = next((player for player in state["plmt"] if player["color"] == args.color), None)
        if me is None:
            return print("removed from the game", file=sys.stderr)
        goal = me["home"] if me["current"] == goal and state["last"] is not None else goal
        if me is state["plmt"][0]:
            take_turn(state, goal)
        state = early.pop(0) if early else hear()
    return state


left, known, failures = args.games, False, 0
while True:  # A game whose connection was lost cannot be rejoined: the next one is played.
    result = None
    try:
        with socket.create_connection((args.host, args.port)) as connection:
            known = True
            result = play(connection)
            print(f"{args.color} played: {result}")
    except (OSError, ValueError) as error:
        if not known:
            sys.exit(f"no server at {args.host}:{args.port}: start one with 'cargo run --release -- serve'")
        print(error, file=sys.stderr)
    left, failures = left - (result is not None), 0 if result else failures + 1
    if result and left == 0:
        sys.exit()
    if failures > 6 and args.games or failures and args.games == 1:
        sys.exit("the connection ended before the game did")
    time.sleep(min(2**failures / 10, 5))
