"""What Java does about each defect of an MPI that harms: `java_defects.json` says it for all.

    instead    another function is called
    refused    the call throws UnavailableException before anything is sent
    avoided    the calls of the package do not meet it
    unreached  no method calls one of the functions, or not like that
    undecided  before the call nobody knows whether it will be met

A new defect in provision/matrix.json makes this fail until somebody has decided.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mpiglot.ci.pages.defects import JAVA_TABLE, asked_in_java, java_table
from mpiglot.generators.java.upper import surface
from mpiglot.provision.matrix import Mpi, matrix, number

TREATED: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("java_defects.json").read_text(encoding="utf-8")
)
WAYS = ("instead", "refused", "avoided", "unreached", "undecided")
DEFECTS = {defect.id: defect for defect in matrix().defects}
REACHED = {row.function + twin for row in surface.load() if row.reached for twin in ("", "_c")}
# Their functions are reached, but on another MPI, or without the arguments that are wrong.
OTHERWISE = {
    "functions-not-implemented",
    "accumulate-ignores-logical",
    "reduce-of-nothing",
    "null-file-aborts",
}


def way(id_: str) -> str:
    (found,) = TREATED[id_]
    return found


def test_every_defect_that_harms_is_treated_or_it_is_said_why_not() -> None:
    assert {defect.id for defect in DEFECTS.values() if defect.harms} == set(TREATED)
    for id_, said in TREATED.items():
        assert way(id_) in WAYS, id_
        assert said[way(id_)].endswith("."), id_


def test_what_is_refused_or_replaced_is_asked_for() -> None:
    acted = {id_ for id_ in TREATED if way(id_) in ("instead", "refused")}
    assert acted <= set(asked_in_java())
    for id_ in set(asked_in_java()) & set(TREATED):
        assert way(id_) in ("instead", "refused", "avoided"), id_


def test_functions_in_place_of_wrong_ones_are_called_through_a_class_that_asks() -> None:
    through = {row.function + twin for row in surface.load() if row.through for twin in ("", "_c")}
    for id_ in TREATED:
        if way(id_) == "instead":
            wrong = {name for name in DEFECTS[id_].instead if name in REACHED}
            assert wrong and wrong <= through, id_
    assert {"MPI_Isendrecv", "MPI_Isendrecv_replace"} <= through


@pytest.mark.parametrize("id_", [id_ for id_ in TREATED if way(id_) == "unreached"])
def test_the_package_has_none_of_the_functions_that_it_is_said_not_to_reach(id_: str) -> None:
    met = {name for name in REACHED if DEFECTS[id_].concerns(name)}
    assert bool(met) == (id_ in OTHERWISE), met


def test_the_table_of_the_package_is_made_of_the_matrix() -> None:
    assert JAVA_TABLE.read_text(encoding="utf-8") == java_table()


def test_the_ranges_that_the_package_asks_tell_each_release_of_the_matrix() -> None:
    def same(one: Mpi, other: Mpi) -> bool:
        return (one.vendor, one.version) == (other.vendor, other.version)

    for id_ in asked_in_java():
        ranges = list(matrix().wrong_releases(DEFECTS[id_]))
        for mpi in matrix().mpis:
            release = number(mpi.version)
            inside = any(
                vendor == mpi.vendor and first <= release and (end is None or release < end)
                for vendor, first, end in ranges
            )
            alike = any(one.name in DEFECTS[id_].mpis for one in matrix().mpis if same(one, mpi))
            assert inside == alike, (id_, mpi.name)
