"""Go programs on real libraries: which one is taken, what is refused, and who sees the calls."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.generators.programs import (
    FAMILIES,
    FIRST_OF_OPENMPI,
    FIRST_OF_PMIX,
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
    run_with_one_lost,
    stranger,
    unknown_mpich,
)
from tests.limits import guard

pytestmark = pytest.mark.skipif(
    not (shutil.which("go") and shutil.which("gcc") and shutil.which("mpiexec.mpich")),
    reason="needs go, gcc and Debian's MPICH",
)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs `demo` and `which`."""
    folder = tmp_path_factory.mktemp("go")
    runtime = ROOT / "go_runtime"
    made = run(runtime / "build-demo", ROOT / "go_runtime" / "low", folder)
    assert made.returncode == 0, made.stderr
    workspace = {"GOWORK": str(folder / "go.work"), "CGO_ENABLED": "1"}
    made = run(
        "go", "build", "-C", runtime, "-buildvcs=false", "-o", folder / "which",
        "./examples/which", **workspace,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return folder


# A library that answers, and cannot be started.
ASKED = VERSION + "int MPI_Init(int *argc, char ***argv) { return 1; }"

# --------------------------------------------------------------------------- building


def test_the_program_needs_no_mpi_to_be_built_or_started(built: Path) -> None:
    needed = run("readelf", "-d", built / "demo").stdout
    assert "NEEDED" in needed
    assert "mpi" not in needed.lower()


def test_building_again_gives_the_same_program(built: Path) -> None:
    before = (built / "demo").read_bytes()
    made = run(ROOT / "go_runtime" / "build-demo", ROOT / "go_runtime" / "low", built)
    assert made.returncode == 0
    assert (built / "demo").read_bytes() == before


def test_go_vet_finds_nothing() -> None:
    for folder in (ROOT / "go_runtime" / "low", ROOT / "go_runtime"):
        found = run("go", "vet", "-C", folder, "./...")
        assert found.returncode == 0, found.stderr


@pytest.mark.parametrize(
    ("generated", "arguments"), [("/nonexistent", 2), (str(ROOT / "docs"), 2), (None, 1)]
)
def test_build_demo_says_what_is_wrong(
    generated: str | None, arguments: int, tmp_path: Path
) -> None:
    given = [generated or str(ROOT), str(tmp_path)][:arguments]
    made = run(ROOT / "go_runtime" / "build-demo", *given)
    assert made.returncode == 2
    assert len(made.stderr.strip().splitlines()) == 1


# --------------------------------------------------------------------------- which library


def test_the_library_is_that_of_the_launcher(built: Path) -> None:
    found = run("mpiexec.mpich", "-n", "1", built / "which")
    assert found.stdout.splitlines()[0].endswith(MPICH)
    assert "constants of mpich-4.0.2" in found.stdout


@needs_openmpi
def test_another_launcher_means_another_library(built: Path) -> None:
    found = run("mpiexec.openmpi", "-n", "1", built / "which")
    assert found.stdout.splitlines()[0].endswith(OPENMPI)


def test_the_environment_has_the_last_word(built: Path) -> None:
    found = run(built / "which", MPIGLOT_MPI=MPICH)
    assert found.stdout.splitlines()[0] == MPICH


def test_a_folder_stands_for_the_library_in_it(built: Path, tmp_path: Path) -> None:
    lib = tmp_path / "lib" / "x86_64-linux-gnu"
    lib.mkdir(parents=True)
    for directory in Path("/usr/lib").glob("*-linux-gnu"):
        if (directory / "libmpich.so.12").exists():
            (lib / "libmpich.so.12").symlink_to(directory / "libmpich.so.12")
    found = run(built / "which", MPIGLOT_MPI=str(tmp_path))
    assert found.stdout.splitlines()[0] == str(lib / "libmpich.so.12"), found.stderr


def test_what_was_tried_is_said(built: Path, tmp_path: Path) -> None:
    found = run(built / "which", MPIGLOT_MPI="/nonexistent/libmpi.so")
    assert found.returncode == 1
    assert "set MPIGLOT_MPI" in found.stderr
    assert "/nonexistent/libmpi.so (MPIGLOT_MPI)" in found.stderr
    found = run(built / "which", MPIGLOT_MPI=str(tmp_path))
    assert f"there is no MPI library in the folder {tmp_path} (MPIGLOT_MPI)" in found.stderr


def test_a_library_that_is_no_mpi_is_refused(built: Path) -> None:
    found = run(built / "which", MPIGLOT_MPI="libm.so.6")
    assert found.returncode == 1
    assert "it has no MPI_Init" in found.stderr


@pytest.mark.parametrize("says", ["Other MPI 1.2", "MPICH Version: 4.0.2"])
def test_a_library_without_the_sign_of_a_family_is_refused_whatever_it_says(
    built: Path, tmp_path: Path, says: str
) -> None:
    path = library(tmp_path, "other", ASKED % says)
    found = run(built / "which", path)
    assert found.returncode == 1
    assert says in found.stderr
    assert "bears the sign of no MPI family" in found.stderr
    assert "MPIR_Dup_fn of MPICH's family" in found.stderr


STRANGERS_PROGRAM = """package main

import (
	"errors"
	"fmt"
	"os"

	"mpiglot.dev/mpi/low"
)

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	must(low.Init())
	one, sum := []int32{1}, []int32{0}
	must(low.Allreduce(low.Slice(one), low.Slice(sum), 1, low.Int, low.Sum, low.CommWorld))
	mode := low.AccessMode(low.ModeCreate | low.ModeRdwr | low.ModeDeleteOnClose)
	file, err := low.FileOpen(low.CommWorld, os.Args[1], mode, low.InfoNull)
	must(err)
	must(low.FileWrite(file, low.Slice(make([]byte, 12)), 12, low.Byte, nil))
	must(low.FileSeek(file, 7, low.SeekSet))
	first, err := low.FileGetPosition(file)
	must(err)
	must(low.FileSeek(file, 5, low.SeekCur))
	second, err := low.FileGetPosition(file)
	must(err)
	must(low.FileClose(&file))
	refused := "a rank is taken"
	must(low.CommSetErrhandler(low.CommWorld, low.ErrorsReturn))
	if errors.Is(low.Send(low.Slice(one), 1, low.Int, 99, 0, low.CommWorld), low.ErrRank) {
		refused = "a rank is refused"
	}
	fmt.Printf("sum %d, positions %d %d, %s\\n", sum[0], first, second, refused)
	must(low.Finalize())
}
"""


@pytest.fixture(scope="module")
def strangers_program(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("strangers")
    made = compiled(folder, built, STRANGERS_PROGRAM)
    assert made.returncode == 0, made.stderr
    return folder / "program"


@pytest.mark.parametrize("behind", FAMILIES)
@pytest.mark.parametrize("says", STRANGERS)
def test_a_library_is_served_by_its_family_whatever_it_says(
    strangers_program: Path, tmp_path: Path, says: str, behind: str
) -> None:
    path = stranger(tmp_path, STRANGERS[says], behind)
    found = run(strangers_program, tmp_path / "file", MPIGLOT_MPI=str(path))
    assert (found.returncode, found.stdout.strip()) == (0, RIGHT), found.stdout + found.stderr
    title, tables = FAMILIES[behind]
    remarks = [line for line in found.stderr.splitlines() if "going on with" in line]
    assert len(remarks) == 1
    assert remarks[0].rpartition(" ")[2] in tables or (says == "open" and behind == OPENMPI)
    assert title in remarks[0] or (says == "open" and behind == OPENMPI)


@pytest.mark.parametrize("says", IMPOSTORS)
def test_a_library_that_says_it_is_another_has_its_own_values(
    strangers_program: Path, tmp_path: Path, says: str
) -> None:
    path = stranger(tmp_path, says, IMPOSTORS[says])
    prefix = Path(IMPOSTORS[says]).parents[1]
    found = run(strangers_program, tmp_path / "file", MPIGLOT_MPI=str(path), I_MPI_ROOT=str(prefix))
    assert (found.returncode, found.stdout.strip()) == (0, RIGHT), found.stdout + found.stderr
    assert "by its text, but has constants of " in found.stderr


@pytest.mark.parametrize(("version", "standard", "taken"), UNKNOWN_RELEASES)
def test_an_unknown_release_takes_the_nearest_of_its_series_and_standard_and_says_so(
    built: Path, tmp_path: Path, version: str, standard: str, taken: str
) -> None:
    path = unknown_mpich(tmp_path, version, standard)
    found = run(built / "which", path)
    assert found.returncode == 0, found.stderr
    assert f"constants of {taken}" in found.stdout
    assert version in found.stderr and f"going on with the constants of {taken}" in found.stderr


def test_a_library_that_lacks_what_its_release_has_is_refused(built: Path, tmp_path: Path) -> None:
    text = "Open MPI v4.1.4, package: none"
    symbol = "\nint ompi_mpi_comm_world;"
    path = library(tmp_path, "empty", ASKED % text + symbol)
    found = run(built / "which", path)
    assert found.returncode == 1
    assert "it is not the MPI it says it is" in found.stderr


@needs_openmpi
def test_a_second_mpi_in_the_process_is_refused(built: Path) -> None:
    found = run(built / "which", LD_PRELOAD=OPENMPI, MPIGLOT_MPI=MPICH)
    assert found.returncode == 1
    assert "this process has another MPI already" in found.stderr


# --------------------------------------------------------------------------- guards


@needs_openmpi
def test_the_launcher_of_another_mpi_is_noticed(built: Path) -> None:
    found = run("mpiexec.mpich", "-n", "2", built / "demo", MPIGLOT_MPI=OPENMPI)
    assert found.returncode != 0
    assert "started by the launcher of another MPI" in found.stderr
    assert "PMI_SIZE=2" in found.stderr
    found = run("mpiexec.openmpi", "-n", "2", built / "demo", MPIGLOT_MPI=MPICH)
    assert found.returncode != 0
    assert "OMPI_COMM_WORLD_SIZE=2" in found.stderr


@needs_openmpi
def test_the_guard_can_be_turned_off(built: Path) -> None:
    alone = {"MPIGLOT_MPI": MPICH, "MPIGLOT_GUARD": "off"}
    found = run("mpiexec.openmpi", "-n", "2", built / "demo", **alone)
    assert found.stdout.count("demo go: ok on 1 ranks") == 2


def test_a_launcher_that_the_library_cannot_speak_with_is_refused_before_it_is_asked(
    built: Path,
) -> None:
    found = run(built / "demo", MPIGLOT_MPI=MPICH, **FIRST_OF_PMIX)
    assert found.returncode == 1
    assert "MPI_Init_thread: this job has 2 processes (OMPI_COMM_WORLD_SIZE=2)" in found.stderr
    assert "this one would be alone" in found.stderr  # MPICH 5 would end the process in MPI_Init


@needs_openmpi
def test_a_process_alone_among_several_of_its_own_launcher_says_so_once(built: Path) -> None:
    for rank, times in (("0", 1), ("1", 0)):
        job = {**FIRST_OF_OPENMPI, "OMPI_COMM_WORLD_RANK": rank}
        found = run(built / "demo", MPIGLOT_MPI=OPENMPI, **job)
        assert found.returncode == 0, found.stderr
        assert found.stderr.count("OMPI_COMM_WORLD_SIZE says that this job has 2") == times


def test_a_process_that_cannot_start_ends_the_job(built: Path) -> None:
    found = run_with_one_lost(built / "demo")
    assert found.returncode not in (0, 124)
    assert "no MPI library could be loaded" in found.stderr


def test_a_process_alone_is_no_mistake(built: Path) -> None:
    found = run(built / "demo", MPIGLOT_MPI=MPICH)
    assert found.returncode == 0, found.stderr
    assert "demo go: ok on 1 ranks with MPICH" in found.stdout


# --------------------------------------------------------------------------- tools

TOOL = """
#include <stdio.h>
#include <stdlib.h>
static int sends, barriers;
int PMPI_Send(const void *, int, int, int, int, int);
int PMPI_Comm_rank(int, int *);
int PMPI_Finalize(void);
int MPI_Send(const void *b, int n, int d, int to, int tag, int comm) {
  sends++;
  return PMPI_Send(b, n, d, to, tag, comm);
}
int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(0x44000000, &rank);
  fprintf(stderr, "tool: rank %d, %d sends\\n", rank, sends);
  return PMPI_Finalize();
}
"""


def test_a_preloaded_tool_sees_the_calls(built: Path, tmp_path: Path) -> None:
    tool = library(tmp_path, "tool", TOOL)
    found = run("mpiexec.mpich", "-n", "2", "-env", "LD_PRELOAD", tool, built / "demo")
    assert found.returncode == 0, found.stderr
    # the ring, a column, a wrong rank; the last is an Isend
    assert "tool: rank 0, 3 sends" in found.stderr
    assert "tool: rank 1, 3 sends" in found.stderr


# --------------------------------------------------------------------------- the API


def compiled(folder: Path, built: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Builds a program of one file against the two modules."""
    (folder / "main.go").write_text(source, encoding="utf-8")
    (folder / "go.mod").write_text(
        "module program\n\ngo 1.24\n\nrequire mpiglot.dev/mpi v0.0.0\n"
        "require mpiglot.dev/mpi/low v0.0.0\n"
        f"replace mpiglot.dev/mpi => {ROOT}/go_runtime\n"
        f"replace mpiglot.dev/mpi/low => {ROOT}/go_runtime/low\n",
        encoding="utf-8",
    )
    return run(
        "go", "build", "-C", folder, "-buildvcs=false", "-o", "program", ".",
        CGO_ENABLED="1", GOWORK="off",
    )  # fmt: skip


def test_the_program_of_the_readme_runs(built: Path, tmp_path: Path) -> None:
    text = (ROOT / "go_runtime" / "README.md").read_text(encoding="utf-8")
    source = text.split("```go\n")[1].split("```")[0]
    made = compiled(tmp_path, built, source)
    assert made.returncode == 0, made.stderr
    found = run("mpiexec.mpich", "-n", "4", tmp_path / "program")
    assert found.stdout == "the ranks add up to 6\n"


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("low.CommRank(low.Int)", "low.Datatype"),
        ("low.Barrier(low.Sum)", "low.Op"),
        ("low.InitThread(low.Ident + low.CommWorld)", "mismatched types|cannot use"),
        ("low.Send(nil, 1, low.Int, 0, 0, low.CommWorld)", "nil"),
        ("mpi.Allreduce(nil, []bool{true}, nil, mpi.Sum)", "bool does not satisfy mpi.Number"),
        (
            "mpi.Allreduce(nil, []complex128{1}, nil, mpi.Max)",
            "complex128 does not satisfy mpi.Real",
        ),
        (
            "mpi.Scan(nil, []float64{1}, nil, mpi.LogicalAnd)",
            "float64 does not satisfy mpi.Logical",
        ),
        (
            "mpi.Reduce(nil, []float64{1}, nil, mpi.BitOr, 0)",
            "float64 does not satisfy mpi.Integer",
        ),
        ("mpi.Iallreduce(nil, [][2]int{}, nil, mpi.Min)", "does not satisfy mpi.Real"),
        ("mpi.Allreduce(nil, []int8{1}, nil, own[int64]())", "mpi.Op.int64. of own"),
        ("mpi.SendLayout(nil, every[int64](), []int8{1}, 0, 0)", "int8|mpi.Layout"),
    ],
)
def test_mixed_up_arguments_do_not_compile(
    built: Path, tmp_path: Path, statement: str, complaint: str
) -> None:
    source = f"""package main

import (
	"mpiglot.dev/mpi"
	"mpiglot.dev/mpi/low"
)

func own[T any]() (op mpi.Op[T])          {{ return op }}
func every[T any]() (l *mpi.Layout[T])    {{ return l }}
var _ = low.CommNull

func main() {{
	{statement}
}}
"""
    made = compiled(tmp_path, built, source)
    assert made.returncode != 0
    assert re.search(complaint, made.stderr), made.stderr


def test_calls_before_init_and_after_finalize_are_errors(built: Path, tmp_path: Path) -> None:
    source = """package main

import (
	"errors"
	"fmt"

	"mpiglot.dev/mpi/low"
)

func main() {
	_, before := low.CommRank(low.CommWorld)
	first := low.Init()
	second := low.Init()
	last := low.Finalize()
	_, after := low.CommRank(low.CommWorld)
	again := low.Init()
	_, session := low.SessionInit(low.InfoNull, low.ErrorsReturn)
	kept := low.Int
	free := low.TypeFree(&kept)
	fmt.Println(errors.Is(before, low.ErrNotLoaded), first, second != nil, last,
		errors.Is(after, low.ErrNotRunning), again != nil,
		errors.Is(low.Finalize(), low.ErrNotRunning), errors.Is(session, low.ErrNotRunning),
		errors.Is(free, low.ErrNotRunning) && kept == low.Int)
}
"""
    made = compiled(tmp_path, built, source)
    assert made.returncode == 0, made.stderr
    found = run(tmp_path / "program", MPIGLOT_MPI=MPICH)
    wanted = ["true", "<nil>", "true", "<nil>", "true", "true", "true", "true", "true"]
    assert found.stdout.split() == wanted


def test_the_upper_package_is_an_error_before_init_and_after_finalize(
    built: Path, tmp_path: Path
) -> None:
    source = """package main

import (
	"errors"
	"fmt"

	"mpiglot.dev/mpi"
)

func ask(when string) {
	world, one := mpi.World(), []int{1}
	_, begun := mpi.Irecv(world, one, 0, 0)
	_, dup := world.Dup()
	errs := []error{mpi.Bcast(world, one, 0), mpi.Allreduce(world, one, []int{0}, mpi.Sum),
		mpi.Alltoall(world, one, []int{0}), mpi.Send(world, one, 0, 0), begun, dup, world.Barrier()}
	for i, err := range errs {
		if !errors.Is(err, mpi.ErrNotRunning) {
			fmt.Println(when, i, err)
		}
	}
	fmt.Println(when, world.Rank() == mpi.Undefined, world.Size())
}

func main() {
	ask("before")
	fmt.Println(errors.Is(mpi.Finalize(), mpi.ErrNotRunning), mpi.Run(nil) != nil)
	fmt.Println(mpi.Init())
	fmt.Println(mpi.Init() != nil)
	fmt.Println(mpi.World().Barrier(), mpi.Finalize())
	ask("after")
}
"""
    made = compiled(tmp_path, built, source)
    assert made.returncode == 0, made.stderr
    found = run(tmp_path / "program", MPIGLOT_MPI=MPICH)
    assert found.stdout.splitlines() == [
        "before true 0", "true true", "<nil>", "true", "<nil> <nil>", "after false 1",
    ], found.stderr  # fmt: skip


def test_what_needs_a_running_mpi_is_an_error_without_one(built: Path, tmp_path: Path) -> None:
    source = """package main

import (
	"errors"
	"fmt"
	"math"

	"mpiglot.dev/mpi/low"
)

func ask(when string) {
	_, name := low.GetProcessorName()
	_, level := low.QueryThread()
	_, main := low.IsThreadMain()
	dims := low.DimsCreate(4, make([]int, 2))
	_, class := low.AddErrorClass()
	_, key := low.CommCreateKeyval(nil, nil)
	for i, err := range []error{name, level, main, dims, class, key} {
		if !errors.Is(err, low.ErrNotRunning) {
			fmt.Println(when, i, err)
		}
	}
	if !math.IsNaN(low.Wtime()) || !math.IsNaN(low.Wtick()) {
		fmt.Println(when, "there is a time")
	}
	info, err := low.InfoCreate()
	if err == nil {
		err = low.InfoFree(&info)
	}
	class4, err4 := low.ErrorClass(0)
	fmt.Println(when, err == nil, errors.Is(err, low.ErrNotRunning), err4 == nil && class4 == 0)
}

func main() {
	if err := low.Load(low.Options{}); err != nil {
		panic(err)
	}
	ask("before")
	fmt.Println(low.Init())
	fmt.Println(low.Wtime() >= 0)
	fmt.Println(low.Finalize())
	ask("after")
}
"""
    made = compiled(tmp_path, built, source)
    assert made.returncode == 0, made.stderr
    libraries = [(MPICH, "true false true")]  # MPI 4 allows infos and error classes at any time
    if shutil.which("mpiexec.openmpi"):
        libraries.append((OPENMPI, "false true false"))
    for path, early in libraries:
        found = run(tmp_path / "program", MPIGLOT_MPI=path)
        expected = [f"before {early}", "<nil>", "true", "<nil>", f"after {early}"]
        assert found.stdout.splitlines() == expected, (path, found.stdout, found.stderr)


@pytest.mark.parametrize(("level", "refused"), [("Funneled", "true"), ("Multiple", "false")])
def test_other_threads_are_refused_where_mpi_does_not_allow_them(
    built: Path, tmp_path: Path, level: str, refused: str
) -> None:
    source = f"""package main

import (
	"errors"
	"fmt"

	"mpiglot.dev/mpi/low"
)

func main() {{
	_, err := low.InitThread(low.Thread{level})
	_, here := low.CommRank(low.CommWorld)
	other := make(chan error)
	go func() {{
		_, err := low.CommRank(low.CommWorld)
		other <- err
	}}()
	fmt.Println(err, here, errors.Is(<-other, low.ErrWrongThread), low.Finalize())
}}
"""
    made = compiled(tmp_path, built, source)
    assert made.returncode == 0, made.stderr
    found = run(tmp_path / "program", MPIGLOT_MPI=MPICH)
    assert found.stdout.split() == ["<nil>", "<nil>", refused, "<nil>"], found.stderr


def test_running_out_of_callbacks_is_an_error(built: Path) -> None:
    made = run(ROOT / "go_runtime" / "build-tests", ROOT / "go_runtime" / "low", built)
    assert made.returncode == 0, made.stderr
    found = run(
        built / "tests",
        "-test.run",
        "RunningOutOfSlots",
        MPIGLOT_TEST_SLOTS="1",
        MPIGLOT_TEST_ALONE="1",
        MPIGLOT_MPI=MPICH,
    )
    assert "--- PASS: TestRunningOutOfSlotsIsAnError" in found.stdout


def test_a_failing_rank_ends_the_job(built: Path, tmp_path: Path) -> None:
    source = """package main

import (
	"errors"
	"os"
	"runtime"

	"mpiglot.dev/mpi"
)

func main() {
	mpi.Main(func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			if len(os.Args) > 1 {
				runtime.Goexit()
			}
			return errors.New("I have had enough")
		}
		return world.Barrier()
	})
}
"""
    made = compiled(tmp_path, built, source)
    assert made.returncode == 0, made.stderr
    found = run("timeout", str(guard(60)), "mpiexec.mpich", "-n", "3", tmp_path / "program")
    assert found.returncode not in (0, 124)
    assert "rank 1: I have had enough" in found.stderr
    found = run(
        "timeout", str(guard(60)), "mpiexec.mpich", "-n", "3", tmp_path / "program", "leave"
    )
    assert found.returncode not in (0, 124)
    assert "rank 1: the program left without returning" in found.stderr


@needs_openmpi
def test_lists_of_arguments_reach_programs_that_are_spawned(built: Path, tmp_path: Path) -> None:
    source = """package main

import (
	"fmt"
	"os"
	"strings"

	"mpiglot.dev/mpi/low"
)

func main() {
	low.Init()
	parent, _ := low.CommGetParent()
	if parent != low.CommNull {
		text := []byte(strings.Join(os.Args[1:], "|"))
		low.Send(low.Slice(text), len(text), low.Byte, 0, 1, parent)
		low.CommDisconnect(&parent)
	} else {
		me := os.Args[0]
		children, err := low.CommSpawnMultiple([]string{me, me}, [][]string{{"a", "b c"}, {"d"}},
			[]int{1, 1}, []low.Info{low.InfoNull, low.InfoNull}, 0, low.CommSelf, nil)
		if err != nil {
			fmt.Println(err)
		}
		for i := range 2 {
			text := make([]byte, 80)
			var status low.Status
			low.Recv(low.Slice(text), 80, low.Byte, i, 1, children, &status)
			n, _ := low.GetCount(&status, low.Byte)
			fmt.Println(string(text[:n]))
		}
		low.CommDisconnect(&children)
	}
	low.Finalize()
}
"""
    made = compiled(tmp_path, built, source)
    assert made.returncode == 0, made.stderr
    found = run("timeout", str(guard(60)), "mpiexec.openmpi", "-n", "1", tmp_path / "program")
    assert found.stdout.splitlines() == ["a|b c", "d"], found.stderr


@pytest.mark.skipif(
    not shutil.which("staticcheck"),
    reason="there is no staticcheck on PATH; ci/test --matrix has it",
)
@pytest.mark.parametrize("folder", ["go_runtime/low", "go_runtime"])
def test_staticcheck_finds_nothing(folder: str) -> None:
    found = subprocess.run(
        ["staticcheck", "./..."],
        cwd=ROOT / folder,
        capture_output=True,
        text=True,
        timeout=guard(300),
    )
    assert (found.stdout, found.returncode) == ("", 0)
