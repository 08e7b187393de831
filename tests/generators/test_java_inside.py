"""How Java programs end while threads are inside MPI: MPI is not entered after its end."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.generators.java_programs import SOON, java_of, needs_java
from tests.generators.programs import ROOT, run
from tests.limits import guard
from tests.tiers import in_turn, matrix_run

pytestmark = needs_java
LAUNCHERS = ("mpich", "openmpi")
PLATFORM = ("daemon", "platform", "executor")
KINDS = (*PLATFORM, "virtual")
#: Methods that wait for others (java_runtime/src/test/java/dev/mpiglot/ends/Blocking.java), each in
#: a thread of its own; files and windows apart from messages, since one JVM cannot have them all.
GROUPS = ("messages collectives neighbours requests", "creation files windows")
#: Why functions that the catalogue calls blocking are not in those groups.
ELSEWHERE = {
    "they need no other process for what a test can do with them": "MPI_Abort MPI_Bsend MPI_Rsend "
    "MPI_Cart_map MPI_Graph_map MPI_Comm_disconnect MPI_Comm_set_info MPI_Win_set_info "
    "MPI_File_set_info MPI_File_delete MPI_File_read MPI_File_read_at MPI_File_read_shared "
    "MPI_File_write MPI_File_write_at MPI_File_write_shared MPI_Win_lock MPI_Win_lock_all "
    "MPI_Win_post MPI_Win_start MPI_Win_flush MPI_Win_flush_all MPI_Win_flush_local "
    "MPI_Win_flush_local_all MPI_Publish_name MPI_Unpublish_name MPI_Lookup_name",
    "messages in buffers are awaited at the end of MPI anyway": "MPI_Buffer_detach "
    "MPI_Buffer_flush MPI_Comm_detach_buffer MPI_Comm_flush_buffer MPI_Session_detach_buffer "
    "MPI_Session_flush_buffer",
    "the call that began waits, or none does": "MPI_File_read_all_end MPI_File_read_at_all_end "
    "MPI_File_read_ordered_end MPI_File_write_all_end MPI_File_write_at_all_end "
    "MPI_File_write_ordered_end",
    "MPI does not end while a session is open": "MPI_Session_init MPI_Comm_create_from_group",
    "Debian's MPICH has no dynamic processes": "MPI_Comm_accept MPI_Comm_connect MPI_Comm_join "
    "MPI_Comm_spawn MPI_Comm_spawn_multiple",
    "it starts MPI": "MPI_Init_thread",
}
#: Ways to end, and what the job says besides.
ENDS = {
    "returns": 'Process 1, thread "main", ends the job: it closed MPI, and 0.5 seconds later there '
    "was still under way: ",
    "throws": "this process cannot go on",
    "exit": "System.exit was called before MPI was closed",
    "exit elsewhere": 'Process 1, thread "elsewhere", failed and ends the job:',
    "halt": "inside: ",
    "term": "inside: ",
}
#: What the JVM, MPICH and Open MPI say when they crash.
CRASHES = ("SIGSEGV", "SIGABRT", "fatal error has been detected", "Fatal error in", "ssertion")


@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.skipif(not matrix_run(), reason="in the matrix run")
def test_every_method_that_waits_may_be_under_way_at_every_end(
    jars: Path, tmp_path: Path, groups: str, kind: str, end: str, launcher: str
) -> None:
    said = ended_by_itself(inside(jars, tmp_path, launcher, kind, groups, end))
    assert ENDS[end] in said
    calls = re.search(r"inside: (\d+) of (\d+)", said)
    # Open MPI reads and writes some files without the others.
    least = 6 if launcher == "openmpi" and "files" in groups else 0
    assert calls and int(calls[1]) >= int(calls[2]) - least > 20, said


def test_no_function_that_waits_is_forgotten() -> None:
    table = (ROOT / "java_runtime/src/test/java/dev/mpiglot/ends/Blocking.java").read_text("utf-8")
    called = set(re.findall(r'"(?:[A-Z]\w+\.)?([a-z]\w+)"', table))
    surface = json.loads((ROOT / "generators/java/surface.json").read_text("utf-8"))["chapters"]
    reached = {function: row for rows in surface.values() for function, row in rows.items()}
    known = json.loads((ROOT / "blueprints/known/mpich-5.0.2.json").read_text("utf-8"))
    waiting = {one["name"] for one in known["functions"] if one.get("family") == "blocking"}
    forgotten = {
        function
        for function in waiting & reached.keys()
        if "absent" not in reached[function] and method(function, reached[function]) not in called
    }
    assert forgotten == {name for names in ELSEWHERE.values() for name in names.split()}


def method(function: str, row: dict[str, str]) -> str:
    """The method of the package that reaches a function."""
    words = re.sub("^MPI_((Comm|File|Win|Dist_graph)_)?", "", function).lower().split("_")
    return row.get("method", words[0] + "".join(map(str.capitalize, words[1:])))


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
@pytest.mark.parametrize("kind", in_turn(PLATFORM))
def test_the_sentence_names_the_method_and_the_line(
    jars: Path, tmp_path: Path, kind: str, launcher: str
) -> None:
    said = ended_by_itself(inside(jars, tmp_path, launcher, kind, "message", "returns"))
    thread = "pool-1-thread-1" if kind == "executor" else "Thread-0"
    expected = (
        re.escape(f'{ENDS["returns"]}Comm.recv in the thread "{thread}", called by ')
        + r"dev\.mpiglot\.ends\.Blocking\.lambda\$messages\$\d+ \(Blocking\.java:\d+\)\."
    )
    assert re.search(f"^{expected}$", said, re.M), said


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
@pytest.mark.parametrize("kind", in_turn(KINDS))
def test_a_call_that_ends_in_time_is_awaited(
    jars: Path, tmp_path: Path, kind: str, launcher: str
) -> None:
    done = blocked(jars, tmp_path, launcher, "awaited", kind)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == ["after run", "after run", "received 7"]


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
@pytest.mark.parametrize("kind", in_turn(KINDS))
@pytest.mark.parametrize("then", in_turn(("stops", "goes on", "dies")))
def test_a_thread_that_polls_is_refused_when_mpi_ends(
    jars: Path, tmp_path: Path, then: str, kind: str, launcher: str
) -> None:
    done = blocked(jars, tmp_path, launcher, "polls", kind, then)
    assert (done.returncode, done.stdout) == (0, "refused: true\n" * 2), done.stderr
    refusal = "ClosedException: MPI is closed: close it last."
    assert done.stderr.count(refusal) == (2 if then == "dies" else 0), done.stderr


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
@pytest.mark.parametrize("kind", in_turn(PLATFORM))
def test_finalize_of_the_lower_package_waits_for_other_threads(
    jars: Path, tmp_path: Path, kind: str, launcher: str
) -> None:
    done = blocked(jars, tmp_path, launcher, "lower", kind)
    assert (done.returncode, done.stdout, done.stderr) == (0, "received 7\n", "")


def inside(
    jars: Path, folder: Path, launcher: str, kind: str, groups: str, end: str
) -> subprocess.CompletedProcess[str]:
    return blocked(jars, folder, launcher, "inside", kind, groups, end)


def blocked(
    jars: Path, folder: Path, launcher: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    if launcher == "openmpi" and not shutil.which("mpiexec.openmpi"):
        pytest.skip("needs Debian's Open MPI")
    command = ["timeout", str(guard(60)), f"mpiexec.{launcher}", "-n", "2", java_of(jars), *SOON]
    command += ["--enable-native-access=ALL-UNNAMED", f"-Dmpiglot.ends={folder}"]
    command += [f"-XX:ErrorFile={folder}/crash-%p", "-cp", f"{jars}/tests.jar"]
    done = run(*command, "dev.mpiglot.ends.Blocked", *arguments)
    said = done.stdout + done.stderr
    assert not any(crash in said for crash in CRASHES), said
    assert done.returncode not in (124, 134, 139), said
    return done


def ended_by_itself(done: subprocess.CompletedProcess[str]) -> str:
    """What a job says that must fail."""
    said = done.stdout + done.stderr
    assert done.returncode != 0, said
    return said
