"""How fast the games are from Python: moves for each second of processor time. A move is one seat's
action. Time of the processor rather than of the clock, so that other programs matter less.

    python3 python/bench/speed.py [--seconds 2] [--json]

OpenSpiel (`pip install open_spiel`) and RLCard (`pip install rlcard`) are measured beside it, with
their own closest games, where they are installed.
"""

import argparse
import importlib.util
import json
import os
import random
import time

from parlor_games import GAMES, Batch, State
from parlor_games.pz import raw_env

CONFIG = {"labyrinth": {"max_rounds": 50}, "subsim": {"max_turns": 200}}


def rate(seconds, play):
    """Calls `play`, which returns how many moves it made, until the time is over."""
    play()
    began, moves = time.process_time(), 0
    while (spent := time.process_time() - began) < seconds:
        moves += play()
    return moves / spent


def batch(game, games):
    """Tensors, masks, and random codes chosen by the compiled part."""
    table = Batch(game, games, seed=1, config=CONFIG.get(game))

    def play():
        table.step(table.sample())
        return games

    return play


def playout(game, games):
    table = Batch(game, games, seed=1, config=CONFIG.get(game))
    return table.playout


def state(game):
    """A loop of Python: two calls and a list a move."""
    counter = iter(range(10**9))

    def play():
        one = State(game, seed=next(counter), config=CONFIG.get(game), _spec=spec)
        moves = 0
        while legal := one.legal_actions():
            one.apply(legal[int(random.random() * len(legal))])
            moves += 1
        return moves

    spec = State(game, config=CONFIG.get(game)).spec
    return play


def aec(game):
    env = raw_env(game, config=CONFIG.get(game))

    def play():
        env.reset()
        moves = 0
        while env.agents:
            info = env.infos[env.agent_selection]
            if not info:
                break
            legal = info["action_mask"].nonzero()[0]
            env.step(legal[int(random.random() * len(legal))])
            moves += 1
        return moves

    return play


def open_spiel(name):
    import pyspiel

    game = pyspiel.load_game(name)

    def play():
        one, moves = game.new_initial_state(), 0
        while not one.is_terminal():
            moves += not one.is_chance_node()
            legal = one.legal_actions()
            one.apply_action(legal[int(random.random() * len(legal))])
        return moves

    return play


def rlcard(name):
    from rlcard import make
    from rlcard.agents.random_agent import RandomAgent

    env = make(name)
    env.set_agents([RandomAgent(num_actions=env.num_actions)] * env.num_players)

    def play():
        trajectories, _ = env.run(is_training=False)
        return sum(len(path) // 2 for path in trajectories)

    return play


def measurements(games):
    for game in GAMES:
        yield f"Batch({games}) {game}", batch, (game, games)
    for game in GAMES:
        yield f"playout {game}", playout, (game, 64)
    for game in GAMES:
        yield f"State {game}", state, (game,)
    for game in GAMES:
        yield f"raw PettingZoo {game}", aec, (game,)
    if importlib.util.find_spec("pyspiel"):
        for name in ("crazy_eights", "leduc_poker", "tic_tac_toe"):
            yield f"OpenSpiel {name}", open_spiel, (name,)
    if importlib.util.find_spec("rlcard"):
        for name in ("uno", "leduc-holdem"):
            yield f"RLCard {name}", rlcard, (name,)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    parser.add_argument("--games", type=int, default=4096, help="of a batch")
    parser.add_argument("--only", default="", help="measure what begins with this")
    parser.add_argument("--json", action="store_true")
    said = parser.parse_args()
    print(f"# load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name, make, given in measurements(said.games):
        if not name.startswith(said.only):
            continue
        moves = rate(said.seconds, make(*given))
        if said.json:
            print(json.dumps({"name": name, "moves_per_second": round(moves)}), flush=True)
        else:
            print(f"{name:32} {moves:14,.0f} moves/s", flush=True)


if __name__ == "__main__":
    main()
