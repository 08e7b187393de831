"""What the tests of Go and Java programs share: how they run, and libraries made for one test."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from mpiglot.parser.find import mpi_folder
from tests.limits import guard

ROOT = Path(__file__).parents[2]
INSTALLED = mpi_folder(os.environ).absolute()
MPICH = "libmpich.so.12"  # Debian's names
OPENMPI = "libmpi.so.40"

needs_openmpi = pytest.mark.skipif(
    not shutil.which("mpiexec.openmpi"), reason="needs Debian's Open MPI"
)

_ROOT_MAY = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}

# A library that is of another version than the MPI behind it.
VERSION = """
#include <string.h>
int MPI_Get_library_version(char *text, int *length) {
  strcpy(text, "%s");
  *length = (int)strlen(text);
  return 0;
}
"""
STANDARD = """
int MPI_Get_version(int *version, int *subversion) {
  *version = %s;
  *subversion = %s;
  return 0;
}
"""


def run(*command: str | Path, **variables: str | None) -> subprocess.CompletedProcess[str]:
    """Runs a command with these environment variables; None takes one away."""
    environment = os.environ | _ROOT_MAY | variables
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=guard(300),
        env={name: value for name, value in environment.items() if value is not None},
    )


# Environments of the first of two processes, as Open MPI's launcher makes them.
FIRST_OF_OPENMPI = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
FIRST_OF_PMIX = {"OMPI_COMM_WORLD_SIZE": "2", "PMIX_NAMESPACE": "job", "PMIX_RANK": "0"}


def run_with_one_lost(program: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program in two processes, the second of which finds no MPI library."""
    lost = '[ "$PMI_RANK" = 1 ] && export MPIGLOT_MPI=/nonexistent.so; exec "$0"'
    limit = ("timeout", str(guard(60)))
    return run(*limit, "mpiexec.mpich", "-n", "2", "sh", "-c", lost, program)


def library(folder: Path, name: str, source: str, before: str | None = None) -> Path:
    """A shared library made of C source, which stands before the library of that name."""
    code = folder / f"{name}.c"
    code.write_text(source, encoding="utf-8")
    path = folder / f"lib{name}.so"
    linked = ["-Wl,--no-as-needed", f"-l:{before}"] if before else []
    made = run("gcc", "-shared", "-fPIC", "-o", path, code, *linked)
    assert made.returncode == 0, made.stderr
    return path


# Releases of MPICH without a table, the standard that they report, and whose table serves them.
UNKNOWN_RELEASES = [
    ("4.9.1", "4.1", "mpich-4.3.2"),
    ("4.9.1", "5.0", "mpich-4.3.2"),
    ("4.2.3", "4.1", "mpich-4.3.2"),
    ("4.2.0", "4.0", "mpich-4.1.3"),
    ("4.0.9", "4.0", "mpich-4.0.2"),
    ("9.0", "4.0", "mpich-4.1.3"),
    ("9.0", "5.1", "mpich-5.0.2"),
    ("2.0", "2.2", "mpich-3.4.3"),
    ("3.0", "3.0", "mpich-3.4.3"),
    ("5.0.0", "5.0", "mpich-5.0.2"),
]


# What libraries say of themselves that no blueprint knows, as those texts begin.
STRANGERS = {
    "next": "CRAYX Version: 11.0",
    "open": "Open MPI v6.0.0, package: Open MPI, ident: 6.0.0",
    "cray": "MPI VERSION    : CRAY MPICH version 8.1.29.10 (ANL base 3.4a2)\\nMPI BUILD INFO : Mon",
    "mvapich": "MVAPICH Version       :       3.0\\nMVAPICH Release date  : 01/25/2024",
    "parastation": "ParaStation MPI 5.13.0-1\\nMPICH Version: 4.3.2",
    "microsoft": "Microsoft MPI 10.1.12498.52",
    "nameless": "",
    "odd": "\\xff\\n\\t MPICH Version: 99999999999999999999.1 %n%s",
}
ABI = INSTALLED / "mpich-5.0.2/lib/libmpi_abi.so.1"
# A library of each family -> that family's title, and the tables that serve strangers there.
FAMILIES = {
    str(ABI): ("the standard ABI", ("mpich-5.0.2-abi",)),
    MPICH: ("MPICH's family", ("mpich-4.1.3",)),
    OPENMPI: ("Open MPI's family", ("openmpi-4.1.8",)),
}
# What libraries of the standard ABI might say -> one whose values are the other vendor's.
IMPOSTORS = {
    "Intel(R) MPI Library 2021.19.0 for Linux* OS\\n": str(ABI),
    "MPICH Version:      5.0.2\\nMPICH Release date: today": str(
        INSTALLED / "intelmpi-2021.19.0/lib/libmpi_abi.so.1"
    ),
}
# What a program prints that adds, writes 12 bytes, seeks to 7 and 5 further, and sends to nobody.
RIGHT = "sum 1, positions 7 12, a rank is refused"


def stranger(folder: Path, text: str, behind: str) -> Path:
    """A library that says `text` of itself and is the library `behind` in everything else."""
    if Path(behind).is_absolute() and not Path(behind).exists():
        pytest.skip(f"{behind} is not installed")
    if behind == OPENMPI and not shutil.which("mpiexec.openmpi"):
        pytest.skip("needs Debian's Open MPI")
    linked = ["-Wl,--no-as-needed"]
    linked += [behind, f"-Wl,-rpath,{Path(behind).parent}"] if "/" in behind else [f"-l:{behind}"]
    code, path = folder / "stranger.c", folder / "libstranger.so"
    code.write_text(VERSION % text, encoding="utf-8")
    made = run("gcc", "-shared", "-fPIC", "-o", path, code, *linked)
    assert made.returncode == 0, made.stderr
    return path


def unknown_mpich(folder: Path, version: str, standard: str) -> Path:
    """Debian's MPICH, as a release that says it is another one."""
    text = f"MPICH Version:      {version}\\nMPICH Release date: tomorrow"
    source = VERSION % text + STANDARD % tuple(standard.split("."))
    return library(folder, "unknown", source, MPICH)
