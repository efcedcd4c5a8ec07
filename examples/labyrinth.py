#!/usr/bin/env python3
"""A Labyrinth bot to start from: labyrinth.py [HOST] [PORT] [COLOR]"""
import json
import socket
import sys

host, port, color = (sys.argv[1:] + ["127.0.0.1", "7676", "blue"][len(sys.argv) - 1:])[:3]
lines = socket.create_connection((host, int(port))).makefile("rw", newline="\n", encoding="utf-8")


def send(value):
    lines.write(json.dumps(value) + "\n")
    lines.flush()


def read():
    """The next message; None once the referee has closed the connection."""
    line = lines.readline()
    return json.loads(line) if line else None


def ask(call):
    """Sends a query and waits for its answer; whatever comes before is a broadcast."""
    send([call, []])
    while True:
        message = read()
        if isinstance(message, list) and message[0] == call:
            return message[1]


def distance(a, b):
    return (a["row#"] - b["row#"]) ** 2 + (a["column#"] - b["column#"]) ** 2


def take_turn(goal):
    """Rotate, shift, move as near to the goal as this shift allows. Edit this first."""
    shifts = ask("get_legal_shift_ops")
    send(["rotate_spare_tile", [0]])
    send(["shift_and_insert", shifts[len(shifts) // 2]])
    squares = ask("get_legal_move_destinations")
    if not squares:
        sys.exit("no move left after the shift: the referee will eject us")
    send(["move_avatar", [min(squares, key=lambda square: distance(square, goal))]])


send({"color": color})
answer = read()
print(answer)
if answer != "SUCCESS":
    sys.exit(1)
state, treasure = read(), read()
print("my treasure:", treasure)
goal = ask("get_treasure_location")
home = next(player["home"] for player in state["plmt"] if player["color"] == color)
while isinstance(state, dict) and "board" in state:
    players = {player["color"]: player for player in state["plmt"]}
    if color not in players:
        sys.exit("ejected")
    if players[color]["current"] == goal:
        goal = home
    if state["plmt"][0]["color"] == color:
        take_turn(goal)
    state = read()
print(state)
