"""Symbol accounting: libraries, headers and what is generated differ only as is said here."""

from __future__ import annotations

import re
import subprocess

import pytest

from mpiglot.blueprints.errors import MpiglotError
from mpiglot.generators.inputs import Inputs, blueprint
from mpiglot.generators.policy import decide
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import installed
from tests.conformance.counter import ROOT
from tests.limits import guard

REMOVED = {
    "MPI_Address", "MPI_Errhandler_create", "MPI_Errhandler_get", "MPI_Errhandler_set",
    "MPI_Type_extent", "MPI_Type_hindexed", "MPI_Type_hvector", "MPI_Type_lb", "MPI_Type_struct",
    "MPI_Type_ub",
}  # fmt: skip
# Exported by the ABI library of MPICH 5.0.2, whose mpi_abi.h does not declare them.
UNDECLARED = {
    "MPIX_Grequest_class_allocate", "MPIX_Grequest_class_create", "MPIX_Grequest_start",
    "MPIX_Type_iov", "MPIX_Type_iov_len",
}  # fmt: skip
# Their functions get the state that another call is given; a Go function has its state in itself.
NOT_IN_GO = {"MPIX_Grequest_class_allocate", "MPIX_Grequest_class_create"}
LOADED = [mpi.name for mpi in matrix().mpis if mpi.vendor != "simgrid"]


def test_all_that_headers_declare_is_generated_but_what_the_standard_removed() -> None:
    inputs = Inputs.of_known()
    decisions = decide(inputs.atlas)
    for known in inputs.blueprints:
        names = {function.name for function in known.blueprint.functions}
        skipped = {name for name in names if decisions[name].decision == "skip"}
        assert skipped <= REMOVED, known.name


@pytest.mark.parametrize(
    ("files", "described", "missing"),
    [
        ("go_runtime/low/*.go", r"\bis (MPIX?_\w+)", NOT_IN_GO),
        ("generated/java/src/main/java/dev/mpiglot/low/*.java", r"\{@code (MPIX?_\w+)\}", set()),
    ],
)
def test_go_and_java_have_all_functions_but_those_listed(
    files: str, described: str, missing: set[str]
) -> None:
    texts = [p.read_text(encoding="utf-8") for p in ROOT.glob(files)]
    found = {name for text in texts for name in re.findall(described, text)}
    functions = Inputs.of_known().plan.functions
    assert {f.name for f in functions if f.decision == "generate"} - found == missing


@pytest.mark.parametrize("name", LOADED)
def test_all_that_a_library_exports_is_in_its_blueprint(name: str) -> None:
    """Asks the library, so that nothing can be lost between the header and the blueprint."""
    try:
        library = installed(matrix().get(name)).library
    except MpiglotError as problem:
        pytest.skip(str(problem))
    command = ["nm", "-D", "--defined-only", "--format=posix", str(library)]
    made = subprocess.run(command, capture_output=True, text=True, timeout=guard(60), check=True)
    exported = set(re.findall(r"^(MPIX?_[A-Z]\w*)(?:@\S+)? [TWi] ", made.stdout, re.MULTILINE))
    assert len(exported) > 400
    known = {function.name for function in blueprint(name).blueprint.functions}
    fortran = {one for one in exported - known if one == one.upper()}  # for its own modules
    assert exported - known - fortran <= REMOVED | (
        UNDECLARED if name == "mpich-5.0.2-abi" else set()
    )
    assert not fortran or name.startswith("openmpi-")
