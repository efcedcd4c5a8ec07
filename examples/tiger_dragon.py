#!/usr/bin/env python3
"""A Tiger & Dragon bot to start from.

  tiger_dragon.py [HOST] [PORT] [NAME]   play one match
  tiger_dragon.py --games 0              play one match after the other, until you stop it

It speaks WebSocket by itself; with the `websockets` package the class Connection shrinks to a few lines.
"""
import argparse
import base64
import json
import os
import socket
import sys
import time

parser = argparse.ArgumentParser(description="A Tiger & Dragon bot to start from.")
parser.add_argument("host", nargs="?", default="127.0.0.1")
parser.add_argument("port", nargs="?", type=int, default=9002)
parser.add_argument("name", nargs="?", default=f"starter-{os.getpid()}")
parser.add_argument("--games", type=int, default=1, help="how many matches to play; 0 means no end")
args = parser.parse_intermixed_args()
left, known, state, refused = args.games, False, {}, []


def choose(state, options):
    """One of `options`, which are legal. Edit this first."""
    tiles = [choice for choice in options if choice != "pass"]
    return tiles[-1] if tiles else "pass"


def move():
    legal = state["legal"].split(",")
    choice = choose(state, [choice for choice in legal if choice not in refused] or legal)
    refused.append(choice)  # If the server takes it, the next state clears this.
    connection.send("action", choice=choice)


class Connection:
    def __init__(self):
        self.socket = socket.create_connection((args.host, args.port))
        self.bytes = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET / HTTP/1.1\r\nHost: {args.host}:{args.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        while self.bytes.readline().strip():
            pass

    def frame(self, opcode, payload):
        mask, size = os.urandom(4), len(payload)
        length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126, size >> 8, size & 255])
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(bytes([0x80 | opcode]) + length + mask + masked)

    def send(self, kind, **fields):
        self.frame(1, json.dumps({"type": kind, "room_id": "room1", "player_id": args.name, **fields}).encode())

    def read(self):
        """The next message; None once the connection is lost."""
        while len(head := self.bytes.read(2)) == 2:
            size = head[1]
            if size >= 126:
                size = int.from_bytes(self.bytes.read(2 if size == 126 else 8), "big")
            payload = self.bytes.read(size)
            if head[0] & 15 == 9:  # ping
                self.frame(10, payload)
            elif head[0] & 15 == 1 and len(payload) == size:
                return json.loads(payload)


failures = 0
while True:  # A lost connection is replaced, and the seat taken back by name.
    try:
        connection, seated, state = Connection(), False, {}
        connection.send("join", role="player")
        while message := connection.read():
            print(message)
            if message["type"] == "join_ack":
                seated = True
            elif message["type"] == "error" and not (seated and state):
                break  # No seat: another bot may have this name, or a lost connection still holds the seat.
            elif not seated:
                continue  # All clients receive the messages of others' matches.
            elif message["type"] == "game_over":
                left, state, seated = left - 1, {}, False
                if left == 0:
                    sys.exit()
                connection.send("join", role="player")
            elif message["type"] == "state":
                known, failures, state, refused = True, 0, message, []
            if state.get("legal") and (message["type"] == "state" or message.get("message") == "illegal action"):
                move()
    except (OSError, ValueError) as error:
        if not known:
            sys.exit(f"no server at {args.host}:{args.port}: start one with 'cargo run --release -- serve'")
        print(error, file=sys.stderr)
    failures += 1
    if failures > 6 and args.games:
        sys.exit(f"given up: no game at {args.host}:{args.port}")
    time.sleep(min(2**failures / 10, 5))
