"""The matrix is what its schema says, and its parts fit together."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path

import fastjsonschema
import pytest

from mpiglot.blueprints.errors import UsageError
from mpiglot.ci.pages.defects import asked
from mpiglot.generators.inputs import blueprint, known
from mpiglot.parser.vendors import rules, vendor
from mpiglot.provision.matrix import DATA, Defect, Mpi, matrix, number

NAMES = {
    "mpich-4.0.2",
    "openmpi-4.1.4",
    "simgrid-3.32",
    "mpich-3.4.3",
    "mpich-4.1.3",
    "mpich-4.3.2",
    "mpich-5.0.2",
    "mpich-5.0.2-abi",
    "openmpi-4.1.8",
    "openmpi-5.0.11",
    "intelmpi-2021.14.2",
    "intelmpi-2021.18.1",
    "intelmpi-2021.18.1-abi",
    "intelmpi-2021.19.0",
    "intelmpi-2021.19.0-abi",
}


def _data() -> dict[str, object]:
    data: dict[str, object] = json.loads(DATA.read_text(encoding="utf-8"))
    return data


def test_matrix_is_valid_by_its_schema() -> None:
    fastjsonschema.validate(
        json.loads(DATA.with_name("matrix.schema.json").read_text(encoding="utf-8")), _data()
    )


@pytest.mark.parametrize("key", ["cc", "launcher", "obtain", "level"])
def test_schema_refuses_an_mpi_without_a_key(key: str) -> None:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    del data["mpis"][0][key]
    schema = json.loads(DATA.with_name("matrix.schema.json").read_text(encoding="utf-8"))
    with pytest.raises(fastjsonschema.JsonSchemaException):
        fastjsonschema.validate(schema, data)


def test_matrix_holds_every_mpi_it_promises() -> None:
    assert {mpi.name for mpi in matrix().mpis} == NAMES
    assert len(matrix().mpis) == len(NAMES)


@pytest.mark.parametrize("mpi", matrix().mpis, ids=lambda mpi: str(mpi.name))
def test_name_is_vendor_version_and_abi(mpi: Mpi) -> None:
    assert mpi.name == f"{mpi.vendor}-{mpi.version}{'-abi' if mpi.abi else ''}"


@pytest.mark.parametrize("mpi", matrix().mpis, ids=lambda mpi: str(mpi.name))
def test_vendor_is_known_to_the_finder(mpi: Mpi) -> None:
    assert vendor(mpi.vendor) is not None


@pytest.mark.parametrize("mpi", matrix().mpis, ids=lambda mpi: str(mpi.name))
def test_wrapper_and_launcher_belong_to_the_vendor(mpi: Mpi) -> None:
    known = vendor(mpi.vendor)
    assert known is not None
    suffixes = ("", ".mpich", ".openmpi")
    launchers = {name + suffix for name in known.data["launchers"] for suffix in suffixes}
    wrappers = {name + suffix for name in rules()["wrapper_names"] for suffix in suffixes}
    assert mpi.launcher in launchers
    assert {mpi.cc, mpi.cxx} <= wrappers
    assert mpi.launcher not in known.data.get("unsafe_launchers", {})


@pytest.mark.parametrize("mpi", matrix().mpis, ids=lambda mpi: str(mpi.name))
def test_wheels_are_pinned_to_the_version_of_the_mpi(mpi: Mpi) -> None:
    assert all(wheel.endswith(f"=={mpi.version}") for wheel in mpi.wheels)
    assert bool(mpi.wheels) + bool(mpi.debian) + bool(mpi.part_of) == 1


def test_part_of_names_an_mpi_with_an_installation_of_its_own() -> None:
    for mpi in matrix().mpis:
        owner = matrix().owner(mpi)
        assert owner.part_of is None
        assert owner.version == mpi.version


def test_each_family_is_tested_in_full_and_in_more_than_one_version() -> None:
    for family in ("mpich", "openmpi", "intelmpi"):
        members = [mpi for mpi in matrix().mpis if mpi.vendor == family]
        assert [mpi.level for mpi in members].count("full") == 1
        assert len({mpi.version for mpi in members}) > 1


def test_defects_name_mpis_of_the_matrix_and_have_unique_ids() -> None:
    ids = [defect.id for defect in matrix().defects]
    assert len(ids) == len(set(ids))
    assert all(set(defect.mpis) <= NAMES for defect in matrix().defects)


def test_defects_of_an_mpi_are_those_that_name_it() -> None:
    ids = {defect.id for defect in matrix().defects_of("mpich-4.1.3")}
    assert "f08-constant-without-symbol" in ids
    assert "no-run-time-loading" not in ids


def test_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no MPI called mpich-9.*mpich-4\.0\.2"):
        matrix().get("mpich-9")


FUNCTIONS = {one.name for named in known() for one in blueprint(named).blueprint.functions}
RUNTIME = Path(__file__).resolve().parents[2] / "cpp_runtime/include/mpiglot"


def _called_in_cpp() -> set[str]:
    """The functions of MPI that the C++ runtime can call, in lower case and without their form."""
    found: set[str] = set()
    for path in [*RUNTIME.rglob("*.hpp"), *RUNTIME.rglob("*.ipp")]:
        text = path.read_text(encoding="utf-8")
        found |= {name.lower() for name in re.findall(r"MPIGLOT_(?:MPI|WAITING)\(MPI_(\w+)", text)}
        found |= set(re.findall(r"\bmpi::(?:nothrow::|calls::)?(\w+)", text))
    return {_plain(name) for name in found}


def _plain(name: str) -> str:
    return name.lower().removeprefix("mpi_").removesuffix("_c").removesuffix("_init")


def _concerned(defect: Defect) -> set[str]:
    return {name for name in FUNCTIONS if defect.concerns(name)}


def test_defects_concern_functions_that_an_mpi_has() -> None:
    for defect in matrix().defects:
        for pattern in defect.functions:
            assert any(fnmatchcase(name, pattern) for name in FUNCTIONS), f"{defect.id}: {pattern}"
        assert defect.functions or defect.affects, defect.id


def test_functions_in_place_of_wrong_ones_have_no_such_defect_on_the_same_mpis() -> None:
    for defect in matrix().defects:
        for wrong, right in defect.instead.items():
            assert defect.concerns(wrong) and not defect.concerns(right), defect.id
            others = [one for one in matrix().defects_in(right) if one.when == "always"]
            assert not any(one.harms and set(one.mpis) & set(defect.mpis) for one in others)


def test_what_harms_is_avoided_or_refused_in_cpp_or_it_is_said_why_not() -> None:
    said = [defect for defect in matrix().defects if defect.cpp is not None]
    assert all(defect.harms for defect in said)
    harmful = {defect.id for defect in matrix().defects if defect.harms and defect.functions}
    assert harmful <= {defect.id for defect in said}


def test_the_cpp_runtime_calls_none_of_the_functions_that_it_is_said_not_to_call() -> None:
    called = _called_in_cpp()
    assert {"allgather", "comm_split_type", "win_allocate"} <= called
    for defect in matrix().defects:
        if defect.cpp is not None and defect.cpp[0] == "unreached":
            met = {name for name in _concerned(defect) if _plain(name) in called}
            # Both end what another function has begun, which the runtime does not call.
            assert met <= {"MPI_Comm_dup", "MPI_Init"}, defect.id


def test_what_the_cpp_runtime_refuses_or_replaces_it_asks_for() -> None:
    acted = {d.id for d in matrix().defects if d.cpp and d.cpp[0] in ("instead", "refused")}
    assert acted <= set(asked())
    for defect in matrix().defects:
        if defect.cpp and defect.cpp[0] == "instead":
            assert defect.instead, defect.id


@pytest.mark.parametrize("id_", asked())
def test_each_release_of_the_matrix_is_found_in_the_ranges_of_a_defect(id_: str) -> None:
    (defect,) = (one for one in matrix().defects if one.id == id_)
    found = list(matrix().wrong_releases(defect))
    for mpi in matrix().mpis:
        release = number(mpi.version)
        inside = any(
            vendor == mpi.vendor and first <= release and (end is None or release < end)
            for vendor, first, end in found
        )
        alike = [one.name in defect.mpis for one in matrix().mpis if _same(one, mpi)]
        assert inside == any(alike), mpi.name


def _same(one: Mpi, other: Mpi) -> bool:
    return (one.vendor, one.version) == (other.vendor, other.version)


def test_releases_that_the_matrix_does_not_have_are_taken_for_their_neighbors() -> None:
    (gather,) = (one for one in matrix().defects if one.id == "persistent-gather")
    assert list(matrix().wrong_releases(gather)) == [
        ("mpich", 3_004_004, 4_003_002),
        ("intelmpi", 0, None),
    ]
    for version, wrong in {"4.0.9": True, "4.2.0": True, "4.3.3": False, "3.4.2": False}.items():
        assert (gather in matrix().defects_of_release("mpich", version)) == wrong, version
    assert gather not in matrix().defects_of_release("mpich", "4.3.2", "mpich-4.3.2")


def test_the_sentence_of_a_defect_is_the_first_of_its_reason() -> None:
    (logical,) = (one for one in matrix().defects if one.id == "accumulate-ignores-logical")
    assert logical.sentence == logical.reason
    told = asked()
    assert all(len(one.sentence) < 250 for one in matrix().defects if one.id in told)
