"""Programs in Java beside the same in C: CPU seconds of all ranks, in turns.

    python -m benchmarks.programs_beside_c --java FOLDER [--mpi NAME ...] [--size S|W|A]
                                           [--open-mpi-java PREFIX] [NAME ...]

FOLDER is what java_runtime/build-demo leaves. The programs are those of NPB, HEAT, WORDS, WORKERS
and FILE. The first columns are what they measure, with all threads of the JVM; "again" is the same
a second time in one JVM, when its code is compiled; "job" is the whole job, with the start of the
JVMs and what is prepared. "low" are the programs of NPB over mpiglot's lower layer. The last three
programs measure nothing themselves; WORDS has a text of a length by its size. The least of the
turns counts, since other work only adds.

PREFIX is where an Open MPI with its Java is installed. A further table has the programs of NPB on
it: in C, over mpiglot's two layers, and over its own Java ("Open MPI").
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.subject import ROOT, installed
from benchmarks.tables import run, table, timed
from mpiglot.commands.env import parts_of
from mpiglot.parser.find import choose
from mpiglot.provision.environment import of_parts

TURNS = 5
RANKS = "2"
MPIS = ("mpich-4.0.2", "openmpi-4.1.4")
KERNELS = ("EP", "IS", "CG", "FT", "MG", "SP")
JOBS = ("WORDS", "WORKERS", "FILE")  # they measure nothing themselves
PROGRAMS = (*KERNELS, "HEAT", *JOBS)
LINES = {"S": 2_000, "W": 20_000, "A": 200_000}
HEAD = ["CPU seconds", "C", "Java", "times", "again", "times", "job: C", "Java", "times"]
HEAD_LOW = ["low", "again"]
HEAD_OPEN = ["CPU seconds", "C", "Java", "again", *HEAD_LOW, "Open MPI", "again"]

LIBRARIES = ("-lm", "-lpthread")

Words = list[str | Path]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.programs_beside_c", description=__doc__)
    parser.add_argument("--java", type=Path, required=True)
    parser.add_argument("--mpi", action="append")
    parser.add_argument("--size", default="A", choices=("S", "W", "A"))
    parser.add_argument("--open-mpi-java", type=Path, metavar="PREFIX")
    parser.add_argument("programs", nargs="*", metavar="NAME")
    options = parser.parse_args()
    for name in set(options.programs) - set(PROGRAMS):
        parser.error(f"there is no program {name}: {', '.join(PROGRAMS)}")
    prefix: Path | None = options.open_mpi_java
    if prefix and not (prefix / "lib/mpi.jar").is_file():
        parser.error(f"{prefix} has no Open MPI with its Java: it lacks lib/mpi.jar")
    over = [options.java, *([prefix] if prefix else [])]
    run(ROOT / "benchmarks/programs/build-over", ROOT / "generated/java", *over)
    names = options.programs or PROGRAMS
    for installation, environment in installed(options.mpi or MPIS):
        rows = []
        with tempfile.TemporaryDirectory() as temporary:
            for name in names:
                c = in_c(name, Path(temporary), installation.cc, environment)
                programs = commands(name, c, options.java, options.size)
                launched = [[installation.launcher, "-n", RANKS, *words] for words in programs]
                compared = _compared_jobs if name in JOBS else _compared
                rows.append([name, *compared(launched, environment)])
        about = _about(installation.mpi.name, options.size)
        print(table(about, [*HEAD, *HEAD_LOW], rows), flush=True)
    if prefix:
        kernels = [name for name in names if name in KERNELS]
        print(beside_open_mpi(kernels, prefix, options.java, options.size), flush=True)


def beside_open_mpi(names: Sequence[str], prefix: Path, java: Path, size: str) -> str:
    """The table of an Open MPI with its own Java, which is installed under `prefix`."""
    parts = parts_of(choose(str(prefix / "bin/mpicc")))
    environment = of_parts(parts, ci=True).applied(os.environ)
    environment["UCX_ERROR_SIGNALS"] = ""  # else UCX takes a signal that the JVM needs
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        for name in names:
            c = in_c(name, Path(temporary), parts.cc, environment)
            programs = commands(name, c, java, size)
            programs += twice(java / "npb-openmpi", name, size)
            launched = [[prefix / "bin/mpiexec", "-n", RANKS, *words] for words in programs]
            rows.append([name, *(f"{spent:.2f}" for spent, _ in _least(launched, environment))])
    return table(_about(f"openmpi-{parts.version} with its Java", size), HEAD_OPEN, rows)


def in_c(name: str, folder: Path, compiler: Path, environment: Mapping[str, str]) -> Path:
    """The program, compiled."""
    source = ROOT / f"benchmarks/programs/{name.lower()}.c"
    run(compiler, "-O2", source, "-o", folder / name, *LIBRARIES, environment=environment)
    return folder / name


def commands(name: str, c: Path, java: Path, size: str) -> list[Words]:
    """A program in C and in Java and, if it measures itself, in Java twice in one JVM.

    Those of NPB are also over the lower layer.
    """
    if name in KERNELS:
        return [[c, size], *twice(java / "npb", name, size), *twice(java / "npb-low", name, size)]
    program = java / name.lower()
    if name in JOBS:
        given = [text(c.with_name("text"), LINES[size])] if name == "WORDS" else []
        return [[c, *given], [program, *given]]
    return [[c, size], [program, size], [program, size, "2"]]


def twice(npb: Path, name: str, size: str) -> list[Words]:
    """A program of NPB once, and twice in one JVM."""
    return [[npb, size, name], [npb, size, name, name]]


def text(path: Path, lines: int) -> Path:
    """Writes lines of words of which some are frequent and most are rare."""
    with path.open("w", encoding="utf-8") as file:
        for line in range(lines):
            words = (1000 // (1 + (line * 31 + place * 17) % 1000) for place in range(line % 17))
            file.write(", ".join(f"word{word}" for word in words) + "\n")
    return path


def _compared_jobs(jobs: Sequence[Words], environment: Mapping[str, str]) -> list[str]:
    """The cells of a row of which only the whole job is known."""
    turns = [[timed(*words, environment=environment).cpu for words in jobs] for _ in range(TURNS)]
    c, java = (min(turn[who] for turn in turns) for who in range(2))
    return [*[""] * 5, f"{c:.2f}", f"{java:.2f}", f"{java / c:.2f}", "", ""]


def _compared(programs: list[Words], environment: Mapping[str, str]) -> list[str]:
    """The cells of a row, as HEAD and HEAD_LOW have them."""
    (c, c_job), (first, job), (again, _), *low = _least(programs, environment)
    cells = [f"{c:.2f}"]
    for java in (first, again):
        cells += [f"{java:.2f}", f"{java / c:.2f}" if c else ""]
    cells += [f"{c_job:.2f}", f"{job:.2f}", f"{job / c_job:.2f}"]
    return [*cells, *([f"{spent:.2f}" for spent, _ in low] or ["", ""])]


def _least(programs: Sequence[Words], environment: Mapping[str, str]) -> list[tuple[float, float]]:
    """The least CPU seconds of each program in all turns, as _spent has them."""
    turns = [[_spent(words, environment) for words in programs] for _ in range(TURNS)]
    return [
        (min(measured for measured, _ in found), min(job for _, job in found))
        for found in zip(*turns, strict=True)
    ]


def _spent(words: Words, environment: Mapping[str, str]) -> tuple[float, float]:
    """CPU seconds: what the kernel measures, and the whole job."""
    job = timed(*words, environment=environment)
    return float(job.output.rpartition("\t")[2]), job.cpu


def _about(mpi: str, size: str) -> str:
    return f"{mpi}, class {size}, {RANKS} ranks: least of {TURNS} turns"


if __name__ == "__main__":
    main()
