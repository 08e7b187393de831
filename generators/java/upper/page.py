"""Writes docs/reference/java.md, or checks it, and holds the table of surfaces by compiled calls.

java_runtime/reached generated/java OUT     writes OUT/reached.txt: which method calls what
python -m mpiglot.generators.java.upper.page OUT/reached.txt PAGE            writes the page
python -m mpiglot.generators.java.upper.page OUT/reached.txt PAGE --check    compares it
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.errors import MpiglotError, UsageError
from mpiglot.blueprints.model import Function
from mpiglot.generators.handwritten import CHECKOUT
from mpiglot.generators.java import names
from mpiglot.generators.java.upper import surface
from mpiglot.generators.java.upper.surface import Row

#: Chapters whose functions no program of Java needs.
NOT_COUNTED = frozenset({"fortran", "tools", "abi", "deprecated", "extensions"})
TOP = """\
# MPI's functions in the Java package

<!-- Made by generators/java/upper/page.py from the class files and surface.json. DO NOT EDIT. -->

The package `dev.mpiglot.mpi` reaches {reached} of {all} functions ({percent} %). The rest is in
`dev.mpiglot.low`, which has all. Functions of Fortran, of tools, of the standard ABI's own chapter,
and deprecated ones do not count; those of tools stand at the end all the same.
"""
#: The table of exceptions, and a line of it.
_EXCEPTIONS = "java_runtime/low/src/main/java/dev/mpiglot/mpi"
_CASE = re.compile(r"case [\w., ]+ ->\s+new (\w+)\(")
_SENTENCE = re.compile(r"^/\*\* (.*?) (\{@code MPI.*)\. \*/$", re.M)
EXCEPTIONS = """\

## Exceptions

Errors are `MpiException`s; those of these classes have exceptions of their own, which extend it.

| exception | class of the error | when |
| --- | --- | --- |
"""
#: Public method, as "Comm.send" -> methods of the lower layer that it reaches.
Reached = Mapping[str, set[str]]


def read(lines: Iterable[str]) -> Reached:
    """What `java_runtime/reached` wrote."""
    reached: dict[str, set[str]] = {}
    for line in lines:
        method, low = line.split()
        reached.setdefault(method, set()).add(low)
    return reached


def low_method(f: Function) -> str:
    """`MPI_Ssend` -> `PointToPoint.ssend`."""
    return f"{names.CHAPTERS[f.chapter]}.{names.method(f.name)}"


def complaints(rows: list[Row], functions: Iterable[Function], reached: Reached) -> list[str]:
    """Where the table says something else than the compiled calls."""
    low = {f.name: low_method(f) for f in functions if surface.counts(f)}
    found = []
    for row in rows:
        method, calls = f"{row.owner}.{row.method}", low[row.function]
        if row.reached and method not in reached:
            found.append(f"{row.function}: there is no public method {method}.")
        elif row.reached and calls not in reached[method]:
            found.append(f"{row.function}: {method} does not reach {calls}.")
        elif not row.reached:
            callers = sorted(m for m, its in reached.items() if calls in its)
            found += [f"{row.function}: absent, and {m} reaches {calls}." for m in callers[:1]]
    return found


def page(rows: list[Row], functions: Iterable[Function], reached: Reached) -> str:
    """The text of the page."""
    listed = [f for f in functions if surface.counts(f)]
    counted = [f for f in listed if f.chapter not in NOT_COUNTED]
    everything = set().union(*reached.values())
    number = sum(low_method(f) in everything for f in counted)
    percent = 100 * number // len(counted)
    top = TOP.format(reached=number, all=len(counted), percent=percent)
    return top + table(rows, listed) + exceptions()


def exceptions() -> str:
    """The exceptions that `MpiException.of` makes, as their sources describe them."""
    folder = CHECKOUT / _EXCEPTIONS
    text = EXCEPTIONS
    for name in _CASE.findall((folder / "MpiException.java").read_text(encoding="utf-8")):
        found = _SENTENCE.search((folder / f"{name}.java").read_text(encoding="utf-8"))
        if found is None:
            raise UsageError(f"{name}.java does not begin with a sentence and its classes")
        classes = re.sub(r"\{@code (\w+)\}", r"`\1`", found[2])
        text += f"| `{name}` | {classes} | {found[1]} |\n"
    return text


def table(rows: list[Row], functions: Iterable[Function]) -> str:
    """The chapters of the page."""
    low = {f.name: low_method(f) for f in functions}
    lines = []
    for chapter in dict.fromkeys(row.chapter for row in rows):
        lines += [
            "",
            f"## {chapter}",
            "",
            "| function of MPI | in `dev.mpiglot.mpi` |",
            "| --- | --- |",
        ]
        lines += [_line(row, low[row.function]) for row in rows if row.chapter == chapter]
    return "\n".join(lines) + "\n"


def _line(row: Row, low: str) -> str:
    how = f"`{row.owner}.{row.method}`" if row.reached else f"only `{low}`: {row.reason}"
    return f"| `{row.function}` | {how} |"


def main(words: list[str]) -> None:
    if len(words) not in (2, 3) or words[2:] not in ([], ["--check"]):
        raise UsageError("usage: page REACHED PAGE [--check]")
    rows, functions = surface.load(), catalogue.load().functions
    surface.check(rows, functions)
    reached = read(Path(words[0]).read_text(encoding="utf-8").splitlines())
    if wrong := complaints(rows, functions, reached):
        raise UsageError("surface.json does not say what the class files do:\n" + "\n".join(wrong))
    text, path = page(rows, functions, reached), Path(words[1])
    if words[2:]:
        if path.read_text(encoding="utf-8") != text:
            raise UsageError(
                f"{path} is not up to date: write it with the same command without --check."
            )
    else:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except MpiglotError as e:
        print(e, file=sys.stderr)
        sys.exit(e.exit_code)
