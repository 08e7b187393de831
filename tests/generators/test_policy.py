"""What is generated, what is an alias, what is skipped, and that each comes with its reason."""

from __future__ import annotations

from mpiglot.blueprints.model import Function, Parameter
from mpiglot.generators.model import Atlas, AtlasFunction, Plan, PlannedFunction, Presence
from mpiglot.generators.policy import (
    Decision,
    Filters,
    apply_filters,
    availability,
    decide,
    same_call,
)


def function(name: str, *types: str, **more: object) -> Function:
    parameters = [Parameter(f"p{i}", t) for i, t in enumerate(types)]
    return Function(name, "int", parameters, **more)  # type: ignore[arg-type]


def entry(f: Function, *present: tuple[str, str]) -> AtlasFunction:
    return AtlasFunction(f, [Presence(target, status) for target, status in present])


def decisions(*entries: AtlasFunction) -> dict[str, Decision]:
    return decide(Atlas("5.0", functions=list(entries)))


def test_a_function_that_links_somewhere_is_generated_without_a_reason() -> None:
    found = decisions(entry(function("MPI_Send"), ("mpich", "links")))
    assert found["MPI_Send"] == Decision("generate", "", [])


def test_a_standard_function_no_mpi_has_is_generated_all_the_same() -> None:
    assert decisions(entry(function("MPI_New", source="catalogue")))["MPI_New"][0] == "generate"


def test_a_removed_function_is_skipped_even_where_it_still_links() -> None:
    gone = function("MPI_Address", "void *", "MPI_Aint *", removed="3.0")
    assert decisions(entry(gone, ("mpich", "links")))["MPI_Address"] == (
        "skip",
        "removed from the standard in MPI 3.0",
        [],
    )


def test_a_macro_that_refuses_to_compile_is_skipped_unless_another_mpi_links() -> None:
    trap = AtlasFunction(function("MPI_Old"), [Presence("ompi", "macro", macro="trap")])
    assert decisions(trap)["MPI_Old"].decision == "skip"
    trap.present.append(Presence("mpich", "links"))
    assert decisions(trap)["MPI_Old"].decision == "generate"


def test_an_extension_that_no_library_has_is_skipped_and_the_declarers_are_named() -> None:
    found = decisions(entry(function("MPIX_Ghost", source="inferred"), ("a-1", "declared")))
    assert found["MPIX_Ghost"].decision == "skip"
    assert "a-1" in found["MPIX_Ghost"].reason


def test_a_large_count_twin_is_an_alias_of_its_small_function() -> None:
    small = function("MPI_Send", "const void *", "int", large_count="MPI_Send_c")
    large = function("MPI_Send_c", "const void *", "MPI_Count", small_count="MPI_Send")
    found = decisions(entry(small), entry(large))
    assert found["MPI_Send"].decision == "generate"
    assert found["MPI_Send_c"].decision == "alias"
    assert "MPI_Send" in found["MPI_Send_c"].reason


def test_a_function_for_wide_sizes_stands_in_for_the_twin_that_came_later() -> None:
    small = function("MPI_Type_size", "MPI_Datatype", "int *", large_count="MPI_Type_size_c")
    large = function("MPI_Type_size_c", "MPI_Datatype", "MPI_Count *")
    large.small_count = "MPI_Type_size"
    wide = function("MPI_Type_size_x", "MPI_Datatype", "MPI_Count *")
    found = decisions(entry(small), entry(large), entry(wide))
    assert found["MPI_Type_size_c"].alternatives == ["MPI_Type_size_x"]
    assert found["MPI_Type_size_x"].decision == "generate"


def test_a_twin_of_another_shape_is_generated_on_its_own() -> None:
    small = function("MPI_Type_get_envelope", "int *")
    large = function("MPI_Type_get_envelope_c", "MPI_Count *", "int *")
    large.small_count = "MPI_Type_get_envelope"
    assert decisions(entry(small), entry(large))["MPI_Type_get_envelope_c"].decision == "generate"


def test_an_extension_with_the_standard_prototype_stands_in_for_the_standard_function() -> None:
    standard = function("MPI_Barrier_init", "MPI_Comm", "MPI_Request *")
    extension = function("MPIX_Barrier_init", "MPI_Comm", "MPI_Request *", source="inferred")
    found = decisions(entry(standard), entry(extension, ("openmpi-4.1.4", "links")))
    assert found["MPI_Barrier_init"] == Decision("generate", "", ["MPIX_Barrier_init"])
    assert found["MPIX_Barrier_init"].decision == "alias"


def test_an_extension_that_is_called_differently_keeps_its_own_name() -> None:
    standard = function("MPI_Grow", "int")
    extension = function("MPIX_Grow", "int", "int", source="inferred")
    found = decisions(entry(standard), entry(extension, ("x", "links")))
    assert found["MPIX_Grow"] == Decision("generate", "", [])
    assert found["MPI_Grow"].alternatives == []


def test_const_arrays_and_pointers_are_called_alike_but_widths_are_not() -> None:
    assert same_call(function("a", "const int []"), function("b", "int *"))
    assert same_call(function("a", "int [][3]"), function("b", "int (*)[3]"))
    assert not same_call(function("a", "int *"), function("b", "MPI_Count *"))


def test_availability_tells_absent_declared_and_trap_apart() -> None:
    one = AtlasFunction(
        function("MPI_X"),
        [Presence("a", "links"), Presence("b", "declared"), Presence("c", "macro", macro="trap")],
    )
    assert availability(one, "a") == ("links", "")
    assert availability(one, "b")[0] == "declared"
    assert availability(one, "c")[0] == "trap"
    assert availability(one, "d") == ("absent", "not in its header")


def plan() -> Plan:
    return Plan(
        functions=[
            PlannedFunction("MPI_Send", "error", large="MPI_Send_c", dispatch="fits"),
            PlannedFunction("MPI_File_open", "error"),
            PlannedFunction("MPI_Address", "error", decision="skip", reason="removed"),
        ]
    )


def test_exclusion_wins_over_inclusion_and_names_its_pattern() -> None:
    out = apply_filters(plan(), Filters(include=["MPI_*"], exclude=["MPI_File_*"]))
    kept = {f.name: (f.decision, f.reason) for f in out.functions}
    assert kept["MPI_Send"] == ("generate", "")
    assert kept["MPI_File_open"] == ("skip", "excluded by the pattern MPI_File_*")
    assert kept["MPI_Address"] == ("skip", "removed")


def test_excluding_a_twin_leaves_the_small_function_without_it() -> None:
    send = apply_filters(plan(), Filters(exclude=["*_c"])).functions[0]
    assert (send.decision, send.large, send.dispatch) == ("generate", None, "only")


def test_including_a_function_brings_its_twin_along() -> None:
    send = apply_filters(plan(), Filters(include=["MPI_Send"])).functions[0]
    assert (send.decision, send.large) == ("generate", "MPI_Send_c")


def test_without_filters_the_plan_is_unchanged() -> None:
    before = plan()
    assert apply_filters(before, Filters()) is before
