"""The families of MPIs, and the signs by which a library of each is known (`families.json`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

PATH = Path(__file__).with_name("families.json")


@dataclass(frozen=True, slots=True)
class Family:
    """Libraries with the same handles, constants and status."""

    key: str
    title: str
    symbol: str  # what a library of the family exports
    answers: bool  # the symbol is a function that must tell a version of 1 or more
    reference: str  # the vendor whose constants serve other vendors' libraries of the family


@lru_cache(maxsize=1)
def load() -> tuple[Family, ...]:
    """All families, in the order in which libraries are asked for their signs; read once."""
    data = json.loads(PATH.read_text(encoding="utf-8"))
    return tuple(Family(**one) for one in data["families"])


def titled(key: str) -> str:
    """What people call a family."""
    return next((one.title for one in load() if one.key == key), f'a family called "{key}"')


def measure(bears: Callable[[Family], bool]) -> Family | None:
    """The family of a library, if `bears` tells whether the library bears a family's sign."""
    return next((one for one in load() if bears(one)), None)
