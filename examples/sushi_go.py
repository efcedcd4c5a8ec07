#!/usr/bin/env python3
"""A Sushi Go bot to start from.

  sushi_go.py [HOST] [PORT] [NAME] [GAME]   play one game
  sushi_go.py --games 0                     play one game after the other, until you stop it
  sushi_go.py --tournament cup              enter an open tournament and play all of its matches
"""
import argparse
import json
import os
import re
import socket
import sys
import time

parser = argparse.ArgumentParser(description="A Sushi Go bot to start from.")
parser.add_argument("host", nargs="?", default="127.0.0.1")
parser.add_argument("port", nargs="?", type=int, default=7878)
parser.add_argument("name", nargs="?", default=f"starter-{os.getpid()}")
parser.add_argument("game", nargs="?", default="", help="the game to join first; default: any")
parser.add_argument("--games", type=int, default=1, help="how many games to play; 0 means no end")
parser.add_argument("--tournament", default="", help="an open tournament to enter")
args = parser.parse_intermixed_args()
left, known, token, hand, refused = args.games, False, "", [], []
sent = []  # What we have said and the server has not replied to yet.
REPLIES = ("OK", "ERROR", "GAMES", "WELCOME", "REJOINED", "TOURNAMENT_WELCOME", "TOURNAMENT_REJOINED")

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


def hello():
    """The first line on a new connection: back to our seat, or to a new game."""
    if token:
        return f"REJOIN {token}"
    if args.tournament:
        return f"TOURNEY {args.tournament} {args.name}"
    return f"JOIN {args.game} {args.name}" if args.game else "GAMES"


def answer(line):
    """What to say to a line of the server; None for nothing."""
    global left, token, hand, refused
    word, *rest = line.split(" ")
    command = sent.pop(0) if word in REPLIES and sent else ""
    if word == "GAMES":
        return f"JOIN {json.loads(line[6:])[0]['id']} {args.name}"
    if word in ("WELCOME", "TOURNAMENT_WELCOME"):
        token, args.game = rest[2], ""
        return "READY" if word == "WELCOME" else None
    if word == "TOURNAMENT_MATCH" and rest[1] != "BYE":
        return f"TJOIN {rest[1]}"
    if word == "TOURNAMENT_COMPLETE":
        sys.exit()
    if word == "HAND":
        hand, refused = re.findall(r"\d+:(.*?)(?=\s\d+:|$)", line), []
        return play()
    if word == "GAME_END" and args.tournament:
        return "LEAVE"  # The next match is called when we have left this one.
    if word == "GAME_END":
        left, token = left - 1, ""
        return "GAMES" if left else sys.exit()
    if word == "ERROR" and rest[0] in ("E006", "E007", "E009"):  # a move that is not possible
        return play()
    if word == "ERROR" and command.startswith("PLAY"):
        return None  # Too late: the clock was faster, or the game was closed while we thought.
    if word == "ERROR" and rest[0] in ("E003", "E004", "E005", "E011") and not args.game + args.tournament:
        token = ""  # That game is full, running or over: look for another.
        time.sleep(0.2)
        return "GAMES"
    if word == "ERROR":
        sys.exit(line)


def say(text):
    sent.append(text)
    connection.sendall((text + "\n").encode())


failures = 0
while True:  # A lost connection is replaced, and the seat taken back.
    try:
        connection = socket.create_connection((args.host, args.port))
        sent.clear()
        say(hello())
        lines = connection.makefile("r", newline="\n")
        while (line := lines.readline()).endswith("\n"):
            known, failures = True, 0 if token else failures
            print(line.strip())
            if reply := answer(line.strip()):
                say(reply)
    except (OSError, ValueError) as error:
        if not known:
            sys.exit(f"no server at {args.host}:{args.port}: start one with 'cargo run --release -- serve'")
        print(error, file=sys.stderr)
    failures += 1
    if failures > 6 and args.games:
        sys.exit(f"given up: no game at {args.host}:{args.port}")
    time.sleep(min(2**failures / 10, 5))
