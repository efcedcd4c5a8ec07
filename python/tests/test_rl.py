"""The environments keep the promises of PettingZoo and Gymnasium."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)

import parlor_games.gym
from parlor_games import GAMES, pz

QUICK = {"labyrinth": {"max_rounds": 3}, "subsim": {"map_size": [10, 10], "max_turns": 100}}


def make(game, maker=pz.env):
    return maker(game, config=QUICK.get(game))


@pytest.mark.parametrize("game", GAMES)
def test_api(game):
    api_test(make(game), num_cycles=100)


@pytest.mark.parametrize("game", GAMES)
def test_seed(game):
    seed_test(lambda: make(game), num_cycles=40)


@pytest.mark.parametrize("game", ["sushi-go", "subsim"])
def test_parallel(game):
    parallel_api_test(make(game, pz.parallel_env), num_cycles=60)
    parallel_seed_test(lambda: make(game, pz.parallel_env), num_cycles=20)


def test_an_illegal_action_ends_a_parallel_game():
    env = pz.parallel_env("sushi-go")
    observations, _ = env.reset(seed=1)
    legal = int(np.argmax(observations["seat_0"]["action_mask"]))
    _, rewards, over, _, _ = env.step({"seat_0": legal, "seat_1": env.spec_.actions - 1})
    assert rewards == {"seat_0": 0.0, "seat_1": -1.0} and all(over.values()) and env.agents == []


def test_several_submarines_are_decided_for_one_by_one():
    config = {"map_size": [10, 10], "max_turns": 100, "subs_per_player": 3}
    api_test(pz.env("subsim", config=config), num_cycles=60)
    with pytest.raises(ValueError, match="one by one"):
        pz.parallel_env("subsim", config=config)
    with pytest.raises(ValueError, match="one seat after the other"):
        pz.parallel_env("gamba")


@pytest.mark.parametrize("game", ["sushi-go", "gamba", "tiger-dragon"])
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_env(game):
    check_env(gymnasium.make(f"parlor_games/{game}-v0").unwrapped, skip_render_check=True)


@pytest.mark.parametrize("game", GAMES)
def test_vector(game):
    vector = gymnasium.make_vec(
        f"parlor_games/{game}-v0", num_envs=6, vectorization_mode="vector_entry_point",
        config=QUICK.get(game),
    )  # fmt: skip
    assert vector.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    rng = np.random.default_rng(0)
    observation, _ = vector.reset(seed=1)
    again, _ = vector.reset(seed=1)
    assert np.array_equal(observation["observation"], again["observation"])
    ended = 0
    for _ in range(60):
        mask = observation["action_mask"]
        codes = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
        observation, rewards, done, truncated, infos = vector.step(codes)
        assert vector.observation_space.contains(observation) and not truncated.any()
        assert (rewards[~done] == 0).all()
        assert not done.any() or (infos["_final_obs"] == done).all()
        ended += int(done.sum())
    assert ended > 0 or game == "subsim"
