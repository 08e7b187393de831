"""Tables on standard output, and programs that are run for them."""

from __future__ import annotations

import resource
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter


def run(
    *command: str | Path, limit: float = 300, environment: Mapping[str, str] | None = None
) -> str:
    """The output of a program, which must succeed."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=limit,
        env=environment, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        words = shlex.join(map(str, command))
        raise SystemExit(f"{words}\nfailed:\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


@dataclass(frozen=True)
class Timed:
    """A program that has run: its output, and seconds of the clock and of the CPU."""

    output: str
    clock: float
    cpu: float


def timed(*command: str | Path, environment: Mapping[str, str] | None = None) -> Timed:
    """Runs a program, which must succeed, and counts the CPU time of all that it has started."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before, begin = used(), perf_counter()
    output = run(*command, environment=environment)
    return Timed(output, perf_counter() - begin, used() - before)


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows below their heads; the first column is flush left, all others flush right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    texts = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([title, "", *texts, ""])
