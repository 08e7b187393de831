"""What `mpiglot env` prints is what the shells take, and leads to the MPI that was asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mpiglot.provision.environment import Environment, foreign_roots, of_installation, render
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import Installation, install, locate
from tests.limits import guard

AWKWARD = 'it\'s a "value" with $HOME; `and` \\ more'
BASE = {"PATH": "/usr/bin:/bin", "I_MPI_ROOT": "/stale", "HOME": "/root"}


@pytest.fixture
def changes(tmp_path: Path) -> Environment:
    folder = tmp_path / "with space"
    folder.mkdir()
    return Environment({"MPICC": AWKWARD}, [folder], ["I_MPI_ROOT"])


def _fake(name: str, prefix: Path) -> Installation:
    mpi = matrix().get(name)
    programs = prefix / "bin"
    return Installation(
        mpi,
        prefix,
        programs / mpi.cc,
        programs / mpi.cxx,
        programs / mpi.launcher,
        prefix / mpi.library,
    )


def test_sh_lines_survive_any_value(changes: Environment) -> None:
    lines = render(changes, "sh", BASE)
    script = lines + 'printf "%s\\n%s\\n%s" "$MPICC" "$PATH" "${I_MPI_ROOT-gone}"'
    done = subprocess.run(
        ["sh", "-c", script],
        env=BASE,
        capture_output=True,
        text=True,
        timeout=guard(20),
        check=True,
    )
    assert done.stdout.splitlines() == [AWKWARD, f"{changes.path[0]}:/usr/bin:/bin", "gone"]


def test_fish_quotes_backslashes_and_quotes(changes: Environment) -> None:
    lines = render(changes, "fish", BASE).splitlines()
    escaped = AWKWARD.replace("\\", "\\\\").replace("'", "\\'")
    assert lines[0] == f"set -gx MPICC '{escaped}'"
    assert lines[1] == f"set -gx PATH '{changes.path[0]}' $PATH"
    assert lines[2] == "set -e I_MPI_ROOT"


def test_github_lines_are_plain_assignments(changes: Environment) -> None:
    lines = render(changes, "github", BASE).splitlines()
    assert lines == [f"MPICC={AWKWARD}", f"PATH={changes.path[0]}:/usr/bin:/bin"]


def test_json_says_null_for_what_is_to_be_unset(changes: Environment) -> None:
    data = json.loads(render(changes, "json", BASE))
    assert data["MPICC"] == AWKWARD
    assert data["I_MPI_ROOT"] is None


def test_applied_environment_leads_to_the_programs_of_the_mpi(tmp_path: Path) -> None:
    found = _fake("intelmpi-2021.19.0", tmp_path)
    result = of_installation(found, ci=False).applied({**BASE, "OPAL_PREFIX": "/stale"})
    assert result["I_MPI_ROOT"] == str(tmp_path)
    assert result["PATH"].split(":")[0] == str(tmp_path / "bin")
    assert result["MPICC"] == str(tmp_path / "bin" / "mpicc")
    assert result["MPIGLOT_MPI"] == str(tmp_path / "lib" / "libmpi.so.12")
    assert "OPAL_PREFIX" not in result


def test_moved_open_mpi_is_told_its_folder(tmp_path: Path) -> None:
    result = of_installation(_fake("openmpi-5.0.11", tmp_path), ci=False)
    assert result.set["OPAL_PREFIX"] == str(tmp_path)
    assert "OPAL_PREFIX" not in result.unset


def test_system_open_mpi_loses_a_stale_prefix() -> None:
    assert "OPAL_PREFIX" in of_installation(_fake("openmpi-4.1.4", Path("/usr")), ci=False).unset
    assert foreign_roots("mpich") == ["I_MPI_ROOT", "OPAL_PREFIX"]


def test_ci_allows_more_ranks_than_cores_and_names_the_defects(tmp_path: Path) -> None:
    for name, variable in (
        ("openmpi-4.1.8", "OMPI_MCA_rmaps_base_oversubscribe"),
        ("openmpi-5.0.11", "PRTE_MCA_rmaps_default_mapping_policy"),
    ):
        assert variable not in of_installation(_fake(name, tmp_path), ci=False).set
        with_ci = of_installation(_fake(name, tmp_path), ci=True).set
        assert variable in with_ci
        assert with_ci["MPIGLOT_MPI_NAME"] == name
        assert "callbacks-after-free" in with_ci["MPIGLOT_DEFECTS"].split(",")


def test_simgrid_is_not_offered_for_loading() -> None:
    assert "MPIGLOT_MPI" not in of_installation(_fake("simgrid-3.32", Path("/usr")), ci=False).set


HERE = [mpi.name for mpi in matrix().mpis if locate(mpi) is not None]
PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank = 0, size = 0, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, sum %d\\n", size, sum);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    file = tmp_path_factory.mktemp("ranks") / "ranks.c"
    file.write_text(PROGRAM, encoding="utf-8")
    yield file


def _matrix_command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mpiglot.ci", *words],
        capture_output=True,
        text=True,
        timeout=guard(120),
        check=False,
    )


@pytest.mark.skipif(not HERE, reason="no MPI of the matrix is installed")
@pytest.mark.parametrize("name", HERE)
def test_every_installed_mpi_compiles_and_runs_four_ranks(name: str, source: Path) -> None:
    program = source.with_name(name)
    install(matrix().get(name))
    compiled = _matrix_command("cc", name, str(source), "-o", str(program))
    assert compiled.returncode == 0, compiled.stderr
    ran = _matrix_command("run", name, "-n", "4", "--timeout", "60", str(program))
    assert "4 ranks, sum 6" in ran.stdout, ran.stderr
    assert ran.returncode == 0
