"""Writes docs/reference/releases.md: what each known release of an MPI brought.

Run by `.venv/bin/python -m mpiglot.ci.pages`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from mpiglot.blueprints.diff import SUBJECTS, Change, compare
from mpiglot.blueprints.diff_report import title
from mpiglot.blueprints.model import Blueprint
from mpiglot.commands.diff import every_series

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/releases.md"
WIDTH = 120
TOP = """
# What each release brought

<!-- Made by ci/pages/releases.py from blueprints/known. DO NOT EDIT. -->

Each section compares a known release of an MPI with the one before it. The blueprints were measured
on the installations of `provision/matrix.json`; a release that was built in another way can differ.
`mpiglot diff --since mpich-4.0.2` prints the same with prototypes and values, from one release on.
"""


def page() -> str:
    sections = [filled(TOP.strip())]
    for series in every_series():
        named = [(one.name, one.blueprint) for one in series]
        sections += ["\n".join(section(*a, *b)) for a, b in pairwise(named)]
    return "\n\n".join(sections) + "\n"


def filled(text: str) -> str:
    """Each paragraph in lines of the width; the heading and the comment stay as they are."""
    return "\n\n".join(textwrap.fill(part, WIDTH) for part in text.split("\n\n"))


def section(old: str, before: Blueprint, new: str, after: Blueprint) -> Iterator[str]:
    changes = compare(before, after)
    yield f"## {title(new, after)}, after {old}"
    for subject in SUBJECTS:
        for kind in ("added", "removed", "changed"):
            chosen = [c for c in changes if c.subject == subject and c.kind == kind]
            if chosen and kind == "changed":
                yield from changed(subject, chosen)
            elif chosen:
                names = ", ".join(f"`{c.name}`" for c in chosen)
                yield ""
                yield f"{subject.capitalize()} {kind}, {len(chosen)}:"
                yield textwrap.fill(names, WIDTH, break_on_hyphens=False)


def changed(subject: str, changes: list[Change]) -> Iterator[str]:
    yield from ("", f"{subject.capitalize()} changed:", "")
    yield from ("| name | what | before | after |", "|---|---|---|---|")
    for c in changes:
        before, after = (f"`{text}`" if text else "none" for text in (c.before, c.after))
        yield f"| `{c.name}` | {c.what} | {before} | {after} |"


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
