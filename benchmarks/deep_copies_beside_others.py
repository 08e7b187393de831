"""Deep copies of trees, graphs and arrays, broadcast to another rank: beside what is written by
hand, and beside cereal and Boost.Serialization where these are installed.

    benchmarks/deep_copy/run [--mpi NAME] [--compiler NAME] [--launches N]

Times the way that is named first (below 1: faster), whose time stands beside it.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.subject import ROOT, built, processor
from benchmarks.tables import run, table

MPIS = ("mpich-4.0.2", "openmpi-4.1.4")

Figures = dict[str, dict[str, float]]  # by case and way: microseconds, the median of the launches


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks/deep_copy/run", description=__doc__)
    parser.add_argument("--mpi", action="append", help=f"instead of {', '.join(MPIS)}")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--launches", type=int, default=3)
    options = parser.parse_args()
    print(f"{processor()}; {run(options.compiler, '--version').splitlines()[0]}\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.mpi or MPIS:
            program = build(name, options.compiler, Path(folder))
            figures = measured(name, [program], options.launches)
            about = f"{name}, {options.compiler}, 2 ranks, {options.launches} launches"
            print(table(about, ["", "", "microseconds", "times"], rows(figures)), flush=True)
    return 0


def build(mpi: str, compiler: str, folder: Path) -> Path:
    """The program, with the libraries that are here."""
    settings = ["-std=c++20", "-O2"]
    more: list[str | Path] = []
    if Path("/usr/include/cereal/cereal.hpp").exists():
        settings.append("-DDEEP_COPY_CEREAL=1")
    if Path("/usr/include/boost/archive/binary_oarchive.hpp").exists():
        settings.append("-DDEEP_COPY_BOOST=1")
        more.append("-lboost_serialization")
    source = ROOT / "benchmarks/deep_copy/structures.cpp"
    return built(mpi, source, compiler, folder, *settings, more=more)


def measured(mpi: str, words: Sequence[str | Path], launches: int) -> Figures:
    """The medians of some launches on two ranks."""
    found: dict[str, dict[str, list[float]]] = {}
    for _ in range(launches):
        command = ("run", mpi, "--timeout", "280", "-n", "2", *words)
        for line in run(ROOT / "ci/mpi", *command).splitlines():
            cells = line.split("\t")
            if len(cells) == 3:
                case, way, time = cells
                found.setdefault(case, {}).setdefault(way, []).append(float(time))
    return {case: {way: median(t) for way, t in ways.items()} for case, ways in found.items()}


def rows(figures: Figures) -> list[list[str]]:
    """A row a way: the case beside the first of its ways, which all others are compared with."""
    made = []
    for case, ways in figures.items():
        base = next(iter(ways.values()))
        for i, (way, time) in enumerate(ways.items()):
            made.append([case if i == 0 else "", way, f"{time:.0f}", f"{time / base:.2f}"])
    return made


if __name__ == "__main__":
    raise SystemExit(main())
