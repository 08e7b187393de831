"""Messages of 80 bytes in Go beside the same in C: CPU time and allocations, and limits for both.

    python -m benchmarks.messages_beside_c [--mpi NAME] PROGRAM

Both programs run in turns on one process; the median of the turns counts. The exit status is 1 if
a message of Go costs more than the limits.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.subject import ROOT
from benchmarks.tables import run, table
from mpiglot.provision.environment import of_installation
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import locate

TURNS = 5
LIMITS = {  # by package: times the CPU time of C, allocations a message
    "low": (9.0, 0.05),
    "mpi": (20.0, 1.0),  # 36 when each request was registered by itself
}

Figures = dict[str, list[list[float]]]  # by row: the figures of each turn


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.messages_beside_c", description=__doc__)
    parser.add_argument("--mpi", default="mpich-4.0.2")
    parser.add_argument("program")
    options = parser.parse_args()
    installation = locate(matrix().get(options.mpi))
    if installation is None:
        raise SystemExit(f"{options.mpi} is not installed: ci/mpi install {options.mpi}")
    environment = of_installation(installation, ci=True).applied(os.environ)
    c: Figures = {}
    go: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "messages"
        source = ROOT / "benchmarks/messages/messages.c"
        run(installation.cc, "-O2", source, "-o", program, environment=environment)
        for _ in range(TURNS):
            for command, figures in ((program, c), (options.program, go)):
                _read(run(command, environment=environment), figures)
    rows, excess = compared(c, go)
    head = ["messages", "C", "Go", "times", "allocations"]
    print(table(f"{options.mpi}: nanoseconds of CPU time per message", head, rows))
    for sentence in excess:
        print(sentence)
    return 1 if excess else 0


def _read(output: str, figures: Figures) -> None:
    for line in output.splitlines():
        name, *numbers = line.split("\t")
        if numbers:
            figures.setdefault(name, []).append([float(n) for n in numbers])


def compared(c: Figures, go: Figures) -> tuple[list[list[str]], list[str]]:
    """The rows of the table, and a sentence for each figure that is above its limit."""
    rows, excess = [], []
    for name, turns in go.items():
        package, at_once = name.split(", ")
        alone = median(turn[0] for turn in c[at_once])
        each, allocations = (median(turn[i] for turn in turns) for i in (0, 1))
        times, allowed = LIMITS[package]
        rows.append(
            [name, f"{alone:.0f}", f"{each:.0f}", f"{each / alone:.2f}", f"{allocations:.2f}"]
        )
        if each > times * alone:
            excess.append(f"{name}: {each / alone:.2f} times the time of C, more than {times}")
        if allocations > allowed:
            excess.append(f"{name}: {allocations:.2f} allocations a message, more than {allowed}")
    return rows, excess


if __name__ == "__main__":
    raise SystemExit(main())
