"""How long jobs of Java take that send one message, in turns with the same in bare downcalls.

    python -m benchmarks.java_start [--mpi NAME ...] JAVA JARS

JARS has the classes StartUpper and StartBare; run by benchmarks/start/java/run. Seconds of two
ranks from the start of the launcher to its end, of the clock and of the CPU: the median of the
turns.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from benchmarks.subject import ROOT, installed
from benchmarks.tables import table, timed

TURNS = 15
MPIS = ("mpich-4.0.2", "openmpi-4.1.4")
HEAD = ["two ranks, one message each", "seconds", "CPU seconds"]
ACCESS = "--enable-native-access=ALL-UNNAMED"
COLLECTOR = "-XX:+UseSerialGC"

Words = list[str | Path]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.java_start", description=__doc__)
    parser.add_argument("--mpi", action="append")
    parser.add_argument("java")
    parser.add_argument("jars")
    options = parser.parse_args()
    for installation, environment in installed(options.mpi or MPIS):
        launched: Words = [installation.launcher, "-n", "2"]
        library = installation.library
        with tempfile.TemporaryDirectory() as folder:
            rows = _measured(launched, library, options, Path(folder), environment)
        print(table(f"{installation.mpi.name}: median of {TURNS} turns", HEAD, rows), flush=True)


def _measured(
    launched: Words,
    library: Path,
    options: argparse.Namespace,
    folder: Path,
    environment: Mapping[str, str],
) -> list[list[str]]:
    java: Words = [*launched, options.java, COLLECTOR, ACCESS, "-cp", options.jars]
    cached: Words = [ROOT / "java_runtime/run-cached", "--cache"]
    after: Words = [*launched, "--", COLLECTOR, "-cp", options.jars]
    programs: dict[str, Words] = {
        "bare downcalls": [*java, "StartBare", library],
        "dev.mpiglot.mpi": [*java, "StartUpper"],
        "bare downcalls, AOT cache": [*cached, folder / "bare", *after, "StartBare", library],
        "dev.mpiglot.mpi, AOT cache": [*cached, folder / "upper", *after, "StartUpper"],
    }
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    for turn in range(TURNS + 1):
        for name, words in programs.items():
            spent = timed(*words, environment=environment)
            if turn > 0:  # the first one makes the caches
                figures[name].append((spent.clock, spent.cpu))
    return [
        [name, *(f"{median(turn[i] for turn in turns):.3f}" for i in (0, 1))]
        for name, turns in figures.items()
    ]


if __name__ == "__main__":
    main()
