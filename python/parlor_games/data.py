"""Recorded games, to learn from: what `parlor export GAME --turns` prints.

    from parlor_games import data

    for game in data.load("turns.jsonl"):
        for turn in game.turns:
            print(turn.seq, turn.seat, turn.action)

    lessons = data.arrays(data.load("turns.jsonl"))
    lessons.obs, lessons.mask, lessons.actions, lessons.returns
"""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass, field
from typing import IO, Any, Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from . import _parlor
from .core import Spec, State, spec


@dataclass(frozen=True)
class Turn:
    """One turn from one seat's point of view."""

    seq: int
    seat: int
    your_move: bool
    view: Any
    """What the seat knew."""
    legal: list[Any] | None
    """None if the seat was not to move, or there were too many to list."""
    action: Any
    """None if the seat was not to move, has left, or the turn was sent again because another left."""
    how: str | None
    """`made` by the player, by a house `bot`, by the `clock`, or it `left`."""
    reward: float | None
    """What the step that led here brought: 0 until the end; None at an end without a result."""
    over: bool


@dataclass(frozen=True)
class Game:
    """A finished game."""

    game: str
    id: str
    names: list[str]
    """Who played, by seat."""
    places: list[int | None]
    points: list[int | None]
    status: str
    """`finished`, or `void`: without a result."""
    rated: bool
    config: dict[str, Any]
    seed: str
    turns: list[Turn] = field(repr=False)

    @property
    def seats(self) -> int:
        return len(self.names)

    def returns(self) -> list[float]:
        """The result of each seat, as `State.returns` gives it."""
        last = {turn.seat: turn.reward for turn in self.turns if turn.over}
        return [last.get(seat) or 0.0 for seat in range(self.seats)]

    def state(self) -> State:
        """The same deal from the start, to be played again."""
        return State(self.game, self.seats, self.seed, self.config)

    def spec(self) -> Spec:
        return spec(self.game, self.seats, self.config)


Source = str | os.PathLike[str] | IO[str] | Iterable[str]


def load(source: Source) -> Iterator[Game]:
    """Every game of an export, one after the other: a file (also .gz), or lines of text.

    Games without turns are left out: another version of the rules played them.
    """
    if isinstance(source, (str, os.PathLike)):
        reading: Callable[..., IO[str]] = gzip.open if str(source).endswith(".gz") else open
        with reading(source, "rt", encoding="utf-8") as lines:
            yield from _games(lines)
    else:
        yield from _games(source)


def _games(lines: Iterable[str]) -> Iterator[Game]:
    game: Game | None = None
    seen = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            if not isinstance(told, dict):
                raise ValueError(f"it is a {type(told).__name__}")
            if "seq" not in told:
                if game is not None:
                    yield game
                game, seen = _game(told), True
            elif game is None or told["id"] != game.id:
                raise ValueError(f"a turn of {told['id']} without its game before it")
            else:
                game.turns.append(_turn(told))
        except (KeyError, TypeError, ValueError) as why:
            raise ValueError(
                f"line {number} is not of `parlor export --turns`: {why or type(why).__name__}"
            ) from why
    if game is not None:
        yield game
    elif seen:
        raise ValueError("no game here has turns; use `parlor export GAME --turns`")


def _game(told: dict[str, Any]) -> Game | None:
    if told.get("config") is None:
        return None
    seats = told["seats"]
    return Game(
        game=told["game"],
        id=told["id"],
        names=[seat["name"] for seat in seats],
        places=[seat["place"] for seat in seats],
        points=[seat["points"] for seat in seats],
        status=told["status"],
        rated=told["rated"],
        config=told["config"],
        seed=told["seed"],
        turns=[],
    )


def _turn(told: dict[str, Any]) -> Turn:
    return Turn(
        seq=told["seq"],
        seat=told["seat"],
        your_move=told["your_move"],
        view=told["view"],
        legal=told["legal"],
        action=told["action"],
        how=told["how"],
        reward=told["reward"],
        over=told["over"],
    )


@dataclass(frozen=True)
class Lessons:
    """Every decision of some games, one row each, as numbers. `spec` says what they mean."""

    spec: Spec
    obs: NDArray[np.float32]
    mask: NDArray[np.int8]
    actions: NDArray[np.int64]
    """The code that was chosen."""
    rewards: NDArray[np.float32]
    """What the seat got until its next decision: 0, and at its last one the result."""
    returns: NDArray[np.float32]
    """The seat's result of the whole game."""
    done: NDArray[np.bool_]
    """Whether it was the seat's last decision."""
    seats: NDArray[np.int64]
    games: NDArray[np.int64]
    """The number of the game, counted from 0 in the order they were given."""

    def __len__(self) -> int:
        return len(self.actions)


def arrays(
    games: Iterable[Game], keep: Callable[[Game, Turn], bool] | None = None
) -> Lessons:
    """The decisions of these games as numpy arrays: what `Batch` and `State` would have shown.

    `keep(game, turn)` chooses among the decisions, for instance those of one player. Games without
    a result are left out. All games must be of one kind of table; filter them if they are not.
    """
    table: Spec | None = None
    rows: list[_Row] = []
    number = -1
    for number, game in enumerate(games):
        if game.status != "finished":
            continue
        own = game.spec()
        if table is None:
            table = own
        elif own != table:
            raise ValueError(
                f"{game.id} is {own.id} of {own.seats} with {own.observation} numbers, the first is "
                f"{table.id} of {table.seats} with {table.observation}: give games of one kind"
            )
        rows.extend(_rows(game, number, keep))
    if table is None:
        raise ValueError(f"none of {number + 1} games has a result")
    return _stacked(table, rows)


@dataclass
class _Row:
    obs: NDArray[np.float32]
    mask: NDArray[np.int8]
    action: int
    worth: float
    last: bool
    seat: int
    game: int


def _rows(game: Game, number: int, keep: Callable[[Game, Turn], bool] | None) -> list[_Row]:
    table = (game.game, json.dumps(game.config), game.seats)
    readers = [_parlor.RawReader(*table) for _ in range(game.seats)]
    worth = game.returns()
    rows: list[_Row] = []
    last: dict[int, _Row] = {}
    for turn in game.turns:
        reader = readers[turn.seat]
        reader.see(json.dumps(turn.view))
        if turn.action is None:
            continue
        kept = keep is None or keep(game, turn)
        codes = reader.codes(json.dumps(turn.action))
        for part, code in enumerate(codes):
            obs, mask = reader.observation(codes[:part]), reader.mask(codes[:part])
            last[turn.seat] = _Row(obs, mask, code, worth[turn.seat], False, turn.seat, number)
            if kept:
                rows.append(last[turn.seat])
    for row in last.values():
        row.last = True
    return rows


def _stacked(table: Spec, rows: list[_Row]) -> Lessons:
    count = len(rows)
    obs = np.empty((count, table.observation), np.float32)
    mask = np.empty((count, table.actions), np.int8)
    for place, row in enumerate(rows):
        obs[place], mask[place] = row.obs, row.mask
    returns = np.array([row.worth for row in rows], np.float32)
    done = np.array([row.last for row in rows], np.bool_)
    return Lessons(
        spec=table,
        obs=obs,
        mask=mask,
        actions=np.array([row.action for row in rows], np.int64),
        rewards=np.where(done, returns, np.float32(0.0)),
        returns=returns,
        done=done,
        seats=np.array([row.seat for row in rows], np.int64),
        games=np.array([row.game for row in rows], np.int64),
    )


__all__ = ["Game", "Lessons", "Turn", "arrays", "load"]
