"""Bots over the network, for every game, with only the standard library.

    import random
    from parlor_games.net import run

    def choose(view, legal):
        return random.choice(legal)

    run(choose, "gamba", name="ann", bots=["random"])

A bot is a function `choose(view, legal)`, a subclass of `Bot`, or an object of one. `view` is what
your seat may know, `legal` the list of legal actions, or None where there are too many; both look
as docs/reference/json-protocol.md says.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import socket
import struct
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Callable


class Bot:
    """What a bot can do; only `choose` is needed."""

    version: str | None = None

    def start(self, seat: int, names: list[str]) -> None:
        """A game begins: your seat, and who sits where."""

    def watch(self, view: Any) -> None:
        """Called with every view, before `choose` if it is your move."""

    def choose(self, view: Any, legal: list[Any] | None) -> Any:
        raise NotImplementedError("a bot needs choose(self, view, legal)")

    def end(self, result: Result) -> None:
        """The game is over."""


@dataclass
class Result:
    """How a game ended."""

    table: str
    seat: int
    names: list[str]
    places: list[int]
    points: list[int]
    how: list[str]
    words: str = ""
    void: str | None = None
    moves: int = 0
    seconds: list[float] = field(default_factory=list)

    @property
    def won(self) -> bool:
        return bool(self.places) and self.places[self.seat] == 1


class Refused(Exception):
    """The server refused something: `code` says what, and `hint` what to do."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.code: str = message.get("code", "")
        self.hint: str = message.get("hint", "")
        super().__init__(f"{message.get('message')} {self.hint}".strip())


class IllegalMove(Refused):
    """Your bot chose an action that is not legal."""

    def __init__(self, message: dict[str, Any], action: Any) -> None:
        super().__init__(message)
        self.action = action
        self.args = (f"{json.dumps(action)}: {self.args[0]}",)


class NoHandshake(ConnectionError):
    """The program at that port does not speak the JSON protocol."""

    def __init__(self, where: str, why: object) -> None:
        super().__init__(
            f"{where} does not speak the JSON protocol: {why}. Use the port of the pages, 7800. `parlor "
            "play`, `match` and `tournament run` give it to your bot if you add --wire house."
        )


class Lost(ConnectionError):
    """The connection was lost, and reconnecting failed."""


def as_bot(bot: Any) -> Bot:
    """A function, a class or an object, as an object."""
    if isinstance(bot, type):
        bot = bot()
    if isinstance(bot, Bot):
        return bot
    if hasattr(bot, "choose"):
        return _Wrapped(bot)
    if callable(bot):
        return _Function(bot)
    raise TypeError(f"{bot!r} is no bot: it needs choose(view, legal)")


class _Function(Bot):
    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        self.function = function

    def choose(self, view: Any, legal: list[Any] | None) -> Any:
        return self.function(view, legal)


class _Wrapped(Bot):
    """An object with `choose` that is not a `Bot`."""

    def __init__(self, inner: Any) -> None:
        for name in ("version", "start", "watch", "choose", "end"):
            if hasattr(inner, name):
                setattr(self, name, getattr(inner, name))


def run(
    bot: Any,
    game: str,
    host: str = "127.0.0.1",
    port: int = 7800,
    name: str | None = None,
    *,
    games: int = 1,
    bots: list[str] | None = None,
    options: dict[str, Any] | None = None,
    table: str | None = None,
    key: str | None = None,
    patience: float = 60.0,
    verbose: bool = False,
) -> list[Result]:
    """Plays `games` games and returns how they ended.

    `bots` (house strategies) or `options` open a table of your own; `key` is that of your name.
    A lost connection is taken up again for `patience` seconds. If your bot raises, it leaves the
    game and the exception is yours.
    """
    player = as_bot(bot)
    join: dict[str, Any] = {"do": "join", "name": name or type(player).__name__.strip("_").lower()}
    extras = {"bots": bots, "options": options, "table": table, "key": key}
    extras["version"] = player.version
    join.update({field: value for field, value in extras.items() if value is not None})
    session = _Session(player, game, (host, port), join, patience, verbose)
    try:
        return [session.play() for _ in range(games)]
    finally:
        session.close()


def main(bot: Any, game: str) -> None:
    """Runs a bot from the command line: `python3 bot.py HOST PORT NAME --games 10`."""
    parser = argparse.ArgumentParser(description=f"plays {game}")
    env = os.environ.get
    parser.add_argument("host", nargs="?", default=env("PARLOR_HOST", "127.0.0.1"))
    parser.add_argument("port", nargs="?", type=int, default=_port(env("PARLOR_PORT")))
    parser.add_argument("name", nargs="?", default=env("PARLOR_NAME"))
    parser.add_argument("--games", type=int, default=1, help="how many games to play")
    parser.add_argument("--table", help="the table to sit down at")
    parser.add_argument("--key", default=env("PARLOR_KEY"), help="the key of your name")
    parser.add_argument("--bot", action="append", help="a house bot to play against")
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    said = parser.parse_args()
    run(
        bot, game, said.host, said.port, said.name, games=said.games, bots=said.bot,
        table=said.table, key=said.key, verbose=not said.quiet,
    )  # fmt: skip


def _port(said: str | None) -> int:
    """A server's own PARLOR_PORT names its ports; only a bare number is meant for bots."""
    return int(said) if said and said.isdecimal() else 7800


class _Session:
    """Games one after the other, over one connection while it lasts."""

    def __init__(
        self,
        bot: Bot,
        game: str,
        address: tuple[str, int],
        join: dict[str, Any],
        patience: float,
        verbose: bool,
    ) -> None:
        self.bot, self.game, self.address, self.join = bot, game, address, join
        self.patience, self.verbose = patience, verbose
        self.line: WebSocket | None = None
        self.forget()

    def forget(self) -> None:
        """Nothing is known of the next game yet."""
        self.token: str | None = None
        self.table, self.seat = "", 0
        self.names: list[str] = []
        self.started = False
        self.asked: Any = None
        self.seconds: list[float] = []

    def close(self) -> None:
        if self.line is not None:
            self.line.close()
            self.line = None

    def play(self) -> Result:
        """One game, from joining to its end."""
        self.forget()
        deadline: float | None = None
        pause = 0.2
        while True:
            try:
                if self.line is None:
                    self.line = WebSocket(*self.address, f"/house/{self.game}")
                self.line.send(self.greeting())
                deadline, pause = None, 0.2
                return self.talk(self.line)
            except (OSError, EOFError) as broken:
                self.close()
                # Without a token there is no seat to return to.
                if self.token is None:
                    raise
                now = time.monotonic()
                deadline = deadline or now + self.patience
                if now + pause > deadline:
                    seconds = f"{self.patience:g} seconds"
                    raise Lost(f"{self.table}: no connection for {seconds}: {broken}") from broken
                self.say(f"{self.table}: connection lost ({broken}); trying again")
                time.sleep(pause)
                pause = min(2 * pause, 5.0)

    def greeting(self) -> dict[str, Any]:
        return {"do": "resume", "token": self.token} if self.token else self.join

    def talk(self, line: WebSocket) -> Result:
        while True:
            message = line.receive()
            kind = message.get("type")
            if kind == "joined":
                self.table, self.seat = message["table"], message["seat"]
                self.token = message.get("token") or self.token
            elif kind == "update":
                self.update(line, message)
            elif kind == "over":
                line.send({"do": "leave"})
                return self.over(message)
            elif kind == "refused":
                self.refused(line, message)
            elif kind == "error":
                # Another protocol over WebSockets: this one has no such word.
                raise NoHandshake("{}:{}".format(*self.address), message.get("message"))
            elif kind == "closed" and not message.get("resume"):
                raise Refused({"message": f"the server said goodbye: {message.get('reason')}"})

    def update(self, line: WebSocket, message: dict[str, Any]) -> None:
        view = message["view"]
        if message.get("seat") is not None:
            self.seat = message["seat"]
        try:
            if not self.started:
                self.started, self.names = True, message["names"]
                self.bot.start(self.seat, self.names)
            self.bot.watch(view)
            if not message["your_move"]:
                return
            began = time.perf_counter()
            action = self.bot.choose(view, message.get("legal"))
        except BaseException:
            # The game should not wait for the clock of a bot that cannot continue.
            self.leave(line)
            raise
        self.seconds.append(time.perf_counter() - began)
        self.say(f"{self.table}: {json.dumps(action)} in {1000 * self.seconds[-1]:.1f} ms")
        self.asked = action
        line.send({"do": "act", "seq": message["seq"], "action": action})

    def refused(self, line: WebSocket, message: dict[str, Any]) -> None:
        code = message.get("code")
        # The turn continued without us, or twice: the next update says where we are.
        if code in ("stale", "already-moved", "not-your-turn"):
            return
        # A bot that leaves a finished table may find that the table has let go of it.
        if code == "not-seated" and self.token is None:
            return
        if code in ("illegal", "bad-message") and self.asked is not None:
            self.leave(line)
            raise IllegalMove(message, self.asked)
        raise Refused(message)

    def over(self, message: dict[str, Any]) -> Result:
        result = Result(
            table=self.table,
            seat=self.seat,
            names=self.names,
            places=message.get("places") or [],
            points=message.get("points") or [],
            how=message.get("how") or [],
            words=message.get("words") or "",
            void=message.get("void"),
            moves=len(self.seconds),
            seconds=self.seconds,
        )
        self.say(f"{self.table}: {result.words or result.void or result.places}")
        self.bot.end(result)
        return result

    def leave(self, line: WebSocket) -> None:
        try:
            line.send({"do": "leave"})
        except OSError as broken:
            self.say(f"could not leave: {broken}")

    def say(self, text: str) -> None:
        if self.verbose:
            print(text, file=sys.stderr)


class WebSocket:
    """The parts of RFC 6455 that a client of text messages needs."""

    def __init__(self, host: str, port: int, path: str, timeout: float = 15.0) -> None:
        self.socket = socket.create_connection((host, port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        try:
            while b"\r\n\r\n" not in self.buffer:
                self._more()
                # A game's own port says something else, and then nothing.
                if not b"HTTP/".startswith(self.buffer[:5]):
                    raise EOFError(f"it said {self.buffer[:60]!r}")
        except (EOFError, TimeoutError) as why:
            self.socket.close()
            raise NoHandshake(f"{host}:{port}", why) from why
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        if " 101 " not in lines[0] + " ":
            raise Refused({"message": f"{host}:{port}{path} is no game: {lines[0]}"})
        fields = dict(line.lower().split(":", 1) for line in lines[1:] if ":" in line)
        sealed = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        if fields.get("sec-websocket-accept", "").strip() != base64.b64encode(sealed).decode().lower():
            raise ConnectionError("the server's handshake is wrong")
        # A bot may think for as long as the clock allows; a dead line is noticed by pings.
        self.socket.settimeout(None)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def send(self, message: dict[str, Any]) -> None:
        self._frame(1, json.dumps(message, separators=(",", ":")).encode())

    def receive(self) -> Any:
        """The next message; EOFError when the server hangs up."""
        text = b""
        while True:
            head = self._take(2)
            kind, length = head[0] & 15, head[1] & 127
            if length == 126:
                (length,) = struct.unpack("!H", self._take(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self._take(8))
            payload = self._take(length)
            if kind == 9:
                self._frame(10, payload)
            elif kind == 8:
                raise EOFError("the server closed the connection")
            elif kind in (0, 1, 2):
                text += payload
                if head[0] & 128:
                    return json.loads(text)

    def close(self) -> None:
        try:
            self._frame(8, struct.pack("!H", 1000))
        except OSError:
            pass  # It is gone already, which is what we want.
        self.socket.close()

    def _frame(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 128 | kind, 128 | size)
        elif size < 65536:
            head = struct.pack("!BBH", 128 | kind, 128 | 126, size)
        else:
            head = struct.pack("!BBQ", 128 | kind, 128 | 127, size)
        mask = os.urandom(4)
        whole = int.from_bytes(payload, "big")
        masks = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        self.socket.sendall(head + mask + (whole ^ masks).to_bytes(size, "big"))

    def _take(self, count: int) -> bytes:
        while len(self.buffer) < count:
            self._more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def _more(self) -> None:
        data = self.socket.recv(65536)
        if not data:
            raise EOFError("the server hung up")
        self.buffer += data
