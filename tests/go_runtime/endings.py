"""Starts the Go program `ending` in each of its ways on an MPI, and looks at how the job ended.

Rank 1 leaves while the other rank waits for it: the job must end, say why, and not succeed.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from mpiglot.provision.matrix import matrix

_LIMIT = 10  # CPU seconds after which a job counts as one that hangs; most need one
_ENDED = 124
_RANK = "[rank 1 of 2 ends by this crash]"
_CANNOT = "I cannot go on"
_HERE = "main.go"


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which the program ends."""

    way: str
    said: tuple[str, ...]  # what must be read
    well: bool = False  # whether the job succeeds
    leaves: bool = False  # whether rank 1 leaves the job without MPI


ENDINGS = (
    Ending("panic", (_RANK, _CANNOT, _HERE), leaves=True),
    Ending("panic-in-function", (_RANK, "index out of range", _HERE), leaves=True),
    Ending("panic-low", (_CANNOT, _HERE), leaves=True),
    Ending("panic-of-goroutine", (_RANK, _CANNOT, _HERE), leaves=True),
    Ending("panic-of-goroutine-in-main", (_RANK, _CANNOT, _HERE), leaves=True),
    Ending("panic-in-main", ("rank 1: panic: " + _CANNOT, _HERE)),
    Ending("exit-in-main", ("rank 1: the program left without returning (runtime.Goexit)",)),
    Ending("error-in-main", ("rank 1: no way to go on",)),
    Ending("thread-of-main", ("bound as it should be: true",), well=True),
    Ending("thread-of-main-funneled", ("bound as it should be: true",), well=True),
    Ending("exit-of-goroutine", ("rank 1: the main goroutine was left by runtime.Goexit",)),
    Ending("return", ("rank 1 has been in mpi.Finalize for 2s", "rank 1: mpi.Finalize has waited")),
    Ending("recovered", ("recovered: that can be mended",), well=True),
    Ending(
        "pending",
        (
            "operations that were never waited for: 2, of which 1 are not complete",
            "finalized",
        ),
        well=True,
    ),
)


def known_defects(mpi: str) -> frozenset[str]:
    """What the MPI is known to do wrong; a C program proves each."""
    return frozenset(defect.id for defect in matrix().defects_of(mpi))


def problem(mpi: str, program: Path, ending: Ending) -> str:
    """What is wrong with how the job ended; empty if nothing is."""
    command = [sys.executable, "-m", "mpiglot.ci", "run", mpi, "-n", "2", "--timeout", str(_LIMIT)]
    job = subprocess.run(
        [*command, str(program), ending.way],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    said = job.stdout + job.stderr
    excused = known_defects(mpi) if ending.leaves else frozenset()
    if job.returncode == _ENDED and "leaving-rank-unnoticed" not in excused:
        return f"it hung:\n{said}"
    if (job.returncode == 0) != ending.well and "leaving-rank-counts-as-success" not in excused:
        return f"exit code {job.returncode}:\n{said}"
    missing = [text for text in ending.said if text not in said]
    return f"it does not say {missing}:\n{said}" if missing else ""


def main(mpi: str, program: str, *ways: str) -> int:
    """Tries these ways, or all, and counts."""
    failed = 0
    wanted = [ending for ending in ENDINGS if not ways or ending.way in ways]
    for ending in wanted:
        if found := problem(mpi, Path(program), ending):
            failed += 1
            print(f"FAIL {ending.way}: {found}")
    print(f"{len(wanted) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
