"""What takes long says on a terminal what it does, and nowhere else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.limits import guard
from tests.terminal import shown

CASES = {
    "generate": (["generate", "cpp", "--target", "mpich-4.0.2", "-o", "{to}"], "generating {to}"),
    "check": (["check", "cpp"], "would be"),
    "package": (
        ["package", "cpp", "--target", "mpich-4.0.2", "-o", "{to}"],
        "making the package for cpp",
    ),
    "doctor": (["doctor"], "building and running a small program"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_terminal_shows_what_is_being_done(name: str, tmp_path: Path) -> None:
    if name == "doctor" and not shutil.which("mpicc"):
        pytest.skip("no MPI on PATH")
    words, step = CASES[name]
    folder = str(tmp_path / "to")
    command = [sys.executable, "-m", "mpiglot", *(word.format(to=folder) for word in words)]
    text, code = shown(command)
    assert code in (0, 1)
    assert step.format(to=folder) in text


def test_nothing_of_it_goes_to_a_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mpiglot", "check", "cpp"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=guard(60), check=True)
    assert "would be generated now." in done.stderr and "\x1b" not in done.stderr
    assert "generating" not in done.stderr
