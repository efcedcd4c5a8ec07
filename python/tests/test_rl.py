"""The environments keep the promises of PettingZoo and Gymnasium."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)

import parlor_games.gym
from parlor_games import GAMES, State, pz
from parlor_games.gym import Env, Vector

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


@pytest.mark.parametrize("game", ["sushi-go", "subsim"])
def test_max_cycles(game):
    """PettingZoo's test chooses any action; here only legal ones, since others end the game."""

    class Legal:
        def __init__(self, mask):
            self.codes = np.flatnonzero(mask)

        def sample(self):
            return int(self.codes[0])

    class Parallel(pz.parallel_env):
        def action_space(self, agent):
            return Legal(self.state_.legal_actions_mask(self.possible_agents.index(agent)))

    class Agents(pz.raw_env):
        def action_space(self, agent):
            return Legal(self.state_.legal_actions_mask(self.possible_agents.index(agent)))

    class Module:
        parallel_env = staticmethod(lambda max_cycles: Parallel(game, max_cycles=max_cycles))
        env = staticmethod(lambda max_cycles: Agents(game, max_cycles=max_cycles))

    max_cycles_test(Module)


def test_a_sequential_game_is_cut_off():
    env = pz.raw_env("labyrinth", max_cycles=3)
    env.reset(seed=1)
    steps = 0
    while not any(env.truncations.values()):
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0]))
        steps += 1
    assert steps == 6 and all(env.truncations.values()) and not any(env.terminations.values())
    for _ in range(2):
        env.step(None)
    assert env.agents == []


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


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_env(game):
    weakest = State(game).strategies()[0]
    env = gymnasium.make(f"parlor_games/{game}-v0", opponent=weakest, config=QUICK.get(game))
    check_env(env.unwrapped, skip_render_check=True)


def test_environments_have_versions():
    assert {f"parlor_games/{game}-v0" for game in GAMES} <= set(gymnasium.registry)
    assert pz.raw_env("gamba").metadata["name"] == "gamba-v0"
    assert pz.parallel_env("subsim").metadata["name"] == "subsim-v0"


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


def test_environments_are_copied_and_pickled_in_the_middle_of_a_game():
    env = Env("gamba", opponent="thrifty")
    observation, _ = env.reset(seed=1)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        code = int(np.flatnonzero(observation["action_mask"])[0])
        assert other.seat == env.seat
        assert (other._tell()[0]["observation"] == observation["observation"]).all()
        other.step(code)
        assert (env._tell()[0]["observation"] == observation["observation"]).all()
    many = Vector("gamba", 4)
    many.reset(seed=1)
    other = pickle.loads(pickle.dumps(many))
    assert (other._batch.obs == many._batch.obs).all()


def test_one_game_and_many_are_played_against_the_same_chance():
    with pytest.raises(ValueError, match="random"):
        gymnasium.make_vec("parlor_games/gamba-v0", 2, opponent="thrifty")
    gymnasium.make_vec("parlor_games/gamba-v0", 2, opponent="uniform")
    rng = np.random.default_rng(1)
    env = gymnasium.make("parlor_games/gamba-v0")
    worth = []
    for game in range(400):
        _, info = env.reset(seed=game)
        over = False
        while not over:
            code = int(rng.choice(np.flatnonzero(info["action_mask"])))
            _, reward, over, _, info = env.step(code)
        worth.append(reward)
    # A player that chooses like its opponent is worth nothing: 400 games, four deviations.
    assert abs(sum(worth) / len(worth)) < 0.2


def is_even(rewards):
    """No further from 0 than chance is, but for one time in 100,000."""
    return abs(np.mean(rewards)) <= 4.5 * np.std(rewards) / np.sqrt(len(rewards)) + 1e-9


@pytest.mark.parametrize("game", GAMES)
def test_a_uniform_learner_scores_a_half_in_every_environment(game):
    rng, config = np.random.default_rng(3), QUICK.get(game)
    env = gymnasium.make(f"parlor_games/{game}-v0", config=config, disable_env_checker=True)
    rewards = []
    for number in range(150):
        _, info = env.reset(seed=number)
        over = False
        while not over:
            code = rng.choice(np.flatnonzero(info["action_mask"]))
            _, reward, over, _, info = env.step(code)
        rewards.append(reward)
    assert is_even(rewards)

    many = gymnasium.make_vec(f"parlor_games/{game}-v0", 64, config=config)
    seen, _ = many.reset(seed=1)
    rewards = []
    while len(rewards) < 300:
        chance = np.where(seen["action_mask"] > 0, rng.random(seen["action_mask"].shape), -1)
        seen, reward, done, _, _ = many.step(chance.argmax(axis=1))
        rewards.extend(reward[done])
    assert is_even(rewards)


def test_casual_is_not_random():
    rng, scores = np.random.default_rng(3), {}
    for opponent in ("random", "uniform", "casual"):
        env = gymnasium.make("parlor_games/gamba-v0", opponent=opponent)
        rewards = []
        for number in range(150):
            _, info = env.reset(seed=number)
            over = False
            while not over:
                _, reward, over, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            rewards.append(reward)
        scores[opponent] = np.mean(rewards)
    assert scores["casual"] < -0.5 < scores["uniform"] and scores["random"] > -0.4
