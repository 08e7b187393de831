"""Programs in other languages of the JVM, built as docs/guide/java/programs.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generators.java_programs import needs_java
from tests.generators.programs import ROOT, needs_openmpi, run

pytestmark = needs_java


@pytest.fixture(scope="module", params=["kotlin", "scala"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of a language."""
    folder = tmp_path_factory.mktemp("a language")
    script = ROOT / "java_runtime" / "build-languages"
    made = run(script, ROOT / "generated" / "java", folder, request.param)
    if made.returncode == 3:
        pytest.skip(made.stderr)  # the compiler cannot be fetched
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / str(request.param)


@pytest.mark.parametrize("launcher", ["mpich", pytest.param("openmpi", marks=needs_openmpi)])
def test_a_program_in_another_language_runs(program: Path, launcher: str) -> None:
    done = run(f"mpiexec.{launcher}", "-n", "2", program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{program.name}: ok on 2 ranks" in done.stdout
    assert "WARNING" not in done.stderr
