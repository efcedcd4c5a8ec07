"""Trains a player of Gamba with numpy alone, and measures it against house bots.

    python3 python/examples/train_gamba.py
    python3 python/examples/train_gamba.py --play 127.0.0.1 7800 --games 10

A small network plays against itself in a batch of games. After each game every choice is made more
likely by what the game was worth to its seat, less what such a seat is worth on average (REINFORCE
with a learned baseline). The weights go to train_gamba.npz; the same object then plays in process
and over the network.
"""

import argparse
import pathlib
import time

import numpy as np

from parlor_games import Batch, PolicyBot, match, run, spec

WEIGHTS = pathlib.Path(__file__).with_suffix(".npz")
HIDDEN, GAMES = 64, 512
ENTROPY, DISCOUNT = 0.01, 0.97
UPDATES = 600
OPPONENTS = ("casual", "thrifty")


class Network:
    """One hidden layer; a number for each code, and one for how well the seat stands."""

    def __init__(self, inputs, codes, rng):
        def matrix(rows, columns):
            return (rng.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)

        self.parts = {
            "w1": matrix(inputs, HIDDEN),
            "b1": np.zeros(HIDDEN, np.float32),
            "w2": matrix(HIDDEN, codes) * 0.1,
            "b2": np.zeros(codes, np.float32),
            "wv": matrix(HIDDEN, 1) * 0.1,
            "bv": np.zeros(1, np.float32),
        }
        self.means = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.squares = {name: np.zeros_like(part) for name, part in self.parts.items()}
        self.steps = 0

    def forward(self, obs, mask):
        p = self.parts
        hidden = np.maximum(obs @ p["w1"] + p["b1"], 0.0)
        scores = np.where(mask > 0, hidden @ p["w2"] + p["b2"], -1e9)
        scores -= scores.max(axis=-1, keepdims=True)
        odds = np.exp(scores)
        odds /= odds.sum(axis=-1, keepdims=True)
        return hidden, odds, (hidden @ p["wv"] + p["bv"])[..., 0]

    def learn(self, obs, mask, codes, worth, rate):
        """One step of Adam towards choices that were worth more than expected."""
        p, count = self.parts, len(obs)
        hidden, odds, value = self.forward(obs, mask)
        gain = worth - value
        advantage = (gain - gain.mean()) / (gain.std() + 1e-6)
        chosen = np.zeros_like(odds)
        chosen[np.arange(count), codes] = 1.0
        logs = np.log(odds + 1e-9)
        entropy = -(odds * logs).sum(axis=1, keepdims=True)
        to_scores = (odds - chosen) * advantage[:, None] + ENTROPY * odds * (logs + entropy)
        to_scores /= count
        to_value = (-gain / count)[:, None].astype(np.float32)
        to_hidden = (to_scores @ p["w2"].T + to_value @ p["wv"].T) * (hidden > 0)
        slopes = {
            "w1": obs.T @ to_hidden, "b1": to_hidden.sum(axis=0),
            "w2": hidden.T @ to_scores, "b2": to_scores.sum(axis=0),
            "wv": hidden.T @ to_value, "bv": to_value.sum(axis=0),
        }  # fmt: skip
        self.steps += 1
        for name, slope in slopes.items():
            self.means[name] = 0.9 * self.means[name] + 0.1 * slope
            self.squares[name] = 0.999 * self.squares[name] + 0.001 * slope**2
            mean = self.means[name] / (1 - 0.9**self.steps)
            square = self.squares[name] / (1 - 0.999**self.steps)
            p[name] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    def policy(self, observation, mask):
        """The best code, for playing."""
        _, odds, _ = self.forward(observation[None], mask[None])
        return int(odds[0].argmax())


def train(network, updates, seed, length=64):
    """Returns how strong it was on the way: (games, result against each opponent)."""
    batch = Batch("gamba", GAMES, seed=seed)
    rng = np.random.default_rng(seed)
    every = np.arange(GAMES)
    games, curve = 0, []
    looks = {2**power for power in range(20)} | {updates}
    for update in range(updates):
        steps = []
        for _ in range(length):
            obs, mask, seats = batch.obs.copy(), batch.mask.copy(), batch.to_play.copy()
            _, odds, _ = network.forward(obs, mask)
            codes = (odds.cumsum(axis=1) > rng.random((GAMES, 1))).argmax(axis=1)
            # Rounding may leave the last sum below one; such a draw is of a legal code all the same.
            codes = np.where(mask[every, codes] == 1, codes, odds.argmax(axis=1))
            batch.step(codes)
            steps.append((obs, mask, seats, codes, batch.rewards.copy(), batch.done.copy()))
        # From the back: what each game was worth to each seat; nothing is known of unfinished ones.
        worth, known = np.zeros((GAMES, 2), np.float32), np.zeros(GAMES, bool)
        lessons = []
        for obs, mask, seats, codes, rewards, done in reversed(steps):
            ended = done == 1
            worth = np.where(ended[:, None], rewards, DISCOUNT * worth)
            known |= ended
            games += int(ended.sum())
            keep = np.flatnonzero(known)
            lessons.append((obs[keep], mask[keep], codes[keep], worth[keep, seats[keep]]))
        obs, mask, codes, value = (np.concatenate(part) for part in zip(*lessons))
        rate = 2e-3 * (1 - update / updates) + 1e-4
        order = rng.permutation(len(obs))
        for part in np.array_split(order, max(len(order) // 4096, 1)):
            network.learn(obs[part], mask[part], codes[part], value[part], rate)
        if update + 1 in looks:
            bot = PolicyBot(network.policy, "gamba")
            results = {name: match(bot, name, games=400, seed=10**6) for name in OPPONENTS}
            curve.append((games, results))
            scores = ", ".join(f"{r.score:.3f} against {name}" for name, r in results.items())
            print(f"update {update + 1:4}  {games:8} games  {scores}", flush=True)
    return curve


def measure(network, games=1000):
    """On deals that were never looked at before."""
    bot = PolicyBot(network.policy, "gamba")
    return {name: match(bot, name, games=games, seed=2 * 10**6) for name in OPPONENTS}


def fresh(seed):
    table = spec("gamba")
    return Network(table.observation, table.actions, np.random.default_rng(seed))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=UPDATES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1000, help="of each match")
    parser.add_argument("--play", nargs=2, metavar=("HOST", "PORT"), help="play on a server")
    said = parser.parse_args()
    network = fresh(said.seed)
    if said.play:
        network.parts = dict(np.load(WEIGHTS))
        host, port = said.play
        bot = PolicyBot(network.policy, "gamba")
        results = run(bot, "gamba", host, int(port), "learner", games=said.games, bots=["random"])
        print(sum(result.won for result in results), "of", len(results), "won")
        return
    began = time.monotonic()
    train(network, said.updates, said.seed)
    print(f"trained in {time.monotonic() - began:.0f} s")
    np.savez(WEIGHTS, **network.parts)
    for opponent, result in measure(network, said.games).items():
        print(f"{opponent}: {result}")


if __name__ == "__main__":
    main()
