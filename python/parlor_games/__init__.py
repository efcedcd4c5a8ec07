"""Parlor's games for Python: train on them, and write bots for them.

    from parlor_games import State, Batch, match, run

`parlor_games.net` needs nothing but the standard library; the rest needs numpy and the compiled
part of this package, and is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from .net import Bot, run

if TYPE_CHECKING:
    from .core import GAMES as GAMES
    from .core import Batch as Batch
    from .core import Codes as Codes
    from .core import Plane as Plane
    from .core import Spec as Spec
    from .core import State as State
    from .core import Value as Value
    from .core import review as review
    from .core import spec as spec
    from .matches import MatchResult as MatchResult
    from .matches import match as match
    from .policy import PolicyBot as PolicyBot

_LATER = {
    "GAMES": "core",
    "Batch": "core",
    "Codes": "core",
    "Plane": "core",
    "Spec": "core",
    "State": "core",
    "Value": "core",
    "review": "core",
    "spec": "core",
    "MatchResult": "matches",
    "match": "matches",
    "PolicyBot": "policy",
}

__all__ = ["Bot", "run", *_LATER]


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"parlor_games has no {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
