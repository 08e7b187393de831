"""Which library the jar takes, and what it says of one that it does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generators.java_programs import guards, java_of, javac, needs_gcc, needs_java
from tests.generators.programs import (
    FAMILIES,
    FIRST_OF_OPENMPI,
    FIRST_OF_PMIX,
    IMPOSTORS,
    MPICH,
    OPENMPI,
    RIGHT,
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
from tests.tiers import in_turn

pytestmark = needs_java


@needs_openmpi
def test_the_launchers_own_library_is_taken(jars: Path) -> None:
    for launcher, table in (("mpich", "mpich-4.0.2|mpich"), ("openmpi", "openmpi-4.1.4|ompi")):
        said = guards(jars, "which", f"mpiexec.{launcher}", "-n", "1", MPIGLOT_MPI=None)
        assert said.strip().endswith(table), said


@needs_openmpi
def test_a_launcher_of_another_mpi_is_refused_with_a_sentence(jars: Path) -> None:
    done = run("mpiexec.mpich", "-n", "2", jars / "demo", MPIGLOT_MPI=OPENMPI)
    assert done.returncode != 0
    assert "The launcher started 2 processes (PMI_SIZE)" in done.stderr
    assert "belongs to another MPI" in done.stderr


def test_a_launcher_that_the_library_cannot_speak_with_is_refused_before_it_is_asked(
    jars: Path,
) -> None:
    done = run(jars / "demo", MPIGLOT_MPI=MPICH, **FIRST_OF_PMIX)
    assert done.returncode == 1
    assert "The launcher started 2 processes (OMPI_COMM_WORLD_SIZE)" in done.stderr
    assert "would see only one" in done.stderr  # MPICH 5 would end the process in MPI_Init


@needs_openmpi
def test_a_process_alone_among_several_of_its_own_launcher_says_so(jars: Path) -> None:
    done = run(jars / "demo", MPIGLOT_MPI=OPENMPI, **FIRST_OF_OPENMPI)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("OMPI_COMM_WORLD_SIZE says that this job has 2") == 1


def test_a_process_that_cannot_start_ends_the_job(jars: Path) -> None:
    done = run_with_one_lost(jars / "demo")
    assert done.returncode not in (0, 124)
    assert "No MPI library could be loaded" in done.stderr


@needs_openmpi
def test_guards_can_be_turned_off(jars: Path) -> None:
    done = run("mpiexec.mpich", "-n", "2", jars / "demo", MPIGLOT_MPI=OPENMPI, MPIGLOT_GUARD="off")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("demo java: ok on 1 ranks with Open MPI") == 2


def test_a_missing_library_is_told_with_what_was_tried(jars: Path) -> None:
    done = run(jars / "demo", MPIGLOT_MPI="/nonexistent/libmpi.so.12")
    assert done.returncode != 0
    assert "No MPI library could be loaded. Set MPIGLOT_MPI" in done.stderr
    assert "/nonexistent/libmpi.so.12" in done.stderr


def test_an_empty_folder_is_told(jars: Path, tmp_path: Path) -> None:
    done = run(jars / "demo", MPIGLOT_MPI=str(tmp_path))
    assert done.returncode != 0
    assert f"No MPI library in {tmp_path}" in done.stderr


def test_a_library_that_is_no_mpi_is_told(jars: Path) -> None:
    done = run(jars / "demo", MPIGLOT_MPI="libm.so.6")
    assert done.returncode != 0
    assert "libm.so.6 is no MPI library" in done.stderr


@needs_gcc
@pytest.mark.parametrize(("version", "standard", "taken"), in_turn(UNKNOWN_RELEASES, most=2))
def test_an_unknown_version_gets_the_nearest_table_of_its_series_and_standard_and_is_told(
    jars: Path, tmp_path: Path, version: str, standard: str, taken: str
) -> None:
    path = unknown_mpich(tmp_path, version, standard)
    done = run(jars / "demo", MPIGLOT_MPI=str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f'"MPICH Version: {version}" is not among the tested MPI libraries' in done.stderr
    assert f"the constants of {taken} are used" in done.stderr


@needs_gcc
@pytest.mark.parametrize("says", ["Other MPI 1.2", "MPICH Version: 4.0.2"])
def test_a_library_without_the_sign_of_a_family_is_refused_whatever_it_says(
    jars: Path, tmp_path: Path, says: str
) -> None:
    source = VERSION % says + "int PMPI_Init(int *argc, char ***argv) { return 1; }"
    done = run(jars / "demo", MPIGLOT_MPI=str(library(tmp_path, "other", source)))
    assert done.returncode != 0
    assert f'says "{says}", but bears the sign of no MPI family' in done.stderr
    assert "MPIR_Dup_fn of MPICH's family" in done.stderr


@needs_gcc
def test_a_library_that_lacks_what_its_release_has_is_refused(jars: Path, tmp_path: Path) -> None:
    source = VERSION % "Open MPI v4.1.4, package: none"
    source += "int PMPI_Init(int *argc, char ***argv) { return 1; } int ompi_mpi_comm_world;"
    done = run(jars / "demo", MPIGLOT_MPI=str(library(tmp_path, "empty", source)))
    assert done.returncode != 0
    assert "it is not the MPI it says it is" in done.stderr


STRANGERS_PROGRAM = """
import static dev.mpiglot.low.MpiConstants.*;

import dev.mpiglot.low.*;
import dev.mpiglot.mpi.MpiException;
import java.lang.foreign.*;

public class Strangers {
    public static void main(String[] args) {
        Environment.init();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(16);
            MemorySegment sum = arena.allocate(16);
            one.set(ValueLayout.JAVA_INT, 0, 1);
            Collectives.allreduce(one, sum, 1, DatatypeHandle.INT, OpHandle.SUM, CommHandle.WORLD);
            int mode = MODE_CREATE | MODE_RDWR | MODE_DELETE_ON_CLOSE;
            CommHandle world = CommHandle.WORLD;
            FileHandle file = InputOutput.fileOpen(world, args[0], mode, InfoHandle.NULL);
            InputOutput.fileWrite(file, one, 12, DatatypeHandle.BYTE, null);
            InputOutput.fileSeek(file, 7, SEEK_SET);
            long first = InputOutput.fileGetPosition(file);
            InputOutput.fileSeek(file, 5, SEEK_CUR);
            long second = InputOutput.fileGetPosition(file);
            InputOutput.fileClose(file);
            String refused = "a rank is taken";
            Environment.commSetErrhandler(CommHandle.WORLD, ErrhandlerHandle.ERRORS_RETURN);
            try {
                PointToPoint.send(one, 1, DatatypeHandle.INT, 99, 0, CommHandle.WORLD);
            } catch (MpiException e) {
                refused = e.errorClass() == ERR_RANK ? "a rank is refused" : "another error";
            }
            int added = sum.get(ValueLayout.JAVA_INT, 0);
            System.out.printf("sum %d, positions %d %d, %s%n", added, first, second, refused);
        }
        Environment.finalizeMpi();
    }
}
"""


@pytest.fixture(scope="module")
def strangers_program(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    folder = tmp_path_factory.mktemp("strangers")
    source = folder / "Strangers.java"
    source.write_text(STRANGERS_PROGRAM, encoding="utf-8")
    java, jar = java_of(jars), jars / "mpiglot.jar"
    made = javac(jars, "-cp", jar, "-d", folder, source)
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
