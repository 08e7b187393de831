"""Which disagreements between MPIs matter: those that would make a generated call wrong."""

from __future__ import annotations

from collections.abc import Iterable

from mpiglot.generators.model import Atlas, Conflict


def matters(conflict: Conflict, atlas: Atlas) -> bool:
    """Whether a call or a value taken from one MPI would be wrong on the other.

    Function types are pointers to code whatever they are called, and what MPI calls with is settled
    by the standard. A sentinel that one MPI writes as a plain number is one word all the same.
    """
    values = list(conflict.values)
    if conflict.what == "class":
        return not set(values) <= {"integer", "sentinel"}
    if conflict.what.endswith(" type"):
        callbacks = {c.name for c in atlas.callbacks}
        return not all(v.endswith(" *") and v[:-2].strip() in callbacks for v in values)
    return True


def about(atlas: Atlas, targets: Iterable[str] | None = None) -> list[str]:
    """A sentence for each conflict that matters to what is generated for `targets` (None: all)."""
    wanted = None if targets is None else set(targets)
    return [
        _sentence(c)
        for c in atlas.conflicts
        if matters(c, atlas) and (wanted is None or wanted & _dissenters(c))
    ]


def _others(conflict: Conflict) -> dict[str, str]:
    """What was not taken, and the MPIs that have it."""
    return {v: names for v, names in sorted(conflict.values.items()) if v != conflict.taken}


def _dissenters(conflict: Conflict) -> set[str]:
    return {name for names in _others(conflict).values() for name in names.split(", ")}


def _sentence(conflict: Conflict) -> str:
    said = " and ".join(f"{value} in {names}" for value, names in _others(conflict).items())
    return f"{conflict.name}, {conflict.what}: {said}, but {conflict.taken} was taken."
