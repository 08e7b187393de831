"""The jar on real libraries: how it is built, what it refuses, and who sees the calls.

Its own tests run in the part "Java" of `ci/test`, on every MPI.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.generators.java_programs import guards, java_of, javac, needs_gcc, needs_java
from tests.generators.programs import MPICH, OPENMPI, ROOT, library, needs_openmpi, run
from tests.limits import guard
from tests.packages.outside import snippets
from tests.tiers import in_turn

pytestmark = needs_java


@pytest.mark.parametrize("ranks", [1, 3])
def test_the_demo_says_so_when_it_is_done_and_nothing_else(jars: Path, ranks: int) -> None:
    done = run("mpiexec.mpich", "-n", str(ranks), jars / "demo")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.fullmatch(rf"demo java: ok on {ranks} ranks with MPICH.*\n", done.stdout)
    assert done.stderr == ""  # no warning about native access


@pytest.mark.parametrize(
    "arguments",
    [
        ("npb",),
        ("npb", "B"),
        ("npb", "S", "XX"),
        ("heat",),
        ("heat", "B"),
        ("heat", "S", "0"),
        ("file", "a", "b"),
        ("workers", "0"),
        ("workers", "10001"),
        ("words", "a", "b"),
        ("words", "no file"),
    ],
    ids=" ".join,
)
def test_programs_refuse_wrong_arguments_with_a_sentence(
    jars: Path, arguments: tuple[str, ...]
) -> None:
    program, *rest = arguments
    done = run(jars / program, *rest)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1


def test_the_lower_layer_compiles_alone(jars: Path, tmp_path: Path) -> None:
    """As `mpiglot generate java` writes it, with the files by hand that go with it."""
    folders = (ROOT / "generated" / "java" / "src" / "main", ROOT / "java_runtime" / "low")
    files = [path for folder in folders for path in folder.rglob("*.java")]
    compiled = javac(jars, "-nowarn", "-implicit:none", "-d", tmp_path / "classes", *files)
    assert compiled.returncode == 0, compiled.stderr


def test_building_again_builds_nothing(jars: Path) -> None:
    before = {p: p.stat().st_mtime_ns for p in jars.glob("*.jar")}
    again = run(ROOT / "java_runtime" / "build-demo", jars / "generated here", jars)
    assert again.returncode == 0, again.stderr
    assert {"mpiglot.jar", "demo.jar", "tests.jar"} <= {p.name for p in before}
    assert {p: p.stat().st_mtime_ns for p in before} == before


def test_the_jar_is_a_module(jars: Path) -> None:
    done = run(
        java_of(jars), "-p", jars / "mpiglot.jar", "--add-modules", "dev.mpiglot.mpi",
        "--enable-native-access=dev.mpiglot.mpi", "--illegal-native-access=deny",
        "-cp", jars / "demo.jar", "Demo", MPIGLOT_MPI=MPICH,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "demo java: ok on 1 ranks" in done.stdout


def test_a_jvm_that_refuses_native_calls_is_told_with_the_option(jars: Path) -> None:
    done = run(
        java_of(jars), "--illegal-native-access=deny",
        "-cp", f"{jars / 'mpiglot.jar'}:{jars / 'demo.jar'}", "Demo", MPIGLOT_MPI=MPICH,
    )  # fmt: skip
    assert done.returncode != 0
    assert "start it with --enable-native-access=ALL-UNNAMED." in done.stderr


def test_calls_before_the_start_and_after_the_end_are_exceptions(jars: Path) -> None:
    before = guards(jars, "before", MPIGLOT_MPI=MPICH)
    assert before == "ClosedException: MPI is not started: start it first.\n" * 2
    after = guards(jars, "after", MPIGLOT_MPI=MPICH)
    assert after.count("ClosedException: MPI is closed: close it last.") == 3
    assert "LibraryException: MPI_Init_thread was called after MPI_Finalize" in after
    assert "LibraryException: MPI_Session_init was called after MPI_Finalize" in after


@pytest.mark.parametrize("how", in_turn(("alone", "statuses", "handler"), most=2))
@pytest.mark.parametrize("library", [MPICH, pytest.param(OPENMPI, marks=needs_openmpi)])
def test_the_first_wait_of_a_process_may_be_for_thousands(
    jars: Path, library: str, how: str
) -> None:
    assert guards(jars, f"first {how}", MPIGLOT_MPI=library) == "5000 messages came\n"


def test_what_needs_a_running_mpi_is_an_exception_without_one(jars: Path) -> None:
    """Infos and error classes may be used at any time since MPI 4, which MPICH 4.0.2 knows."""
    said = guards(jars, "everything", MPIGLOT_MPI=MPICH).splitlines()
    assert said == ["infos are there and nothing was thrown"] * 2


@needs_openmpi
def test_an_older_library_is_asked_for_nothing_too_early(jars: Path) -> None:
    said = guards(jars, "everything", MPIGLOT_MPI=OPENMPI).splitlines()
    assert said == [
        f"ClosedException: MPI is {sentence}"
        for sentence in ("not started: start it first.", "closed: close it last.")
    ]


def test_other_threads_are_refused_where_mpi_does_not_allow_them(jars: Path) -> None:
    funneled = guards(jars, "threads funneled", MPIGLOT_MPI=MPICH).splitlines()
    assert funneled[0] == "nothing was thrown"
    assert 'LibraryException: MPI_Comm_rank was called by the thread "other"' in funneled[1]
    multiple = guards(jars, "threads multiple", MPIGLOT_MPI=MPICH).splitlines()
    assert multiple == ["nothing was thrown", "nothing was thrown"]


def test_waits_that_need_another_thread_are_refused_where_mpi_allows_one(jars: Path) -> None:
    lines = guards(jars, "virtual", MPIGLOT_MPI=MPICH).splitlines()
    sentence = (
        "IllegalStateException: Waiting on virtual threads, with a limit or for a stage needs "
        "ThreadLevel.MULTIPLE; this program started MPI with SERIALIZED."
    )
    assert lines == [sentence] * 4


MISTAKES = {
    "world.allreduce(new double[1], Op.ofInts(true, Integer::sum));": "Op<Ints>",
    "world.reduce(new int[1], Op.ofDoubles(true, Double::sum), 0);": "Op<Doubles>",
    "world.iallreduce(new float[1], Op.BAND);": "Op<Integral>",
    "world.allreduce(MpiBuffer.of(new double[1]), Op.BXOR);": "Op<Integral>",
    "world.gather(new int[1], new long[1], 0);": "long[]",
    "world.allgather(MpiBuffer.of(new int[1]), MpiBuffer.of(new long[1]));": "MpiBuffer<Longs>",
    "MpiBuffer<Element.Ints> b = MpiBuffer.of(new double[1]);": "MpiBuffer<Doubles>",
}


@pytest.fixture(scope="module")
def refusals(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the compiler says of all mistakes, each in a class of its own, `Mistake<number>`."""
    if not Path(java_of(jars)).with_name("jar").exists():
        pytest.skip("the compiler is Eclipse's, whose words are others")
    folder = tmp_path_factory.mktemp("mistakes")
    for number, mistake in enumerate(MISTAKES):
        head = f"import dev.mpiglot.mpi.*;\nclass Mistake{number} {{ void run(Comm world) {{\n"
        (folder / f"Mistake{number}.java").write_text(f"{head}{mistake}\n}} }}\n", encoding="utf-8")
    made = javac(jars, "-cp", jars / "mpiglot.jar", "-d", folder, *folder.glob("*.java"))
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
def test_a_preloaded_tool_sees_the_calls(jars: Path, tmp_path: Path) -> None:
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
    done = run(jars / "demo", LD_PRELOAD=str(tool), MPIGLOT_MPI=MPICH)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tool saw 1" in done.stderr


@needs_openmpi
def test_the_lines_of_the_readme_compile_and_run_its_program(jars: Path, tmp_path: Path) -> None:
    """On MPICH and Open MPI; tests/packages/test_java_projects.py builds its pom.xml."""
    readme = ROOT / "java_runtime" / "README.md"
    (program,) = snippets(readme, "java")
    lines = next(block for block in snippets(readme, "sh") if "javac" in block)
    (printed,) = snippets(readme, "text")
    lines, here = re.subn(r"^jar=/FOLDER/.*$", f"jar='{jars}/mpiglot.jar'", lines, flags=re.M)
    assert here == 1
    (tmp_path / "Sum.java").write_text(program, encoding="utf-8")
    path = f"{Path(java_of(jars)).parent}{os.pathsep}{os.environ['PATH']}"
    done = run("sh", "-ec", f'cd "{tmp_path}"\n{lines}', PATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == 2 * printed, done.stdout + done.stderr
    assert "WARNING" not in done.stderr  # about native access


@needs_openmpi
def test_lists_of_arguments_reach_programs_that_are_spawned(jars: Path, tmp_path: Path) -> None:
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
                CommHandle parent = Processes.commGetParent();
                text.setString(0, String.join("|", args));
                PointToPoint.send(text, 80, DatatypeHandle.BYTE, 0, 1, parent);
                Processes.commDisconnect(parent);
            } else {
                String[] java = {"--enable-native-access=ALL-UNNAMED", "-cp", args[1], "Spawn"};
                String[][] lists = {{java[0], java[1], java[2], java[3], "a", "b c"},
                        {java[0], java[1], java[2], java[3], "d"}};
                String[] programs = {args[0], args[0]};
                InfoHandle[] infos = {InfoHandle.NULL, InfoHandle.NULL};
                CommHandle children = Processes.commSpawnMultiple(
                        programs, lists, new int[] {1, 1}, infos, 0, CommHandle.SELF, null);
                for (int i = 0; i < 2; i++) {
                    PointToPoint.recv(text, 80, DatatypeHandle.BYTE, i, 1, children, null);
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
    java, path = java_of(jars), f"{jars}/mpiglot.jar:{tmp_path}"
    made = javac(jars, "-cp", jars / "mpiglot.jar", "-d", tmp_path, source)
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
