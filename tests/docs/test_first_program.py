"""The first programs of the C++ pages build and run from what the pages say, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.limits import guard

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
ALLOWED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def first(language: str, page: Path) -> str:
    """The first block of a language on a page."""
    block = re.search(
        rf"^```{re.escape(language)}\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S
    )
    assert block, f"{page.name} has no block of {language}"
    return block[1]


@pytest.mark.skipif(
    not (shutil.which("mpicxx") and shutil.which("mpiexec")), reason="no MPI on PATH"
)
@pytest.mark.parametrize(
    ("name", "files", "program"),
    [
        ("cpp.md", {"first.cpp": "cpp"}, "first"),
        ("tutorial.md", {"first.cpp": "c++", "CMakeLists.txt": "cmake"}, "build/first"),
    ],
    ids=["layer", "runtime"],
)
def test_the_first_program_runs_after_the_commands_of_its_page(
    tmp_path: Path, name: str, files: dict[str, str], program: str
) -> None:
    page = GUIDE / name
    for file, language in files.items():
        (tmp_path / file).write_text(first(language, page), encoding="utf-8")
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
    assert (tmp_path / program).is_file()
