"""What a rule is, and the few type patterns that all tables share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=2048)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def matches(pattern: str, text: str) -> bool:
    return _compiled(pattern).fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Rule:
    sets: Mapping[str, Any]
    function: str = ""
    parameter: str = ""
    type: str = ""
    beside: str = ""
    not_last: bool = False

    def __str__(self) -> str:
        """The rule's conditions: "function /scan/, parameter /recvbuf/"."""
        asked = ("function", "parameter", "type", "beside")
        words = [f"{name} /{getattr(self, name)}/" for name in asked if getattr(self, name)]
        return ", ".join([*words, *(["not the last parameter"] if self.not_last else [])])


def named(parameter: str, type: str = "", **sets: Any) -> Rule:
    return Rule(sets, parameter=parameter, type=type)


def within(function: str, parameter: str = "", type: str = "", **sets: Any) -> Rule:
    return Rule(sets, function=function, parameter=parameter, type=type)


NUMBER = r"(const )?(int|MPI_Count|MPI_Aint|MPI_Offset|MPI_Fint|size_t|long)( \*| \[\]| \[\]\[3\])?"
INT = r"(const )?int( \*| \[\])?"
HANDLE_POINTER = r"MPIX?_[A-Z]\w*( \*\*?| \[\])"
BY_POINTER = r"[^*\[]*( \*+| \[\]| \*+\[\]| \[\]\[3\])"
