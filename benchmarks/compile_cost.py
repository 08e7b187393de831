"""What including the generated C++ layer costs a compiler above <mpi.h> alone: CPU seconds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.subject import Subject
from benchmarks.tables import timed


@dataclass
class Cost:
    """A file that includes one header and nothing else."""

    header: str
    seconds: float


def compile_costs(subject: Subject, compiler: str, folder: Path, times: int = 5) -> list[Cost]:
    """<mpi.h>, everything, and each chapter; the least of several runs, taken in turns, so that
    whatever else the machine does hits all of them alike."""
    chapters = sorted((subject.layer / "mpiglot/mpi").glob("*.hpp"))
    headers = ["mpi.h", "mpiglot/mpi.hpp", *(f"mpiglot/mpi/{c.name}" for c in chapters)]
    sources = {}
    for number, header in enumerate(headers):
        sources[header] = folder / f"include{number}.cpp"
        sources[header].write_text(f"#include <{header}>\n", encoding="utf-8")
    seconds = dict.fromkeys(headers, float("inf"))
    for _ in range(times):
        for header, source in sources.items():
            command = subject.compile(compiler, "-O0", "-c", source, "-o", folder / "include.o")
            seconds[header] = min(seconds[header], timed(*command).cpu)
    return [Cost(header, seconds[header]) for header in headers]
