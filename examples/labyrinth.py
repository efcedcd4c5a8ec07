#!/usr/bin/env python3
"""A Labyrinth bot to start from: labyrinth.py [HOST] [PORT] [COLOR]"""
import json
import socket
import sys

host, port, color = (sys.argv[1:] + ["127.0.0.1", "7676", "blue"][len(sys.argv) - 1:])[:3]
try:
    connection = socket.create_connection((host, int(port)))
except OSError:
    sys.exit(f"no server at {host}:{port}: start one with 'cargo run --release -- serve'")
lines, early = connection.makefile("r", newline="\n", encoding="utf-8"), []
OPEN = dict(zip("│─┐└┌┘┬├┴┤┼", "UD LR DL UR DR UL LRD UDR LRU UDL UDLR".split()))
STEP = {"U": (-1, 0, "D"), "D": (1, 0, "U"), "L": (0, -1, "R"), "R": (0, 1, "L")}


def send(*values):
    connection.sendall("".join(json.dumps(value) + "\n" for value in values).encode())


def read():  # None once the referee has closed the connection
    return early.pop(0) if early else json.loads(lines.readline() or "null")


def ask(call):
    send([call, []])
    for message in iter(lambda: json.loads(lines.readline() or "null"), None):
        if isinstance(message, list) and message[0] == call:
            return message[1]
        early.append(message)
    sys.exit("the referee has closed the connection")


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


def take_turn(state, goal):
    """Of all slides without rotation, the one that leads nearest to the goal. Edit this first."""
    board, spare, me = state["board"]["connectors"], state["spare"]["tilekey"], state["plmt"][0]["current"]
    options = [((row - goal["row#"]) ** 2 + (column - goal["column#"]) ** 2, row, column, shift)
               for shift in ask("get_legal_shift_ops")
               for row, column in reachable(*slide(board, spare, *shift, (me["row#"], me["column#"])))]
    if not options:
        return send(["pass", []])
    _, row, column, shift = min(options)
    send(["rotate_spare_tile", [0]], ["shift_and_insert", shift],
         ["move_avatar", [{"row#": row, "column#": column}]])


send({"color": color})
(answer := read()) == "SUCCESS" or sys.exit(f"refused: {answer}")
state, _, goal = read(), read(), ask("get_treasure_location")
while isinstance(state, dict) and "board" in state:
    me = next((player for player in state["plmt"] if player["color"] == color), None) or sys.exit("ejected")
    goal = me["home"] if me["current"] == goal and state["last"] is not None else goal
    if me is state["plmt"][0]:
        take_turn(state, goal)
    state = read()
print(state)
