"""The examples run."""

import importlib.util
import pathlib

import numpy as np

from parlor_games import PolicyBot, match, spec

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


def test_the_trained_player_learns_something_and_plays():
    source = importlib.util.spec_from_file_location("train_gamba", EXAMPLES / "train_gamba.py")
    module = importlib.util.module_from_spec(source)
    source.loader.exec_module(module)
    table = spec("gamba")
    network = module.Network(table.observation, table.actions, np.random.default_rng(1))
    before = {name: part.copy() for name, part in network.parts.items()}
    module.train(network, minutes=1e-6, seed=1, length=32)
    assert all((network.parts[name] != part).any() for name, part in before.items())
    assert all(np.isfinite(part).all() for part in network.parts.values())
    result = match(PolicyBot(network.policy, "gamba"), "random", games=20)
    assert result.games == 20
