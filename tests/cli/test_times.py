"""How much CPU the commands take: reported beside their budget, not judged (machines differ)."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_the_time_of_every_command_is_reported(
    program: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    budget = (
        (0.5, 0, ("show", "mpich-5.0.2")),
        (0.5, 0, ("show", "mpich-5.0.2", "MPI_Gatherv")),
        (0.5, 1, ("diff", "mpich-4.3.2", "mpich-5.0.2")),
        (3.0, 0, ("generate", "all", "--target", "mpich-5.0.2", "-o", tmp_path / "out")),
    )
    lines = []
    for limit, code, arguments in budget:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = program(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.code == code, done.err
        assert done.out
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        lines.append(f"{used:5.2f} of {limit:g} s CPU: mpiglot {' '.join(map(str, arguments[:3]))}")
    with capsys.disabled():
        print("\n" + "\n".join(lines))
