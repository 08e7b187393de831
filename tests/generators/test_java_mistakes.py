"""What one process of a Java program does wrong alone: it is told, and the others are right."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.generators.java_programs import SOON, java_of, needs_java
from tests.generators.programs import run
from tests.limits import guard
from tests.tiers import in_turn, matrix_run

pytestmark = needs_java
LAUNCHERS = ("mpich", "openmpi")
FORMS = ("BLOCKING", "BEGUN", "PREPARED")


@pytest.mark.parametrize("ranks", in_turn((2, 3)))
@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_a_mistake_of_the_last_rank_harms_no_other(jars: Path, launcher: str, ranks: int) -> None:
    require_no_failure(program(jars, launcher, ranks, "Mistakes", *FORMS))


@pytest.mark.parametrize("ranks", (1, 2, 3, 4))
@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.skipif(not matrix_run(), reason="in the matrix run")
def test_a_mistake_of_any_rank_harms_no_other(jars: Path, launcher: str, ranks: int) -> None:
    require_no_failure(program(jars, launcher, ranks, "Mistakes", *FORMS, "each"))


@pytest.mark.parametrize("ranks", (2, 3) if matrix_run() else (2,))
@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_a_mistake_is_told_to_all_where_they_agree(jars: Path, launcher: str, ranks: int) -> None:
    checks = "-Dmpiglot.checks=communication"
    require_no_failure(program(jars, launcher, ranks, "Agreements", flags=[checks]))


def test_another_level_of_checks_is_refused(jars: Path) -> None:
    done = program(jars, "mpich", 1, "Agreements", flags=["-Dmpiglot.checks=some"])
    assert done.returncode != 0
    assert (
        'The system property mpiglot.checks is "some": it must be light or communication.'
    ) in done.stderr


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_a_use_of_what_is_closed_is_one_exception(jars: Path, launcher: str) -> None:
    """Every public method: on closed objects, on all after the end of MPI, and before it."""
    done = program(jars, launcher, 1, "UsesOfClosed")
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"^uses: \{(.*)\}, 0 wrong$", done.stdout, re.M)
    assert found, done.stdout
    uses = dict(re.findall(r"(\w+ ClosedException)=(\d+)", found.group(1)))
    assert int(uses["after ClosedException"]) > 500
    assert int(uses["closed ClosedException"]) > 350


def require_no_failure(done: subprocess.CompletedProcess[str]) -> None:
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert " cases, 0 failed" in done.stdout, said


def program(
    jars: Path, launcher: str, ranks: int, name: str, *words: str, flags: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    if not shutil.which(f"mpiexec.{launcher}"):
        pytest.skip(f"needs {launcher}")
    command = ["timeout", str(guard(100)), f"mpiexec.{launcher}", "-n", str(ranks)]
    command += [java_of(jars), *SOON, *flags, "--enable-native-access=ALL-UNNAMED"]
    return run(*command, "-cp", f"{jars}/tests.jar", f"dev.mpiglot.mpi.{name}", *words)
