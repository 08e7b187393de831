"""A C++ program into which another family's library was loaded ends with a sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.inputs import Inputs

LIBRARIES = Path("/usr/lib/x86_64-linux-gnu")
# target -> its wrapper, a library of the other family, the target's own name for itself
MPIS = {
    "mpich-4.0.2": ("mpicxx.mpich", LIBRARIES / "libmpi.so.40", "MPICH 4.0.2"),
    "openmpi-4.1.4": ("mpicxx.openmpi", LIBRARIES / "libmpich.so.12", "Open MPI 4.1.4"),
    "mpich-5.0.2-abi": (
        str(Path(__file__).parents[2] / ".mpi/mpich-5.0.2/bin/mpicxx_abi"),
        LIBRARIES / "libmpi.so.40",
        "the MPI 5.0 ABI",
    ),
}
# What a library says of the standard ABI: its version, or that it is none.
SAYS = """\
int PMPI_Init(int* argc, char*** argv) { return 0; }
int PMPI_Abi_get_version(int* major, int* minor) { *major = %s; *minor = 0; return 0; }
"""
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
    subprocess.run([wrapper, *options], check=True, timeout=120)
    assert subprocess.run([program], timeout=60, check=False).returncode == 0
    done = subprocess.run(
        [program], env={**os.environ, "LD_PRELOAD": str(foreign)},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert f"this program was compiled for {name}, but the library" in done.stdout
    for version, is_abi in (("1", True), ("-1", False)):
        (tmp_path / "says.c").write_text(SAYS % version, encoding="utf-8")
        says = tmp_path / f"says{version}.so"
        subprocess.run(
            ["gcc", "-shared", "-fPIC", tmp_path / "says.c", "-o", says], check=True, timeout=120
        )
        code = subprocess.run(
            [program], env={**os.environ, "LD_PRELOAD": str(says)},
            stdout=subprocess.DEVNULL, timeout=60, check=False,
        ).returncode  # fmt: skip
        assert code == (0 if is_abi == target.endswith("-abi") else 3)
    assert ("Open MPI v" if "libmpi.so" in foreign.name else "MPICH Version") in done.stdout
