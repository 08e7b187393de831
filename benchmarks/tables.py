"""Tables on standard output, and programs that are run for them."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


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
