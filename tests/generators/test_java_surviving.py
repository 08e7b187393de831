"""Processes of Java that are killed, and what the others do then (ends/Surviving.java).

Where MPI survives that, they end with what is right; elsewhere the job ends soon, fails, and says
what is missing.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from time import monotonic

import pytest

from tests.generators.java_programs import SOON, java_of, needs_java
from tests.generators.programs import INSTALLED, needs_openmpi
from tests.limits import guard

ULFM = INSTALLED / "openmpi-5.0.11"
INTEL = INSTALLED / "intelmpi-2021.18.1/bin/mpiexec.hydra"
# Seconds; the launchers of Open MPI need one or two, and a loaded machine more.
ENDS_WITHIN = 10.0
TIER = os.environ.get("MPIGLOT_TIER")
SEEDS = range(1, 21 if TIER == "matrix" else 3)
ENDS_IN_THEM = "this MPI has the functions, but ends the job in them; Open MPI 5 does not"
# Open MPI 5.0.11 crashes there, also in plain C, if a process dies while others make a
# communicator.
MAKES_ANOTHER = "ompi_comm_revoke_local"

pytestmark = needs_java
needs_ulfm = pytest.mark.skipif(
    not (ULFM / "bin/mpiexec").exists(), reason="needs Open MPI 5.0.11 in .mpi"
)


def started(jars: Path, launcher: list[str], ranks: int, *words: str) -> tuple[int, str]:
    """The exit code of a job and what it said; the test fails if the job does not end."""
    java = [java_of(jars), *SOON, "--enable-native-access=ALL-UNNAMED", "-cp", f"{jars}/tests.jar"]
    command = [*launcher, "-n", str(ranks), *java, "dev.mpiglot.ends.Surviving", *words]
    roots = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")
    variables = {
        **dict.fromkeys((*roots, "OMPI_MCA_rmaps_base_oversubscribe"), "1"),
        "PRTE_MCA_rmaps_default_mapping_policy": "slot:oversubscribe",
    }
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | variables,
        cwd=jars,  # where a JVM that crashes leaves its report
        start_new_session=True,
    ) as job:
        try:
            output = job.communicate(timeout=guard(90))[0]
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            output = job.communicate()[0]
            pytest.fail(f"{words} does not end:\n{output.decode(errors='replace')}")
    return job.returncode, output.decode(errors="replace")


def survivors(jars: Path, ranks: int, *words: str) -> str:
    code, said = started(jars, [str(ULFM / "bin/mpiexec"), "--with-ft", "ulfm"], ranks, *words)
    if MAKES_ANOTHER not in said:
        assert code == 0, said
    return said


@needs_ulfm
@pytest.mark.parametrize("what", ["calls", "operations", "anybody", "virtual", "thrown", "lose"])
def test_calls_say_that_a_process_has_failed_and_others_go_on(jars: Path, what: str) -> None:
    for ranks in (3, 4):
        survivors(jars, ranks, what)


@needs_ulfm
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["steps", "loop", "states"])
def test_those_that_are_left_end_with_what_is_right(
    jars: Path, tmp_path: Path, kind: str, seed: int
) -> None:
    """In a file: launchers lose what is printed at the end."""
    result = tmp_path / "result"
    said = survivors(jars, 3 + seed % 3, kind, str(seed), str(1 + seed % 2), str(result))
    if MAKES_ANOTHER not in said:
        assert result.read_text("utf-8") == "right", said


@needs_ulfm
def test_a_job_survives_if_it_was_started_for_it(jars: Path) -> None:
    assert "true\n" in survivors(jars, 1, "possible")


ELSEWHERE = [
    (["mpiexec.mpich"], ENDS_IN_THEM),
    pytest.param(
        ["mpiexec.openmpi"],
        "this MPI does not go on after a process has failed; Open MPI 5 does",
        marks=needs_openmpi,
    ),
    pytest.param(
        [str(INTEL)],
        ENDS_IN_THEM,
        marks=pytest.mark.skipif(not INTEL.exists(), reason="needs Intel MPI 2021.18.1 in .mpi"),
    ),
    pytest.param(
        [str(ULFM / "bin/mpiexec")],
        "the failure of a process ends this job; start it with mpiexec --with-ft ulfm",
        marks=needs_ulfm,
    ),
]


@pytest.mark.parametrize(("launcher", "missing"), ELSEWHERE)
def test_elsewhere_the_job_ends_soon_and_says_what_is_missing(
    jars: Path, tmp_path: Path, launcher: list[str], missing: str
) -> None:
    code, said = started(jars, launcher, 1, "possible")
    assert (code, said.strip()) == (0, "false"), said
    begin = monotonic()
    code, said = started(jars, launcher, 3, "steps", "1", "1", str(tmp_path / "result"))
    assert monotonic() - begin < guard(ENDS_WITHIN), said
    assert code != 0, said
    assert f"shrink: not possible here: {missing}" in said
