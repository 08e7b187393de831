"""A C++ program into which another family's library was loaded ends with a sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.inputs import Inputs
from tests.generators.programs import (
    ABI,
    FAMILIES,
    INSTALLED,
    MPICH,
    OPENMPI,
    RIGHT,
    STRANGERS,
    VERSION,
    library,
    run,
)
from tests.limits import guard

LIBRARIES = Path("/usr/lib/x86_64-linux-gnu")
# target -> its wrapper, a library of the other family, the target's own name for itself
MPIS = {
    "mpich-4.0.2": ("mpicxx.mpich", LIBRARIES / "libmpi.so.40", "MPICH 4.0.2"),
    "openmpi-4.1.4": ("mpicxx.openmpi", LIBRARIES / "libmpich.so.12", "Open MPI 4.1.4"),
    "mpich-5.0.2-abi": (
        str(INSTALLED / "mpich-5.0.2/bin/mpicxx_abi"),
        LIBRARIES / "libmpi.so.40",
        "the MPI 5.0 ABI",
    ),
}
# A library with the sign of the standard ABI, of MPICH's family beside an MPI_Abi_get_version that
# tells that it is none of the standard ABI, and without a sign.
INIT = "int PMPI_Init(int* argc, char*** argv) { return 0; }\n"
TELLS = "int MPI_Abi_get_version(int* major, int* minor) { *major = %s; *minor = 0; return 0; }\n"
SIGNS = {
    "abi": INIT + TELLS % "1",
    "mpich": INIT + TELLS % "-1" + "int MPIR_Dup_fn;",
    "": INIT,
}
PROGRAM = """\
#include <cstdio>
#include <mpiglot/mpi/guard.hpp>
int main() {
  try {
    mpiglot::mpi::guard_before_init();
  } catch (const mpiglot::mpi::error& error) {
    std::puts(error.what());
    return 3;
  }
}
"""


@pytest.mark.parametrize("target", sorted(MPIS))
def test_the_library_of_another_family_is_refused(target: str, tmp_path: Path) -> None:
    wrapper, foreign, name = MPIS[target]
    if shutil.which(wrapper) is None or not foreign.exists():
        pytest.skip(f"{wrapper} or {foreign.name} is not installed")
    produce(Unit("cpp", target, tmp_path / "layer"), Inputs.of_known()).write()
    source, program = tmp_path / "program.cpp", tmp_path / "program"
    source.write_text(PROGRAM, encoding="utf-8")
    options = ["-std=c++20", "-I", str(tmp_path / "layer"), str(source), "-o", str(program)]
    subprocess.run([wrapper, *options], check=True, timeout=guard(120))
    assert subprocess.run([program], timeout=guard(60), check=False).returncode == 0
    done = subprocess.run(
        [program], env={**os.environ, "LD_PRELOAD": str(foreign)},
        capture_output=True, text=True, timeout=guard(60), check=False,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert f"this program was compiled for {name}, but the library" in done.stdout
    assert ("Open MPI v" if "libmpi.so" in foreign.name else "MPICH Version") in done.stdout
    own = {"mpich-4.0.2": "mpich", "mpich-5.0.2-abi": "abi"}.get(target)
    for family, code in SIGNS.items():
        bearer = library(tmp_path, f"bears{family}", code)
        found = run(program, LD_PRELOAD=str(bearer))
        assert found.returncode == (0 if family == own else 3), (family, found.stdout)


RIGHT_PROGRAM = """\
#include <cstdio>
#include <mpiglot/mpi.hpp>
#include <mpiglot/mpi/guard.hpp>
namespace mpi = mpiglot::mpi;
int main(int argc, char** argv) {
  mpi::guard_before_init();
  mpi::init(mpi::main_arguments(argc, argv));
  mpi::guard_after_init();
  mpi::comm_set_errhandler(mpi::comm_world, mpi::errors_return);
  const int one = 1;
  int sum = 0;
  mpi::allreduce(&one, &sum, 1, mpi::int_, mpi::sum, mpi::comm_world);
  using mode = mpi::access_mode;
  mpi::file_handle file = mpi::file_open(
      mpi::comm_world, argv[1], mode::create | mode::rdwr | mode::delete_on_close, mpi::info_null);
  mpi::file_write(file, "twelve bytes", 12, mpi::byte);
  mpi::file_seek(file, 7, mpi::seek::set);
  const auto first = static_cast<long>(mpi::file_get_position(file));
  mpi::file_seek(file, 5, mpi::seek::cur);
  const auto second = static_cast<long>(mpi::file_get_position(file));
  mpi::file_close(file);
  const char* refused = "a rank is taken";
  try {
    mpi::send(&one, 1, mpi::int_, 99, 0, mpi::comm_world);
  } catch (const mpi::error& error) {
    if (error.error_class() == mpi::error_class::rank) refused = "a rank is refused";
  }
  std::printf("sum %d, positions %ld %ld, %s\\n", sum, first, second, refused);
  mpi::finalize();
}
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same program, compiled for a member of each family."""
    made: dict[str, Path] = {}
    for target, library_file in (("mpich-5.0.2-abi", str(ABI)), ("mpich-4.0.2", MPICH),
                                 ("openmpi-4.1.4", OPENMPI)):  # fmt: skip
        if shutil.which(MPIS[target][0]) is None:
            continue
        folder = tmp_path_factory.mktemp(target)
        produce(Unit("cpp", target, folder / "layer"), Inputs.of_known()).write()
        source = folder / "program.cpp"
        source.write_text(RIGHT_PROGRAM, encoding="utf-8")
        options = ["-std=c++20", "-O0", "-I", str(folder / "layer"), str(source)]
        command = [MPIS[target][0], *options, "-o", str(folder / "program")]
        subprocess.run(command, check=True, timeout=guard(250))
        made[library_file] = folder / "program"
    return made


@pytest.mark.timeout(500)
@pytest.mark.parametrize("behind", FAMILIES)
@pytest.mark.parametrize("says", STRANGERS)
def test_a_library_is_served_by_its_family_whatever_it_says(
    programs: dict[str, Path], tmp_path: Path, says: str, behind: str
) -> None:
    if behind not in programs:
        pytest.skip(f"no wrapper for {behind} is installed")
    said = library(tmp_path, "said", VERSION % STRANGERS[says])
    found = run(programs[behind], tmp_path / "file", LD_PRELOAD=str(said))
    assert (found.returncode, found.stdout.strip()) == (0, RIGHT), found.stdout + found.stderr
