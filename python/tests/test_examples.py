"""The examples run."""

import importlib.util
import json
import pathlib

import numpy as np

from parlor_games import PolicyBot, data, match, run

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


def example(name):
    source = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(source)
    source.loader.exec_module(module)
    return module


def test_the_trained_player_learns_something_and_plays(server):
    module = example("train_gamba")
    network = module.fresh(1)
    before = {name: part.copy() for name, part in network.parts.items()}
    (look,) = module.train(network, updates=1, seed=1, length=32)
    assert look[0] > 0 and look[1].keys() == {"casual", "thrifty"}
    assert all((network.parts[name] != part).any() for name, part in before.items())
    assert all(np.isfinite(part).all() for part in network.parts.values())
    bot = PolicyBot(network.policy, "gamba")
    result = match(bot, "random", games=20)
    assert result.games == 20
    # The same object, over the network.
    (result,) = run(bot, "gamba", *server, "learner", bots=["random"])
    assert result.how == ["finished", "finished"]


def test_a_player_learns_from_recorded_games(recorded):
    """The winners of these games beat whoever always plays the first legal action; so does it."""
    module = example("imitate")
    lessons = data.arrays(
        data.load(recorded / "turns.jsonl"), keep=lambda game, turn: game.returns()[turn.seat] > 0
    )
    weights = module.fit(lessons)
    chosen = module.chances(lessons.obs @ weights[:-1] + weights[-1], lessons.mask).argmax(axis=1)
    assert (chosen == lessons.actions).mean() > 0.7
    bot = module.player(weights, lessons)
    assert match(bot, "random", games=200).low > 0.5


def test_the_pictures_are_those_of_the_figures(monkeypatch):
    """docs/pictures holds what pictures.py draws of the figures that are kept beside them."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    module = example("pictures")
    told = json.loads((module.PICTURES / "training.json").read_text())
    assert (module.PICTURES / "training.svg").read_text() == module.training(told)
    assert (module.PICTURES / "strength.svg").read_text() == module.strength(told)
    page = (module.PICTURES.parent / "start" / "first-training.md").read_text()
    for name, result in told["matches"].items():
        score, low, high = result["score"]
        assert low > 0.5, f"it does not beat {name}"
        words = f"{result['wins']} won, {result['draws']} drawn, {result['losses']} lost of 1000"
        assert f"{name}: {words}: {score:.3f} (95 %: {low:.3f} to {high:.3f})" in page
