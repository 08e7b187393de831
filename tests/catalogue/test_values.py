"""Named values: where they may stand, and what they are in the standard ABI."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mpiglot.blueprints import catalogue, model
from mpiglot.blueprints.catalogue import meanings
from mpiglot.blueprints.model import CallbackType, Function, ValueSet

KNOWN = catalogue.load()
CONSTANTS = {c.name: c for c in KNOWN.constants}
SETS = {s.name: s for s in KNOWN.value_sets}
SUBJECTS: list[Function | CallbackType] = [*KNOWN.functions, *KNOWN.callbacks]
BLUEPRINTS = Path(catalogue.__file__).parents[1] / "known"
FORUM = Path(__file__).parents[1] / "data" / "forum_abi.json"


def values_of(function: str, parameter: str) -> str | None:
    f = next(f for f in SUBJECTS if f.name == function)
    return next(p for p in f.parameters if p.name == parameter).values


def test_every_named_integer_is_in_a_set_or_has_another_purpose() -> None:
    for c in KNOWN.constants:
        if c.cls == "integer":
            assert bool(c.sets) != bool(c.purpose), c.name
        else:
            assert not c.sets and not c.purpose, c.name


def _standard(value_set: ValueSet) -> list[str]:
    """The constants of a set but those of extensions, which stand in blueprints only."""
    return [name for name in value_set.constants if not name.startswith("MPIX_")]


def test_sets_and_constants_name_each_other() -> None:
    for s in KNOWN.value_sets:
        assert s.kind in ("closed", "open", "flags") and s.doc
        for name in _standard(s):
            assert s.name in CONSTANTS[name].sets
    for c in KNOWN.constants:
        for name in c.sets:
            assert c.name in SETS[name].constants


def test_every_set_stands_somewhere() -> None:
    used = {p.values for f in SUBJECTS for p in f.parameters}
    used |= {a.values for a in KNOWN.attributes}
    assert used - {None} == {name for name, s in SETS.items() if _standard(s)}


def test_values_of_a_set_differ_in_the_standard_abi() -> None:
    for s in KNOWN.value_sets:
        values = [CONSTANTS[n].abi_value for n in _standard(s) if not CONSTANTS[n].removed]
        assert None not in values, s.name
        assert len(set(values)) == len(values), s.name


def test_flags_are_single_bits() -> None:
    for s in KNOWN.value_sets:
        if s.kind == "flags":
            bits = [CONSTANTS[n].abi_value for n in s.constants]
            assert all(isinstance(b, int) and b > 0 and b & (b - 1) == 0 for b in bits)


def test_wildcards_of_open_sets_are_no_ordinary_numbers() -> None:
    """What an open set translates must not collide with a rank, a tag or a count."""
    for name in ("source", "dest", "process", "root", "tag", "color", "rank_result", "undefined"):
        values = [CONSTANTS[n].abi_value for n in SETS[name].constants]
        assert all(isinstance(v, int) and v < 0 for v in values), name


def test_roles_with_named_values_have_a_set() -> None:
    for f in SUBJECTS:
        for p in f.parameters:
            if p.role in ("mode", "thread_level", "assertion", "keyval", "error_class", "color"):
                assert p.values, (f.name, p.name)
            if p.values:
                assert re.match(r"(const )?(int|MPI_(Count|Aint|Offset|T_\w+))\b", p.type)


@pytest.mark.parametrize(
    ("function", "parameter", "expected"),
    [
        ("MPI_Recv", "source", "source"),
        ("MPI_Recv", "tag", "tag"),
        ("MPI_Send", "tag", None),
        ("MPI_Send", "dest", "dest"),
        ("MPI_Sendrecv", "sendtag", None),
        ("MPI_Sendrecv", "recvtag", "tag"),
        ("MPI_Precv_init", "source", "source"),
        ("MPI_Bcast", "root", "root"),
        ("MPI_Comm_spawn", "root", None),
        ("MPI_Type_get_envelope_c", "combiner", "combiner"),
        ("MPI_Comm_compare", "result", "comparison"),
        ("MPI_Init_thread", "provided", "thread_level"),
        ("MPI_Error_class", "errorclass", "error_class"),
        ("MPI_Abort", "errorcode", None),
        ("MPI_Group_rank", "rank", "rank_result"),
        ("MPI_Comm_rank", "rank", None),
        ("MPI_Cart_shift", "rank_dest", "process"),
        ("MPI_Get_count", "count", "undefined"),
        ("MPI_Waitany", "indx", "undefined"),
        ("MPI_Topo_test", "status", "topology"),
        ("MPI_File_set_view", "disp", "file_displacement"),
        ("MPI_File_get_view", "disp", None),
        ("MPI_Win_get_attr", "win_keyval", "win_keyval"),
        ("MPI_Comm_copy_attr_function", "keyval", "comm_keyval"),
        ("MPI_Type_delete_attr_function", "keyval", "type_keyval"),
        ("MPI_T_pvar_get_info", "var_class", "pvar_class"),
        ("MPI_Type_get_contents", "array_of_integers", None),
    ],
)
def test_values_where_the_standard_says_so(
    function: str, parameter: str, expected: str | None
) -> None:
    assert values_of(function, parameter) == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # Intel MPI 2021.19.0 has other values for these eight
        ("MPI_ERRORS_RETURN", 0x143),
        ("MPI_ERRORS_ABORT", 0x142),
        ("MPI_SEEK_SET", 403),
        ("MPI_SEEK_CUR", 401),
        ("MPI_SEEK_END", 402),
        ("MPI_UNIVERSE_SIZE", 507),
        ("MPI_APPNUM", 505),
        ("MPI_LASTUSEDCODE", 506),
        ("MPI_COMM_WORLD", 0x101),
        ("MPI_INT", 0x209),
        ("MPI_LONG_LONG_INT", 0x20B),
        ("MPI_ANY_SOURCE", -1),
        ("MPI_DISPLACEMENT_CURRENT", -1),
        ("MPI_IN_PLACE", 1),
        ("MPI_COMM_DUP_FN", 1),
        ("MPI_LB", None),
    ],
)
def test_abi_values_are_the_forums(name: str, value: int | None) -> None:
    assert CONSTANTS[name].abi_value == value


def measured(name: str) -> dict[str, int]:
    blueprint = model.load(model.Blueprint, BLUEPRINTS / f"{name}.json")
    return {c.name: c.value for c in blueprint.constants if isinstance(c.value, int)}


def test_every_abi_value_is_the_one_of_the_forums_header() -> None:
    """All of them: Forum's header at the commit that the file of facts names."""
    forum = json.loads(FORUM.read_text(encoding="utf-8"))["constants"]
    ours = {c.name: c.abi_value for c in KNOWN.constants if isinstance(c.abi_value, int)}
    assert {name: forum.get(name) for name in ours} == ours
    assert forum.keys() - ours.keys() == set()
    assert len(ours) > 350


def test_abi_values_are_those_measured_on_mpichs_abi_library() -> None:
    values = measured("mpich-5.0.2-abi")
    differing = {n for n, v in values.items() if n in CONSTANTS and CONSTANTS[n].abi_value != v}
    assert differing == set()
    assert len(values.keys() & CONSTANTS.keys()) > 330


@pytest.mark.parametrize("name", ["intelmpi-2021.18.1-abi", "intelmpi-2021.19.0-abi"])
def test_intels_abi_library_differs_in_the_eight_earlier_values(name: str) -> None:
    values = measured(name)
    differing = {n for n, v in values.items() if n in CONSTANTS and CONSTANTS[n].abi_value != v}
    assert differing == {
        *("MPI_ERRORS_ABORT", "MPI_ERRORS_RETURN", "MPI_SEEK_CUR", "MPI_SEEK_END", "MPI_SEEK_SET"),
        *("MPI_APPNUM", "MPI_LASTUSEDCODE", "MPI_UNIVERSE_SIZE"),
    }


@pytest.mark.parametrize("path", sorted(BLUEPRINTS.glob("*.json")), ids=lambda p: p.stem)
def test_constants_have_the_same_class_in_every_header(path: Path) -> None:
    """A closed set is only closed if no MPI has a further name for one of its members."""
    blueprint = model.load(model.Blueprint, path)
    for c in blueprint.constants:
        standard = CONSTANTS.get(c.name)
        if standard is not None and standard.cls in ("integer", "handle"):
            assert c.cls == standard.cls, c.name


def test_attributes_say_what_their_value_points_to() -> None:
    keys = set(SETS["comm_keyval"].constants) | set(SETS["win_keyval"].constants)
    assert {a.key for a in KNOWN.attributes} == keys - {"MPI_KEYVAL_INVALID"}
    types = {a.key: a.type for a in KNOWN.attributes}
    assert types["MPI_WIN_BASE"] == "void *" and types["MPI_WIN_SIZE"] == "MPI_Aint *"


def test_sentinels_exist_and_stand_for_nothing_where_nullable() -> None:
    for f in SUBJECTS:
        for p in f.parameters:
            for s in p.sentinels:
                assert s == "NULL" or s in CONSTANTS, (f.name, p.name, s)
            assert p.nullable == bool(set(p.sentinels) - meanings.NOT_NULL), (f.name, p.name)


def test_in_place_is_where_the_standard_has_it() -> None:
    found = {
        (f.name, p.name)
        for f in KNOWN.functions
        for p in f.parameters
        if "MPI_IN_PLACE" in p.sentinels and f.family == "blocking" and not f.small_count
    }
    sending = "Allgather Allgatherv Allreduce Alltoall Alltoallv Alltoallw Exscan Gather Gatherv"
    sending += " Reduce Reduce_scatter Reduce_scatter_block Scan"
    assert found == {(f"MPI_{s}", "sendbuf") for s in sending.split()} | {
        ("MPI_Scatter", "recvbuf"),
        ("MPI_Scatterv", "recvbuf"),
    }
