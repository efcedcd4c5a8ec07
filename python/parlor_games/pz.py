"""PettingZoo environments: `env(game)` for every game, `parallel_env(game)` for the simultaneous.

An observation is a dictionary of `observation` and `action_mask`; the mask is also in the info.
In a simultaneous turn of `env` every agent steps once, and none sees what another has chosen.
Rewards come at the end of the game and add up to zero. `max_cycles=` cuts a game off after so many
choices of each seat (on average): its agents are truncated, with a reward of 0.
"""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from .core import Spec, State, spec


def _space(table: Spec) -> Dict:
    return Dict(
        {
            "observation": Box(-np.inf, np.inf, (table.observation,), np.float32),
            "action_mask": Box(0, 1, (table.actions,), np.int8),
        }
    )


def _agents(table: Spec) -> list[str]:
    return [f"seat_{seat}" for seat in range(table.seats)]


class raw_env(AECEnv):
    """One game, agent by agent, without checks around it."""

    agent_selection: str

    def __init__(
        self,
        game: str = "gamba",
        seats: int = 2,
        config: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        super().__init__()
        self._most = None if max_cycles is None else max_cycles * seats
        self.spec_ = spec(game, seats, config)
        self.metadata = {
            "name": self.spec_.id, "is_parallelizable": False, "render_modes": ["ansi"],
        }  # fmt: skip
        self.render_mode = render_mode
        self._config = dict(config or {})
        self.possible_agents = _agents(self.spec_)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space, actions = _space(self.spec_), Discrete(self.spec_.actions)
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: actions for agent in self.possible_agents}
        self._seed = int(np.random.SeedSequence().generate_state(1)[0])

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        # Without a seed the next game is another one.
        self._seed = self._seed + 1 if seed is None else seed
        self.state_ = State(
            self.spec_.game, self.spec_.seats, self._seed, self._config, _spec=self.spec_
        )
        self._steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.state_.apply(int(action))  # type: ignore[arg-type]
        self._steps += 1
        if self.state_.is_terminal():
            returns = self.state_.returns()
            for other in self.agents:
                self.rewards[other] = returns[self._seats[other]]
                self.terminations[other] = True
                self.infos[other] = {}
            self._accumulate_rewards()
            self.agent_selection = self.agents[0]
        elif self._steps == self._most:
            self.truncations = dict.fromkeys(self.agents, True)
            self.infos = {other: {} for other in self.agents}
            self.agent_selection = self.agents[0]
        else:
            self._select()

    def _select(self) -> None:
        seat = self.state_.current_player()
        self.agent_selection = self.possible_agents[seat]
        self._mask = self.state_.legal_actions_mask(seat)
        self.infos[self.agent_selection] = {"action_mask": self._mask}

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seats[agent]
        return {
            "observation": self.state_.observation_tensor(seat),
            "action_mask": self.state_.legal_actions_mask(seat),
        }

    def render(self) -> str:
        return str(self.state_)

    def close(self) -> None:
        pass


def env(game: str = "gamba", seats: int = 2, **options: Any) -> AECEnv:
    """One game, with PettingZoo's checks: an illegal action ends it."""
    inner: AECEnv = raw_env(game, seats, **options)
    inner = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1)
    inner = wrappers.AssertOutOfBoundsWrapper(inner)
    return wrappers.OrderEnforcingWrapper(inner)


class parallel_env(ParallelEnv):
    """A simultaneous game (Sushi Go, or SubSim with one submarine each), turn by turn.

    A seat without a move has an empty mask, and its choice is ignored. An illegal action ends the
    game: -1 for the seat that chose it.
    """

    def __init__(
        self,
        game: str = "sushi-go",
        seats: int = 2,
        config: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        self._most = max_cycles
        self.spec_ = spec(game, seats, config)
        if not self.spec_.simultaneous:
            raise ValueError(f"{game} is played one seat after the other; use env({game!r})")
        if (config or {}).get("subs_per_player", 1) != 1:
            raise ValueError("several submarines are decided for one by one; use env('subsim')")
        self.metadata = {"name": self.spec_.id, "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self._config = dict(config or {})
        self.possible_agents = _agents(self.spec_)
        space, actions = _space(self.spec_), Discrete(self.spec_.actions)
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: actions for agent in self.possible_agents}
        self._seed = int(np.random.SeedSequence().generate_state(1)[0])

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._seed = self._seed + 1 if seed is None else seed
        self.state_ = State(
            self.spec_.game, self.spec_.seats, self._seed, self._config, _spec=self.spec_
        )
        self._turns = 0
        self.agents = self.possible_agents[:]
        return self._tell()

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        waiting = self.state_.current_players()
        chosen = {seat: int(actions[self.possible_agents[seat]]) for seat in waiting}
        illegal = [s for s in waiting if not self.state_.legal_actions_mask(s)[chosen[s]]]
        if not illegal:
            self.state_.apply_joint(list(chosen.values()))
        self._turns += 1
        over = bool(illegal) or self.state_.is_terminal()
        cut = not over and self._turns == self._most
        worth = [-1.0 if seat in illegal else r for seat, r in enumerate(self.state_.returns())]
        rewards = dict(zip(self.possible_agents, worth))
        observations, infos = self._tell()
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, cut)
        if over or cut:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _tell(self) -> tuple[dict[str, Any], dict[str, Any]]:
        observations, infos = {}, {}
        for seat, agent in enumerate(self.possible_agents):
            mask = self.state_.legal_actions_mask(seat)
            number = self.state_.observation_tensor(seat)
            observations[agent] = {"observation": number, "action_mask": mask}
            infos[agent] = {"action_mask": mask}
        return observations, infos

    def render(self) -> str:
        return str(self.state_)

    def close(self) -> None:
        pass
