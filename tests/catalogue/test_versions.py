"""Since when things are in the standard, held against MPIs that have all of a version."""

from __future__ import annotations

from pathlib import Path

import pytest

from mpiglot.blueprints import catalogue, model
from mpiglot.blueprints.catalogue.vocabulary import VERSIONS
from mpiglot.blueprints.model import Constant, Function

KNOWN = catalogue.load()
EVERYTHING: list[Function | Constant] = [*KNOWN.functions, *KNOWN.constants]
BLUEPRINTS = Path(catalogue.__file__).parents[1] / "known"

# names, version, what the header lacks, what it has ahead of its version
COMPLETE: list[tuple[str, str, set[str], set[str]]] = [
    (
        "mpich-3.4.3",
        "3.1",
        {
            *(f"MPI_Status_{x}" for x in ("c2f08", "f082c", "f082f", "f2f08")),
            *("MPI_COMPLEX4", "MPI_REAL2"),  # Fortran types of two bytes came late everywhere
        },
        set(),
    ),
    (
        "mpich-4.0.2",
        "4.0",
        {
            *("MPI_COMPLEX4", "MPI_REAL2"),
            *("MPI_T_BIND_MPI_SESSION", "MPI_T_ERR_NOT_ACCESSIBLE"),
        },
        set(),
    ),
    (
        "mpich-4.1.3",
        "4.0",
        {"MPI_COMPLEX4", "MPI_REAL2", "MPI_T_BIND_MPI_SESSION"},
        {"MPI_Status_set_elements_c"},
    ),
    ("mpich-4.3.2", "4.1", set(), set()),
    (
        "mpich-5.0.2",
        "5.0",
        {
            *("MPI_Precv_init_c", "MPI_Psend_init_c"),  # of an erratum
            *("MPI_ABI_SUBVERSION", "MPI_ABI_VERSION"),  # of the ABI header only
        },
        set(),
    ),
]


@pytest.mark.parametrize(("name", "version", "lacks", "ahead"), COMPLETE, ids=lambda x: str(x)[:12])
def test_header_has_what_the_catalogue_says_of_its_version(
    name: str, version: str, lacks: set[str], ahead: set[str]
) -> None:
    blueprint = model.load(model.Blueprint, BLUEPRINTS / f"{name}.json")
    have = {f.name for f in blueprint.functions} | {c.name for c in blueprint.constants}
    last = VERSIONS.index(version)
    due = {x.name for x in EVERYTHING if VERSIONS.index(x.since) <= last and not x.removed}
    later = {x.name for x in EVERYTHING if VERSIONS.index(x.since) > last}
    assert due - have == lacks
    assert later & have == ahead
    assert len(due) > 700


def test_everything_has_a_version() -> None:
    for x in EVERYTHING:
        assert x.since in VERSIONS, x.name
        assert x.deprecated is None or x.deprecated in VERSIONS
        assert x.removed is None or x.removed in VERSIONS
