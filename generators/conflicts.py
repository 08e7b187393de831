"""Which disagreements between MPIs matter: those that would make a generated call wrong."""

from __future__ import annotations

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
