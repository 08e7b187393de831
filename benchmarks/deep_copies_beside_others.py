"""Deep copies of trees, a scene, graphs and arrays, broadcast to another rank or through a file:
beside what is written by hand, and beside cereal, Boost.Serialization and Boost.MPI where these are
installed.

    benchmarks/deep_copy/run [--mpi NAME] [--compiler NAME] [--launches N] [--plot]

Times the way that is named first (below 1: faster), whose time stands beside it; the memory that a
rank takes at most on top of what is there, in KiB; the collective calls of a rank; then the lines
of each way (deep_copy_lines.py). --plot keeps the times in docs/figures/deep_copy.json, writes
the tables of docs/reference/benchmarks.md and draws deep_copy.svg (needs matplotlib).
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks import deep_copy_lines
from benchmarks.deep_copy_figure import Cost, draw, keep, write
from benchmarks.subject import ROOT, built, processor
from benchmarks.tables import run, table

MPIS = ("mpich-4.0.2", "openmpi-4.1.4")

Figures = dict[str, dict[str, Cost]]  # by case and way: the medians of the launches


HEAD = ["", "", "microseconds", "times", "KiB", "calls"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks/deep_copy/run", description=__doc__)
    parser.add_argument("--mpi", action="append", help=f"instead of {', '.join(MPIS)}")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--launches", type=int, default=3)
    parser.add_argument("--plot", action="store_true", help="keep, tabulate and draw the figures")
    options = parser.parse_args()
    print(f"{processor()}; {run(options.compiler, '--version').splitlines()[0]}\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.mpi or MPIS:
            program = build(name, options.compiler, Path(folder))
            figures = measured(name, [program], options.launches)
            about = f"{name}, {options.compiler}, 2 ranks, {options.launches} launches"
            print(table(about, HEAD, rows(figures)), flush=True)
            if options.plot:
                keep(f"{processor()}, {name}", figures)
    print(
        table(
            "lines (of types + of the transfer + for any)",
            ["", *deep_copy_lines.WAYS],
            deep_copy_lines.rows(),
        )
    )
    if options.plot:
        write()
        deep_copy_lines.write()
        draw()
    return 0


def build(mpi: str, compiler: str, folder: Path) -> Path:
    """The program, with the libraries that are here."""
    settings = ["-std=c++20", "-O2", f"-idirafter{ROOT / '.tools/boost-pfr/usr/include'}"]
    more: list[str | Path] = []
    if Path("/usr/include/cereal/cereal.hpp").exists():
        settings.append("-DDEEP_COPY_CEREAL=1")
    if Path("/usr/include/boost/archive/binary_oarchive.hpp").exists():
        settings.append("-DDEEP_COPY_BOOST=1")
        more.append("-lboost_serialization")
        # Debian's is for its Open MPI.
        if mpi == "openmpi-4.1.4" and Path("/usr/include/boost/mpi.hpp").exists():
            settings.append("-DDEEP_COPY_BOOST_MPI=1")
            more.insert(0, "-lboost_mpi")
    source = ROOT / "benchmarks/deep_copy/structures.cpp"
    return built(mpi, source, compiler, folder, *settings, more=more)


def measured(mpi: str, words: Sequence[str | Path], launches: int) -> Figures:
    """The medians of some launches on two ranks."""
    found: dict[str, dict[str, list[Cost]]] = {}
    for _ in range(launches):
        command = ("run", mpi, "--timeout", "280", "-n", "2", *words)
        for line in run(ROOT / "ci/mpi", *command).splitlines():
            cells = line.split("\t")
            if len(cells) == 5:
                case, way, *numbers = cells
                cost = Cost(*map(float, numbers))
                found.setdefault(case, {}).setdefault(way, []).append(cost)
    return {
        case: {way: Cost(*map(median, zip(*costs, strict=True))) for way, costs in ways.items()}
        for case, ways in found.items()
    }


def rows(figures: Figures) -> list[list[str]]:
    """A row a way: the case beside the first of its ways, which all others are compared with."""
    made = []
    for case, ways in figures.items():
        base = next(iter(ways.values())).us
        for i, (way, cost) in enumerate(ways.items()):
            numbers = [
                f"{cost.us:.0f}",
                f"{cost.us / base:.2f}",
                f"{cost.kib:.0f}",
                f"{cost.calls:.0f}",
            ]
            made.append([case if i == 0 else "", way, *numbers])
    return made


if __name__ == "__main__":
    raise SystemExit(main())
