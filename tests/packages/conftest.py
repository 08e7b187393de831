"""The tool as it is installed from its wheel: it makes the packages, far from the checkout."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.packages.outside import MPIS, ROOT, Mpi, Tool, environment, run
from tests.tiers import in_turn


@pytest.fixture(scope="session")
def python_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wheel and source distribution, made in the checkout: nowhere else can they be."""
    folder = tmp_path_factory.mktemp("python") / "package"
    env = environment(folder.parent / "home")
    run(sys.executable, "-m", "mpiglot", "package", "python", "-o", folder, cwd=ROOT, env=env)
    return folder


@pytest.fixture(scope="session")
def tool(python_package: Path, tmp_path_factory: pytest.TempPathFactory) -> Tool:
    """The tool, installed from its wheel."""
    wheel = next(python_package.glob("*.whl"))
    return Tool.install(wheel, tmp_path_factory.mktemp("tool") / "venv")


@pytest.fixture(params=in_turn(MPIS))
def mpi(request: pytest.FixtureRequest) -> Mpi:
    """Each of the three MPIs; at the gate one of them."""
    return Mpi.get(request.param)


@pytest.fixture
def mpich() -> Mpi:
    """The MPI for what does not depend on the MPI."""
    return Mpi.get("mpich-4.0.2")
