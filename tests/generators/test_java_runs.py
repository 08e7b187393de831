"""The jar on real libraries: which one is taken, guards, how jobs end, and who sees the calls.

Its own tests run in the part "Java" of `ci/test`, on every MPI.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.generators.programs import (
    FAMILIES,
    IMPOSTORS,
    MPICH,
    OPENMPI,
    RIGHT,
    ROOT,
    STRANGERS,
    UNKNOWN_RELEASES,
    VERSION,
    library,
    needs_openmpi,
    run,
    stranger,
    unknown_mpich,
)
from tests.limits import guard
from tests.tiers import in_turn


def new_java() -> bool:
    homes = [os.environ.get("JAVA_HOME", ""), *map(str, Path("/usr/lib/jvm").glob("*"))]
    homes += [str(p.parent.parent) for p in ROOT.glob(".tools/*/bin/javac")]
    for home in filter(None, homes):
        release = Path(home) / "release"
        if (Path(home) / "bin" / "javac").exists() and release.exists():
            version = re.search(r'^JAVA_VERSION="(\d+)', release.read_text(), re.M)
            if version and int(version.group(1)) >= 22:
                return True
    return False


pytestmark = pytest.mark.skipif(
    not (new_java() and shutil.which("mpiexec.mpich")),
    reason="needs a JDK of 22 or newer and Debian's MPICH",
)
needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")


# A JVM that runs for a second starts sooner so; the demo's own script has flags of its own.
SOON = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
LAUNCHERS = ("mpich", "openmpi")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `demo`, `tests` and the jars."""
    folder = tmp_path_factory.mktemp("java")
    generated = folder / "generated here"
    generated.symlink_to(ROOT / "generated" / "java")
    for script in ("build-tests", "build-demo"):
        made = run(ROOT / "java_runtime" / script, generated, folder)
        assert made.returncode == 0, made.stdout + made.stderr
    return folder


def java_of(built: Path) -> str:
    found = re.search(r'exec "([^"]+)"', (built / "demo").read_text())
    assert found
    return found.group(1)


def guards(built: Path, what: str, *before: str, **variables: str | None) -> str:
    command = [*before, java_of(built), *SOON, "-cp", f"{built}/tests.jar"]
    command += ["--enable-native-access=ALL-UNNAMED", "dev.mpiglot.mpi.Guards", *what.split()]
    done = run(*command, **variables)
    return done.stdout + done.stderr


@pytest.mark.parametrize("ranks", [1, 3])
def test_the_demo_says_so_when_it_is_done_and_nothing_else(built: Path, ranks: int) -> None:
    done = run("mpiexec.mpich", "-n", str(ranks), built / "demo")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.fullmatch(rf"demo java: ok on {ranks} ranks with MPICH.*\n", done.stdout)
    assert done.stderr == ""  # no warning about native access


def javac(built: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return run(Path(java_of(built)).with_name("javac"), *(f"-J{flag}" for flag in SOON), *words)


def test_the_lower_layer_compiles_alone(built: Path, tmp_path: Path) -> None:
    """As `mpiglot generate java` writes it, with the files by hand that go with it."""
    folders = (ROOT / "generated" / "java" / "src" / "main", ROOT / "java_runtime" / "low")
    files = [path for folder in folders for path in folder.rglob("*.java")]
    compiled = javac(built, "-nowarn", "-implicit:none", "-d", tmp_path / "classes", *files)
    assert compiled.returncode == 0, compiled.stderr


def test_building_again_builds_nothing(built: Path) -> None:
    before = {p: p.stat().st_mtime_ns for p in built.glob("*.jar")}
    again = run(ROOT / "java_runtime" / "build-demo", built / "generated here", built)
    assert again.returncode == 0, again.stderr
    assert len(before) == 3
    assert {p: p.stat().st_mtime_ns for p in before} == before


def test_the_jar_is_a_module(built: Path) -> None:
    done = run(
        java_of(built), "-p", built / "mpiglot.jar", "--add-modules", "dev.mpiglot.mpi",
        "--enable-native-access=dev.mpiglot.mpi", "--illegal-native-access=deny",
        "-cp", built / "demo.jar", "Demo", MPIGLOT_MPI=MPICH,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "demo java: ok on 1 ranks" in done.stdout


def test_a_jvm_that_refuses_native_calls_is_told_with_the_option(built: Path) -> None:
    done = run(
        java_of(built), "--illegal-native-access=deny",
        "-cp", f"{built / 'mpiglot.jar'}:{built / 'demo.jar'}", "Demo", MPIGLOT_MPI=MPICH,
    )  # fmt: skip
    assert done.returncode != 0
    assert "start it with --enable-native-access=ALL-UNNAMED." in done.stderr


@needs_openmpi
def test_the_launchers_own_library_is_taken(built: Path) -> None:
    for launcher, table in (("mpich", "mpich-4.0.2|mpich"), ("openmpi", "openmpi-4.1.4|ompi")):
        said = guards(built, "which", f"mpiexec.{launcher}", "-n", "1", MPIGLOT_MPI=None)
        assert said.strip().endswith(table), said


@needs_openmpi
def test_a_launcher_of_another_mpi_is_refused_with_a_sentence(built: Path) -> None:
    done = run("mpiexec.mpich", "-n", "2", built / "demo", MPIGLOT_MPI=OPENMPI)
    assert done.returncode != 0
    assert "The launcher started 2 processes (PMI_SIZE)" in done.stderr
    assert "belongs to another MPI" in done.stderr


def test_a_launcher_that_the_library_cannot_speak_with_is_refused_before_it_is_asked(
    built: Path,
) -> None:
    open_mpi = {"OMPI_COMM_WORLD_SIZE": "2", "PMIX_NAMESPACE": "job", "PMIX_RANK": "0"}
    done = run(built / "demo", MPIGLOT_MPI=MPICH, **open_mpi)
    assert done.returncode == 1
    assert "The launcher started 2 processes (OMPI_COMM_WORLD_SIZE)" in done.stderr
    assert "would see only one" in done.stderr  # MPICH 5 would end the process in MPI_Init


@needs_openmpi
def test_a_process_alone_among_several_of_its_own_launcher_says_so(built: Path) -> None:
    job = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
    done = run(built / "demo", MPIGLOT_MPI=OPENMPI, **job)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("OMPI_COMM_WORLD_SIZE says that this job has 2") == 1


def test_a_process_that_cannot_start_ends_the_job(built: Path) -> None:
    lost = '[ "$PMI_RANK" = 1 ] && export MPIGLOT_MPI=/nonexistent.so; exec "$0"'
    done = run(
        "timeout", str(guard(60)), "mpiexec.mpich", "-n", "2", "sh", "-c", lost, built / "demo"
    )
    assert done.returncode not in (0, 124)
    assert "No MPI library could be loaded" in done.stderr


@needs_openmpi
def test_guards_can_be_turned_off(built: Path) -> None:
    done = run("mpiexec.mpich", "-n", "2", built / "demo", MPIGLOT_MPI=OPENMPI, MPIGLOT_GUARD="off")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("demo java: ok on 1 ranks with Open MPI") == 2


def test_a_missing_library_is_told_with_what_was_tried(built: Path) -> None:
    done = run(built / "demo", MPIGLOT_MPI="/nonexistent/libmpi.so.12")
    assert done.returncode != 0
    assert "No MPI library could be loaded. Set MPIGLOT_MPI" in done.stderr
    assert "/nonexistent/libmpi.so.12" in done.stderr


def test_an_empty_folder_is_told(built: Path, tmp_path: Path) -> None:
    done = run(built / "demo", MPIGLOT_MPI=str(tmp_path))
    assert done.returncode != 0
    assert f"No MPI library in {tmp_path}" in done.stderr


def test_a_library_that_is_no_mpi_is_told(built: Path) -> None:
    done = run(built / "demo", MPIGLOT_MPI="libm.so.6")
    assert done.returncode != 0
    assert "libm.so.6 is no MPI library" in done.stderr


def test_calls_before_the_start_and_after_the_end_are_exceptions(built: Path) -> None:
    before = guards(built, "before", MPIGLOT_MPI=MPICH)
    assert "LibraryException: MPI_Comm_rank was called before MPI_Init" in before
    assert "LibraryException: MPI_Finalize was called before MPI_Init" in before
    after = guards(built, "after", MPIGLOT_MPI=MPICH)
    assert "IllegalStateException: MPI is closed: close it last." in after
    assert "LibraryException: MPI_Comm_rank was called after MPI_Finalize" in after
    assert "LibraryException: MPI_Init_thread was called after MPI_Finalize" in after
    assert "LibraryException: MPI_Session_init was called after MPI_Finalize" in after
    assert "LibraryException: MPI_Finalize was called after MPI_Finalize" in after


@pytest.mark.parametrize("how", in_turn(("alone", "statuses", "handler"), most=2))
@pytest.mark.parametrize("library", [MPICH, pytest.param(OPENMPI, marks=needs_openmpi)])
def test_the_first_wait_of_a_process_may_be_for_thousands(
    built: Path, library: str, how: str
) -> None:
    assert guards(built, f"first {how}", MPIGLOT_MPI=library) == "5000 messages came\n"


def test_what_needs_a_running_mpi_is_an_exception_without_one(built: Path) -> None:
    """Infos and error classes may be used at any time since MPI 4, which MPICH 4.0.2 knows."""
    said = guards(built, "everything", MPIGLOT_MPI=MPICH).splitlines()
    assert said == ["infos are there and nothing was thrown"] * 2


@needs_openmpi
def test_an_older_library_is_asked_for_nothing_too_early(built: Path) -> None:
    said = guards(built, "everything", MPIGLOT_MPI=OPENMPI).splitlines()
    assert said == [
        f"LibraryException: MPI_Info_create was called {when}"
        for when in (
            "before MPI_Init: initialise MPI first.",
            "after MPI_Finalize: close MPI last.",
        )
    ]


def test_other_threads_are_refused_where_mpi_does_not_allow_them(built: Path) -> None:
    funneled = guards(built, "threads funneled", MPIGLOT_MPI=MPICH).splitlines()
    assert funneled[0] == "nothing was thrown"
    assert 'LibraryException: MPI_Comm_rank was called by the thread "other"' in funneled[1]
    multiple = guards(built, "threads multiple", MPIGLOT_MPI=MPICH).splitlines()
    assert multiple == ["nothing was thrown", "nothing was thrown"]


def test_waits_that_need_another_thread_are_refused_where_mpi_allows_one(built: Path) -> None:
    lines = guards(built, "virtual", MPIGLOT_MPI=MPICH).splitlines()
    sentence = (
        "IllegalStateException: Waiting on virtual threads, with a limit or for a stage needs "
        "ThreadLevel.MULTIPLE; this program started MPI with SERIALIZED."
    )
    assert lines == [sentence] * 4


#: Ways in which one of two processes does not get to the end of MPI, the thread that it tells, and
#: what it says besides.
ENDS = [
    ("body", "main", "this process cannot go on"),
    ("root", "main", "MpiException: MPI_Reduce: "),
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
    built: Path, launcher: str, way: str, thread: str, sentence: str
) -> None:
    done = ends(built, way, launcher)
    said = done.stdout + done.stderr
    assert done.returncode not in (0, 124), said
    assert f'Process 1, thread "{thread}", failed and ends the job:' in said
    assert sentence in said
    if thread != "mpiglot-end":
        assert re.search(r"\tat (app//)?dev\.mpiglot\.mpi\.Ends\.", said), said


@pytest.mark.parametrize("way", ["block", "nested", "hidden", "caught"])
@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_closing_mpi_while_others_wait_for_ever_ends_the_job(
    built: Path, launcher: str, way: str
) -> None:
    done = ends(built, way, launcher)
    said = done.stdout + done.stderr
    assert done.returncode not in (0, 124), said
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
    ],
)
def test_a_mistaken_process_that_takes_part_in_vain_ends_the_job(
    built: Path, launcher: str, mode: str, mistake: str
) -> None:
    done = ends(built, mode, launcher)
    said = done.stdout + done.stderr
    assert done.returncode not in (0, 124), said
    assert (
        'Process 1, thread "main", ends the job: it took part in a collective operation in spite '
        f"of a mistake, and 0.5 seconds later that had not ended: {mistake}"
    ) in said


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_mpi_run_waits_for_others_as_long_as_they_need(built: Path, launcher: str) -> None:
    done = ends(built, "patient", launcher)
    assert (done.returncode, done.stdout, done.stderr) == (0, "patient\npatient\n", "")


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_blocks_that_are_left_without_an_exception_end_mpi(built: Path, launcher: str) -> None:
    done = ends(built, "fine", launcher)
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine: 3\nfine: 3\n", "")


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_what_never_completes_ends_the_job_when_mpi_is_closed(built: Path, launcher: str) -> None:
    done = ends(built, "left", launcher)
    said = done.stdout + done.stderr
    assert done.returncode not in (0, 124), said
    sentence = (
        'Process 1, thread "main", ends the job: it closed MPI, and 0.5 seconds later there was '
        "still under way: 1 send, 2 receives."
    )
    assert sentence in said.splitlines()


@pytest.mark.parametrize("way", ["later", "later funneled"])
@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
def test_closing_mpi_waits_for_what_is_under_way(built: Path, launcher: str, way: str) -> None:
    done = ends(built, way, launcher)
    assert (done.returncode, done.stdout, done.stderr) == (0, "later: 7 7\n", "")


def ends(built: Path, way: str, launcher: str) -> subprocess.CompletedProcess[str]:
    if launcher == "openmpi" and not shutil.which("mpiexec.openmpi"):
        pytest.skip("needs Debian's Open MPI")
    command = ["timeout", str(guard(60)), f"mpiexec.{launcher}", "-n", "2", java_of(built), *SOON]
    command += ["--enable-native-access=ALL-UNNAMED", "-cp", f"{built}/tests.jar"]
    return run(*command, "dev.mpiglot.mpi.Ends", way)


MISTAKES = {
    "world.allreduce(new double[1], Op.ofInts(true, Integer::sum));": "Op<Ints>",
    "world.reduce(new int[1], Op.ofDoubles(true, Double::sum), 0);": "Op<Doubles>",
    "world.iallreduce(new float[1], Op.BAND);": "Op<Integral>",
    "world.allreduce(Buffer.of(new double[1]), Op.BXOR);": "Op<Integral>",
    "world.gather(new int[1], new long[1], 0);": "long[]",
    "world.allgather(Buffer.of(new int[1]), Buffer.of(new long[1]));": "Buffer<Longs>",
    "Buffer<Element.Ints> b = Buffer.of(new double[1]);": "Buffer<Doubles>",
}


@pytest.fixture(scope="module")
def refusals(built: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the compiler says of all mistakes, each in a class of its own, `Mistake<number>`."""
    folder = tmp_path_factory.mktemp("mistakes")
    for number, mistake in enumerate(MISTAKES):
        head = f"import dev.mpiglot.mpi.*;\nclass Mistake{number} {{ void run(Comm world) {{\n"
        (folder / f"Mistake{number}.java").write_text(f"{head}{mistake}\n}} }}\n", encoding="utf-8")
    made = javac(built, "-cp", built / "mpiglot.jar", "-d", folder, *folder.glob("*.java"))
    assert made.returncode == 1
    return made.stderr


@pytest.mark.parametrize("mistake", MISTAKES)
def test_types_of_elements_that_do_not_fit_are_no_java(refusals: str, mistake: str) -> None:
    said = re.split(r"^\S*/(?=Mistake\d+\.java:)", refusals, flags=re.MULTILINE)
    own = f"Mistake{list(MISTAKES).index(mistake)}.java:"
    errors = [one for one in said if one.startswith(own) and ": error: " in one]
    assert len(errors) == 1
    assert errors[0].startswith(f"{own}3: error: ")
    assert MISTAKES[mistake] in errors[0]


@needs_gcc
@pytest.mark.parametrize(("version", "standard", "taken"), in_turn(UNKNOWN_RELEASES, most=2))
def test_an_unknown_version_gets_the_nearest_table_of_its_series_and_standard_and_is_told(
    built: Path, tmp_path: Path, version: str, standard: str, taken: str
) -> None:
    path = unknown_mpich(tmp_path, version, standard)
    done = run(built / "demo", MPIGLOT_MPI=str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f'"MPICH Version: {version}" is not among the tested MPI libraries' in done.stderr
    assert f"the constants of {taken} are used" in done.stderr


@needs_gcc
@pytest.mark.parametrize("says", ["Other MPI 1.2", "MPICH Version: 4.0.2"])
def test_a_library_without_the_sign_of_a_family_is_refused_whatever_it_says(
    built: Path, tmp_path: Path, says: str
) -> None:
    source = VERSION % says + "int PMPI_Init(int *argc, char ***argv) { return 1; }"
    done = run(built / "demo", MPIGLOT_MPI=str(library(tmp_path, "other", source)))
    assert done.returncode != 0
    assert f'says "{says}", but bears the sign of no MPI family' in done.stderr
    assert "MPIR_Dup_fn of MPICH's family" in done.stderr


@needs_gcc
def test_a_library_that_lacks_what_its_release_has_is_refused(built: Path, tmp_path: Path) -> None:
    source = VERSION % "Open MPI v4.1.4, package: none"
    source += "int PMPI_Init(int *argc, char ***argv) { return 1; } int ompi_mpi_comm_world;"
    done = run(built / "demo", MPIGLOT_MPI=str(library(tmp_path, "empty", source)))
    assert done.returncode != 0
    assert "it is not the MPI it says it is" in done.stderr


STRANGERS_PROGRAM = """
import dev.mpiglot.low.*;
import java.lang.foreign.*;

public class Strangers {
    public static void main(String[] args) {
        Environment.init();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(16);
            MemorySegment sum = arena.allocate(16);
            one.set(ValueLayout.JAVA_INT, 0, 1);
            Collectives.allreduce(one, sum, 1, Datatype.INT, Op.SUM, Comm.WORLD);
            int mode = Mpi.MODE_CREATE | Mpi.MODE_RDWR | Mpi.MODE_DELETE_ON_CLOSE;
            File file = Files.fileOpen(Comm.WORLD, args[0], mode, Info.NULL);
            Files.fileWrite(file, one, 12, Datatype.BYTE, null);
            Files.fileSeek(file, 7, Mpi.SEEK_SET);
            long first = Files.fileGetPosition(file);
            Files.fileSeek(file, 5, Mpi.SEEK_CUR);
            long second = Files.fileGetPosition(file);
            Files.fileClose(file);
            String refused = "a rank is taken";
            Environment.commSetErrhandler(Comm.WORLD, Errhandler.ERRORS_RETURN);
            try {
                PointToPoint.send(one, 1, Datatype.INT, 99, 0, Comm.WORLD);
            } catch (MpiException e) {
                refused = e.errorClass() == Mpi.ERR_RANK ? "a rank is refused" : "another error";
            }
            int added = sum.get(ValueLayout.JAVA_INT, 0);
            System.out.printf("sum %d, positions %d %d, %s%n", added, first, second, refused);
        }
        Environment.finalizeMpi();
    }
}
"""


@pytest.fixture(scope="module")
def strangers_program(built: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    folder = tmp_path_factory.mktemp("strangers")
    source = folder / "Strangers.java"
    source.write_text(STRANGERS_PROGRAM, encoding="utf-8")
    java, jar = java_of(built), built / "mpiglot.jar"
    made = javac(built, "-cp", jar, "-d", folder, source)
    assert made.returncode == 0, made.stderr
    access = "--enable-native-access=ALL-UNNAMED"
    return [java, access, "-XX:+UseSerialGC", "-cp", f"{jar}:{folder}", "Strangers"]


@needs_gcc
@pytest.mark.parametrize(
    ("says", "behind"),
    in_turn([(says, behind) for says in STRANGERS for behind in FAMILIES], most=5),
)
def test_a_library_is_served_by_its_family_whatever_it_says(
    strangers_program: list[str | Path], tmp_path: Path, says: str, behind: str
) -> None:
    path = stranger(tmp_path, STRANGERS[says], behind)
    done = run(*strangers_program, tmp_path / "file", MPIGLOT_MPI=str(path))
    assert (done.returncode, done.stdout.strip()) == (0, RIGHT), done.stdout + done.stderr
    title, tables = FAMILIES[behind]
    known = says == "open" and behind == OPENMPI  # a later release of the same vendor
    remarks = [line for line in done.stderr.splitlines() if "is not among the tested" in line]
    assert remarks and len(set(remarks)) == 1
    assert known or title in remarks[0]
    assert known or any(f"the constants of {table} are used" in remarks[0] for table in tables)


@needs_gcc
@pytest.mark.parametrize("says", IMPOSTORS)
def test_a_library_that_says_it_is_another_has_its_own_values(
    strangers_program: list[str | Path], tmp_path: Path, says: str
) -> None:
    path = stranger(tmp_path, says, IMPOSTORS[says])
    prefix = Path(IMPOSTORS[says]).parents[1]
    file = tmp_path / "file"
    done = run(*strangers_program, file, MPIGLOT_MPI=str(path), I_MPI_ROOT=str(prefix))
    assert (done.returncode, done.stdout.strip()) == (0, RIGHT), done.stdout + done.stderr
    assert "by its text, but has constants of " in done.stderr


@needs_gcc
def test_a_preloaded_tool_sees_the_calls(built: Path, tmp_path: Path) -> None:
    tool = library(
        tmp_path,
        "tool",
        """#include <stdio.h>
int PMPI_Allreduce(const void *, void *, int, int, int, int); int PMPI_Finalize(void);
static int calls;
int MPI_Allreduce(const void *a, void *b, int n, int t, int o, int c)
{ calls++; return PMPI_Allreduce(a, b, n, t, o, c); }
int MPI_Finalize(void) { fprintf(stderr, "tool saw %d\\n", calls); return PMPI_Finalize(); }
""",
        MPICH,
    )
    done = run(built / "demo", LD_PRELOAD=str(tool), MPIGLOT_MPI=MPICH)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tool saw 1" in done.stderr


def test_the_program_of_the_readme_runs(built: Path, tmp_path: Path) -> None:
    text = (ROOT / "java_runtime" / "README.md").read_text(encoding="utf-8")
    block = re.search(r"```java\n(.*?)```", text, re.S)
    assert block
    source = tmp_path / "Sum.java"
    source.write_text(block.group(1), encoding="utf-8")
    made = javac(built, "-cp", built / "mpiglot.jar", "-d", tmp_path, source)
    assert made.returncode == 0, made.stderr
    done = run(
        "mpiexec.mpich", "-n", "3", java_of(built), "--enable-native-access=ALL-UNNAMED",
        "-cp", f"{built}/mpiglot.jar:{tmp_path}", "Sum",
    )  # fmt: skip
    assert done.stdout == "1 + ... + 3 = 6\n", done.stdout + done.stderr


@needs_openmpi
def test_lists_of_arguments_reach_programs_that_are_spawned(built: Path, tmp_path: Path) -> None:
    source = tmp_path / "Spawn.java"
    source.write_text(
        """import dev.mpiglot.low.*;
import java.lang.foreign.*;

public class Spawn {
    public static void main(String[] args) {
        Environment.init();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(80);
            if (args.length < 3) {
                Comm parent = Processes.commGetParent();
                text.setString(0, String.join("|", args));
                PointToPoint.send(text, 80, Datatype.BYTE, 0, 1, parent);
                Processes.commDisconnect(parent);
            } else {
                String[] java = {"--enable-native-access=ALL-UNNAMED", "-cp", args[1], "Spawn"};
                String[][] lists = {{java[0], java[1], java[2], java[3], "a", "b c"},
                        {java[0], java[1], java[2], java[3], "d"}};
                Comm children = Processes.commSpawnMultiple(new String[] {args[0], args[0]}, lists,
                        new int[] {1, 1}, new Info[] {Info.NULL, Info.NULL}, 0, Comm.SELF, null);
                for (int i = 0; i < 2; i++) {
                    PointToPoint.recv(text, 80, Datatype.BYTE, i, 1, children, null);
                    System.out.println(text.getString(0));
                }
                Processes.commDisconnect(children);
            }
        }
        Environment.finalizeMpi();
    }
}
""",
        encoding="utf-8",
    )
    java, path = java_of(built), f"{built}/mpiglot.jar:{tmp_path}"
    made = javac(built, "-cp", built / "mpiglot.jar", "-d", tmp_path, source)
    assert made.returncode == 0, made.stderr
    access = "--enable-native-access=ALL-UNNAMED"
    command = [
        "timeout",
        str(guard(100)),
        "mpiexec.openmpi",
        "-n",
        "1",
        java,
        access,
        "-cp",
        path,
        "Spawn",
    ]
    found = run(*command, java, path, "as parent")
    assert found.stdout.splitlines() == ["a|b c", "d"], found.stderr
