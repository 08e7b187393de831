"""`benchmarks/run`: compile cost and call cost of the generated layers, as tables."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks import every_call
from benchmarks.call_cost import call_costs
from benchmarks.compile_cost import compile_costs
from benchmarks.subject import MPIS, ROOT, Subject, processor, subject
from benchmarks.tables import run, table
from mpiglot.generators.inputs import Inputs

FLAGS = ("-O2", "-O3")


def main() -> int:
    languages = sorted(p.parent.name for p in ROOT.glob("benchmarks/calls/*/run"))
    parser = argparse.ArgumentParser(prog="benchmarks/run", description=__doc__)
    parser.add_argument("--mpi", action="append", help=f"instead of {', '.join(MPIS)}")
    parser.add_argument("--compiler", action="append", help="instead of g++ and clang++-19")
    parser.add_argument(
        "--only",
        action="append",
        choices=["compile", "cpp", "every", *languages],
        help="what to measure; every: all calls of the C++ layer, counted only if asked for",
    )
    options = parser.parse_args()
    wanted = options.only or ["compile", "cpp", *languages]
    compilers = [c for c in options.compiler or ("g++", "clang++-19") if shutil.which(c)]
    print(f"{processor()}; {', '.join(run(c, '--version').splitlines()[0] for c in compilers)}\n")
    if {"compile", "cpp", "every"} & set(wanted):
        _layers(options.mpi or list(MPIS), compilers, wanted)
    failed = 0
    for language in languages:
        if language in wanted:
            script = ROOT / "benchmarks/calls" / language / "run"
            failed |= subprocess.run([str(script)], cwd=ROOT, timeout=1800, check=False).returncode
            print(flush=True)
    return 1 if failed else 0


def _layers(mpis: list[str], compilers: list[str], wanted: list[str]) -> None:
    """The tables of the C++ layer of each MPI."""
    inputs = Inputs.of_known()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for mpi in mpis:
            one = subject(mpi, folder / mpi, inputs)
            if one is None:
                print(f"{mpi} is not installed: ci/mpi install {mpi}\n")
                continue
            if "compile" in wanted:
                _print_compile_costs(one, compilers, folder)
            if "cpp" in wanted:
                _print_call_costs(one, compilers, folder)
            if "every" in wanted:
                _print_every_call(one, compilers, folder, inputs)


def _print_compile_costs(one: Subject, compilers: list[str], folder: Path) -> None:
    for compiler in compilers:
        costs = compile_costs(one, compiler, folder)
        alone = costs[0].seconds
        rows = [[c.header, f"{c.seconds:.3f}", f"{c.seconds - alone:+.3f}"] for c in costs]
        title = f"{one.name}, {compiler}: CPU seconds for a file that includes one header"
        print(table(title, ["header", "CPU s", "above <mpi.h>"], rows), flush=True)


def _print_call_costs(one: Subject, compilers: list[str], folder: Path) -> None:
    columns = [(c, f) for c in compilers for f in FLAGS]
    costs = {column: call_costs(one, column[0], [column[1]], folder) for column in columns}
    first = costs[columns[0]]
    rows = []
    for i, cost in enumerate(first):
        row = [cost.name, str(cost.plain)]
        row += [f"{costs[column][i].above:+}" for column in columns]
        rows.append([*row, f"{cost.limit:+}", str(cost.allocations)])
    head = ["call", "in C", *(" ".join(column) for column in columns), "at most", "allocations"]
    title = f"{one.name}: instructions of a C++ call above C's"
    print(table(title, head, rows), flush=True)


def _print_every_call(one: Subject, compilers: list[str], folder: Path, inputs: Inputs) -> None:
    """How many calls cost how many instructions above C, and which more than they should."""
    source = folder / "every_call.cpp"
    source.write_text(every_call.source(inputs, one.name), encoding="utf-8")
    rows = []
    for compiler in compilers:
        for flag in FLAGS:
            costs = call_costs(one, compiler, [flag, "-w"], folder, source)
            for title, wide in (("as int", False), ("of 64 bits", True)):
                found = Counter(c.above for c in costs if (c.limit > 3) == wide)
                shown = ", ".join(f"{n} at {above:+}" for above, n in sorted(found.items()))
                over = [f"{c.name} {c.above:+}" for c in costs if c.above > c.limit]
                over = [c for c in over if ("_wide " in c) == wide]
                rows.append([f"{compiler} {flag}", title, shown, ", ".join(over) or "-"])
    head = ["compiler", "counts", "instructions above C", "above the limit"]
    print(table(f"{one.name}: every call of the C++ layer", head, rows), flush=True)


if __name__ == "__main__":
    sys.exit(main())
