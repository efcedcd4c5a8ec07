#!/usr/bin/env python3
"""A SubSim bot to start from: subsim.py [HOST] [PORT] [NAME]"""
import random
import socket
import sys

host, port, name = (sys.argv[1:] + ["127.0.0.1", "9555", "Starter"][len(sys.argv) - 1:])[:3]
try:
    connection = socket.create_connection((host, int(port)))
except OSError:
    sys.exit(f"no server at {host}:{port}: start one with 'cargo run --release -- serve'")
lines = connection.makefile("r", newline="\n")
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def send(*fields):
    connection.sendall(("|".join(map(str, fields)) + "\n").encode())


def read():
    line = lines.readline().strip()
    print(line)
    return line.split("|")


# C|version|title|width|height|count, then that many V lines with settings.
_, _, _, width, height, count = read()
width, height = int(width), int(height)
settings = [read() for _ in range(int(count))]
blocked = {(int(s[2]), int(s[3])) for s in settings if s[1] == "Obstacle"}
free = [(x, y) for x in range(1, width + 1) for y in range(1, height + 1) if (x, y) not in blocked]
here = random.choice(free)
send("J", name, *here)
me, target = {}, None


def order(turn):
    """One command for the submarine. Edit this first."""
    global target
    if target and int(me.get("torpedo_range", 0)) >= abs(target[0] - here[0]) + abs(target[1] - here[1]) > 1:
        square, target = target, None
        return ("F", turn, 0, *square)
    if int(me.get("sonar_range", 0)) >= 6:
        return ("P", turn, 0)
    ways = [d for d, (dx, dy) in STEPS.items() if (here[0] + dx, here[1] + dy) in free]
    equipment = "Sonar" if int(me.get("sonar_range", 0)) < 6 else "Torpedo"
    if ways and random.random() < 0.8:
        return ("M", turn, 0, random.choice(ways), random.choice([equipment, "Torpedo"]))
    return ("S", turn, 0, "Sonar", "Torpedo")


while True:
    message = read()
    kind = message[0]
    if kind == "I":  # I|turn|sub|x|y|active|variable=value...
        here = (int(message[3]), int(message[4]))
        me = dict(item.split("=") for item in message[6:])
        active = message[5] == "1"
    elif kind == "O" and int(message[4]) < 1000 and (int(message[2]), int(message[3])) != here:
        target = (int(message[2]), int(message[3]))
    elif kind == "B" and active:
        send(*order(int(message[1])))
    elif kind == "F":  # F|players|turns|status, then one P line for each player
        for _ in range(int(message[1])):
            read()
        break
    elif kind == "":
        break
