"""Calls in another language beside the same calls in C: nanoseconds, on each MPI.

    python -m benchmarks.beside_c [--mpi NAME ...] [--bare ROW] [--source FILE] [--ranks N]
        COLUMN=COMMAND ...

Each command, and the C program, print lines of a call's name, a tab and the nanoseconds of the best
of many blocks; some also a tab and the bytes that a call allocates. They run in turns; the least of
all turns counts, since other work only adds.
"""

from __future__ import annotations

import argparse
import shlex
import tempfile
from pathlib import Path

from benchmarks.subject import MPIS, ROOT, installed
from benchmarks.tables import run, table

TURNS = 4

Figures = dict[str, dict[str, list[float]]]  # nanoseconds, and bytes if told, by column and call


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.beside_c", description=__doc__)
    parser.add_argument("--mpi", action="append")
    parser.add_argument("--bare", default="", help="the line that is a call of nothing")
    parser.add_argument("--source", default="benchmarks/calls/c/calls.c", help="the C program")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("programs", nargs="+", metavar="COLUMN=COMMAND")
    options = parser.parse_args()
    programs = dict(p.split("=", 1) for p in options.programs)
    with tempfile.TemporaryDirectory() as folder:
        for installation, environment in installed(options.mpi or [*MPIS, "mpich-5.0.2"]):
            name = installation.mpi.name
            c = Path(folder) / f"calls-{name}"
            run(installation.cc, "-O2", ROOT / options.source, "-o", c, environment=environment)
            commands = {"C": [str(c)], **{k: shlex.split(v) for k, v in programs.items()}}
            if options.ranks > 1:
                launched = [str(installation.launcher), "-n", str(options.ranks)]
                commands = {k: [*launched, *words] for k, words in commands.items()}
            least = _least(commands, environment)
            print(table(f"{name}: nanoseconds per call", *_rows(least, options.bare)), flush=True)


def _least(commands: dict[str, list[str]], environment: dict[str, str]) -> Figures:
    """By column and call."""
    found: Figures = {column: {} for column in commands}
    for _ in range(TURNS):
        for column, command in commands.items():
            for line in run(*command, environment=environment).splitlines():
                call, *figures = line.split("\t")
                if figures:
                    here = [float(figure) for figure in figures]
                    found[column][call] = list(map(min, here, found[column].get(call, here)))
    return found


def _rows(least: Figures, bare: str) -> tuple[list[str], list[list[str]]]:
    """The head and a row for each call; what stands in no C program is compared with the call
    whose name it begins with."""
    head = ["call"]
    for column in least:
        head += [column] if column == "C" else [column, "above C", "times"]
        head += ["above a bare call and C"] if bare and column != "C" else []
        head += ["bytes"] if _has_bytes(least[column]) else []
    calls = list(dict.fromkeys(call for column in least.values() for call in column))
    rows = []
    for call in sorted(calls, key=lambda c: c.split(",")[0] != c and calls.index(c)):
        row = [call]
        [c] = least["C"].get(call.split(",")[0], [None])
        for column, figures in least.items():
            here, *allocated = figures.get(call, [None])
            row.append("" if here is None else f"{here:.1f}")
            if column == "C":
                continue
            if here is None or c is None:
                row += ["", ""] + [""] * bool(bare)
            else:
                row += [f"{here - c:+.1f}", f"{here / c:.1f}"]
                row += [f"{here - c - figures[bare][0]:+.1f}"] if bare else []
            if _has_bytes(figures):
                row.append(f"{allocated[0]:.0f}" if allocated else "")
        rows.append(row)
    return head, rows


def _has_bytes(figures: dict[str, list[float]]) -> bool:
    return any(len(line) > 1 for line in figures.values())


if __name__ == "__main__":
    main()
