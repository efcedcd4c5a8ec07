#!/usr/bin/env python3
"""A Gamba bot to start from: gamba.py [HOST] [PORT] [NAME]"""
import random
import socket
import sys
import threading

host, port, name = (sys.argv[1:] + ["127.0.0.1", "8080", "starter"][len(sys.argv) - 1:])[:3]
connection = socket.create_connection((host, int(port)))
lines = connection.makefile("r", newline="\n")
lock = threading.Lock()


def send(line):
    with lock:
        connection.sendall((line + "\n").encode())


def keep_alive():
    """Only PING counts as a sign of life: every 30 seconds."""
    send("4|||")
    timer = threading.Timer(30, keep_alive)
    timer.daemon = True
    timer.start()


def value(card):
    return {"J": 11, "Q": 12, "K": 13, "A": 14}.get(card[:-1]) or int(card[:-1])


def fits(card, top, must_play_low):
    if top == "1S" or value(card) == 2 or value(top) == 2:
        return True
    if must_play_low:
        return value(card) <= 7
    return value(card) in (7, 10) or value(card) >= value(top)


def choose(state):
    """A line to send. `state` has the fields of a GAME_STATE. Edit this first."""
    hand = [card for card in state["hand"].split(",") if card]
    if not hand:
        return "7|||cards=RESERVE"
    playable = [card for card in hand if fits(card, state["top_card"], state["must_play_low"] == "true")]
    if not playable:
        return "8|||"
    # The lowest, but not always: two bots that never vary could play for ever.
    rank = min(map(value, playable)) if random.random() < 0.9 else value(random.choice(playable))
    return "7|||cards=" + ",".join(card for card in playable if value(card) == rank)


send(f"0|||name={name}")
started = False
for line in lines:
    kind, player, room, *data = line.strip().split("|")
    fields = dict(item.split("=", 1) for item in data if "=" in item)
    if kind != "104":
        print(line.strip())
    if kind == "100":  # connected
        keep_alive()
        send("2|||")
    elif kind == "101" and fields["room_full"] == "true" and not started:
        started = True
        send("5|||")
    elif kind == "105":
        started = True
    elif kind == "106" and fields["your_turn"] == "true":
        send(choose(fields))
    elif kind == "102":  # back in the lobby: the game is over
        break
