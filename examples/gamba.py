#!/usr/bin/env python3
"""A Gamba bot to start from: gamba.py [HOST] [PORT] [NAME]"""
import contextlib
import random
import socket
import sys
import threading
import time

host, port, name = (sys.argv[1:] + ["127.0.0.1", "8080", "starter"][len(sys.argv) - 1:])[:3]
known, state, refused = False, {}, []


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
    global known, state, refused
    if kind == "100" and not known:  # connected, for the first time
        known = True
        return "2|||"
    if kind == "101" and fields["room_full"] == "true":
        return "5|||"
    if kind == "102" or any(word in fields.get("error", "") for word in ("name", "failed")):
        sys.exit(fields.get("error"))  # 102: back in the lobby, the game is over
    if kind == "106":
        state, refused = fields, []
    if kind == "106" or fields.get("error") == "Invalid card play":
        return move() if state["your_turn"] == "true" else None


def keep_alive(connection):
    """Only PING counts as a sign of life: every 30 seconds."""
    with contextlib.suppress(OSError):  # The loop below notices a lost connection.
        while not time.sleep(30):
            connection.sendall(b"4|||\n")


for pause in (0, 0.2, 1, 2, 4, 8):  # A lost connection is made anew, and the seat taken back.
    time.sleep(pause)
    try:
        connection = socket.create_connection((host, int(port)))
        threading.Thread(target=keep_alive, args=[connection], daemon=True).start()
        connection.sendall(f"{6 if known else 0}|||name={name}\n".encode())
        lines = connection.makefile("r", newline="\n")
        while (line := lines.readline()).endswith("\n"):
            print(line.strip())
            kind, _, _, *data = line.strip().split("|")
            if reply := answer(kind, dict(item.split("=", 1) for item in data if "=" in item)):
                connection.sendall((reply + "\n").encode())
    except OSError as error:
        print(error) if known else sys.exit(f"no server at {host}:{port}: start one with 'cargo run --release -- serve'")
sys.exit("the server is gone")
