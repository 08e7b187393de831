"""The first program of the C++ guide builds and runs from what the page says, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.limits import guard

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "cpp.md"
ALLOWED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def first(language: str, page: str) -> str:
    """The first block of a language on a page."""
    block = re.search(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)
    assert block, f"{PAGE.name} has no block of {language}"
    return block[1]


@pytest.mark.skipif(
    not (shutil.which("mpicxx") and shutil.which("mpiexec")), reason="no MPI on PATH"
)
def test_the_first_program_runs_after_the_commands_of_its_page(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (tmp_path / "first.cpp").write_text(first("cpp", page), encoding="utf-8")
    tool = Path(sys.executable).parent
    done = subprocess.run(
        ["sh", "-ec", first("sh", page)],
        cwd=tmp_path,
        env={**os.environ, **ALLOWED, "PATH": f"{tool}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=guard(300),
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "first").is_file()
