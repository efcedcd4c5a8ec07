#!/usr/bin/env python3
"""A Labyrinth bot to start from: labyrinth.py [HOST] [PORT] [COLOR]"""
import json
import socket
import sys

host, port, color = (sys.argv[1:] + ["127.0.0.1", "7676", "blue"][len(sys.argv) - 1:])[:3]
connection = socket.create_connection((host, int(port)))
lines = connection.makefile("r", newline="\n", encoding="utf-8")
waiting = []
OPEN = {"│": "UD", "─": "LR", "┐": "DL", "└": "UR", "┌": "DR", "┘": "UL", "┬": "LRD", "├": "UDR", "┴": "LRU",
        "┤": "UDL", "┼": "UDLR"}
STEP = {"U": (-1, 0, "D"), "D": (1, 0, "U"), "L": (0, -1, "R"), "R": (0, 1, "L")}


def send(value):
    connection.sendall((json.dumps(value) + "\n").encode())


def read():
    """The next message; None once the referee has closed the connection."""
    line = waiting.pop(0) if waiting else lines.readline()
    return json.loads(line) if line else None


def ask(call):
    """The answer to a call; what comes before it waits to be read."""
    send([call, []])
    for line in lines:
        message = json.loads(line)
        if isinstance(message, list) and message[0] == call:
            return message[1]
        waiting.append(line)
    sys.exit("the connection is gone")


def slide(board, spare, index, direction, at):
    """The connectors after a slide, and where whoever stood at `at` is then."""
    board, (row, column) = [line[:] for line in board], at
    back = -1 if direction in ("LEFT", "UP") else 1
    line = board[index] if direction in ("LEFT", "RIGHT") else [r[index] for r in board]
    line = line[1:] + [spare] if back < 0 else [spare] + line[:-1]
    if direction in ("LEFT", "RIGHT"):
        board[index] = line
        return board, (row, (column + back) % len(line) if row == index else column)
    for r, tile in zip(board, line):
        r[index] = tile
    return board, ((row + back) % len(line) if column == index else row, column)


def reachable(board, at):
    found, todo = {at}, [at]
    for row, column in todo:
        for way in OPEN[board[row][column]]:
            down, right, back = STEP[way]
            there = (row + down, column + right)
            inside = 0 <= there[0] < len(board) and 0 <= there[1] < len(board[0])
            if inside and there not in found and back in OPEN[board[there[0]][there[1]]]:
                found.add(there)
                todo.append(there)
    return found - {at}


def take_turn(state, goal):
    """Of all slides without rotation, the one that leads nearest to the goal. Edit this first."""
    board, spare, me = state["board"]["connectors"], state["spare"]["tilekey"], state["plmt"][0]["current"]
    here = (me["row#"], me["column#"])
    options = [((row - goal["row#"]) ** 2 + (column - goal["column#"]) ** 2, row, column, shift)
               for shift in ask("get_legal_shift_ops")
               for row, column in reachable(*slide(board, spare, *shift, here))]
    if not options:
        return send(["pass", []])
    _, row, column, shift = min(options)
    send(["rotate_spare_tile", [0]])
    send(["shift_and_insert", shift])
    send(["move_avatar", [{"row#": row, "column#": column}]])


send({"color": color})
if (answer := read()) != "SUCCESS":
    sys.exit(f"refused: {answer}")
state, treasure = read(), read()
goal = ask("get_treasure_location")
home = next(player["home"] for player in state["plmt"] if player["color"] == color)
while isinstance(state, dict) and "board" in state:
    me = next((player for player in state["plmt"] if player["color"] == color), None)
    if me is None:
        sys.exit("ejected")
    if me["current"] == goal and state["last"] is not None:
        goal = home
    if state["plmt"][0]["color"] == color:
        take_turn(state, goal)
    state = read()
print(state)
