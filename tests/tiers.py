"""What of a large set of cases is tested now: all in the matrix run, some in turn at the gate.

`ci/test` says which in MPIGLOT_TIER ("gate" or "matrix") and MPIGLOT_TURN (a number made from the
commit). Without them, as when pytest is called by hand, it is the gate with turn 0.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")


def matrix_run() -> bool:
    """Whether everything is tested, as in `ci/test --matrix`."""
    return os.environ.get("MPIGLOT_TIER") == "matrix"


def turn() -> int:
    """The number that says whose turn it is; the same for each run of one commit."""
    return int(os.environ.get("MPIGLOT_TURN", "0"))


def in_turn(cases: Sequence[Case], *, most: int = 1) -> list[Case]:
    """All cases in the matrix run; at the gate `most` of them, the next ones each turn."""
    if matrix_run() or most >= len(cases):
        return list(cases)
    first = turn() * most
    return [cases[(first + i) % len(cases)] for i in range(most)]
