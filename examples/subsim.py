#!/usr/bin/env python3
"""A SubSim bot to start from.

  subsim.py [HOST] [PORT] [NAME]   play one game
  subsim.py --games 0              play one game after the other, until you stop it
"""
import argparse
import os
import random
import socket
import sys
import time

parser = argparse.ArgumentParser(description="A SubSim bot to start from.")
parser.add_argument("host", nargs="?", default="127.0.0.1")
parser.add_argument("port", nargs="?", type=int, default=9555)
parser.add_argument("name", nargs="?", default=f"bot{os.getpid() % 10000}")
parser.add_argument("--games", type=int, default=1, help="how many games to play; 0 means no end")
args = parser.parse_intermixed_args()
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def order(turn, here, me, target, free):
    """One command for the submarine. Edit this first.

    here: its square; me: its variables, such as torpedo_range; target: the last square where sonar saw
    a submarine, or None; free: the squares without an obstacle."""
    if target and int(me.get("torpedo_range", 0)) >= abs(target[0] - here[0]) + abs(target[1] - here[1]) > 1:
        return ("F", turn, 0, *target)
    if int(me.get("sonar_range", 0)) >= 6:
        return ("P", turn, 0)
    ways = [way for way, (dx, dy) in STEPS.items() if (here[0] + dx, here[1] + dy) in free]
    if ways and random.random() < 0.8:
        return ("M", turn, 0, random.choice(ways), random.choice(["Sonar", "Torpedo"]))
    return ("S", turn, 0, "Sonar", "Torpedo")


def play(connection):
    """Plays one game. True once it is over, False if the connection ended before."""
    lines = connection.makefile("r", newline="\n")

    def send(*fields):
        connection.sendall(("|".join(map(str, fields)) + "\n").encode())

    def read():
        line = lines.readline().strip()
        print(line)
        return line.split("|")

    # C|version|title|width|height|count, then that many V lines with settings.
    _, _, _, width, height, count = read()
    settings = [read() for _ in range(int(count))]
    blocked = {(int(s[2]), int(s[3])) for s in settings if s[1] == "Obstacle"}
    squares = [(x, y) for x in range(1, int(width) + 1) for y in range(1, int(height) + 1)]
    free = [square for square in squares if square not in blocked]
    here, me, active, target = random.choice(free), {}, False, None
    send("J", args.name, *here)
    while (message := read()) != [""]:
        kind = message[0]
        if len(message) == 1 and left == args.games:  # a refusal, before our first game
            sys.exit(f"the server refuses {args.name}: {kind}")
        if kind == "I":  # I|turn|sub|x|y|active|variable=value...
            here, active = (int(message[3]), int(message[4])), message[5] == "1"
            me = dict(item.split("=") for item in message[6:])
        elif kind == "O" and int(message[4]) < 1000 and (int(message[2]), int(message[3])) != here:
            target = (int(message[2]), int(message[3]))
        elif kind == "B" and active:  # B|turn
            command = order(int(message[1]), here, me, target, free)
            target = None if command[0] == "F" else target
            send(*command)
        elif kind == "F":  # F|players|turns|status, then one P line for each player
            for _ in range(int(message[1])):
                read()
            return True
    return False


left, known, failures = args.games, False, 0
while True:  # A game whose connection was lost cannot be rejoined: the next one is played.
    over = False
    try:
        with socket.create_connection((args.host, args.port)) as connection:
            known = True
            over = play(connection)
    except (OSError, ValueError) as error:
        if not known:
            sys.exit(f"no server at {args.host}:{args.port}: start one with 'cargo run --release -- serve'")
        print(error, file=sys.stderr)
    left, failures = left - over, 0 if over else failures + 1
    if over and left == 0:
        sys.exit()
    if failures > 6 and args.games or failures and args.games == 1:
        sys.exit("the connection ended before the game did")
    time.sleep(min(2**failures / 10, 5))
