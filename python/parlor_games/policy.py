"""A bot that chooses by numbers: the same object plays in process and over the network."""

from __future__ import annotations

import json
from typing import Any, Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _parlor
from .net import Bot

Policy = Callable[[NDArray[np.float32], NDArray[np.int8]], int]


class PolicyBot(Bot):
    """Lets `policy(observation, mask)` choose a code, and plays what it means."""

    def __init__(
        self,
        policy: Policy,
        game: str,
        seats: int = 2,
        config: Mapping[str, Any] | None = None,
    ) -> None:
        self.policy = policy
        self._table = (game, json.dumps(config or {}), seats)
        self._reader = _parlor.RawReader(*self._table)

    def start(self, seat: int, names: list[str]) -> None:
        self._reader = _parlor.RawReader(*self._table)

    def watch(self, view: Any) -> None:
        self._reader.see(json.dumps(view))

    def choose(self, view: Any, legal: list[Any] | None) -> Any:
        codes: list[int] = []
        for _ in range(self._reader.parts()):
            observation, mask = self._reader.observation(codes), self._reader.mask(codes)
            codes.append(int(self.policy(observation, mask)))
        return json.loads(self._reader.action(codes))
