"""How many lines a user writes for each way of benchmarks/deep_copy.

    python -m benchmarks.deep_copy_lines [--write]

Counted is what stands in the sources between `// count: NAME` and `// end`, as clang-format writes
it; blank lines and lines of comment do not count (the rule of examples/table1/lines.py). Members of
the classes, includes, and what makes, compares and frees a structure stand outside of the marks.
--write puts the table into docs/reference/benchmarks.md; nothing is run.
"""

from __future__ import annotations

import argparse
import re
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.layouts_figure import PAGE, put_between
from benchmarks.subject import ROOT

BEGIN, END = "<!-- of deep_copy_lines.py -->\n", "<!-- end of deep_copy_lines.py -->\n"
FOLDERS = (ROOT / "benchmarks/deep_copy", ROOT / "cpp_runtime/examples/deep_copy")
WAYS = (
    "deep", "deep, into an arena", "deep, in pieces", "deep, by a hook of MEL",
    "by hand: MPI_Pack", "by hand: memcpy", "by hand: a message a node",
    "cereal", "Boost.Serialization", "Boost.MPI",
)  # fmt: skip


class Way(NamedTuple):
    """What is counted for a way, by names: what describes the types, what moves the structure,
    and helpers that fit any structure."""

    describes: tuple[str, ...]
    moves: tuple[str, ...]
    helps: tuple[str, ...] = ()


_PACKING, _CONTAINERS = ("packing",), ("containers in messages",)
_CEREAL = ("cereal", "streams", "text")
_BOOST = ("Boost.Serialization", "streams", "text")
CASES: dict[str, dict[str, Way]] = {
    "tree": {
        "deep": Way(("tree: fields",), ("tree: deep",)),
        "deep, into an arena": Way(("tree: fields",), ("tree: arena", "tree: deep, into an arena")),
        "deep, in pieces": Way(("tree: fields",), ("tree: channel", "tree: deep, in pieces")),
        "by hand: MPI_Pack": Way((), ("tree: MPI_Pack",)),
        "by hand: memcpy": Way((), ("tree: memcpy",), ("text",)),
        "by hand: a message a node": Way((), ("tree: a message a node",)),
        "cereal": Way(("tree: serialize of cereal",), (), _CEREAL),
        "Boost.Serialization": Way(("tree: serialize of Boost",), (), _BOOST),
        "Boost.MPI": Way(("tree: serialize of Boost",), ("Boost.MPI",)),
    },
    "graph": {
        "deep": Way(("graph: fields",), ("graph: deep",)),
        "deep, by a hook of MEL": Way(("graph: hook of MEL",), ("graph: Bcast of MEL",)),
        "by hand: MPI_Pack": Way((), ("graph: numbers", "graph: MPI_Pack"), _PACKING),
        "by hand: a message a node": Way(
            (), ("graph: numbers", "graph: a message a node"), _CONTAINERS
        ),
        "cereal": Way(("graph: serialize of cereal",), (), _CEREAL),
        "Boost.Serialization": Way(("graph: serialize of Boost",), (), _BOOST),
        "Boost.MPI": Way(("graph: serialize of Boost",), ("Boost.MPI",)),
    },
    "scene": {
        "deep": Way((), ("scene: deep",)),
        "by hand: MPI_Pack": Way((), ("scene: values of volumes", "scene: MPI_Pack"), _PACKING),
        "by hand: a message a node": Way(
            (), ("scene: values of volumes", "scene: a message a node"), _CONTAINERS
        ),
        "cereal": Way(("scene: serialize of cereal",), (), _CEREAL),
    },
    "scene of the example": {
        "deep": Way(
            ("example scene: fields of volumes", "example scene: fields of scenes"),
            ("example scene: deep",),
        ),
        "deep, by a hook of MEL": Way(
            ("example scene: hook of volumes", "example scene: hook of scenes"),
            ("example scene: Bcast of MEL",),
        ),
        "by hand: MPI_Pack": Way((), ("example scene: MPI_Pack",), _PACKING),
        "by hand: a message a node": Way((), ("example scene: a message a node",), _CONTAINERS),
    },
}


def counts(folders: Sequence[Path] = FOLDERS) -> dict[str, int]:
    """The lines between each pair of marks, whose names differ in all files."""
    counted = runpy.run_path(str(ROOT / "cpp_runtime/examples/table1/lines.py"))["counted"]
    texts = [
        path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted(folder.glob("*.[ch]pp"))
    ]
    names = re.findall("// count: (.*)", "".join(texts))
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"marks have the name {name} twice")
    return {name: lines for text in texts for name, lines in counted(text).items()}


def cell(way: Way, found: dict[str, int]) -> str:
    """All lines, and how many of them are of which kind."""
    describes, moves, helps = (sum(found[name] for name in names) for names in way)
    return f"{describes + moves + helps} ({describes} + {moves} + {helps})"


def rows() -> list[list[str]]:
    found = counts()
    return [
        [case, *(cell(ways[way], found) if way in ways else "" for way in WAYS)]
        for case, ways in CASES.items()
    ]


def page_table() -> str:
    head = f"| {' | '.join(['', *WAYS])} |\n|{'---|' * (len(WAYS) + 1)}\n"
    return head + "".join(f"| {' | '.join(row)} |\n" for row in rows())


def write() -> None:
    put_between(PAGE, BEGIN, END, page_table())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    options = parser.parse_args()
    print(page_table(), end="")
    if options.write:
        write()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
