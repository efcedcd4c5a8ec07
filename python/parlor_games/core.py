"""One game (`State`), many games (`Batch`), and what their numbers mean (`Spec`)."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _parlor
from ._parlor import WAIT as WAIT

GAMES: tuple[str, ...] = tuple(_parlor.GAMES)


@dataclass(frozen=True)
class Plane:
    """Numbers of an observation that belong together."""

    name: str
    about: str
    first: int
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True)
class Codes:
    """Actions that belong together: the product of their axes, the last running fastest."""

    name: str
    first: int
    axes: tuple[tuple[str, ...], ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis) for axis in self.axes)

    @property
    def count(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True)
class Spec:
    """The actions and observations of one kind of table."""

    game: str
    seats: int
    version: int
    simultaneous: bool
    actions: int
    codes: tuple[Codes, ...]
    observation: int
    planes: tuple[Plane, ...]

    @property
    def id(self) -> str:
        return f"{self.game}-v{self.version}"

    def action_name(self, code: int) -> str:
        """What a code means, such as `play Tempura`."""
        for codes in self.codes:
            if codes.first <= code < codes.first + codes.count:
                places = np.unravel_index(code - codes.first, codes.shape) if codes.shape else ()
                words = (axis[place] for axis, place in zip(codes.axes, places))
                return " ".join([codes.name, *words])
        raise IndexError(f"{self.game} has actions 0 to {self.actions - 1}, not {code}")

    def plane(self, name: str, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """One plane of an observation (or of many), in its own shape."""
        for plane in self.planes:
            if plane.name == name:
                part = observation[..., plane.first : plane.first + plane.size]
                return part.reshape(*observation.shape[:-1], *plane.shape)
        known = ", ".join(plane.name for plane in self.planes)
        raise KeyError(f"{self.game} has no plane {name!r}; it has {known}")

    def factored(self, mask: NDArray[Any], name: str | None = None) -> NDArray[Any]:
        """The mask of one run of codes, in the shape of its axes.

        `factored(mask).any(axis=(1, 2))` of Labyrinth are the slides that are possible,
        `factored(mask)[slide].any(axis=1)` the turns of the spare tile after that slide.
        """
        codes = self.codes[0] if name is None else next(c for c in self.codes if c.name == name)
        part = mask[..., codes.first : codes.first + codes.count]
        return part.reshape(*mask.shape[:-1], *codes.shape)


def spec(game: str, seats: int = 2, config: Mapping[str, Any] | None = None) -> Spec:
    told = json.loads(_parlor.spec(game, json.dumps(config or {}), seats))
    planes = tuple(
        Plane(p["name"], p["about"], p["first"], tuple(p["shape"])) for p in told.pop("planes")
    )
    codes = tuple(
        Codes(c["name"], c["first"], tuple(tuple(axis) for axis in c["axes"]))
        for c in told.pop("codes")
    )
    return Spec(planes=planes, codes=codes, **told)


@dataclass(frozen=True)
class Value:
    """A candidate action, and the share of opponents that its player finishes ahead of with it."""

    action: Any
    value: float
    error: float


def review(
    file: str | PathLike[str], *, seat: int | None = None, deals: int | None = None
) -> dict[str, Any]:
    """Judges the decisions of a finished game: the JSON of `parlor review FILE --json`."""
    text = Path(file).read_text(encoding="utf-8")
    return dict(json.loads(_parlor.review(text, seat, deals)))


class State:
    """One game, with the names OpenSpiel uses. All its chance is in the seed: a number, or the text
    that a server shows as `seed` when a game is over.

    In a simultaneous turn the seats choose one after the other, and none sees what another has
    chosen until all have.
    """

    legal_actions: Callable[..., list[int]]
    apply: Callable[[int], None]
    is_terminal: Callable[[], bool]
    returns: Callable[[], list[float]]
    to_play: Callable[[], int | None]

    def __init__(
        self,
        game: str,
        seats: int = 2,
        seed: int | str = 0,
        config: Mapping[str, Any] | None = None,
        *,
        _raw: _parlor.RawState | None = None,
        _spec: Spec | None = None,
    ) -> None:
        raw = _raw or _parlor.RawState(game, json.dumps(config or {}), seats, seed)
        self._config = dict(config or {})
        self.spec = _spec or spec(game, seats, config)
        self._bots: dict[int, str] = {}
        self._use(raw)

    def _use(self, raw: _parlor.RawState) -> None:
        self._raw = raw
        # What is called for every move goes to the compiled part directly.
        self.legal_actions = raw.legal_actions
        self.apply = raw.apply
        self.is_terminal = raw.is_terminal
        self.returns = raw.returns
        self.to_play = raw.to_play

    @property
    def game(self) -> str:
        return self._raw.game

    @property
    def seats(self) -> int:
        return self._raw.seats

    def num_players(self) -> int:
        return self.seats

    def current_player(self) -> int:
        """The seat to choose next; -4 once the game is over, as in OpenSpiel."""
        seat = self.to_play()
        return -4 if seat is None else seat

    def current_players(self) -> list[int]:
        """Every seat that still has to choose in this turn."""
        return self._raw.waiting()

    def apply_joint(self, actions: Sequence[int]) -> None:
        """One code for each of `current_players()`, in their order."""
        waiting = self.current_players()
        if len(actions) != len(waiting):
            raise ValueError(f"{len(actions)} actions for the {len(waiting)} seats {waiting}")
        for seat, code in zip(waiting, actions):
            if self.to_play() != seat:
                raise ValueError("a seat has several decisions to make; use apply()")
            self.apply(code)

    def legal_actions_mask(self, seat: int | None = None) -> NDArray[np.int8]:
        seat = self.to_play() if seat is None else seat
        if seat is None:
            return np.zeros(self.spec.actions, np.int8)
        return self._raw.mask(seat)

    def observation_tensor(self, seat: int | None = None) -> NDArray[np.float32]:
        """What a seat knows as numbers; `spec.planes` says which is which."""
        return self._raw.observation(self.current_player() if seat is None else seat)

    def action_to_string(self, code: int) -> str:
        return self.spec.action_name(code)

    def view(self, seat: int | None = None) -> Any:
        """What a seat knows (None: the public view), as the server sends it."""
        return json.loads(self._raw.view(seat))

    def views(self, seat: int | None = None) -> list[Any]:
        """All views of a seat, from the start."""
        return [json.loads(view) for view in self._raw.views(seat)]

    def legal(self) -> list[Any] | None:
        """The legal actions of the seat to play, as the server sends them."""
        text = self._raw.legal()
        return None if text is None else json.loads(text)

    def act(self, action: Any) -> None:
        """Makes a move for the seat to play: an action as the server accepts it."""
        self._raw.act(json.dumps(action))

    def decode(self, *codes: int) -> Any:
        return json.loads(self._raw.action(list(codes)))

    def encode(self, action: Any) -> list[int]:
        return self._raw.codes(json.dumps(action))

    def places(self) -> list[int] | None:
        return self._raw.places()

    def points(self) -> list[int] | None:
        return self._raw.points()

    def clone(self) -> State:
        return State(
            self.game, self.seats, config=self._config, _raw=self._raw.copy(), _spec=self.spec
        )

    def serialize(self) -> str:
        return self._raw.serialize()

    @staticmethod
    def deserialize(text: str) -> State:
        saved = json.loads(text)
        raw = _parlor.RawState.load(saved["game"], text)
        return State(saved["game"], saved["seats"], config=saved["config"], _raw=raw)

    @staticmethod
    def from_replay(file: str | PathLike[str], turn: int = 0) -> State:
        """A game of a replay file, as it was before a turn."""
        raw = _parlor.RawState.from_replay(Path(file).read_text(encoding="utf-8"), turn)
        saved = json.loads(raw.serialize())
        return State(saved["game"], saved["seats"], config=saved["config"], _raw=raw)

    def values(self, deals: int | None = None, seed: int = 0) -> list[Value]:
        """What the actions of the seat to play are worth by what it knows, the best first.

        Hidden cards are dealt again `deals` times, and house bots play on. Where actions are too
        many, these are the candidates that house bots propose.
        """
        told = self._raw.values(deals, seed)
        return [Value(json.loads(action), value, error) for action, value, error in told]

    def resample(self, seat: int, seed: int = 0) -> State:
        """A clone in which everything `seat` cannot know is dealt again, for bots that search.

        `seat` cannot tell it from this game by anything it has seen: its views are the same.
        """
        clone = self.clone()
        clone._raw.resample(seat, seed)
        return clone

    def __copy__(self) -> State:
        copy = self.clone()
        for seat, strategy in self._bots.items():
            copy.seat_bot(seat, strategy)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "text": self.serialize(),
            "config": self._config,
            "spec": self.spec,
            "bots": self._bots,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self._config, self.spec, self._bots = saved["config"], saved["spec"], {}
        self._use(_parlor.RawState.load(self.spec.game, saved["text"]))
        for seat, strategy in saved["bots"].items():
            self.seat_bot(seat, strategy)

    def strategies(self) -> list[str]:
        """The house bots, the weakest first."""
        return self._raw.strategies()

    def seat_bot(self, seat: int, strategy: str) -> None:
        """Lets a house bot play a seat; `let_bot_move` asks it."""
        self._raw.seat_bot(seat, strategy)
        self._bots[seat] = strategy

    def let_bot_move(self) -> None:
        self._raw.let_bot_move()

    def __repr__(self) -> str:
        who = "over" if self.is_terminal() else f"seat {self.to_play()} to play"
        return f"<State {self.spec.id} of {self.seats}: {who}>"


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


class Batch:
    """Many games at once. The arrays are the same ones after every step, with new numbers:

    `obs[games, observation]`, `mask[games, actions]`, `to_play[games]`,
    `rewards[games, seats]`, `done[games]`.

    A game that ends begins again in the same step: `rewards` and `done` are those of the end,
    `obs` and `mask` those of the new game. The arrays can be read, not written.
    """

    def __init__(
        self,
        game: str,
        games: int,
        seats: int = 2,
        seed: int = 0,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        self.spec = spec(game, seats, config)
        self.games = games
        self._samples = seed
        self._use(_parlor.RawBatch(game, json.dumps(config or {}), seats, games, seed))

    def _use(self, raw: _parlor.RawBatch) -> None:
        self._raw = raw
        self.obs: NDArray[np.float32] = _read_only(raw.obs)
        self.mask: NDArray[np.uint8] = _read_only(raw.mask)
        self.to_play: NDArray[np.int32] = _read_only(raw.to_play)
        self.rewards: NDArray[np.float32] = _read_only(raw.rewards)
        self.done: NDArray[np.uint8] = _read_only(raw.done)

    def __getstate__(self) -> dict[str, Any]:
        arrays = (self.rewards.copy(), self.done.copy())
        return {
            "text": self._raw.serialize(),
            "spec": self.spec,
            "games": self.games,
            "samples": self._samples,
            "last": arrays,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.spec, self.games = saved["spec"], saved["games"]
        self._samples = saved["samples"]
        raw = _parlor.RawBatch.load(self.spec.game, saved["text"])
        raw.rewards[...], raw.done[...] = saved["last"]
        self._use(raw)

    def __copy__(self) -> Batch:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        copy = Batch.__new__(Batch)
        copy.__setstate__(self.__getstate__())
        return copy

    def step(self, actions: NDArray[Any]) -> None:
        """One code for each game, of the seat to play; `WAIT` leaves a game as it is."""
        self._raw.step(np.ascontiguousarray(actions, np.int64))

    def sample(self) -> NDArray[np.int64]:
        """A random legal code for each game."""
        self._samples += 1
        return self._raw.sample(self._samples)

    def playout(self) -> int:
        """Plays all games to the end at random, in compiled code only.

        `rewards` are those of the ends, and `done` is 1 everywhere; `obs`, `mask` and `to_play` are
        those of the new games. Returns how many actions it took.
        """
        return self._raw.playout()
