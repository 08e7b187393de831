"""Messages of views beside contiguous ones, on two ranks: times the contiguous message.

    benchmarks/views/run [--mpi NAME] [--compiler NAME] [--launches N] [--runs | --device [--aware]]

With --runs: packing beside derived datatypes by the length of runs, of which
cpp_runtime/include/mpiglot/detail/views/moving.hpp holds the outcome. With --device: views in the
memory of a GPU beside copies by hand, if there is a GPU; with --aware also without copies, which
needs an MPI that reads that memory.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.subject import ROOT, built
from benchmarks.tables import run, table

MPIS = ("mpich-4.0.2", "openmpi-4.1.4")

Figures = dict[str, dict[int, float]]  # by way and size: microseconds, the median of the launches


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks/views/run", description=__doc__)
    parser.add_argument("--mpi", action="append", help=f"instead of {', '.join(MPIS)}")
    parser.add_argument("--compiler", default="clang++-19")
    parser.add_argument("--launches", type=int, default=7)
    parser.add_argument("--runs", action="store_true", help="packing beside datatypes")
    parser.add_argument("--device", action="store_true", help="views in the memory of a GPU")
    parser.add_argument("--aware", action="store_true", help="MPI reads that memory itself")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.mpi or MPIS:
            kind = "device" if options.device else "views"
            source = ROOT / f"benchmarks/views/{kind}.cpp"
            program = built(name, source, options.compiler, Path(folder), "-std=c++20", "-O2")
            asked = {"runs": options.runs, "aware": options.device and options.aware}
            words: list[str | Path] = [program, *(word for word, is_so in asked.items() if is_so)]
            figures = measured(name, words, options.launches)
            title = f"{name}, {options.compiler}, 2 ranks, {options.launches} launches"
            if options.device and not figures:
                print(f"{name}: skipped, since there is no GPU that NVIDIA's driver can use.")
                continue
            rows = of_runs(figures) if options.runs else beside_contiguous(figures)
            print(table(f"{title}: {rows[0][0]}", ["", *rows[0][1:]], rows[1:]), flush=True)
    return 0


def measured(name: str, words: list[str | Path], launches: int) -> Figures:
    """The medians of some launches on two ranks."""
    found: dict[str, dict[int, list[float]]] = {}
    for _ in range(launches):
        output = run(ROOT / "ci/mpi", "run", name, "--timeout", "280", "-n", "2", *words)
        for line in output.splitlines():
            cells = line.split("\t")
            if len(cells) == 3:
                found.setdefault(cells[1], {}).setdefault(int(cells[0]), []).append(float(cells[2]))
    return {way: {n: median(t) for n, t in by_n.items()} for way, by_n in found.items()}


def beside_contiguous(figures: Figures) -> list[list[str]]:
    """The title and the heads, then a row a way: times the contiguous message."""
    plain = next(iter(figures))
    sizes = sorted(figures[plain])
    rows = [[f"times a message of n x n doubles, {plain}", *(f"n = {n}" for n in sizes)]]
    for way, by_n in figures.items():
        base = figures["bcast: contiguous" if way.startswith("bcast") else plain]
        if by_n is base:
            rows.append([f"{way}, microseconds", *(f"{by_n[n]:.1f}" for n in sizes)])
        else:
            rows.append([way, *(f"{by_n[n] / base[n]:.2f}" for n in sizes)])
    return rows


def of_runs(figures: Figures) -> list[list[str]]:
    """The same for packing: times the derived datatype, by bytes of a run."""
    lengths = sorted({n for by_n in figures.values() for n in by_n})
    rows = [["packed, times a datatype, by bytes of a run", *map(str, lengths)]]
    for way, by_n in figures.items():
        kind, _, what = way.partition(", ")
        if kind == "packed":
            base = figures[f"datatype, {what}"]
            rows.append([what, *(f"{by_n[n] / base[n]:.2f}" if n in by_n else "" for n in lengths)])
    return rows


if __name__ == "__main__":
    raise SystemExit(main())
