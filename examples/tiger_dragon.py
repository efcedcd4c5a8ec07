#!/usr/bin/env python3
"""A Tiger & Dragon bot to start from: tiger_dragon.py [HOST] [PORT] [NAME]

Speaks WebSocket with the standard library alone; with the `websockets` package the class
Connection shrinks to a few lines."""
import base64
import json
import os
import socket
import struct
import sys

host, port, name = (sys.argv[1:] + ["127.0.0.1", "9002", "starter"][len(sys.argv) - 1:])[:3]


class Connection:
    def __init__(self):
        self.socket = socket.create_connection((host, int(port)))
        self.bytes = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        while self.bytes.readline().strip():
            pass

    def frame(self, opcode, payload):
        mask = os.urandom(4)
        size = len(payload)
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | size) if size < 126 else struct.pack(
            "!BBH", 0x80 | opcode, 0x80 | 126, size)
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def send(self, message):
        self.frame(1, json.dumps(message).encode())

    def read(self):
        """The next message; None once the server has closed."""
        while True:
            head = self.bytes.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                return None
            size = head[1] & 127
            if size >= 126:
                size = int.from_bytes(self.bytes.read(2 if size == 126 else 8), "big")
            payload = self.bytes.read(size)
            if head[0] & 15 == 9:  # ping
                self.frame(10, payload)
            elif head[0] & 15 == 1:
                return json.loads(payload)


def choose(state):
    """One of state["legal"]. Edit this first."""
    legal = state["legal"].split(",")
    tiles = [choice for choice in legal if choice != "pass"]
    return tiles[-1] if tiles else "pass"


connection = Connection()
connection.send({"type": "join", "room_id": "room1", "player_id": name, "role": "player"})
while (message := connection.read()) is not None:
    print(message)
    if message["type"] == "state" and message["legal"]:
        connection.send({"type": "action", "room_id": "room1", "player_id": name, "choice": choose(message)})
    elif message["type"] == "game_over":
        break
