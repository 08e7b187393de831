"""What MPI works on between two calls: accesses to windows, collective file calls in two halves.

Nobody has a request for them. The memory of an access is MPI's until a call of its epoch completes
it, and that of a first half until the second.
"""

from __future__ import annotations

from mpiglot.generators.model import PlannedFunction

# What completes accesses at their origin; with the parameter that names the target, where it is
# that target's accesses only.
_COMPLETE = {
    "MPI_Win_complete": "",
    "MPI_Win_fence": "",
    "MPI_Win_flush": "rank",
    "MPI_Win_flush_all": "",
    "MPI_Win_flush_local": "rank",
    "MPI_Win_flush_local_all": "",
    "MPI_Win_unlock": "rank",
    "MPI_Win_unlock_all": "",
}


def begun(f: PlannedFunction) -> tuple[str, str] | None:
    """Of a call that leaves memory to MPI: its window or file, and its target (empty: none)."""
    types = {a.type: a.name for a in f.arguments if a.kind == "handle"}
    if "MPI_Win" in types and any(a.name == "target_rank" for a in f.arguments):
        return types["MPI_Win"], "target_rank"
    return (types["MPI_File"], "") if f.name.endswith("_begin") and "MPI_File" in types else None


def completed(f: PlannedFunction) -> tuple[str, str] | None:
    """Of a call that completes such calls: their window or file, and their target (empty: all)."""
    types = {a.type: a.name for a in f.arguments if a.kind == "handle"}
    if f.name in _COMPLETE:
        return types["MPI_Win"], _COMPLETE[f.name]
    return (types["MPI_File"], "") if f.name.endswith("_end") and "MPI_File" in types else None
