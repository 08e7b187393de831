"""What the doctor's tests share: a clean shell, and the MPIs of this machine by name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.doctor import Diagnosis
from mpiglot.parser.find import choose, environment
from mpiglot.parser.installation import Installation

_FOREIGN = re.compile(
    r"OMPI_|OPAL_|PRTE_|PMIX?_|HYDI_|I_MPI_|MPICH_|MPIR_|MPI_|MPICC$|LD_LIBRARY_PATH|LD_PRELOAD|UCX_|FI_"
)

Findings = Callable[[Diagnosis], dict[str, str]]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """The environment of this process without anything that has to do with MPI."""
    env = {name: value for name, value in os.environ.items() if not _FOREIGN.match(name)}
    (tmp_path / "no-mpis").mkdir()
    env["MPIGLOT_MPI_DIR"] = str(tmp_path / "no-mpis")
    env["HOME"] = str(tmp_path)
    return env


@pytest.fixture(scope="session")
def mpi() -> Callable[[str], Installation]:
    """An MPI of the matrix by name; the test is skipped where it is not installed."""
    known: dict[str, Installation | str] = {}

    def get(name: str) -> Installation:
        if name not in known:
            try:
                known[name] = choose(name)
            except EnvironmentProblem as problem:
                known[name] = str(problem)
        found = known[name]
        if isinstance(found, str):
            pytest.skip(f"{name} is not installed: {found.split(';')[0]}")
        return found

    return get


@pytest.fixture
def at_home(shell: dict[str, str]) -> Callable[[Installation], dict[str, str]]:
    """The shell with what this MPI needs to run here: all is well in it."""
    return lambda one: {**shell, **environment(one)}


@pytest.fixture
def findings() -> Findings:
    """Findings that count, by id, with their severity."""
    return lambda diagnosis: {
        one.id: one.severity for one in diagnosis.findings if one.severity != "info"
    }
