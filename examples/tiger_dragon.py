#!/usr/bin/env python3
"""A Tiger & Dragon bot to start from: tiger_dragon.py [HOST] [PORT] [NAME]
Speaks WebSocket by itself; with the `websockets` package the class Connection shrinks to a few lines."""
import base64
import json
import os
import socket
import sys
import time

host, port, name = (sys.argv[1:] + ["127.0.0.1", "9002", "starter"][len(sys.argv) - 1:])[:3]
joined, state, refused = False, {}, []


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
        self.socket = socket.create_connection((host, int(port)))
        self.bytes = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        while self.bytes.readline().strip():
            pass

    def frame(self, opcode, payload):
        mask, size = os.urandom(4), len(payload)
        length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126, size >> 8, size & 255])
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(bytes([0x80 | opcode]) + length + mask + masked)

    def send(self, kind, **fields):
        self.frame(1, json.dumps({"type": kind, "room_id": "room1", "player_id": name, **fields}).encode())

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


for pause in (0, 0.2, 1, 2, 4, 8):  # A lost connection is made anew, and the seat taken back by name.
    time.sleep(pause)
    try:
        connection = Connection()
        connection.send("join", role="player")
        while message := connection.read():
            print(message)
            if message["type"] == "game_over":
                sys.exit()
            if message.get("message") == "room full":  # The lost connection may still hold the seat.
                break
            if message["type"] == "state":
                joined, state, refused = True, message, []
            if state.get("legal") and (message["type"] == "state" or message.get("message") == "illegal action"):
                move()
    except OSError as error:
        print(error) if joined else sys.exit(
            f"no server at {host}:{port}: start one with 'cargo run --release -- serve'")
sys.exit("given up: the server is gone, or has no free seat")
