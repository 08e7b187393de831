"""Named layouts beside plain MPI: products of matrices, tiles, transpositions and faces.

    benchmarks/layouts/run [--mpi NAME] [--compiler NAME] [--launches N] [--ranks N] [--extralarge]
                           [--only gemm|tiles]

The compiler must have std::mdspan. --ranks is for the products; all else is between two ranks.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path
from statistics import geometric_mean, median

from benchmarks.subject import ROOT, built
from benchmarks.tables import run, table

MPIS = ("mpich-4.0.2", "openmpi-4.1.4")

Figures = dict[
    tuple[str, ...], float
]  # microseconds, the median of the launches, by all other cells


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks/layouts/run", description=__doc__)
    parser.add_argument("--mpi", action="append", help=f"instead of {', '.join(MPIS)}")
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--launches", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=2, help="of the products")
    parser.add_argument("--only", choices=("gemm", "tiles"))
    parser.add_argument("--extralarge", action="store_true", help="a product of 2000, 2300, 2600")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.mpi or MPIS:
            for which, titled in (("gemm", products), ("tiles", exchanges)):
                if options.only not in (None, which):
                    continue
                library = ["-stdlib=libc++"] if "clang" in options.compiler else []
                source = ROOT / f"benchmarks/layouts/{which}.cpp"
                settings = ("-std=c++23", *library, "-O3")
                program = built(name, source, options.compiler, Path(folder), *settings)
                words = ["extralarge"] if options.extralarge and which == "gemm" else []
                ranks = options.ranks if which == "gemm" else 2
                figures = measured(name, ranks, [program, *words], options.launches)
                for title, head, rows in titled(figures):
                    about = f"{name}, {options.compiler}, {ranks} ranks: {title}"
                    print(table(about, ["", *head], rows), flush=True)
    return 0


def measured(name: str, ranks: int, words: list[str | Path], launches: int) -> Figures:
    """The medians of some launches."""
    found: dict[tuple[str, ...], list[float]] = {}
    for _ in range(launches):
        command = ("run", name, "--timeout", "580", "-n", str(ranks), *words)
        for line in run(ROOT / "ci/mpi", *command, limit=600).splitlines():
            *cells, time = line.split("\t")
            if len(cells) > 2:
                found.setdefault(tuple(cells), []).append(float(time))
    return {cells: median(times) for cells, times in found.items()}


Table = tuple[str, list[str], list[list[str]]]  # a title, the heads and the rows


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


if __name__ == "__main__":
    raise SystemExit(main())
