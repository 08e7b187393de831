"""Who has the wheel, or the C++ package, and an MPI can make the PMPI library and use it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.packages.outside import Mpi, Tool, Words, environment, run
from tests.tiers import in_turn

CONSUMER = Path(__file__).parent / "consumers" / "cpp"

# The library takes a minute to compile, from the same sources in both ways (test_wheel.py).
WAYS = in_turn(("wheel", "package"))

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


@pytest.mark.skipif("wheel" not in WAYS, reason="in another turn, and in the matrix run")
@pytest.mark.timeout(900)
def test_the_wheel_makes_a_library_that_sees_every_call(tool: Tool, tmp_path: Path) -> None:
    mpi = Mpi.get("mpich-4.0.2")
    env = mpi.environment(tmp_path / "home")
    made = tmp_path / "made"
    tool.run("generate", "pmpi", "--target", mpi.name, "-o", made, cwd=tmp_path)
    cc = mpi.installation.cc
    quick = {**env, "CXXFLAGS": "-O0"}
    run("bash", made / "pmpi/build", cc, made / "library", cwd=tmp_path, env=quick, seconds=800)
    (tmp_path / "program.c").write_text(PROGRAM, encoding="utf-8")
    run(cc, "program.c", "-o", "program", cwd=tmp_path, env=env)
    library = made / "library/libmpiglot_pmpi.so"
    settings = [f"LD_PRELOAD={library}", f"MPIGLOT_PMPI_REPORT={tmp_path}/report"]
    mpi.run(tmp_path / "home", "env", *settings, tmp_path / "program")
    reader: Words = [tool.python, "-m", "mpiglot.generators.pmpi.report"]
    told = run(*reader, tmp_path / "report", cwd=tmp_path, env=environment(tmp_path / "home"))
    assert "2 processes" in told.stdout
    assert re.search(r"MPI_Allreduce +2 routed", told.stdout)


@pytest.mark.skipif("package" not in WAYS, reason="in another turn, and in the matrix run")
@pytest.mark.timeout(900)
def test_the_package_has_a_target_for_it(tool: Tool, tmp_path: Path) -> None:
    mpi = Mpi.get("mpich-4.0.2")
    env = mpi.environment(tmp_path / "home")
    package = tmp_path / "the package"
    tool.run("package", "cpp", "--target", mpi.name, "-o", package, cwd=tmp_path)
    project = Path(shutil.copytree(CONSUMER, tmp_path / "a project"))
    listing = project / "CMakeLists.txt"
    listing.write_text(listing.read_text().replace("COMPONENTS mpi", "COMPONENTS pmpi mpi"))
    build = tmp_path / "build"
    words: Words = ["cmake", "-S", project, "-B", build, "-G", "Ninja", "-DMPIGLOT_GENERATE=OFF"]
    words += [f"-DCMAKE_PREFIX_PATH={package}", "-DCMAKE_BUILD_TYPE=Debug"]
    run(*words, f"-DMPI_CXX_COMPILER={mpi.cxx}", cwd=tmp_path, env=env)
    targets = ["--target", "program", "mpiglot_pmpi"]
    run("cmake", "--build", build, *targets, cwd=tmp_path, env=env, seconds=800)
    report = tmp_path / "report"
    settings = [f"LD_PRELOAD={build}/libmpiglot_pmpi.so", f"MPIGLOT_PMPI_REPORT={report}"]
    said = mpi.run(tmp_path / "home", "env", *settings, build / "program")
    assert "the sum over 2 ranks is 3" in said
    assert report.read_text().count('"MPI_Allreduce": {"routed": 1}') == 2
