"""How jobs of Java end, whichever process does not get to the end of MPI."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.generators.java_programs import SOON, java_of, needs_java
from tests.generators.programs import run
from tests.limits import guard
from tests.tiers import in_turn

pytestmark = needs_java
LAUNCHERS = ("mpich", "openmpi")


#: Ways in which one of two processes does not get to the end of MPI, the thread that it tells, and
#: what it says besides.
ENDS = [
    ("body", "main", "this process cannot go on"),
    ("root", "main", "dev.mpiglot.mpi.RootException: MPI_Reduce: "),
    ("operation", "main", "The operation of a reduction is null."),
    ("length", "main", 'The buffer "data" is null'),
    ("thread", "worker", "this process cannot go on"),
    ("virtual", "worker", "this process cannot go on"),
    ("funneled", "worker", "this process cannot go on"),
    ("exit", "main", "System.exit was called before MPI was closed"),
    ("forgotten", "mpiglot-end", "The program ended before MPI was closed"),
]


@pytest.mark.parametrize(("way", "thread", "sentence"), ENDS)
@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_a_process_that_does_not_get_to_the_end_ends_the_job(
    jars: Path, launcher: str, way: str, thread: str, sentence: str
) -> None:
    said = ended_by_itself(jars, way, launcher)
    assert f'Process 1, thread "{thread}", failed and ends the job:' in said
    assert sentence in said
    if thread != "mpiglot-end":
        assert re.search(r"\tat (app//)?dev\.mpiglot\.mpi\.Ends\.", said), said


@pytest.mark.parametrize("way", ["block", "nested", "hidden", "caught"])
@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_closing_mpi_while_others_wait_for_ever_ends_the_job(
    jars: Path, launcher: str, way: str
) -> None:
    said = ended_by_itself(jars, way, launcher)
    assert (
        'Process 1, thread "main", ends the job: it closed MPI, and 0.5 seconds later other '
        "processes had not; if an exception left the block of MPI here, Mpi.run tells it"
    ) in said


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
@pytest.mark.parametrize(
    ("mode", "mistake"),
    [
        ("mistaken", '"received" has 0 elements'),
        ("mistaken split", "The color -5 is negative"),
        ("mistaken fence", "1 values from displacement 5 on are not in the 1 values of rank 0"),
        ("mistaken window", "No epoch gives access to rank 0"),
        ("mistaken file", 'The argument "offset" is -1: it must be from 0 to'),
    ],
)
def test_a_mistaken_process_that_takes_part_in_vain_throws(
    jars: Path, launcher: str, mode: str, mistake: str
) -> None:
    """It is an exception: Mpi.run ends the job, since the program does not catch it."""
    said = ended_by_itself(jars, mode, launcher)
    assert 'Process 1, thread "main", failed and ends the job:\njava.lang.Illegal' in said
    assert mistake in said
    assert (
        "Suppressed: java.lang.IllegalStateException: The other processes have not come to the "
        "operation within 0.5 seconds. A thread takes part when they come."
    ) in said


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
@pytest.mark.parametrize("level", in_turn(("MULTIPLE", "SERIALIZED")))
def test_others_may_come_after_a_mistaken_process_has_caught_its_exception(
    jars: Path, level: str, launcher: str
) -> None:
    done = ends(jars, f"mistaken and late {level}", launcher, ranks=3)
    assert done.returncode == 0, done.stdout + done.stderr
    late = str(level == "MULTIPLE").lower()
    assert sorted(done.stdout.splitlines())[1:] == [
        f"late: 3 0 {late}",
        *["late: 3 1 false"] * 2,
    ], done.stdout + done.stderr
    in_vain = "takes part in a collective operation in spite of a mistake, and 0.5 seconds later"
    assert (in_vain in done.stderr) == (level != "MULTIPLE")


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_mpi_run_waits_for_others_as_long_as_they_need(jars: Path, launcher: str) -> None:
    done = ends(jars, "patient", launcher)
    assert (done.returncode, done.stdout, done.stderr) == (0, "patient\npatient\n", "")


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_blocks_that_are_left_without_an_exception_end_mpi(jars: Path, launcher: str) -> None:
    done = ends(jars, "fine", launcher)
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine: 3\nfine: 3\n", "")


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_what_never_completes_ends_the_job_when_mpi_is_closed(jars: Path, launcher: str) -> None:
    said = ended_by_itself(jars, "left", launcher)
    sentence = (
        'Process 1, thread "main", ends the job: it closed MPI, and 0.5 seconds later there was '
        "still under way: 1 send, 2 receives, 1 probed message, 1 unclosed persistent operation."
    )
    assert sentence in said.splitlines()


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_an_epoch_that_nobody_ends_ends_the_job(jars: Path, launcher: str) -> None:
    said = ended_by_itself(jars, "window in an epoch", launcher)
    assert "seconds later there was still under way: 1 window in an open epoch." in said


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_what_nobody_closes_is_freed_at_the_end(jars: Path, launcher: str) -> None:
    done = ends(jars, "open windows", launcher)
    said = sorted(done.stdout.splitlines())
    assert (done.returncode, said) == (0, ["deleted"] * 2 + ["open: 0"] * 2)
    told = re.findall(r"^mpiglot: a (\w+) was not closed: MPI's end closes it", done.stderr, re.M)
    assert sorted(told) == ["file"] * 2 + ["window"] * 2, done.stderr
    assert len(done.stderr.splitlines()) == 4, done.stderr


def test_programs_may_have_sessions_only(jars: Path) -> None:
    done = ends(jars, "session", "mpich")
    said = "session: 4 ERR_RANK MULTIPLE\nonce\n" * 2
    assert (done.returncode, sorted(done.stdout), done.stderr) == (0, sorted(said), "")


def test_a_session_of_one_process_is_refused_where_it_would_crash(jars: Path) -> None:
    done = ends(jars, "session", "mpich", ranks=1)
    assert (done.returncode, done.stdout) == (0, "session: MPI_Comm_create_from_group\n")


def test_a_library_without_sessions_is_told(jars: Path) -> None:
    done = ends(jars, "session", "openmpi")
    assert (done.returncode, done.stdout) == (0, "session: MPI_Session_init\n" * 2)


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_errors_end_the_job_where_they_are_fatal(jars: Path, launcher: str) -> None:
    said = ended_by_itself(jars, "fatal", launcher)
    # mpirun of Open MPI 4.1.4 loses one of four texts about fatal errors, of programs in C, too: it
    # reads them from memory that it has freed, and tells of that instead.
    lost = launcher == "openmpi" and re.search(r"ORTE_ERROR_LOG: .*show_help\.c", said)
    assert "rank" in said.lower() or lost, said


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_operations_of_the_program_are_awaited_at_the_end(jars: Path, launcher: str) -> None:
    said = ended_by_itself(jars, "unfinished", launcher)
    assert "seconds later there was still under way: 1 operation of the program." in said


@pytest.mark.parametrize("way", ["later", "later funneled"])
@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_closing_mpi_waits_for_what_is_under_way(jars: Path, launcher: str, way: str) -> None:
    done = ends(jars, way, launcher)
    assert (done.returncode, done.stdout, done.stderr) == (0, "later: 7 7\n", "")


def ends(jars: Path, way: str, launcher: str, ranks: int = 2) -> subprocess.CompletedProcess[str]:
    if launcher == "openmpi" and not shutil.which("mpiexec.openmpi"):
        pytest.skip("needs Debian's Open MPI")
    command = ["timeout", str(guard(60)), f"mpiexec.{launcher}", "-n", str(ranks)]
    command += [java_of(jars), *SOON]
    command += ["--enable-native-access=ALL-UNNAMED", "-cp", f"{jars}/tests.jar"]
    return run(*command, "dev.mpiglot.mpi.Ends", way)


def ended_by_itself(jars: Path, way: str, launcher: str) -> str:
    """What a job says that must fail, and before its limit."""
    done = ends(jars, way, launcher)
    said = done.stdout + done.stderr
    assert done.returncode not in (0, 124), said
    return said
