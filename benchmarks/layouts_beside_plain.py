"""Named layouts beside plain MPI: products of matrices, tiles, transpositions and faces, ping-pong
and broadcast by size, and conduction of heat.

    benchmarks/layouts/run [--mpi NAME] [--compiler NAME] [--launches N] [--ranks N] [--extralarge]
                           [--only gemm|tiles|sizes|heat] [--ways SOURCE [--flags FLAGS]] [--plot]

The products need a compiler that has std::mdspan. --ranks is for them; all else is between two
ranks. Boost.MPI takes part in `sizes` where it is installed for the MPI. --ways adds to `sizes` the
ways of other libraries: a C++ source that adds to more_ways() of benchmarks/layouts/box.hpp. --plot
keeps `sizes` in docs/figures/layouts.json, writes the table of docs/reference/benchmarks.md and
draws layouts.svg (needs matplotlib); --only plot does that with what was kept last.
"""

from __future__ import annotations

import argparse
import os
import shlex
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import geometric_mean, median

from benchmarks.layouts_figure import RESULTS, Point, draw, keep, points_of, write_page
from benchmarks.subject import ROOT, built, processor
from benchmarks.tables import run, table

MPIS = ("mpich-4.0.2", "openmpi-4.1.4")
FOLDER = ROOT / "benchmarks" / "layouts"
BEHIND = 1.15  # times the better of datatype and loop

Figures = dict[
    tuple[str, ...], float
]  # microseconds, the median of the launches, by all other cells
Table = tuple[str, list[str], list[list[str]]]  # a title, the heads and the rows


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks/layouts/run", description=__doc__)
    parser.add_argument("--mpi", action="append", help=f"instead of {', '.join(MPIS)}")
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--launches", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=2, help="of the products")
    parser.add_argument("--only", choices=(*PROGRAMS, "plot"))
    parser.add_argument("--extralarge", action="store_true", help="a product of 2000, 2300, 2600")
    parser.add_argument("--ways", type=Path, action="append", default=[], metavar="SOURCE")
    parser.add_argument("--flags", default="", help="to compile and link these sources with")
    parser.add_argument("--plot", action="store_true", help="keep, tabulate and draw `sizes`")
    options = parser.parse_args(arguments)
    print(f"{machine()}; {run(options.compiler, '--version').splitlines()[0]}\n", flush=True)
    more = [*options.ways, *shlex.split(options.flags)]
    with tempfile.TemporaryDirectory() as folder:
        for name in options.mpi or MPIS:
            for which, program in PROGRAMS.items():
                if options.only not in (None, which):
                    continue
                ranks = options.ranks if which == "gemm" else 2
                words = ["extralarge"] if options.extralarge and which == "gemm" else []
                binary = program.build(name, options.compiler, Path(folder), more)
                limit = 3000 if words else 580
                figures = measured(name, ranks, [binary, *words], options.launches, limit)
                about = f"{name}, {options.compiler}, {ranks} ranks"
                if ranks > (os.cpu_count() or 1):
                    about += " on fewer cores, so that times say nothing"
                for title, head, rows in program.titled(figures):
                    print(table(f"{about}: {title}", ["", *head], rows), flush=True)
                print("\n".join([*behind(figures), ""]), flush=True)
                if options.plot and which == "sizes":
                    keep(name, points(name, figures))
    if options.plot or options.only == "plot":
        write_page(points_of(RESULTS))
        if find_spec("matplotlib") is None:
            print("matplotlib is not here: layouts.svg is as it was")
        else:
            draw(RESULTS)
    return 0


@dataclass(frozen=True)
class Program:
    """A source in benchmarks/layouts, and its tables."""

    source: str
    titled: Callable[[Figures], Iterable[Table]]
    mdspan: bool = False
    rivals: bool = False
    tiny: tuple[str, ...] = ("tiny",)  # its words in a test

    def build(self, mpi: str, compiler: str, folder: Path, ways: Sequence[str | Path] = ()) -> Path:
        settings = ["-std=c++23" if self.mdspan else "-std=c++20", "-O3"]
        if self.mdspan and "clang" in compiler:
            settings.append("-stdlib=libc++")
        more: list[str | Path] = []
        if self.rivals:
            more = [f"-I{FOLDER}", *boost(mpi), *ways]
        return built(mpi, FOLDER / self.source, compiler, folder, *settings, more=more)


def machine() -> str:
    return f"{processor()}, {os.cpu_count()} cores"


def boost(mpi: str) -> list[str | Path]:
    """The ways of Boost.MPI, if it is here: Debian's is built on Debian's default, Open MPI."""
    if mpi != "openmpi-4.1.4" or not Path("/usr/include/boost/mpi.hpp").exists():
        print(f"{mpi}: Boost.MPI is not here\n", flush=True)
        return []
    return [FOLDER / "boost_ways.cpp", "-lboost_mpi", "-lboost_serialization"]


def measured(
    name: str, ranks: int, words: list[str | Path], launches: int, limit: int = 580
) -> Figures:
    """The medians of some launches, each of which takes at most so many seconds."""
    found: dict[tuple[str, ...], list[float]] = {}
    for _ in range(launches):
        command = ("run", name, "--timeout", str(limit), "-n", str(ranks), *words)
        for line in run(ROOT / "ci/mpi", *command, limit=limit + 20).splitlines():
            *cells, time = line.split("\t")
            if len(cells) > 2:
                found.setdefault(tuple(cells), []).append(float(time))
    return {cells: median(times) for cells, times in found.items()}


def products(figures: Figures) -> Iterable[Table]:
    """A table a size: times plain MPI, a row for the layouts of the tiles of C, A and B."""
    steps = ("scatter", "compute", "gather", "all")
    for size in dict.fromkeys(cells[1] for cells in figures):
        rows = []
        ratios: dict[str, list[float]] = {step: [] for step in steps}
        for layouts in dict.fromkeys(cells[2] for cells in figures if cells[1] == size):
            for step in steps:
                ours, plain = (figures["gemm", size, layouts, by, step] for by in ("ours", "plain"))
                ratios[step].append(ours / plain)
            rows.append([layouts, f"{plain:.1f}", *(f"{ratios[step][-1]:.2f}" for step in steps)])
        means = (f"{geometric_mean(ratios[step]):.2f}" for step in steps)
        rows.append(["geometric mean", "", *means])
        yield f"product {size}, times plain MPI", ["plain, microseconds", *steps], rows


def exchanges(figures: Figures) -> Iterable[Table]:
    """A table a kind of exchange: times contiguous messages, a row a case."""
    ways = ("ours", "datatype", "a loop")
    for kind in dict.fromkeys(cells[0] for cells in figures):
        rows = []
        for case in dict.fromkeys(cells[1] for cells in figures if cells[0] == kind):
            base = figures[kind, case, "contiguous"]
            ratios = (f"{figures[kind, case, way] / base:.2f}" for way in ways)
            rows.append([case, f"{base:.1f}", *ratios])
        yield f"{kind}, times contiguous messages", ["contiguous, microseconds", *ways], rows


def by_size(figures: Figures) -> Iterable[Table]:
    """A table an operation: times contiguous messages, a row a box and way, a column a size."""
    for operation in dict.fromkeys(cells[0] for cells in figures):
        known = [cells for cells in figures if cells[0] == operation]
        sizes = list(dict.fromkeys(cells[2] for cells in known))
        rows = []
        for box, way in dict.fromkeys((cells[1], cells[3]) for cells in known):
            times = [figures[operation, box, size, way] for size in sizes]
            bases = [figures[operation, box, size, "contiguous"] for size in sizes]
            if way == "contiguous":
                rows.append([f"{box}: contiguous, microseconds", *(f"{t:.1f}" for t in times)])
            else:
                ratios = (f"{t / base:.2f}" for t, base in zip(times, bases, strict=True))
                rows.append([f"{box}: {way}", *ratios])
        yield f"{operation} by bytes, times contiguous messages", sizes, rows


def points(mpi: str, figures: Figures) -> list[Point]:
    """What the figure shows: times contiguous messages."""
    return [
        Point(
            machine(), mpi, operation, box, int(size), way, round(time, 3),
            round(time / figures[operation, box, size, "contiguous"], 3),
        )
        for (operation, box, size, way), time in figures.items()
    ]  # fmt: skip


def heat(figures: Figures) -> Iterable[Table]:
    """Steps of both programs; times the plain one."""
    rows = []
    for case, part in dict.fromkeys((cells[1], cells[3]) for cells in figures):
        ours, plain = (figures["heat", case, by, part] for by in ("ours", "plain"))
        rows.append([f"{case}: {part}", f"{plain:.1f}", f"{ours:.1f}", f"{ours / plain:.2f}"])
    yield "a step of heat", ["plain, microseconds", "ours", "times plain"], rows


def behind(figures: Figures) -> list[str]:
    """A sentence for each case in which ours takes 15 % more than the better other way."""
    sentences = []
    for cells, time in figures.items():
        *case, way = cells
        others = [figures.get((*case, other)) for other in ("datatype", "a loop")]
        best = min((other for other in others if other is not None), default=None)
        if way == "ours" and best is not None and time > BEHIND * best:
            sentences.append(f"behind: {', '.join(case)}: {time / best:.2f} times the better way")
    return sentences


PROGRAMS = {
    "gemm": Program("gemm.cpp", products, mdspan=True),
    "tiles": Program("tiles.cpp", exchanges),
    "sizes": Program("sizes.cpp", by_size, rivals=True),
    "heat": Program("heat.cpp", heat, tiny=("16", "2", "1")),
}


if __name__ == "__main__":
    raise SystemExit(main())
