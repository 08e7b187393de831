"""Programs in Java beside the same in C: CPU seconds of all ranks, in turns.

    python -m benchmarks.programs_beside_c --java FOLDER [--mpi NAME ...] [--size S|W|A] [NAME ...]

FOLDER is what java_runtime/build-demo leaves. The programs are those of NPB and HEAT. The
first columns are what they measure, with all threads of the JVM; "again" is the same a second time
in one JVM, when its code is compiled; "job" is the whole job, with the start of the JVMs and what
is prepared. The least of the turns counts, since other work only adds.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.subject import ROOT, installed
from benchmarks.tables import run, table, timed

TURNS = 5
RANKS = "2"
MPIS = ("mpich-4.0.2", "openmpi-4.1.4")
KERNELS = ("EP", "IS", "CG", "FT", "MG", "SP")
PROGRAMS = (*KERNELS, "HEAT")
HEAD = ["CPU seconds", "C", "Java", "times", "again", "times", "job: C", "Java", "times"]

Words = list[str | Path]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.programs_beside_c", description=__doc__)
    parser.add_argument("--java", type=Path, required=True)
    parser.add_argument("--mpi", action="append")
    parser.add_argument("--size", default="A", choices=("S", "W", "A"))
    parser.add_argument("programs", nargs="*", metavar="NAME")
    options = parser.parse_args()
    for name in set(options.programs) - set(PROGRAMS):
        parser.error(f"there is no program {name}: {', '.join(PROGRAMS)}")
    for installation, environment in installed(options.mpi or MPIS):
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            for name in options.programs or PROGRAMS:
                c = Path(folder) / name
                source = ROOT / f"benchmarks/programs/{name.lower()}.c"
                run(installation.cc, "-O2", source, "-o", c, "-lm", environment=environment)
                launched: Words = [installation.launcher, "-n", RANKS]
                once, twice = in_java(options.java, name, options.size)
                programs = [[*launched, *words] for words in ([c, options.size], once, twice)]
                rows.append([name, *_compared(programs, environment)])
        about = f"{installation.mpi.name}, class {options.size}, {RANKS} ranks"
        title = f"{about}: least of {TURNS} turns"
        print(table(title, HEAD, rows), flush=True)


def in_java(folder: Path, name: str, size: str) -> tuple[Words, Words]:
    """The commands that run a program in Java once, and twice in one JVM."""
    if name in KERNELS:
        once: Words = [folder / "npb", size, name]
        return once, [*once, name]
    return [folder / name.lower(), size], [folder / name.lower(), size, "2"]


def _compared(programs: list[Words], environment: Mapping[str, str]) -> list[str]:
    """The cells of a row, as HEAD has them."""
    turns = [[_spent(words, environment) for words in programs] for _ in range(TURNS)]
    c, first, again = (min(turn[who][0] for turn in turns) for who in range(3))
    c_job, job = (min(turn[who][1] for turn in turns) for who in range(2))
    cells = [f"{c:.2f}"]
    for java in (first, again):
        cells += [f"{java:.2f}", f"{java / c:.2f}" if c else ""]
    return [*cells, f"{c_job:.2f}", f"{job:.2f}", f"{job / c_job:.2f}"]


def _spent(words: Words, environment: Mapping[str, str]) -> tuple[float, float]:
    """CPU seconds: what the kernel measures, and the whole job."""
    job = timed(*words, environment=environment)
    return float(job.output.rpartition("\t")[2]), job.cpu


if __name__ == "__main__":
    main()
