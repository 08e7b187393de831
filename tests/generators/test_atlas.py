"""The atlas: what merging keeps, and which disagreements it reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.model import (
    Blueprint,
    Constant,
    Function,
    Mpi,
    Parameter,
    Platform,
    Toolchain,
    Type,
    load,
)
from mpiglot.generators.atlas import build_atlas
from mpiglot.generators.model import Atlas

KNOWN = Path(__file__).parents[2] / "blueprints" / "known"


def blueprint(
    types: Sequence[Type] = (),
    constants: Sequence[Constant] = (),
    functions: Sequence[Function] = (),
) -> Blueprint:
    return Blueprint(
        mpi=Mpi(vendor="Test MPI", version="1.0"),
        platform=Platform(),
        toolchain=Toolchain(),
        types=list(types),
        constants=list(constants),
        functions=list(functions),
    )


def rank(comm_type: str = "MPI_Comm") -> Function:
    parameters = [Parameter("comm", comm_type), Parameter("rank", "int *")]
    return Function("MPI_Comm_rank", "int", parameters, status="links")


@pytest.fixture(scope="module")
def known() -> Atlas:
    named = [(p.stem, load(Blueprint, p)) for p in sorted(KNOWN.glob("*.json"))]
    return build_atlas(catalogue.load(), named)


def test_meaning_comes_from_the_catalogue_and_presence_from_the_blueprints() -> None:
    atlas = build_atlas(catalogue.load(), [("one", blueprint(functions=[rank()]))])
    entries = {f.function.name: f for f in atlas.functions}
    assert entries["MPI_Comm_rank"].function.parameters[1].direction == "out"
    assert [p.target for p in entries["MPI_Comm_rank"].present] == ["one"]
    assert entries["MPI_Send"].present == []
    assert atlas.conflicts == []


def test_the_order_of_blueprints_changes_nothing() -> None:
    a, b = ("a", blueprint(functions=[rank()])), ("b", blueprint(functions=[rank()]))
    assert build_atlas(catalogue.load(), [a, b]) == build_atlas(catalogue.load(), [b, a])


def test_another_prototype_is_a_conflict_and_the_standard_wins() -> None:
    odd = ("odd", blueprint(functions=[rank("MPI_Group")]))
    conflict = build_atlas(catalogue.load(), [odd]).conflicts[0]
    assert (conflict.name, conflict.what) == ("MPI_Comm_rank", "parameter 1 type")
    assert conflict.values == {"MPI_Comm": "catalogue", "MPI_Group": "odd"}
    assert conflict.taken == "MPI_Comm"


def test_const_and_brackets_are_no_conflict() -> None:
    function = Function(
        "MPI_Group_incl",
        "int",
        [
            Parameter("group", "MPI_Group"),
            Parameter("n", "int"),
            Parameter("ranks", "int *"),
            Parameter("newgroup", "MPI_Group *"),
        ],
        status="links",
    )
    assert build_atlas(catalogue.load(), [("a", blueprint(functions=[function]))]).conflicts == []


def test_a_constant_of_another_class_is_a_conflict_but_another_value_is_not() -> None:
    a = blueprint(constants=[Constant("MPI_ANY_TAG", "integer", "int", -7)])
    b = blueprint(constants=[Constant("MPI_ANY_TAG", "handle", "MPI_Comm", 3)])
    atlas = build_atlas(catalogue.load(), [("a", a), ("b", b)])
    constant = next(c for c in atlas.constants if c.name == "MPI_ANY_TAG")
    assert [(v.target, v.value) for v in constant.values] == [("a", -7), ("b", 3)]
    assert [(c.name, c.what) for c in atlas.conflicts] == [("MPI_ANY_TAG", "class")]


def test_a_function_only_blueprints_know_is_merged_under_its_name() -> None:
    extension = Function("MPIX_Thing", "int", [Parameter("n", "int", "in")], status="links")
    atlas = build_atlas(catalogue.load(), [("a", blueprint(functions=[extension]))])
    entry = next(f for f in atlas.functions if f.function.name == "MPIX_Thing")
    assert entry.function.status == "" and [p.target for p in entry.present] == ["a"]


def test_a_handle_has_one_representation_per_target() -> None:
    number = blueprint(types=[Type("MPI_Comm", "integer", 4, 4, "int", True, True)])
    pointer = blueprint(types=[Type("MPI_Comm", "pointer", 8, 8, handle=True)])
    atlas = build_atlas(catalogue.load(), [("number", number), ("pointer", pointer)])
    comm = next(t for t in atlas.types if t.name == "MPI_Comm")
    assert comm.handle
    assert [(r.target, r.kind, r.size) for r in comm.representations] == [
        ("number", "integer", 4),
        ("pointer", "pointer", 8),
    ]


def test_the_known_mpis_disagree_only_where_it_is_known(known: Atlas) -> None:
    """A new blueprint that disagrees elsewhere must be looked at before it is used."""
    serious = [
        c
        for c in known.conflicts
        if any(not t.startswith("simgrid") for t in _dissenters(c.values, c.taken))
    ]
    assert [(c.name, c.what) for c in serious] == []


def _dissenters(values: dict[str, str], taken: str) -> list[str]:
    return [t for value, targets in values.items() if value != taken for t in targets.split(", ")]
