"""The program of benchmarks/deep_copy: all ways have the same result. No time is asserted."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.deep_copies_beside_others import build, measured, rows
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
    table = rows(figures)
    assert table[0][3] == "1.00"
    assert len(table) == sum(map(len, figures.values()))
