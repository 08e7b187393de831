"""The handwritten files that travel with generated ones; the wheel has them beside the code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mpiglot.blueprints
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.generators.marks import ours

CHECKOUT = Path(str(mpiglot.blueprints.__file__)).resolve().parents[1]


def handwritten(folder: str, *suffixes: str) -> Iterator[tuple[str, bytes]]:
    """The files of a runtime's folder with these suffixes, by path below it."""
    root = CHECKOUT / folder
    if not root.is_dir():
        raise EnvironmentProblem(
            f"this installation of mpiglot lacks {folder}; install the wheel again, "
            "or work in a checkout."
        )
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix in suffixes:
            yield path.relative_to(root).as_posix(), path.read_bytes()


def by_hand(folder: str, *suffixes: str) -> Iterator[tuple[str, str]]:
    """The same as text, without the generated files that may lie beside them."""
    for path, content in handwritten(folder, *suffixes):
        text = content.decode("utf-8")
        if not ours(text):
            yield path, text
