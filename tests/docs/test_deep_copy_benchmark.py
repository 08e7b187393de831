"""All ways of benchmarks/deep_copy have the same result. Their lines are compared, no times."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import deep_copy_figure, deep_copy_lines
from benchmarks.deep_copies_beside_others import build, measured, rows
from benchmarks.layouts_figure import PAGE
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import locate
from tests.tiers import in_turn


@pytest.mark.parametrize("mpi", in_turn(["mpich-4.0.2", "openmpi-4.1.4"]))
def test_all_ways_broadcast_the_same_structures(mpi: str, tmp_path: Path) -> None:
    if locate(matrix().get(mpi)) is None:
        pytest.skip(f"{mpi} is not installed")
    figures = measured(mpi, [build(mpi, "g++", tmp_path), "tiny"], 1)
    assert len(figures) == 14  # a tree, a scene, four graphs, the arrays; broadcast, and by a file
    assert all("deep" in ways for ways in figures.values())
    assert figures["tree of 99 nodes"]["by hand: a message a node"].calls == 99
    assert figures["scene of 240 triangles"]["by hand: MPI_Pack"].calls == 2
    assert figures["ring graph of 20 nodes"]["by hand: a message a node"].calls == 1 + 3 * 20
    table = rows(figures)
    assert table[0][3] == "1.00"
    assert len(table) == sum(map(len, figures.values()))


def test_the_page_has_the_lines_that_the_sources_have() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert deep_copy_lines.page_table() in page, "run python -m benchmarks.deep_copy_lines --write"
    assert deep_copy_figure.page_table() in page


def test_all_marked_lines_are_counted_for_a_way() -> None:
    ways = [way for case in deep_copy_lines.CASES.values() for way in case.values()]
    assert {name for way in ways for names in way for name in names} == set(
        deep_copy_lines.counts()
    )


def test_every_way_of_a_table_has_its_lines() -> None:
    measured_ways = {
        (case, way)
        for cases in deep_copy_figure.kept().values()
        for name, ways in cases.items()
        for case in deep_copy_lines.CASES
        if f" {case} of " in f" {name}" and "file" not in name
        for way in ways
    }
    assert len(measured_ways) > 15
    for case, way in measured_ways:
        assert way in deep_copy_lines.CASES[case], f"{case}, {way}"


def test_of_few_lines_blank_ones_and_comments_do_not_count(tmp_path: Path) -> None:
    source = "// count: a\nint x;\n\n  // says why\nint y;\n// end\nint z;\n"
    (tmp_path / "a.hpp").write_text(source, encoding="utf-8")
    assert deep_copy_lines.counts([tmp_path]) == {"a": 2}
    (tmp_path / "b.hpp").write_text(source, encoding="utf-8")
    with pytest.raises(ValueError, match="a twice"):
        deep_copy_lines.counts([tmp_path])
