"""How fast the games are from Python: moves for each second of processor time. A move is one seat's
action. Time of the processor rather than of the clock, so that other programs matter less.

    python3 python/bench/speed.py [--seconds 0.5] [--rounds 3] [--json]

OpenSpiel (`pip install open_spiel`) and RLCard (`pip install rlcard`) are measured beside it, with
their own closest games, where they are installed.
"""

import argparse
import importlib.util
import json
import os
import random
import statistics
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


def state_with_numbers(game):
    """The same with an observation and a mask for every move."""
    counter = iter(range(10**9))
    spec = State(game, config=CONFIG.get(game)).spec

    def play():
        one = State(game, seed=next(counter), config=CONFIG.get(game), _spec=spec)
        moves = 0
        while legal := one.legal_actions():
            one.observation_tensor(), one.legal_actions_mask()
            one.apply(legal[int(random.random() * len(legal))])
            moves += 1
        return moves

    return play


def open_spiel(name, numbers=False):
    """OpenSpiel's loop: one call for what is legal, one to move; its games are written in C++."""
    import pyspiel

    game = pyspiel.load_game(name)
    # Some of its games have one kind of numbers, some the other, some neither.
    kind = game.get_type()
    observation = kind.provides_observation_tensor

    def write(one, seat):
        tensor = one.observation_tensor if observation else one.information_state_tensor
        tensor(seat), one.legal_actions_mask(seat)

    def play():
        one, moves = game.new_initial_state(), 0
        while not one.is_terminal():
            if one.is_simultaneous_node():
                chosen = []
                for seat in range(game.num_players()):
                    if numbers:
                        write(one, seat)
                    legal = one.legal_actions(seat)
                    chosen.append(legal[int(random.random() * len(legal))])
                one.apply_actions(chosen)
                moves += len(chosen)
                continue
            legal = one.legal_actions()
            if not one.is_chance_node():
                moves += 1
                if numbers:
                    write(one, one.current_player())
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


# Its game that is most like each of ours: cards chosen at once, cards shed onto a pile, tricks,
# shots at hidden ships, a board that changes under very many actions.
CLOSEST = {
    "sushi-go": "goofspiel(num_cards=10)",
    "gamba": "crazy_eights(players=2)",
    "tiger-dragon": "hearts",
    "subsim": "battleship",
    "labyrinth": "amazons",
}


def measurements(games):
    """What it is, and what makes a function that plays some moves and returns how many."""
    for game in GAMES:
        yield f"Batch({games}) {game}", batch, (game, games)
    for game in GAMES:
        yield f"playout {game}", playout, (game, 64)
    for game in GAMES:
        yield f"State {game}", state, (game,)
    for game in GAMES:
        yield f"State with numbers {game}", state_with_numbers, (game,)
    for game in GAMES:
        yield f"raw PettingZoo {game}", aec, (game,)
    if importlib.util.find_spec("pyspiel"):
        for name in CLOSEST.values():
            yield f"OpenSpiel {name}", open_spiel, (name,)
        for name in CLOSEST.values():
            # Its battleship has no numbers.
            if name != "battleship":
                yield f"OpenSpiel with numbers {name}", open_spiel, (name, True)
    if importlib.util.find_spec("rlcard"):
        for name in ("uno", "leduc-holdem", "gin-rummy"):
            yield f"RLCard {name}", rlcard, (name,)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.5, help="for each measurement")
    parser.add_argument("--rounds", type=int, default=3, help="of all measurements")
    parser.add_argument("--games", type=int, default=4096, help="of a batch")
    parser.add_argument("--only", default="", help="measure what begins with this")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--calls", type=int, help="play so often, for tools that count instructions")
    said = parser.parse_args()
    chosen = [m for m in measurements(said.games) if m[0].startswith(said.only)]
    if said.calls:
        for name, make, given in chosen:
            play = make(*given)
            print(f"{name}: {sum(play() for _ in range(said.calls))} moves")
        return
    print(f"# load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    rates = {name: [] for name, _, _ in chosen}
    # Round after round, so that what disturbs one disturbs all.
    for _ in range(said.rounds):
        for name, make, given in chosen:
            rates[name].append(rate(said.seconds, make(*given)))
    print(f"# load of the machine: {os.getloadavg()[0]:.1f}; moves/s: median, lowest, highest")
    for name, found in rates.items():
        middle, low, high = statistics.median(found), min(found), max(found)
        if said.json:
            print(json.dumps({"name": name, "median": middle, "low": low, "high": high}))
        else:
            print(f"{name:44} {middle:14,.0f} {low:14,.0f} {high:14,.0f}")


if __name__ == "__main__":
    main()
