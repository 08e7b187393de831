"""What a call of the generated C++ layer may cost above C, in instructions: they count the same on
every machine with the same compiler, unlike times."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks import every_call
from benchmarks.call_cost import call_costs
from benchmarks.subject import subject
from mpiglot.generators.inputs import Inputs
from tests.tiers import in_turn


@pytest.mark.parametrize("mpi", in_turn(["mpich-4.0.2", "openmpi-4.1.4"]))
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


def test_no_function_costs_more_than_the_shapes_do(tmp_path: Path) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    inputs = Inputs.of_known()
    one = subject("mpich-4.0.2", tmp_path / "layer", inputs)
    if one is None:
        pytest.skip("mpich-4.0.2 is not installed")
    source = tmp_path / "every_call.cpp"
    source.write_text(every_call.source(inputs, one.name), encoding="utf-8")
    costs = call_costs(one, "g++", ["-O2", "-w"], tmp_path, source)
    assert len(costs) > 600
    assert {c.name: c.above for c in costs if c.above > c.limit} == {}
    assert {c.name for c in costs if c.allocations > 0} == set()
