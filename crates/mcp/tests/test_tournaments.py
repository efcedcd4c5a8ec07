"""Language models in a tournament: they wait for their games, call by call, and play them."""

import asyncio
import os
import re
import subprocess

import pytest
from conftest import BINARY
from mcp import Client
from stand_in import StandIn


def parlor(data, *arguments):
    env = {key: value for key, value in os.environ.items() if not key.startswith("PARLOR_")}
    command = [BINARY, *arguments, "--data", data]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Entrant:
    """One that plays in a tournament until it has no more games."""

    def __init__(self, server, game, name, key, cup="cup"):
        self.server, self.game, self.name, self.cup = server, game, name, cup
        self.given = {"key": key} if key else {}
        self.clocks, self.games = [], 0

    async def ask(self, client, seconds=20):
        player = StandIn(client, self.game, self.name)
        arguments = {"tournament": self.cup, "seconds": seconds, **self.given}
        wrong, text = await player.call("join", game=self.game, name=self.name, **arguments)
        return player, wrong, text, player.heard[-1][1]

    async def play(self):
        async with Client(self.server.mcp) as client:
            while True:
                player, wrong, text, told = await self.ask(client)
                assert not wrong, text
                if told["status"] == "over":
                    return text
                if "seat" in told:
                    player.seat = told["seat"]
                    # An agent that lost the answer asks again and gets the same seat.
                    _, _, _, again = await self.ask(client)
                    assert again["seat"] == told["seat"]
                    self.clocks.append(told["time_left_s"])
                    await player.play()
                    self.games += 1


@pytest.fixture
def cup(lasting_server, tmp_path):
    """Makes a tournament; the keys of its entrants, and what starts it."""
    data = str(tmp_path / "data")

    def make(game, *arguments):
        made = parlor(
            data,
            *["tournament", "create", "--game", game, "--id", "cup", "--no-show", "300"],
            *["--set", "turn_timeout_ms=300000", *arguments],
        )
        keys = dict(re.findall(r"^(\S+) +(pk_\w+)$", made, re.M))
        return keys, lambda: parlor(data, "tournament", "start", game, "cup")

    return make


def test_entrants_wait_for_their_games_and_play_them(lasting_server, cup):
    names = ["--entrant", "ann", "--entrant", "ben", "--entrant", "house:random"]
    keys, start = cup("gamba", "--format", "round-robin", *names)
    ann, ben = (Entrant(lasting_server, "gamba", name, keys[name]) for name in ["ann", "ben"])

    async def whole():
        async with Client(lasting_server.mcp) as client:
            _, wrong, text, told = await ann.ask(client, seconds=0)
            assert not wrong and told["status"] == "waiting", text
            assert "has not started" in text and "300 s for each move" in text
            _, wrong, text, _ = await Entrant(lasting_server, "gamba", "ann", None).ask(client)
            assert wrong and "key" in text, "a stranger is not let in"
            _, wrong, text, _ = await Entrant(lasting_server, "gamba", "eve", None).ask(client)
            assert wrong and "eve is not entered in cup" in text
            _, wrong, text, _ = await Entrant(lasting_server, "gamba", "ann", None, "x").ask(client)
            assert wrong and "no tournament 'x'" in text
        playing = [asyncio.create_task(one.play()) for one in [ann, ben]]
        await asyncio.to_thread(start)
        return await asyncio.gather(*playing)

    ends = asyncio.run(whole())
    assert all("The tournament cup is over." in end and "(you)" in end for end in ends), ends
    assert (ann.games, ben.games) == (2, 2)
    clocks = [left for left in ann.clocks + ben.clocks if left is not None]
    assert clocks and min(clocks) > 60, "there are minutes for each move"


def test_who_is_beaten_is_told_so(lasting_server, cup):
    names = ["--entrant", "ann", "--entrant", "ben", "--entrant", "cy", "--entrant", "dee"]
    keys, start = cup("sushi-go", *names)
    entrants = [Entrant(lasting_server, "sushi-go", name, key) for name, key in keys.items()]

    async def whole():
        playing = [asyncio.create_task(one.play()) for one in entrants]
        await asyncio.to_thread(start)
        return await asyncio.gather(*playing)

    ends = asyncio.run(whole())
    # A drawn game is played again, so only rounds are counted.
    beaten = [re.findall(r"You were beaten in round (\d) of cup", end) for end in ends]
    assert beaten.count(["1"]) == 2, ends
    for rounds, end in zip(beaten, ends, strict=True):
        assert rounds in (["1"], ["2"]) or "The tournament cup is over." in end, end
