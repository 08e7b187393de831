"""The programs of benchmarks/layouts: their ways have the same results, and the figure is drawn of
what is kept beside it. No time is asserted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.layouts_beside_plain import (
    PROGRAMS,
    Figures,
    behind,
    by_size,
    measured,
    points,
)
from benchmarks.layouts_figure import PAGE, RESULTS, Point, keep, page_table, points_of
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import locate
from tests.tiers import in_turn

BY_SIZE: Figures = {
    ("ping-pong", "a box", "8", "contiguous"): 2.0,
    ("ping-pong", "a box", "8", "ours"): 5.0,
    ("ping-pong", "a box", "8", "datatype"): 6.0,
    ("ping-pong", "a box", "8", "a loop"): 4.0,
}


@pytest.mark.parametrize("mpi", in_turn(["mpich-4.0.2", "openmpi-4.1.4"]))
@pytest.mark.parametrize("name", PROGRAMS)
def test_all_ways_have_the_same_results(name: str, mpi: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    compiler = "clang++-19" if program.mdspan else "g++"
    if locate(matrix().get(mpi)) is None:
        pytest.skip(f"{mpi} is not installed")
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    binary = program.build(mpi, compiler, tmp_path)
    for ranks in (1, 2, 4) if name in ("gemm", "heat") else (2,):
        figures = measured(mpi, ranks, [binary, *program.tiny], 1)
        tables = list(program.titled(figures))
        assert tables
        assert all(rows and len({*map(len, rows)}) == 1 for _, _, rows in tables)
        assert min(figures.values()) >= 0
        assert {"ours"} < {cell for cells in figures for cell in cells}


def test_a_table_by_size_shows_times_contiguous_messages() -> None:
    ((title, head, rows),) = by_size(BY_SIZE)
    assert title == "ping-pong by bytes, times contiguous messages"
    assert head == ["8"]
    assert rows == [
        ["a box: contiguous, microseconds", "2.0"],
        ["a box: ours", "2.50"],
        ["a box: datatype", "3.00"],
        ["a box: a loop", "2.00"],
    ]


def test_a_case_is_behind_if_the_better_way_takes_15_percent_less() -> None:
    (sentence,) = behind(BY_SIZE)
    assert sentence == "behind: ping-pong, a box, 8: 1.25 times the better way"
    assert behind({**BY_SIZE, ("ping-pong", "a box", "8", "ours"): 4.5}) == []


def test_points_of_an_mpi_take_the_place_of_its_old_ones(tmp_path: Path) -> None:
    kept = tmp_path / "layouts.json"
    other = Point("a machine", "other", "broadcast", "a box", 8, "ours", 1.0, 1.0)
    keep("other", [other], kept)
    keep("mine", points("mine", BY_SIZE), kept)
    keep("mine", points("mine", BY_SIZE), kept)
    assert points_of(kept) == [other, *points("mine", BY_SIZE)]
    assert [point.times for point in points("mine", BY_SIZE)] == [1.0, 2.5, 3.0, 2.0]


def test_the_figure_and_the_table_are_of_what_is_kept() -> None:
    kept = points_of(RESULTS)
    assert page_table(kept) in PAGE.read_text(encoding="utf-8")
    figure = RESULTS.with_suffix(".svg").read_text(encoding="utf-8")
    assert kept
    for point in kept:
        for name in (point.machine, point.mpi, point.operation, point.box):
            assert name in figure
        assert point.way == "contiguous" or f">{point.way}<" in figure
    base = {(p.mpi, p.operation, p.box, p.bytes): p.us for p in kept if p.way == "contiguous"}
    for p in kept:
        assert p.times == pytest.approx(
            p.us / base[p.mpi, p.operation, p.box, p.bytes], abs=0.01, rel=0.02
        )
