"""The coverage page is what its data says, and what the data says can be true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mpiglot.exchange.produce import Unit, listed_units, produce
from mpiglot.generators.cpp.target import look_up
from mpiglot.generators.inputs import Inputs
from tests.conformance import coverage_page
from tests.conformance.counter import LANGUAGES, functions_header
from tests.conformance.coverage import (
    OPEN,
    UNMEASURED,
    UNREACHABLE,
    Coverage,
    disagreements,
    load,
    unexplained,
)

CPP = Path(__file__).with_name("cpp")
TREES = listed_units(("cpp",))


@pytest.fixture(scope="module")
def coverage() -> Coverage:
    return load()


def test_the_page_and_its_picture_are_what_the_data_says(coverage: Coverage) -> None:
    for path, text in coverage_page.files(coverage).items():
        assert path.read_text(encoding="utf-8") == text, "run: tests.conformance.coverage write"


def test_what_is_said_to_be_executed_is_there(coverage: Coverage) -> None:
    for language in LANGUAGES:
        for mpi, names in coverage.executed[language].items():
            absent = [n for n in names if coverage.status.get((n, mpi)) != "links"]
            assert absent == [], f"{language} on {mpi}"


def test_every_reason_explains_something(coverage: Coverage) -> None:
    for reason in coverage.reasons:
        assert any(
            coverage.state(name, mpi, language) in (UNREACHABLE, OPEN, UNMEASURED)
            and reason.holds(name, mpi, language)
            for name in coverage.functions()
            for mpi in coverage.mpis
            for language in LANGUAGES
        ), reason


def test_nothing_that_is_executed_is_called_unreachable(coverage: Coverage) -> None:
    """An MPI that learns something must lose its excuse."""
    wrong = [
        f"{name} on {mpi}"
        for mpi, names in coverage.executed["cpp"].items()
        for name in sorted(names)
        if any(reason.holds(name, mpi, "cpp") for reason in coverage.reasons)
    ]
    assert wrong == []


def test_what_could_be_executed_and_is_not_has_a_reason(coverage: Coverage) -> None:
    assert list(unexplained(coverage)) == []


def test_a_run_that_executes_less_or_more_than_is_said_is_told_with_what_to_do(
    coverage: Coverage, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = coverage.executed["cpp"]["mpich-4.0.2"]
    assert "MPI_Send" in said
    run = {"cpp": said - {"MPI_Send"}, "go": coverage.executed["go"]["mpich-4.0.2"], "java": None}
    monkeypatch.setattr(
        "tests.conformance.coverage.counted",
        lambda language, mpi: run[language] if mpi == "mpich-4.0.2" else None,
    )
    [less] = disagreements(coverage)
    assert less.startswith("C++ on mpich-4.0.2: 1 functions are said to be executed") and (
        "MPI_Send. If that is right: .venv/bin/python -m tests.conformance.coverage update" in less
    )
    run["cpp"] = said | {"MPI_Comm_spawn"}
    [more] = disagreements(coverage)
    assert "1 functions are executed now, and the data does not say so: MPI_Comm_spawn." in more
    run["cpp"] = said ^ {"MPI_T_pvar_session_create"}  # as other machines have it
    assert list(disagreements(coverage)) == []


def test_the_counter_stands_in_for_all_that_is_exported() -> None:
    header = functions_header("mpich-4.0.2")
    assert "CODE(MPI_Send, 6)\n" in header
    assert "REAL(MPI_Wtime, 0)\n" in header
    assert "VALUE(MPI_File_c2f, 1)\n" in header
    assert "LAST(MPI_Abort, 2)\n" in header
    assert "MPI_Comm_c2f" not in header, "a macro"


@pytest.mark.parametrize("unit", TREES, ids=lambda u: u.target)
def test_every_constant_size_and_offset_is_asserted(unit: Unit) -> None:
    text = produce(unit, Inputs.of_known()).contents()["mpiglot/mpi/assertions.hpp"]
    asserted = set(re.findall(r"^MPIGLOT_SAME\((.+), -?\w+\);$", text, re.MULTILINE))
    named = next(b for b in Inputs.of_known().blueprints if b.name == unit.target)
    inputs = Inputs.of_known()
    # values that are asked of the ABI library that is loaded
    disputed = set(look_up(inputs.atlas, inputs.plan, unit.target).disputed.values)
    for constant in named.blueprint.constants:
        if constant.cls == "integer" and constant.constant_expression:
            assert constant.name in asserted | disputed, constant.name
    for one in named.blueprint.types:
        if one.handle:
            assert f"sizeof({one.name})" in asserted, one.name
        for field in one.fields:
            if field.name.startswith("MPI"):
                assert f"offsetof({one.name}, {field.name})" in asserted


@pytest.mark.parametrize("unit", TREES, ids=lambda u: u.target)
def test_every_handle_is_compared_with_what_c_has(unit: Unit) -> None:
    handles = produce(unit, Inputs.of_known()).contents()["mpiglot/mpi/handles.hpp"]
    layout = (CPP / "layout.cpp").read_text(encoding="utf-8")
    names = re.findall(r"^struct (\w+) \{\n  using native_type", handles, re.MULTILINE)
    assert len(names) > 12
    assert [name for name in names if f"mpi::{name}" not in layout] == []
