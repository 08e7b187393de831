"""What MPI works on between two calls: accesses to windows, collective file calls in two halves.

Nobody has a request for them. The memory of an access is MPI's until a call of its epoch completes
it, and that of a first half until the second.
"""

from __future__ import annotations

from mpiglot.blueprints.catalogue import uses
from mpiglot.generators.model import PlannedFunction


def begun(f: PlannedFunction) -> tuple[str, str] | None:
    """Of a call that leaves memory to MPI: its window or file, and its target (empty: none)."""
    types = {a.type: a.name for a in f.arguments if a.kind == "handle"}
    if "MPI_Win" in types and any(a.name == "target_rank" for a in f.arguments):
        return types["MPI_Win"], "target_rank"
    return (types["MPI_File"], "") if f.name.endswith("_begin") and "MPI_File" in types else None


def completed(f: PlannedFunction) -> tuple[str, str] | None:
    """Of a call that completes such calls: their window or file, and their target (empty: all)."""
    types = {a.type: a.name for a in f.arguments if a.kind == "handle"}
    target = uses.load().completes.get(f.name)
    if target is not None:
        return types["MPI_Win"], target
    return (types["MPI_File"], "") if f.name.endswith("_end") and "MPI_File" in types else None
