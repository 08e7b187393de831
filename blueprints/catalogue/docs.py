"""One line on what each function does: written for most, derived for forms of another."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from mpiglot.blueprints.model import Function

_CONVERSIONS = {
    "_c2f": "Converts a C handle to the Fortran integer that stands for it.",
    "_f2c": "Converts a Fortran integer that stands for a handle to the C handle.",
    "_toint": "Converts a handle to an integer that stands for it in C and Fortran.",
    "_fromint": "Converts an integer that stands for a handle to the handle.",
}


def describe(functions: Iterable[Function]) -> None:
    """Fills `doc` of every function for which there is, or follows, a line."""
    lines = _lines()
    for function in functions:
        function.doc = function.doc or _line(function.small_count or function.name, lines)[0]


def source(function: Function) -> str:
    """Where a function's line comes from."""
    return _line(function.small_count or function.name, _lines())[1]


def _lines() -> dict[str, str]:
    path = Path(__file__).with_name("docs.json")
    lines: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return lines


def _line(name: str, lines: dict[str, str]) -> tuple[str, str]:
    """The line of a function, and where it comes from."""
    if name in lines:
        return lines[name], f"stated, in blueprints/catalogue/docs.json under {name}"
    for ending, line in _CONVERSIONS.items():
        if name.endswith(ending):
            return line, f"docs.py: its name ends in {ending}"
    stem = name.removeprefix("MPI_")
    base = "MPI_" + stem[1:].capitalize()
    if stem.startswith("I") and base in lines:
        return f"Nonblocking form of {base}. {lines[base]}", f"docs.py: from the line of {base}"
    base = name.removesuffix("_init")
    if base != name and base in lines:
        line = f"Persistent form of {base}, to be started later. {lines[base]}"
        return line, f"docs.py: from the line of {base}"
    return "", ""
