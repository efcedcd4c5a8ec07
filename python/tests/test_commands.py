"""A bot file with `main` under `parlor play` and `parlor match`."""

import json
import sys

import pytest
from conftest import ENV, parlor
from test_net import SMALL

from parlor_games import GAMES, State

BOT = '''
import json, os, random
from parlor_games import PolicyBot
from parlor_games.net import main

def policy(observation, mask):
    return random.choice([code for code, legal in enumerate(mask) if legal])

game = os.environ["PARLOR_GAME"]
main(PolicyBot(policy, game, config=json.loads(os.environ["BOT_CONFIG"])), game)
'''


@pytest.fixture
def bot(tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    return f"{sys.executable} {tmp_path}/bot.py {{host}} {{port}} {{name}}"


WIRE = ["--wire", "house"]


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_file_plays_under_parlor_play(bot, game, monkeypatch):
    config = SMALL.get(game, {})
    monkeypatch.setitem(ENV, "BOT_CONFIG", json.dumps(config))
    options = [part for k, v in config.items() for part in ("--set", f"{game}.{k}={json.dumps(v)}")]
    weakest = State(game).strategies()[0]
    said = parlor(
        "play", game, *WIRE, "--bot", f"mine={bot}", "--bot", f"house:{weakest}",
        "--games", 2, "--seed", 1, *options,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    *games, last = map(json.loads, said.stdout.splitlines())
    for played in games:
        assert played["void"] is None
        assert [seat["troubles"] for seat in played["seats"]] == [[], []], played
        assert all(seat["exit"] is None and seat["moves"] > 0 for seat in played["seats"])
    assert [row["errors"] for row in last["summary"]] == [0, 0]


@pytest.mark.parametrize("game, base", [("gamba", "thrifty"), ("sushi-go", "greedy")])
def test_a_bot_file_plays_under_parlor_match(bot, game, base, monkeypatch):
    monkeypatch.setitem(ENV, "BOT_CONFIG", "{}")
    said = parlor(
        "match", "--game", game, *WIRE, "--new", f"mine={bot}",
        "--base", f"house:{base}", "--games", 4, "--seed", 1, "--json",
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    report = json.loads(said.stdout.splitlines()[-1])
    assert report["games"] == 4 and report["void"] == 0, report
    assert [side["forfeits"] for side in report["sides"].values()] == [0, 0], report


def test_the_port_of_another_protocol_is_said(bot, monkeypatch):
    """Without --wire house the bot gets the port of the game's own protocol."""
    monkeypatch.setitem(ENV, "BOT_CONFIG", "{}")
    said = parlor(
        "play", "tiger-dragon", "--bot", f"mine={bot}", "--bot", "house:random", "--games", 1,
        "--join-timeout", 5000,
    )  # fmt: skip
    assert "if you add --wire house" in said.stdout, said.stdout
