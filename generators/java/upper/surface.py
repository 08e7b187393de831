"""The reviewed table of the upper package: which method reaches each function, or why none does."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpiglot.blueprints.errors import UsageError
from mpiglot.blueprints.model import Function
from mpiglot.generators.java import names

PATH = Path(__file__).parents[1] / "surface.json"
_REACHED = ("generated", "handwritten")
_STATES = (*_REACHED, "absent")


@dataclass(slots=True, frozen=True)
class Row:
    """What becomes of one function."""

    function: str
    chapter: str
    state: str  # "generated", "handwritten", "absent"
    owner: str = ""  # the class with the method
    method: str = ""
    reason: str = ""  # of an absence
    through: str = ""  # of what is generated: a handwritten class that calls the lower layer
    by_hand: bool = False  # of what is generated: a form in place is handwritten beside it

    @property
    def reached(self) -> bool:
        return self.state in _REACHED


def load(path: Path = PATH) -> list[Row]:
    """All rows, in the order of the file."""
    chapters = json.loads(path.read_text(encoding="utf-8"))["chapters"]
    return [
        _row(name, chapter, row) for chapter, rows in chapters.items() for name, row in rows.items()
    ]


def _row(name: str, chapter: str, row: dict[str, Any]) -> Row:
    states = [s for s in _STATES if row.get(s)]
    unknown = set(row) - {*_STATES, "method", "through"}
    both = tuple(states) == _REACHED
    if (len(states) != 1 and not both) or unknown or ("method" in row and states == ["absent"]):
        raise UsageError(
            f"surface.json: the row of {name} must have one of {', '.join(_STATES)}, and beside "
            "generated or handwritten at most a method and what it goes through."
        )
    state = states[0]
    if state == "absent":
        return Row(name, chapter, state, reason=row[state])
    method = row.get("method", names.method(name))
    return Row(name, chapter, state, row[state], method, "", row.get("through", ""), both)


def check(rows: list[Row], functions: Iterable[Function]) -> None:
    """Fails unless the catalogue's functions of each chapter in the table are its rows."""
    listed = {row.function: row for row in rows}
    chapters = {row.chapter for row in rows}
    counted = {f.name: f for f in functions if counts(f)}
    for f in counted.values():
        if f.chapter in chapters and f.name not in listed:
            raise UsageError(f"surface.json has no row for {f.name}, a function of {f.chapter}.")
    for row in rows:
        if row.function not in counted or counted[row.function].chapter != row.chapter:
            raise UsageError(
                f"surface.json has a row for {row.function}, which is no function of {row.chapter}."
            )


def counts(f: Function) -> bool:
    """Whether a function belongs to the table: no `_c` twin, and not deprecated."""
    return not f.small_count and not f.deprecated and not f.removed
