#!/usr/bin/env python3
"""A Sushi Go bot to start from: sushi_go.py [HOST] [PORT] [NAME] [GAME]"""
import json
import re
import socket
import sys

host, port, name, game = (sys.argv[1:] + ["127.0.0.1", "7878", "starter", ""][len(sys.argv) - 1:])[:4]
connection = socket.create_connection((host, int(port)))
lines = connection.makefile("r", newline="\n")

# What a card is worth to this bot. Edit this first.
VALUE = {
    "Squid Nigiri": 9, "Salmon Nigiri": 7, "Maki Roll (3)": 8, "Tempura": 6, "Wasabi": 6, "Sashimi": 5,
    "Dumpling": 5, "Maki Roll (2)": 5, "Pudding": 5, "Egg Nigiri": 3, "Maki Roll (1)": 2, "Chopsticks": 1,
}


def send(line):
    connection.sendall((line + "\n").encode())


def ask(line):
    """Sends a command; the very next line is its reply."""
    send(line)
    return lines.readline().strip()


def choose(hand):
    """The index of the card to play. `hand` is a list of card names."""
    return max(range(len(hand)), key=lambda index: VALUE[hand[index]])


if not game:
    listed = json.loads(ask("GAMES").split(" ", 1)[1])
    game = listed[0]["id"]
welcome = ask(f"JOIN {game} {name}")
print(welcome)
if not welcome.startswith("WELCOME"):
    sys.exit(1)
token = welcome.split()[3]  # after a dropped connection: REJOIN <token>
send("READY")
for line in lines:
    line = line.strip()
    print(line)
    if line.startswith("HAND "):
        hand = [card for _, card in re.findall(r"(\d+):(.*?)(?=\s\d+:|$)", line)]
        send(f"PLAY {choose(hand)}")
    elif line.startswith("GAME_END "):
        break
