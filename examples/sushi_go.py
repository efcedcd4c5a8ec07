#!/usr/bin/env python3
"""A Sushi Go bot to start from: sushi_go.py [HOST] [PORT] [NAME] [GAME]"""
import json
import re
import socket
import sys
import time

host, port, name, game = (sys.argv[1:] + ["127.0.0.1", "7878", "starter", ""][len(sys.argv) - 1:])[:4]
token, hand, refused = "", [], []

VALUE = {
    "Squid Nigiri": 9, "Salmon Nigiri": 7, "Maki Roll (3)": 8, "Tempura": 6, "Wasabi": 6, "Sashimi": 5,
    "Dumpling": 5, "Maki Roll (2)": 5, "Pudding": 5, "Egg Nigiri": 3, "Maki Roll (1)": 2, "Chopsticks": 1,
}


def choose(hand, options):
    """The index of the card to play, one of `options`. `hand` is a list of card names. Edit this first."""
    return max(options, key=lambda index: VALUE[hand[index]])


def play():
    options = [index for index in range(len(hand)) if index not in refused]
    index = choose(hand, options or range(len(hand)))
    refused.append(index)  # If the server takes it, the next HAND clears this.
    return f"PLAY {index}"


def answer(line):
    """What to say to a line of the server; None for nothing."""
    global token, hand, refused
    word, _, rest = line.partition(" ")
    if word == "GAMES":
        return f"JOIN {json.loads(rest)[0]['id']} {name}"
    if word == "WELCOME":
        token = rest.split()[2]
        return "READY"
    if word == "HAND":
        hand, refused = [card for _, card in re.findall(r"(\d+):(.*?)(?=\s\d+:|$)", rest)], []
        return play()
    if word == "ERROR" and rest[:4] in ("E006", "E007", "E009"):  # a move that is not possible
        return play()
    if word == "ERROR" and rest[:4] != "E008":  # E008: the clock was faster, so wait for the next HAND
        sys.exit(line)
    if word == "GAME_END":
        sys.exit()


for pause in (0, 0.2, 1, 2, 4, 8):  # A lost connection is made anew, and the seat taken back.
    time.sleep(pause)
    try:
        connection = socket.create_connection((host, int(port)))
        hello = f"REJOIN {token}" if token else f"JOIN {game} {name}" if game else "GAMES"
        connection.sendall((hello + "\n").encode())
        lines = connection.makefile("r", newline="\n")
        while (line := lines.readline()).endswith("\n"):
            print(line.strip())
            if reply := answer(line.strip()):
                connection.sendall((reply + "\n").encode())
    except OSError as error:
        if not token:
            sys.exit(f"no server at {host}:{port}: start one with 'cargo run --release -- serve'")
        print(error)
sys.exit("the server is gone")
