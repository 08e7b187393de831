"""What must hold inside the catalogue, whoever wrote which part."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from mpiglot.blueprints import catalogue, model
from mpiglot.blueprints.catalogue import build, engine
from mpiglot.blueprints.catalogue.vocabulary import CHAPTERS, FAMILIES, ROLES, VERSIONS
from mpiglot.blueprints.model import CallbackType, Function

DATA = Path(__file__).parents[1] / "data"
KNOWN = catalogue.load()
FUNCTIONS = {f.name: f for f in KNOWN.functions}
SUBJECTS: list[Function | CallbackType] = [*KNOWN.functions, *KNOWN.callbacks]


def of_version(version: str) -> list[Function]:
    """The functions of one version of the standard: there already, and not yet removed."""
    last = VERSIONS.index(version)
    return [
        f
        for f in KNOWN.functions
        if VERSIONS.index(f.since) <= last
        and (f.removed is None or VERSIONS.index(f.removed) > last)
    ]


def test_committed_file_is_what_the_inputs_give() -> None:
    assert catalogue.PATH.read_text(encoding="utf-8") == model.dumps(build.build())
    assert build.DEVIATIONS_DOC.read_text(encoding="utf-8") == build.deviations_text(build.build())


def test_round_trip_loses_nothing() -> None:
    again = model.from_json(model.Catalogue, json.loads(model.dumps(KNOWN)))
    assert again == KNOWN


def test_number_of_functions_of_each_version() -> None:
    """Counted independently from the Forum's headers and the annals of other bindings."""
    counts = {v: len(of_version(v)) for v in ("3.1", "4.0", "4.1", "5.0")}
    assert counts == {"3.1": 411, "4.0": 633, "4.1": 662, "5.0": 692}
    large = {v: sum(f.name.endswith("_c") for f in of_version(v)) for v in ("3.1", "4.0", "5.0")}
    assert large == {"3.1": 0, "4.0": 154, "5.0": 161}


def test_versions_are_in_order() -> None:
    for f in KNOWN.functions:
        points = [f.since, f.deprecated or f.since, f.removed or VERSIONS[-1]]
        assert points == sorted(points, key=VERSIONS.index), f.name
    assert sum(f.removed == "3.0" for f in KNOWN.functions) == 10
    assert sum(f.deprecated is not None and f.removed is None for f in KNOWN.functions) == 12


def test_vocabulary_is_closed() -> None:
    for f in SUBJECTS:
        for p in f.parameters:
            assert p.role in ROLES, (f.name, p.name, p.role)
            assert p.direction in ("in", "out", "inout"), (f.name, p.name)
    for function in KNOWN.functions:
        assert function.family in FAMILIES
        assert function.chapter in CHAPTERS and function.chapter != "extensions", function.name
    assert {p.role for f in SUBJECTS for p in f.parameters} == (set(ROLES) - {"handle"})


def test_twins_know_each_other() -> None:
    twins = [f for f in KNOWN.functions if f.large_count]
    assert len(twins) == 161
    for f in twins:
        large = FUNCTIONS[f.large_count or ""]
        assert large.small_count == f.name
        assert (large.family, large.collective, large.chapter) == (
            f.family,
            f.collective,
            f.chapter,
        )
        meaning = {p.name: (p.direction, p.role, p.values) for p in large.parameters}
        for p in f.parameters:
            assert meaning[p.name] == (p.direction, p.role, p.values), (f.name, p.name)
    arity = [f.name for f in twins if len(f.parameters) != len(FUNCTIONS[f.name + "_c"].parameters)]
    assert arity == ["MPI_Type_get_contents", "MPI_Type_get_envelope"]
    assert all(f.small_count for f in KNOWN.functions if f.name.endswith("_c"))


def test_collectives_come_in_three_symmetric_families() -> None:
    forms: dict[str, set[str]] = {family: set() for family in FAMILIES}
    for f in of_version("5.0"):
        if f.collective and f.chapter == "collectives":
            stem = engine.stem(f.name)
            large = f.name.endswith("_c")
            if f.family == "nonblocking":
                stem = stem.removeprefix("i")
            forms[f.family].add(stem.removesuffix("_init") + ("_c" if large else ""))
    assert len(forms["blocking"]) == 43
    assert forms["blocking"] == forms["nonblocking"] == forms["persistent"]


def test_requests_come_from_nonblocking_and_persistent_functions_only() -> None:
    gives = {
        f.name
        for f in KNOWN.functions
        if any(p.role == "request" and p.direction == "out" for p in f.parameters)
    }
    other = {n for n in gives if FUNCTIONS[n].family not in ("nonblocking", "persistent")}
    assert other == {"MPI_Grequest_start"}
    without = {
        f.name
        for f in KNOWN.functions
        if f.family in ("nonblocking", "persistent") and f.name not in gives
    }
    assert all(
        re.fullmatch(
            r"MPI_(File_\w+_begin|Put|Get|(Get_)?[Aa]ccumulate|Fetch_and_op|Compare_and_swap)(_c)?",
            n,
        )
        for n in without
    )


def test_groups_name_siblings_of_the_right_role() -> None:
    for f in SUBJECTS:
        roles = {p.name: p.role for p in f.parameters}
        for p in f.parameters:
            if p.group is None:
                continue
            assert p.role == "buffer"
            assert roles[p.group.datatype or ""] == "datatype"
            if p.group.count:
                assert roles[p.group.count] == "count", (f.name, p.name)
            if p.group.displacements:
                assert roles[p.group.displacements] == "displacement"


def test_buffer_groups_agree_with_mpichs_type_tags() -> None:
    tags = json.loads((DATA / "mpich_type_tags.json").read_text())["functions"]
    assert len(tags) == 232
    agreeing = 0
    for name, tagged in tags.items():
        names = [p.name for p in FUNCTIONS[name].parameters]
        ours = sorted(
            [i + 1, names.index(p.group.datatype) + 1]
            for i, p in enumerate(FUNCTIONS[name].parameters)
            if p.group is not None and p.group.datatype is not None
        )
        assert ours == tagged, name
        agreeing += 1
    assert agreeing == 232


def test_buffers_without_a_group_are_known() -> None:
    """Memory without a datatype: everything else is a bug in the rules."""
    bare = Counter(
        engine.stem(f.name)
        for f in KNOWN.functions
        for p in f.parameters
        if p.role == "buffer" and p.group is None
    )
    allowed = (
        r"\w*(attach|detach)(_buffer)?|pack(_external)?|unpack(_external)?|file_\w+_end"
        r"|alloc_mem|free_mem|win_(create|allocate|allocate_shared|shared_query)"
        r"|t_(cvar|pvar|event)_(read|write|readreset|copy)|abi_[gs]et_fortran_booleans"
        r"|get_address|address"
    )
    assert [s for s in bare if not re.fullmatch(allowed, s)] == []


def test_lengths_are_siblings_constants_or_rules() -> None:
    constants = {c.name for c in KNOWN.constants if c.purpose in ("limit", "fortran")}
    rule = r"(comm_size|local_size|indegree|outdegree|cartdim)\(comm\)|(sum|last)\((\w+)\)|null|\d+"
    for f in SUBJECTS:
        siblings = {p.name for p in f.parameters}
        for p in f.parameters:
            parts = p.length if isinstance(p.length, list) else [p.length]
            for part in parts:
                if part is None or part in siblings or part in constants:
                    continue
                if part == "valuelen+1" and f.name == "MPI_Info_get":
                    continue
                match = re.fullmatch(rule, part)
                assert match, (f.name, p.name, part)
                assert match[3] is None or match[3] in siblings
            if parts != [None]:
                assert "*" in p.type or "[" in p.type, (f.name, p.name)


def test_every_array_has_a_length() -> None:
    missing = {
        (f.name, p.name)
        for f in KNOWN.functions
        for p in f.parameters
        if "[" in p.type and p.length is None and p.role != "string"
    }
    assert missing == set()


def test_every_output_string_has_a_capacity() -> None:
    for f in KNOWN.functions:
        for p in f.parameters:
            if p.role == "string" and p.direction == "out":
                assert p.length, (f.name, p.name)


def test_callbacks_name_their_type_and_state() -> None:
    types = {c.name for c in KNOWN.callbacks}
    stateless = set()
    for f in KNOWN.functions:
        roles = {p.name: p.role for p in f.parameters}
        for p in f.parameters:
            if p.role != "callback":
                assert p.callback is None
                continue
            assert p.callback is not None and p.callback.type in types
            if p.callback.state is None:
                stateless.add(p.callback.type)
            else:
                assert roles[p.callback.state] == "state"
    assert stateless == {
        "MPI_User_function",
        "MPI_User_function_c",
        *(f"MPI_{x}_errhandler_function" for x in ("Comm", "File", "Session", "Win")),
        "MPI_T_event_dropped_cb_function",
    }


def test_handles_have_null_and_free_where_the_standard_has_them() -> None:
    constants = {c.name: c for c in KNOWN.constants}
    without_null, without_free = set(), set()
    for h in KNOWN.handles:
        if h.null is None:
            without_null.add(h.name)
        else:
            assert constants[h.null].type == h.name
        if h.free is None:
            without_free.add(h.name)
        else:
            freed = next(p for p in FUNCTIONS[h.free].parameters if p.type.startswith(h.name))
            assert freed.direction == "inout" or h.name == "MPI_T_event_registration"
        for name in (h.c2f, h.f2c, h.toint, h.fromint):
            assert name is None or name in FUNCTIONS
        assert (h.c2f is None) == h.name.startswith("MPI_T_")
    assert without_null == {"MPI_T_event_instance", "MPI_T_event_registration"}
    assert without_free == {"MPI_Message", "MPI_T_enum", "MPI_T_event_instance"}


def test_kept_memory_is_pointed_to() -> None:
    for f in KNOWN.functions:
        for p in f.parameters:
            if p.kept:
                assert "*" in p.type or "[" in p.type, (f.name, p.name)
            if p.indirect:
                assert p.type == "void *" and p.direction == "out", (f.name, p.name)


def test_indirect_pointers_are_the_known_trap() -> None:
    found = {
        (engine.stem(f.name), p.name) for f in KNOWN.functions for p in f.parameters if p.indirect
    }
    memory = {"alloc_mem", "win_allocate", "win_allocate_shared", "win_shared_query"}
    detach = {"buffer_detach", "comm_detach_buffer", "session_detach_buffer"}
    attributes = {"attr_get", "comm_get_attr", "type_get_attr", "win_get_attr"}
    assert found == (
        {(s, "baseptr") for s in memory}
        | {(s, "buffer_addr") for s in detach}
        | {(s, "attribute_val") for s in attributes}
    )


def test_root_only_needs_a_root() -> None:
    for f in KNOWN.functions:
        if any(p.root_only for p in f.parameters):
            assert any(p.name == "root" for p in f.parameters), f.name


def test_every_function_says_what_it_does() -> None:
    assert [f.name for f in KNOWN.functions if not f.doc] == []
