"""Random calls of all public methods of the Java package: none ends the process or hangs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.generators.java_programs import SOON, java_of, needs_java
from tests.generators.programs import run
from tests.limits import guard
from tests.tiers import in_turn, matrix_run

pytestmark = needs_java
AT_THE_GATE = 5_000
IN_THE_MATRIX = 100_000


@pytest.mark.parametrize("seed", in_turn((1, 2, 3)))
def test_random_calls_return_or_throw_typed_exceptions(
    jars: Path, tmp_path: Path, seed: int
) -> None:
    calls_are_harmless(jars, tmp_path, "mpich", seed, AT_THE_GATE)


@pytest.mark.parametrize("seed", (11, 12, 13))
@pytest.mark.parametrize("launcher", ("mpich", "openmpi"))
@pytest.mark.skipif(not matrix_run(), reason="in the matrix run")
def test_many_random_calls_return_or_throw_typed_exceptions(
    jars: Path, tmp_path: Path, launcher: str, seed: int
) -> None:
    calls_are_harmless(jars, tmp_path, launcher, seed, IN_THE_MATRIX)


def calls_are_harmless(jars: Path, folder: Path, launcher: str, seed: int, calls: int) -> None:
    if not shutil.which(f"mpiexec.{launcher}"):
        pytest.skip(f"needs {launcher}")
    limit = guard(100 if calls == AT_THE_GATE else 400)
    command = ["timeout", str(limit), f"mpiexec.{launcher}", "-n", "1", java_of(jars), *SOON]
    command += ["-Xmx512m", f"-XX:ErrorFile={folder}/hs_err", f"-Dfuzz.seed={seed}"]
    command += [f"-Dfuzz.calls={calls}", "--enable-native-access=ALL-UNNAMED"]
    done = run(*command, "-cp", f"{jars}/tests.jar", "dev.mpiglot.mpi.Fuzz", folder)
    last = folder / "0" / "last"
    made = last.read_bytes().split(b"\n")[0].decode() if last.exists() else "no call"
    said = f"the last was {made}\n{done.stdout}{done.stderr}"
    # the program ends without MPI_Finalize, which Open MPI's launcher calls a failure
    assert done.returncode in (0, 1), said
    found = re.search(r"^fuzz: (\d+) calls of (\d+) methods, (\d+) suspicious$", done.stdout, re.M)
    assert found, said
    assert int(found.group(1)) == calls, said
    assert int(found.group(2)) > 350, said
    assert found.group(3) == "0", said
