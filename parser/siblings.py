"""The C++ compiler that belongs to a C compiler: the one of the matching name beside it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

#: The names of wrappers in C and C++; mpicxx.mpich stands beside mpicc.mpich.
WRAPPERS = (
    ("mpicc", "mpicxx"), ("mpigcc", "mpigxx"), ("mpiicx", "mpiicpx"), ("mpiicc", "mpiicpc"),
    ("smpicc", "smpicxx"),
)  # fmt: skip
#: Those of compilers; g++-12 stands beside gcc-12.
COMPILERS = (
    ("gcc", "g++"), ("clang", "clang++"), ("icx", "icpx"), ("icc", "icpc"), ("nvc", "nvc++"),
    ("cc", "c++"),
)  # fmt: skip


def cxx_beside(command: str | Path, pairs: Sequence[tuple[str, str]] = WRAPPERS) -> Path | None:
    """The C++ compiler beside a C compiler; one that is a mere name is looked for on PATH."""
    for name in _names(Path(command).name, pairs):
        beside = str(Path(command).with_name(name)) if "/" in str(command) else name
        if found := shutil.which(beside):
            return Path(found)
    return None


def _names(name: str, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    for c, cxx in pairs:
        changed = re.sub(rf"(?<![a-z]){c}(?![a-z])", cxx, name)
        if changed != name:
            yield changed
