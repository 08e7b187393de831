"""Programs in Java beside the same in C: CPU seconds of all ranks, in turns.

    python -m benchmarks.programs_beside_c --java FOLDER [--mpi NAME ...] [--size S|W|A] [NAME ...]

FOLDER is what java_runtime/build-demo leaves. The programs are those of NPB, HEAT, WORDS, WORKERS
and FILE. The first columns are what they measure, with all threads of the JVM; "again" is the same
a second time in one JVM, when its code is compiled; "job" is the whole job, with the start of the
JVMs and what is prepared. The last three programs measure nothing themselves; WORDS has a text of
a length by its size. The least of the turns counts, since other work only adds.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.subject import ROOT, installed
from benchmarks.tables import run, table, timed

TURNS = 5
RANKS = "2"
MPIS = ("mpich-4.0.2", "openmpi-4.1.4")
KERNELS = ("EP", "IS", "CG", "FT", "MG", "SP")
JOBS = ("WORDS", "WORKERS", "FILE")  # they measure nothing themselves
PROGRAMS = (*KERNELS, "HEAT", *JOBS)
LINES = {"S": 2_000, "W": 20_000, "A": 200_000}
HEAD = ["CPU seconds", "C", "Java", "times", "again", "times", "job: C", "Java", "times"]

LIBRARIES = ("-lm", "-lpthread")

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
        with tempfile.TemporaryDirectory() as temporary:
            for name in options.programs or PROGRAMS:
                c = Path(temporary) / name
                source = ROOT / f"benchmarks/programs/{name.lower()}.c"
                run(installation.cc, "-O2", source, "-o", c, *LIBRARIES, environment=environment)
                programs = commands(name, c, options.java, options.size)
                launched = [[installation.launcher, "-n", RANKS, *words] for words in programs]
                compared = _compared_jobs if name in JOBS else _compared
                rows.append([name, *compared(launched, environment)])
        about = f"{installation.mpi.name}, class {options.size}, {RANKS} ranks"
        title = f"{about}: least of {TURNS} turns"
        print(table(title, HEAD, rows), flush=True)


def commands(name: str, c: Path, java: Path, size: str) -> list[Words]:
    """A program in C and in Java and, if it measures itself, in Java twice in one JVM."""
    if name in KERNELS:
        return [[c, size], [java / "npb", size, name], [java / "npb", size, name, name]]
    program = java / name.lower()
    if name in JOBS:
        given = [text(c.with_name("text"), LINES[size])] if name == "WORDS" else []
        return [[c, *given], [program, *given]]
    return [[c, size], [program, size], [program, size, "2"]]


def text(path: Path, lines: int) -> Path:
    """Writes lines of words of which some are frequent and most are rare."""
    with path.open("w", encoding="utf-8") as file:
        for line in range(lines):
            words = (1000 // (1 + (line * 31 + place * 17) % 1000) for place in range(line % 17))
            file.write(", ".join(f"word{word}" for word in words) + "\n")
    return path


def _compared_jobs(jobs: Sequence[Words], environment: Mapping[str, str]) -> list[str]:
    """The cells of a row of which only the last three are known."""
    turns = [[timed(*words, environment=environment).cpu for words in jobs] for _ in range(TURNS)]
    c, java = (min(turn[who] for turn in turns) for who in range(2))
    return [*[""] * 5, f"{c:.2f}", f"{java:.2f}", f"{java / c:.2f}"]


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
