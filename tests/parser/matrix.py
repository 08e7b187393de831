"""The MPIs that tests of real installations run on: those of the matrix that are present."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from mpiglot.blueprints.errors import MpiglotError
from mpiglot.parser import choice
from mpiglot.parser.wrapper import Wrapper

KNOWN = Path(__file__).parents[2] / "blueprints" / "known"
NAMES = sorted(path.stem for path in KNOWN.glob("*.json"))
DEBIAN = {
    "mpich-4.0.2": "mpicc.mpich",
    "openmpi-4.1.4": "mpicc.openmpi",
    "simgrid-3.32": "smpicc",
}


def wrapper(name: str) -> Wrapper | None:
    """The wrapper of a known MPI, None where it is not on this machine."""
    if name in DEBIAN:
        return choice.wrapper(DEBIAN[name]) if shutil.which(DEBIAN[name]) else None
    try:
        found = choice.wrapper(name)
    except MpiglotError:
        return None
    return found


def selected() -> list[str]:
    """The names to test: all, or the one that `ci/test --mpi` is about."""
    wanted = os.environ.get("MPIGLOT_MPI_NAME", "")
    return [name for name in NAMES if not wanted or name == wanted]
