"""What single functions and callback types do that no rule tells (`uses.json`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("uses.json")


@dataclass(frozen=True, slots=True)
class CallbackUse:
    """How MPI calls a function of one callback type."""

    state: str | None = None  # the parameter with the state, where it has no name of its own
    count: str | None = None  # the parameter that says how many states there are
    state_function: str | None = None  # the function that the callback asks for its state
    foreign_state: bool = False  # its state is the one that another function was given
    last: bool = False  # MPI calls no function with this state after it
    answer: str = ""  # where the result is no error code: a name for what 1 says
    answer_doc: str = ""  # the same as a sentence
    names: Mapping[str, str] = field(default_factory=dict)  # of parameters that have none in C


@dataclass(frozen=True, slots=True)
class Uses:
    """The facts of `uses.json`."""

    starts: Mapping[str, str]  # function -> "world" or "session", which it starts
    ends: frozenset[str]  # functions after which MPI, a session or the process is at its end
    completes: Mapping[str, str]  # completes accesses to a window -> their target's parameter
    memory_owners: frozenset[str]  # handle types that own memory which MPI uses between calls
    undefined_on_rank_0: frozenset[str]  # functions whose result rank 0 does not get
    callbacks: Mapping[str, CallbackUse]

    def callback(self, name: str) -> CallbackUse:
        return self.callbacks.get(name, CallbackUse())


@lru_cache(maxsize=1)
def load() -> Uses:
    """What `uses.json` states; read once."""
    data: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return Uses(
        starts={name: what for what, names in data["starts"].items() for name in names},
        ends=frozenset(data["ends"]),
        completes=data["completes"],
        memory_owners=frozenset(data["memory_owners"]),
        undefined_on_rank_0=frozenset(data["undefined_on_rank_0"]),
        callbacks={name: CallbackUse(**facts) for name, facts in data["callbacks"].items()},
    )
