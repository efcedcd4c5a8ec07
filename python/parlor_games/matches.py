"""Matches in process: two bots, many games, every deal twice with the seats swapped."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Mapping

from .core import Spec, State, spec
from .net import Bot, Result, as_bot


@dataclass(frozen=True)
class MatchResult:
    """How the first did against the second."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """Points per game: 1 for a win, a half for a draw."""
    low: float
    high: float
    """The 95 % interval of the score, from pairs of games on the same deal."""

    def __str__(self) -> str:
        few = ", too few games to tell" if self.games < 32 else ""
        return (
            f"{self.wins} won, {self.draws} drawn, {self.losses} lost of {self.games}: "
            f"{self.score:.3f} (95 %: {self.low:.3f} to {self.high:.3f}{few})"
        )


def match(
    a: Any,
    b: Any,
    game: str = "gamba",
    games: int = 1000,
    *,
    seed: int = 0,
    config: Mapping[str, Any] | None = None,
) -> MatchResult:
    """Plays two bots against each other at tables of two. A bot is what `run` takes, or a house strategy's name.

    Every deal is played twice, with the seats swapped.
    """
    if games < 2 or games % 2:
        raise ValueError(f"{games} games: seats are changed, so give an even number")
    table = spec(game, 2, config)
    players = [bot if isinstance(bot, str) else as_bot(bot) for bot in (a, b)]
    scores = []
    wins = draws = losses = 0
    for deal in range(games // 2):
        pair = 0.0
        for swapped in (False, True):
            seated = players[::-1] if swapped else players
            returns = play(State(game, 2, seed + deal, config, _spec=table), seated)
            own = returns[1 if swapped else 0]
            wins, draws, losses = wins + (own > 0), draws + (own == 0), losses + (own < 0)
            pair += (own + 1) / 4
        scores.append(pair)
    mean = sum(scores) / len(scores)
    return MatchResult(games, wins, draws, losses, mean, *interval(scores))


def interval(scores: list[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of scores from 0 to 1. Of few scores, or where all are alike, it is
    Wilson's with Student's quantile, which always has a width."""
    count = len(scores)
    mean = sum(scores) / count
    spread = sum((score - mean) ** 2 for score in scores) / max(count - 1, 1)
    if count >= 16 and spread > 0:
        half = 1.96 * math.sqrt(spread / count)
        return max(mean - half, 0.0), min(mean + half, 1.0)
    most = mean * (1 - mean)
    # As many games of nothing or everything as have the same error.
    games = count * most / spread if spread > 0 and most > 0 else count
    z, free = 1.959964, max(count - 1, 1)
    z += (
        (z**3 + z) / (4 * free)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
    )
    share = z * z / games
    middle = (mean + share / 2) / (1 + share)
    half = z / (1 + share) * math.sqrt(most / games + share / (4 * games))
    return max(min(middle - half, mean), 0.0), min(max(middle + half, mean), 1.0)


def play(state: State, seated: list[Bot | str]) -> list[float]:
    """Plays one game to the end and returns the result of each seat."""
    names = [bot if isinstance(bot, str) else type(bot).__name__ for bot in seated]
    for place, bot in enumerate(seated):
        if isinstance(bot, str):
            state.seat_bot(place, bot)
        else:
            bot.start(place, names)
    watching = [(s, b) for s, b in enumerate(seated) if not isinstance(b, str) and _watches(b)]
    fresh = True
    while (seat := state.to_play()) is not None:
        if fresh:
            for watcher, bot in watching:
                bot.watch(state.view(watcher))
        waiting = len(state.current_players())
        bot = seated[seat]
        if isinstance(bot, str):
            state.let_bot_move()
        else:
            state.act(bot.choose(state.view(seat), state.legal()))
        fresh = waiting == 1
    for place, bot in enumerate(seated):
        if not isinstance(bot, str):
            how = ["finished"] * len(seated)
            bot.end(Result("", place, names, state.places() or [], state.points() or [], how))
    return state.returns()


def _watches(bot: Bot) -> bool:
    return type(bot).watch is not Bot.watch or "watch" in vars(bot)


__all__ = ["MatchResult", "Spec", "match", "play"]
