"""What a call of the generated C++ layer may cost above C, in instructions: they count the same on
every machine with the same compiler, unlike times."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.call_cost import call_costs
from benchmarks.subject import subject
from mpiglot.generators.inputs import Inputs


@pytest.mark.parametrize("mpi", ["mpich-4.0.2", "openmpi-4.1.4"])
def test_a_call_costs_three_instructions_and_allocates_nothing(mpi: str, tmp_path: Path) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    one = subject(mpi, tmp_path / "layer", Inputs.of_known())
    if one is None:
        pytest.skip(f"{mpi} is not installed")
    costs = call_costs(one, "g++", ["-O2"], tmp_path)
    assert len(costs) > 30
    assert {c.name: c.above for c in costs if c.above > c.limit} == {}
    assert {c.name for c in costs if c.allocations > 0} == set()
