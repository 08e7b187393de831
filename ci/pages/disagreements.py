"""Writes the table of docs/guide/checks.md: what ranks can disagree about, and what is told.

Run by `.venv/bin/python -m mpiglot.ci.pages`. The cases are those of
tests/cpp_runtime/disagreements.inc, of which unequal.cpp makes tests.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/cpp_runtime/disagreements.inc"
PAGE = ROOT / "docs/guide/checks.md"
BEGIN = "<!-- Made by ci/pages/disagreements.py from tests/cpp_runtime/disagreements.inc: begin -->"
END = "<!-- end -->"
WIDTH = 120
SEEN = re.compile(r'^SEEN\("([^"]+)", \w+\.(\w+)[(<]', re.M)
UNSEEN = re.compile(r'^UNSEEN\("([^"]+)", .*, "([^"]+)"\)$', re.M)
# What differs, as the table says it.
MEANINGS = {
    "operation": "another operation",
    "form": "blocking here, nonblocking or persistent there",
    "root": "another root",
    "length": "a buffer of another length",
    "count": "another count",
    "count given": "a count here, none there",
    "lengths_first": "`lengths_first` here, not there",
    "element type": "elements of another type",
    "element size": "elements of another size",
    "in place": "in place here, not there",
    "length in place": "in place with another length",
    "op": "another operation of MPI, or a function there",
    "op commutes": "a function that commutes here, one that does not there",
    "function of op": "another function, if its type is another one (a lambda, a class)",
    "datatype": "a datatype with other elements of MPI, or more of them",
    "shape of a view": "views of other extents or memory orders",
    "order of a traverser": "a traverser with its dimensions in another order",
    "length of a traverser": "a traverser with other lengths",
    "a traverser, none there": "an operation of a traverser here, of a communicator there",
}


@dataclass(frozen=True)
class Seen:
    """What ranks disagree about, and the operations in which all of them are told."""

    what: str
    operations: tuple[str, ...]


def seen(text: str) -> list[Seen]:
    """The kinds of disagreement in the order of the list."""
    found: dict[str, list[str]] = {}
    for what, called in SEEN.findall(text):
        operations = found.setdefault(what, [])
        name = operation(called)
        if name not in operations:
            operations.append(name)
    return [Seen(what, tuple(operations)) for what, operations in found.items()]


def operation(called: str) -> str:
    """`bcast` of `ibcast` and `bcast_init`."""
    return re.sub(r"^i(?=[a-z]{4})", "", called.removesuffix("_init"))


def unseen(text: str) -> list[tuple[str, str]]:
    """What nobody is told, and why."""
    return UNSEEN.findall(text)


def section(text: str) -> str:
    """The table and the list, of the text of the cases."""
    lines = ["| what differs on one rank | tried in |", "|---|---|"]
    for kind in seen(text):
        names = ", ".join(f"`{name}`" for name in kind.operations)
        lines.append(f"| {MEANINGS[kind.what]} | {names} |")
    lines += ["", "What no rank is told, because it is allowed or cannot be seen:", ""]
    for what, reason in dict.fromkeys(unseen(text)):
        item = f"- {what[0].upper()}{what[1:]}. {reason}"
        lines += textwrap.wrap(item, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines)


def page() -> str:
    """The page with the section as the cases have it now."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    made = section(CASES.read_text(encoding="utf-8"))
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{after}"


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
