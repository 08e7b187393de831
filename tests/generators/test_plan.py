"""The plan: what becomes of C parameters, for well-known functions and as invariants over all."""

from __future__ import annotations

import re

import pytest

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.model import Function, Parameter
from mpiglot.generators.atlas import build_atlas
from mpiglot.generators.model import Atlas, AtlasFunction, Plan, PlannedFunction
from mpiglot.generators.plan import build_plan
from mpiglot.generators.policy import same_shape


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return build_atlas(catalogue.load(), [])


@pytest.fixture(scope="module")
def plan(atlas: Atlas) -> Plan:
    return build_plan(atlas)


def planned(plan: Plan, name: str) -> PlannedFunction:
    return next(f for f in plan.functions if f.name == name)


def arguments(plan: Plan, name: str) -> list[tuple[str, str]]:
    return [(a.name, a.kind) for a in planned(plan, name).arguments]


def results(plan: Plan, name: str) -> list[tuple[str, str]]:
    return [(r.name, r.kind) for r in planned(plan, name).results]


def test_an_out_handle_becomes_the_result(plan: Plan) -> None:
    assert arguments(plan, "MPI_Comm_split") == [
        ("comm", "handle"),
        ("color", "int"),
        ("key", "int"),
    ]
    assert results(plan, "MPI_Comm_split") == [("newcomm", "handle")]
    assert planned(plan, "MPI_Comm_split").shape == "value"


def test_a_count_is_wide_and_chooses_between_the_twins(plan: Plan) -> None:
    send = planned(plan, "MPI_Send")
    assert [a.kind for a in send.arguments] == ["buffer", "count", "handle", "int", "int", "handle"]
    assert (send.large, send.dispatch) == ("MPI_Send_c", "fits")
    assert send.arguments[0].count == "count" and send.arguments[0].datatype == "datatype"
    assert not send.arguments[0].mutable
    assert planned(plan, "MPI_Gatherv").dispatch == "overload"
    assert planned(plan, "MPI_Get_count").dispatch == "large"
    assert planned(plan, "MPI_Comm_rank").dispatch == "only"


def test_the_length_of_arrays_is_their_own_size(plan: Plan) -> None:
    waitall = planned(plan, "MPI_Waitall")
    assert [(a.name, a.kind) for a in waitall.arguments] == [
        ("array_of_requests", "span_ref"),
        ("array_of_statuses", "statuses_out"),
    ]
    assert waitall.slots[0].fold == "size" and waitall.slots[0].argument == "array_of_requests"
    assert waitall.arguments[1].shares_length == ["array_of_requests"]
    assert planned(plan, "MPI_Group_range_incl").arguments[1].element == "range"


def test_a_length_with_a_meaning_of_its_own_stays(plan: Plan) -> None:
    assert ("maxprocs", "int") in arguments(plan, "MPI_Comm_spawn")


def test_a_text_of_fixed_capacity_is_a_result_without_length(plan: Plan) -> None:
    name = planned(plan, "MPI_Get_processor_name")
    assert name.arguments == [] and results(plan, "MPI_Get_processor_name") == [("name", "string")]
    assert [s.fold for s in name.slots] == ["string", "string_length"]
    assert name.slots[0].capacity == "MPI_MAX_PROCESSOR_NAME"


def test_a_text_whose_length_must_be_asked_is_a_result_too(plan: Plan) -> None:
    info = planned(plan, "MPI_T_cvar_get_info")
    assert [s.fold for s in info.slots if s.name in ("name_len", "desc_len")] == ["capacity"] * 2
    assert arguments(plan, "MPI_T_cvar_get_info") == [("cvar_index", "int")]


def test_a_flag_guards_the_results_beside_it(plan: Plan) -> None:
    get = planned(plan, "MPI_Comm_get_attr")
    assert get.shape == "optional"
    assert [(r.name, r.kind, r.when) for r in get.results] == [
        ("attribute_val", "pointer", "flag"),
        ("flag", "bool", None),
    ]
    assert planned(plan, "MPI_Test").shape == "value"


def test_state_disappears_into_the_callback(plan: Plan) -> None:
    keyval = planned(plan, "MPI_Comm_create_keyval")
    assert [a.kind for a in keyval.arguments] == ["callback", "callback"]
    assert {a.state for a in keyval.arguments} == {"extra_state"}
    assert keyval.slots[-1].fold == "state"
    assert planned(plan, "MPI_Op_create").arguments[0].state is None


def test_main_arguments_are_one_and_may_be_left_out(plan: Plan) -> None:
    assert [(a.kind, a.nullable) for a in planned(plan, "MPI_Init").arguments] == [
        ("main_arguments", True)
    ]
    assert [s.fold for s in planned(plan, "MPI_Init").slots] == ["argc", "argv"]


def test_a_twin_of_another_shape_is_planned_by_itself(plan: Plan) -> None:
    names = {f.name for f in plan.functions}
    assert {"MPI_Op_create_c", "MPI_Type_get_envelope_c", "MPI_Type_get_contents_c"} <= names
    assert "MPI_Send_c" not in names


def test_every_slot_leads_somewhere_and_every_argument_is_used(plan: Plan) -> None:
    for f in plan.functions:
        argument_names = [a.name for a in f.arguments]
        result_names = [r.name for r in f.results]
        assert len(set(argument_names)) == len(argument_names), f.name
        used = {s.argument for s in f.slots if s.argument}
        filled = {s.result for s in f.slots if s.result}
        assert used == set(argument_names), f.name
        assert set(result_names) <= filled <= set(result_names) | {None}, f.name
        for a in f.arguments:
            assert set(a.shares_length) <= set(argument_names), f.name
            for other in (a.count, a.datatype):
                assert other is None or other in {s.name for s in f.slots}, f.name


def test_every_function_of_the_standard_is_planned_once(atlas: Atlas, plan: Plan) -> None:
    functions = {f.function.name: f.function for f in atlas.functions}
    own = {f.name for f in plan.functions}
    twins = {f.large for f in plan.functions if f.large}
    assert own | twins == set(functions)
    assert not own & twins
    for f in plan.functions:
        assert len(f.slots) == len(functions[f.name].parameters)


def test_almost_nothing_of_the_standard_stays_plain(plan: Plan) -> None:
    plain = {f.name for f in plan.functions if any(a.kind == "plain" for a in f.arguments)}
    odd = re.compile(
        r"MPI_(Status_.*f08.*|Status_f2c|Comm_spawn_multiple|Type_hindexed|Type_struct)"
    )
    assert {name for name in plain if not odd.fullmatch(name)} == set()


def test_an_unknown_function_is_planned_from_its_types_alone() -> None:
    function = Function(
        "MPIX_Thing_get",
        "int",
        [
            Parameter("thing", "struct thing *", direction="in"),
            Parameter("level", "int *", direction="out", role="index"),
        ],
        source="inferred",
    )
    atlas = Atlas("5.0", functions=[AtlasFunction(function)])
    thing = build_plan(atlas).functions[0]
    assert [a.kind for a in thing.arguments] == ["plain"]
    assert [r.kind for r in thing.results] == ["int"]
    assert thing.source == "inferred"


def test_a_number_that_is_changed_after_the_call_is_no_variable_of_the_call() -> None:
    flag = Parameter("flag", "int *", direction="inout", role="flag", kept=True)
    function = Function("MPIX_Iagree", "int", [flag], source="inferred")
    later = build_plan(Atlas("5.0", functions=[AtlasFunction(function)])).functions[0]
    assert [(a.name, a.kind) for a in later.arguments] == [("flag", "plain")]


def test_twins_are_alike_only_in_widths() -> None:
    small = Function("MPI_X", "int", [Parameter("n", "int")])
    assert same_shape(small, Function("MPI_X_c", "int", [Parameter("n", "MPI_Count")]))
    assert not same_shape(small, Function("MPI_X_c", "int", []))


# --------------------------------------------------------------------------- facts


def test_integers_that_may_not_fit_say_which_twin_they_are_too_large_for(plan: Plan) -> None:
    send = {s.name: s.narrows for s in planned(plan, "MPI_Send").slots}
    assert send["count"] == "small"
    assert send["dest"] == ""
    waitall = {s.name: s.narrows for s in planned(plan, "MPI_Waitall").slots}
    assert waitall["count"] == "both"


def test_texts_say_who_knows_how_much_room_they_need(plan: Plan) -> None:
    name = planned(plan, "MPI_Get_processor_name").results[0]
    assert (name.room, name.capacity) == ("constant", "MPI_MAX_PROCESSOR_NAME")
    assert name.length_told
    value = planned(plan, "MPI_Info_get_string").results[0]
    assert (value.room, value.capacity, value.length_told) == ("asked", "", False)
    old = planned(plan, "MPI_Info_get").results[0]
    assert (old.room, old.capacity) == ("argument", "valuelen")


def test_callbacks_say_how_they_get_their_state(plan: Plan) -> None:
    grequest = {a.name: a.state_role for a in planned(plan, "MPI_Grequest_start").arguments}
    assert grequest == {"query_fn": "passed", "free_fn": "last", "cancel_fn": "passed"}
    assert {a.state_role for a in planned(plan, "MPI_Op_create").arguments} == {""}


def test_memory_that_mpi_keeps_has_an_owner_where_a_handle_ends_its_use(plan: Plan) -> None:
    owners = {f.name: f.memory_owner for f in plan.functions}
    assert owners["MPI_Isend"] == "request"
    assert owners["MPI_Put"] == owners["MPI_Win_create"] == "win"
    assert owners["MPI_Rput"] == "request", "what is made owns the memory, not the window given"
    assert owners["MPI_File_write_all_begin"] == "fh"
    assert owners["MPI_Session_attach_buffer"] == "session"
    assert owners["MPI_Comm_attach_buffer"] == owners["MPI_Buffer_attach"] == ""


def test_blocking_functions_name_their_other_forms(plan: Plan) -> None:
    assert planned(plan, "MPI_Bcast").forms == {
        "nonblocking": "MPI_Ibcast",
        "persistent": "MPI_Bcast_init",
    }
    assert planned(plan, "MPI_Ibcast").forms == {}
    assert planned(plan, "MPI_Reduce_local").forms == {}


def test_what_is_done_with_keys_of_attributes_is_told(plan: Plan) -> None:
    told = {f.name: (f.key_use, f.key, f.key_kind) for f in plan.functions if f.key_use}
    assert told["MPI_Win_create_keyval"] == ("makes", "win_keyval", "win")
    assert told["MPI_Comm_set_attr"] == ("sets", "comm_keyval", "comm")
    assert told["MPI_Type_free_keyval"] == ("frees", "type_keyval", "type")
    assert "MPI_Comm_get_attr" not in told


def test_results_of_completions_count_on_error_too(plan: Plan) -> None:
    told = {f.name for f in plan.functions if f.results_on_error}
    assert {"MPI_Waitany", "MPI_Testany", "MPI_Testall", "MPI_Test", "MPI_Waitsome"} <= told
    assert not told & {"MPI_Comm_split", "MPI_Recv"}
