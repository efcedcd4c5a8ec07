#!/usr/bin/env python3
"""A Gamba bot to start from.

  gamba.py [HOST] [PORT] [NAME]   play one game
  gamba.py --games 0              play one game after the other, until you stop it
"""
import argparse
import contextlib
import os
import random
import socket
import sys
import threading
import time

parser = argparse.ArgumentParser(description="A Gamba bot to start from.")
parser.add_argument("host", nargs="?", default="127.0.0.1")
parser.add_argument("port", nargs="?", type=int, default=8080)
parser.add_argument("name", nargs="?", default=f"starter-{os.getpid()}")
parser.add_argument("--games", type=int, default=1, help="how many games to play; 0 means no end")
args = parser.parse_intermixed_args()
CONNECT, RECONNECT = f"0|||name={args.name}", f"6|||name={args.name}"
left, known, returning, state, refused = args.games, False, False, {}, []


def choose(state, plays):
    """One of `plays`, the cards that fit, by rank: [["3H"], ["9C", "9D"]]. Edit this first."""
    return plays[0] if random.random() < 0.9 else random.choice(plays)  # two that never vary may never end


def value(card):
    return {"J": 11, "Q": 12, "K": 13, "A": 14}.get(card[:-1]) or int(card[:-1])


def fits(card):
    top, low = state["top_card"], state["must_play_low"] == "true"
    free = top == "1S" or 2 in (value(card), value(top))
    return free or (value(card) <= 7 if low else value(card) in (7, 10) or value(card) >= value(top))


def move():
    """A line to send. `state` has the fields of the last GAME_STATE."""
    hand = [card for card in state["hand"].split(",") if card]
    ranks = sorted({value(card) for card in hand if fits(card)})
    plays = [[card for card in hand if value(card) == rank] for rank in ranks]
    untried = [play for play in plays if play not in refused]
    if hand and not untried and state["discard_pile_size"] != "0":
        return "8|||"
    play = choose(state, untried or plays) if hand else ["RESERVE"]
    refused.append(play)  # If the server takes it, the next GAME_STATE clears this.
    return "7|||cards=" + ",".join(play)


def answer(kind, fields):
    """What to say to a message of the server; None for nothing."""
    global left, known, returning, state, refused
    error = fields.get("error", "")
    if kind == "100":  # A player who returns to a game gets its state before the PONG to this PING.
        known = True
        return "4|||" if returning else "2|||"
    if kind == "104" and returning:  # There was no game to return to.
        returning = False
        return "2|||"
    if kind == "101" and fields["room_full"] == "true":
        return "5|||"
    if kind == "112":  # the game is over
        left -= 1
    if kind == "102":  # back in the lobby
        return "2|||" if left else sys.exit()
    if kind == "106":
        returning, state, refused = False, fields, []
    if kind == "106" or error == "Invalid card play":
        return move() if state["your_turn"] == "true" else None
    if error.endswith("name already taken") and not returning:  # perhaps by ourselves, before a crash
        returning = True
        return RECONNECT
    if error == "Reconnection failed" and known:  # The server does not know us any more, or not yet that we left.
        returning = False
        return later(CONNECT)
    if error == "Error occurred while joining room":
        return later("2|||")
    if "name" in error or "failed" in error:
        why = "another program plays under it: stop that, or use another name" if returning else error
        sys.exit(f"the server does not take the name {args.name}: {why}")


def later(line):
    time.sleep(1)
    return line


def keep_alive(connection):
    """Only PING counts as a sign of life: every 30 seconds."""
    with contextlib.suppress(OSError):  # The loop below notices a lost connection.
        while not time.sleep(30):
            connection.sendall(b"4|||\n")


failures = 0
while True:  # A lost connection is replaced, and the seat taken back.
    try:
        connection = socket.create_connection((args.host, args.port))
        threading.Thread(target=keep_alive, args=[connection], daemon=True).start()
        returning = known
        connection.sendall(((RECONNECT if known else CONNECT) + "\n").encode())
        lines = connection.makefile("r", newline="\n")
        while (line := lines.readline()).endswith("\n"):
            failures = 0 if known else failures
            print(line.strip())
            kind, _, _, *data = line.strip().split("|")
            if reply := answer(kind, dict(item.split("=", 1) for item in data if "=" in item)):
                connection.sendall((reply + "\n").encode())
    except (OSError, ValueError) as error:
        if not known and not failures:
            sys.exit(f"no server at {args.host}:{args.port}: start one with 'cargo run --release -- serve'")
        print(error, file=sys.stderr)
    failures += 1
    if failures > 6 and args.games:
        sys.exit(f"given up: no game at {args.host}:{args.port}")
    time.sleep(min(2**failures / 10, 5))
