"""Learns to play like the winners of recorded games, with numpy alone.

    parlor export gamba --turns > turns.jsonl
    python3 python/examples/imitate.py turns.jsonl

One number for each code, weighed from the observation (softmax regression), is fitted to what the
winners chose. Then it plays against the house bots.
"""

import argparse

import numpy as np

from parlor_games import PolicyBot, State, data, match


def fit(lessons, rounds=400, rate=0.05, seed=0):
    """The weights under which what was chosen is most likely, by Adam on random parts."""
    rng = np.random.default_rng(seed)
    obs = np.hstack([lessons.obs, np.ones((len(lessons), 1), np.float32)])
    weights = np.zeros((obs.shape[1], lessons.spec.actions), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, rounds + 1):
        part = rng.integers(len(lessons), size=min(1024, len(lessons)))
        odds = chances(obs[part] @ weights, lessons.mask[part])
        odds[np.arange(len(part)), lessons.actions[part]] -= 1.0
        slope = obs[part].T @ odds / len(part) + 1e-4 * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
        weights -= (rate * mean / (1 - 0.9**step) / size).astype(np.float32)
    return weights


def chances(scores, mask):
    scores = np.where(mask > 0, scores, -1e9)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


def player(weights, lessons):
    def policy(observation, mask):
        return int(chances(observation @ weights[:-1] + weights[-1], mask).argmax())

    return PolicyBot(policy, lessons.spec.game, lessons.spec.seats)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("export", help="a file of `parlor export GAME --turns`")
    parser.add_argument("--games", type=int, default=1000, help="of each match")
    said = parser.parse_args()
    won = lambda game, turn: game.returns()[turn.seat] > 0  # noqa: E731
    lessons = data.arrays((game for game in data.load(said.export) if game.seats == 2), keep=won)
    bot = player(fit(lessons), lessons)
    print(f"{len(lessons)} decisions of the winners of {len(set(lessons.games))} games")
    game = lessons.spec.game
    for opponent in State(game).strategies()[:2]:
        print(f"{opponent}:", match(bot, opponent, game, games=said.games))


if __name__ == "__main__":
    main()
