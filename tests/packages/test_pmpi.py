"""Who has the wheel and an MPI can make the PMPI library, and sees a program's calls with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.packages.outside import Mpi, Tool, Words, environment, run

PROGRAM = """\
#include <mpi.h>
int main(int argc, char **argv) {
  int one = 1, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum == 2 ? 0 : 1;
}
"""


@pytest.mark.timeout(900)
def test_the_wheel_makes_a_library_that_sees_every_call(tool: Tool, tmp_path: Path) -> None:
    mpi = Mpi.get("mpich-4.0.2")
    env = mpi.environment(tmp_path / "home")
    made = tmp_path / "made"
    tool.run("generate", "pmpi", "--target", mpi.name, "-o", made, cwd=tmp_path)
    cc = mpi.installation.cc
    run("bash", made / "pmpi/build", cc, made / "library", cwd=tmp_path, env=env, seconds=800)
    (tmp_path / "program.c").write_text(PROGRAM, encoding="utf-8")
    run(cc, "program.c", "-o", "program", cwd=tmp_path, env=env)
    library = made / "library/libmpiglot_pmpi.so"
    settings = [f"LD_PRELOAD={library}", f"MPIGLOT_PMPI_REPORT={tmp_path}/report"]
    mpi.run(tmp_path / "home", "env", *settings, tmp_path / "program")
    reader: Words = [tool.python, "-m", "mpiglot.generators.pmpi_report"]
    told = run(*reader, tmp_path / "report", cwd=tmp_path, env=environment(tmp_path / "home"))
    assert "2 processes" in told.stdout
    assert re.search(r"MPI_Allreduce +2 routed", told.stdout)
