"""Gymnasium: one learner against a house bot or against chance, alone or many at once.

Importing this registers `parlor_games/gamba-v0` and the others with `gymnasium.make` and
`gymnasium.make_vec`. Rewards come at the end: 1 for a win, -1 for a loss, in between for places.
"""

from __future__ import annotations

from typing import Any, Mapping

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .core import GAMES, WAIT, Batch, Spec, State, spec


def _space(table: Spec) -> Dict:
    return Dict(
        {
            "observation": Box(-np.inf, np.inf, (table.observation,), np.float32),
            "action_mask": Box(0, 1, (table.actions,), np.int8),
        }
    )


class Env(gymnasium.Env[Any, Any]):
    """The learner sits at another seat in every game; `opponent` is a house strategy. `"random"`
    chooses every legal code equally often.

    An action that is not legal ends the game with a reward of -1.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "gamba",
        seats: int = 2,
        config: Mapping[str, Any] | None = None,
        opponent: str = "random",
        render_mode: str | None = None,
    ) -> None:
        self.table = spec(game, seats, config)
        self.observation_space = _space(self.table)
        self.action_space = Discrete(self.table.actions)
        self.render_mode = render_mode
        self._config, self._opponent = dict(config or {}), opponent

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        number = int(self.np_random.integers(2**62))
        self.seat = int(self.np_random.integers(self.table.seats))
        self._state = State(
            self.table.game, self.table.seats, number, self._config, _spec=self.table
        )
        for seat in range(self.table.seats):
            if seat != self.seat:
                self._state.seat_bot(seat, self._opponent)
        self._let_others_move()
        return self._tell()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        try:
            self._state.apply(int(action))
        except ValueError as illegal:
            observation, info = self._tell()
            return observation, -1.0, True, False, {**info, "illegal": str(illegal)}
        self._let_others_move()
        over = self._state.is_terminal()
        reward = self._state.returns()[self.seat] if over else 0.0
        observation, info = self._tell()
        return observation, reward, over, False, info

    def _let_others_move(self) -> None:
        while self._state.to_play() not in (None, self.seat):
            self._state.let_bot_move()

    def _tell(self) -> tuple[dict[str, Any], dict[str, Any]]:
        mask = self._state.legal_actions_mask(self.seat)
        number = self._state.observation_tensor(self.seat)
        return {"observation": number, "action_mask": mask}, {"action_mask": mask}

    def render(self) -> str:
        return str(self._state)


class Vector(VectorEnv[Any, Any, Any]):
    """Many games against `"random"`, which chooses every legal code equally often, on `Batch`.
    Against other house strategies, put several `Env` into a `gymnasium.vector.AsyncVectorEnv`.

    The learner sits at seat `i % seats` of game `i`. A game that ends begins again in the same
    step; `final_obs` of such a game is the last observation the learner chose from.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        game: str = "gamba",
        num_envs: int = 64,
        seats: int = 2,
        config: Mapping[str, Any] | None = None,
        opponent: str = "random",
    ) -> None:
        if opponent not in ("random", "uniform"):
            raise ValueError(
                f"opponent {opponent!r}: the games of one vector are played against 'random'; "
                "for another strategy use gymnasium.make_vec(..., vectorization_mode='async')"
            )
        self.table = spec(game, seats, config)
        self.num_envs = num_envs
        self.single_observation_space = _space(self.table)
        self.single_action_space = Discrete(self.table.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = MultiDiscrete([self.table.actions] * num_envs)
        self._game, self._seats, self._config = game, seats, dict(config or {})
        self._own = np.arange(num_envs) % seats
        self._every = np.arange(num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first)
        number = int(self.np_random.integers(2**62))
        self._batch = Batch(self._game, self.num_envs, self._seats, number, self._config)
        self._let_others_move(np.zeros(self.num_envs), np.zeros(self.num_envs, bool))
        return self._tell(), {}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        before = self._batch.obs.copy()
        rewards, done = np.zeros(self.num_envs), np.zeros(self.num_envs, bool)
        self._step(np.asarray(actions), rewards, done)
        self._let_others_move(rewards, done)
        infos: dict[str, Any] = {}
        if done.any():
            final = np.full(self.num_envs, None, dtype=object)
            for game in np.flatnonzero(done):
                final[game] = before[game]
            infos = {"final_obs": final, "_final_obs": done.copy()}
        return self._tell(), rewards, done, np.zeros(self.num_envs, bool), infos

    def _step(self, codes: NDArray[Any], rewards: NDArray[Any], done: NDArray[Any]) -> None:
        self._batch.step(codes)
        rewards += self._batch.rewards[self._every, self._own]
        done |= self._batch.done.astype(bool)

    def _let_others_move(self, rewards: NDArray[Any], done: NDArray[Any]) -> None:
        while (others := self._batch.to_play != self._own).any():
            self._step(np.where(others, self._batch.sample(), WAIT), rewards, done)

    def _tell(self) -> dict[str, NDArray[Any]]:
        return {
            "observation": self._batch.obs.copy(),
            "action_mask": self._batch.mask.astype(np.int8),
        }

    def close(self, **_: Any) -> None:
        pass


def _register() -> None:
    for game in GAMES:
        gymnasium.register(
            id=f"parlor_games/{spec(game).id}",
            entry_point="parlor_games.gym:Env",
            vector_entry_point="parlor_games.gym:Vector",
            kwargs={"game": game},
        )


_register()
