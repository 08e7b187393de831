"""The PMPI library, built once for each MPI: at the gate for one of them, in turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mpiglot.generators.inputs import Inputs
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import locate
from tests.pmpi.preloading import ROOT, Preloaded
from tests.tiers import in_turn

MPIS = in_turn(("mpich-4.0.2", "openmpi-4.1.4", "intelmpi-2021.18.1"))


@pytest.fixture(scope="session")
def inputs() -> Inputs:
    return Inputs.of_known()


@pytest.fixture(scope="session")
def library(inputs: Inputs) -> Callable[[str], Preloaded]:
    """The library for an MPI by name, built when first asked for."""
    built: dict[str, Preloaded] = {}

    def build(name: str) -> Preloaded:
        if name not in MPIS:
            pytest.skip(f"{name} in another turn, and in the matrix run")
        if name not in built:
            installation = locate(matrix().get(name))
            if installation is None:
                pytest.skip(f"{name} is not installed; ci/mpi install {name}")
            made = Preloaded(installation, ROOT / "build" / "pmpi" / name)
            made.folder.mkdir(parents=True, exist_ok=True)
            made.build(inputs)
            built[name] = made
        return built[name]

    return build


@pytest.fixture(params=MPIS)
def preloaded(request: pytest.FixtureRequest, library: Callable[[str], Preloaded]) -> Preloaded:
    return library(request.param)
