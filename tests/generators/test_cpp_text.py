"""Names and layout of generated C++, case by case, and functions of a small hand-made plan."""

from __future__ import annotations

import re
import subprocess
import textwrap
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import UsageError
from mpiglot.blueprints.model import (
    CallbackType,
    Function,
    Handle,
    Parameter,
    ValueSet,
)
from mpiglot.generators.c_types import declared
from mpiglot.generators.cpp.generator import generate
from mpiglot.generators.cpp.names import (
    Scope,
    constant_name,
    enumerator_names,
    function_name,
    handle_name,
    owner_name,
)
from mpiglot.generators.cpp.target import look_up
from mpiglot.generators.facts import add_facts
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.layout import wrapped
from mpiglot.generators.model import (
    Argument,
    Atlas,
    AtlasConstant,
    AtlasFunction,
    AtlasType,
    ConstantValue,
    Plan,
    PlannedFunction,
    Presence,
    Representation,
    Request,
    Response,
    Result,
    Slot,
    Target,
)
from tests.limits import guard

# --------------------------------------------------------------------------- names and layout


def test_names_lose_the_prefix_of_the_standard_and_keep_that_of_extensions() -> None:
    assert function_name("MPI_Comm_split") == "comm_split"
    assert function_name("MPI_T_cvar_read") == "t_cvar_read"
    assert function_name("MPIX_Comm_shrink") == "mpix_comm_shrink"
    assert handle_name("MPI_Comm") == "comm_handle"
    assert handle_name("MPI_T_cvar_handle") == "t_cvar_handle"
    assert owner_name("MPI_Datatype") == "unique_datatype"


def test_names_that_c_plus_plus_reserves_get_an_underscore() -> None:
    assert constant_name("MPI_INT", "MPI_Datatype") == "int_"
    assert constant_name("MPI_INT32_T", "MPI_Datatype") == "int32"
    assert constant_name("MPI_2INT", "MPI_Datatype") == "two_int"
    scope = Scope({"address"})
    assert [scope.add("address"), scope.add("address"), scope.add("other")] == [
        "address_",
        "address__",
        "other",
    ]


def test_enumerators_lose_what_nearly_all_share() -> None:
    errors = ["MPI_SUCCESS", "MPI_ERR_RANK", "MPI_ERR_TAG", "MPI_ERR_NO_MEM"]
    assert list(enumerator_names(errors).values()) == ["success", "rank", "tag", "no_mem"]
    comparison = ["MPI_IDENT", "MPI_UNEQUAL"]
    assert list(enumerator_names(comparison).values()) == ["ident", "unequal"]
    assert enumerator_names(["MPI_ORDER_C", "MPI_ORDER_FORTRAN"])["MPI_ORDER_C"] == "c"


def test_long_lists_continue_below_their_first_item() -> None:
    text = "inline result<> function_with_a_name(" + ", ".join(["int argument"] * 12) + ") {"
    lines = wrapped(text).splitlines()
    assert max(len(line) for line in lines) <= 100
    assert lines[1] == " " * 37 + lines[1].lstrip()
    assert " ".join(line.strip() for line in lines) == text


def test_lists_that_begin_too_far_right_are_indented_below() -> None:
    call = "  return detail::unwrap(nothrow::f(" + ", ".join(["static_cast<A&&>(a)"] * 5)
    assert wrapped(call + '), "MPI_F");').splitlines() == [
        "  return detail::unwrap(",
        "      nothrow::f(" + ", ".join(["static_cast<A&&>(a)"] * 4) + ",",
        "                 static_cast<A&&>(a)),",
        '      "MPI_F");',
    ]


def test_a_long_condition_is_broken_at_its_operators_and_before_what_it_controls() -> None:
    test = "detail::small_enough(array_of_requests.count(), other.count())"
    assert wrapped(f"  if ({test} && {test}) {{").splitlines() == [
        f"  if ({test} &&",
        f"      {test}) {{",
    ]
    assert wrapped(f"  if ({test}) [[unlikely]] detail::raise(MPI_ERR_COUNT);").splitlines() == [
        f"  if ({test}) [[unlikely]]",
        "    detail::raise(MPI_ERR_COUNT);",
    ]


def test_brackets_and_commas_in_texts_are_no_lists() -> None:
    text = "the callable must take (int a, int b, " + "and words " * 10
    lines = wrapped(f'    static_assert(requires {{ function(a, b); }}, "{text}");').splitlines()
    assert "        requires { function(a, b); }," in lines
    assert all(line.strip()[0] == '"' for line in lines[2:])
    assert "".join(line.strip().strip('");') for line in lines[2:]).strip() == text.strip()


def test_arrays_of_c_are_declared_as_pointers() -> None:
    assert declared("const int []", "counts") == "const int* counts"
    assert declared("int [][3]", "ranges") == "int (*ranges)[3]"
    assert declared("char ***", "argv") == "char*** argv"


def test_comments_are_wrapped() -> None:
    lines = wrapped("/// " + "word " * 50).splitlines()
    assert len(lines) > 1
    assert all(line.startswith("/// word") and len(line) <= 100 for line in lines)


# --------------------------------------------------------------------------- a hand-made plan


def function(name: str, status: str | None = "links") -> AtlasFunction:
    present = [Presence("toy-1.0", status)] if status else []
    comm = Parameter("comm", "MPI_Comm", role="communicator")
    return AtlasFunction(Function(name, "int", parameters=[comm], since="4.0"), present)


def value(name: str, kind: str, c_type: str) -> tuple[Argument, Slot]:
    return Argument(name, kind, c_type), Slot(name, c_type, "value", name)


COMM = value("comm", "handle", "MPI_Comm")


def planned(
    name: str,
    inputs: list[tuple[Argument, Slot]],
    results: list[Result] | None = None,
    slots: list[Slot] | None = None,
    **more: str,
) -> PlannedFunction:
    f = PlannedFunction(name, returns="error", chapter="pt2pt")
    f.arguments = [a for a, _ in inputs]
    f.slots = [s for _, s in inputs] + (slots or [])
    f.results = results or []
    f.shape = "void" if not f.results else "value" if len(f.results) == 1 else "record"
    for key, text in more.items():
        setattr(f, key, text)
    return f


def respond(*functions: PlannedFunction, lacking: tuple[str, ...] = ()) -> Response:
    """What is generated for a toy MPI that has everything but the functions `lacking`."""
    names = [n for f in functions for n in (f.name, f.large) if n]
    one = ConstantValue("toy-1.0", 1, constant_expression=True)
    atlas = Atlas(
        "5.0",
        targets=[Target("toy-1.0", "Toy", "1.0", "toy", "4.0")],
        functions=[function(n, None if n in lacking else "links") for n in names],
        types=[
            AtlasType(n, n == "MPI_Comm", [Representation("toy-1.0", "integer", 4, 4, "int")])
            for n in ("MPI_Comm", "MPI_Count", "MPI_Status")
        ],
        handles=[Handle("MPI_Comm", null="MPI_COMM_NULL")],
        value_sets=[ValueSet("level", "closed", ["MPI_LEVEL_LOW", "MPI_LEVEL_HIGH"])],
        constants=[
            AtlasConstant(n, "integer", "int", values=[one])
            for n in ("MPI_LEVEL_LOW", "MPI_LEVEL_HIGH", "MPI_COMM")
        ],
        callbacks=[
            CallbackType(
                "MPI_Toy_function",
                "void",
                [Parameter("len", "int *", "in", "count"), Parameter("data", "void *", "in")],
            )
        ],
    )  # fmt: skip
    add_facts(functions, atlas.callbacks)
    return generate(Request("cpp", atlas, Plan(list(functions)), target="toy-1.0"))


def text_of(response: Response, path: str) -> str:
    return next(f.content for f in response.files if f.path == path)


def both_layers(response: Response, name: str) -> tuple[str, str]:
    """The texts of a function, comments left out: layer 1, layer 2."""
    text = text_of(response, "mpiglot/mpi/pt2pt.hpp")
    found = re.findall(
        rf"^((?:template[^\n]*\n)?[^\n/ ][^\n]*\b{name}\(.*?^}})$", text, re.MULTILINE | re.DOTALL
    )
    assert len(found) == 2, found
    return found[0], found[1]


def expected(text: str) -> str:
    return textwrap.dedent(text).strip()


def test_one_output_is_the_value() -> None:
    split = planned(
        "MPI_Comm_split", [COMM, value("color", "int", "int")],
        [Result("newcomm", "handle", "MPI_Comm")],
        [Slot("newcomm", "MPI_Comm *", "result", result="newcomm")],
    )  # fmt: skip
    one, two = both_layers(respond(split), "comm_split")
    assert one == expected(
        """
        inline result<comm_handle> comm_split(comm_handle comm, int color) noexcept {
          MPI_Comm newcomm{};
          const int code = MPIGLOT_MPI(MPI_Comm_split)(comm.native, color, &newcomm);
          return {code, comm_handle{newcomm}};
        }
        """
    )
    assert two == expected(
        """
        [[nodiscard]] inline comm_handle comm_split(comm_handle comm, int color) {
          MPI_Comm newcomm;
          const int code = MPIGLOT_MPI(MPI_Comm_split)(comm.native, color, &newcomm);
          detail::check(code, "MPI_Comm_split");
          return comm_handle{newcomm};
        }
        """
    )


STATUS = Slot("status", "MPI_Status *", "reference", "status")


def counting(large: str | None) -> PlannedFunction:
    count = Argument("count", "count", "MPI_Count", narrow=True)
    slot = Slot("count", "int", "value", "count", large_type="MPI_Count")
    f = planned("MPI_Count_up", [(count, slot), COMM])
    f.large, f.dispatch = large, "fits" if large else "only"
    return f


def test_the_small_function_is_called_while_the_count_fits() -> None:
    one, _ = both_layers(respond(counting("MPI_Count_up_c")), "count_up")
    assert one == expected(
        """
        inline result<> count_up(count_t count, comm_handle comm) noexcept {
          if (detail::small_enough(count))
            return {MPIGLOT_MPI(MPI_Count_up)(static_cast<int>(count), comm.native)};
          return {MPIGLOT_MPI(MPI_Count_up_c)(count, comm.native)};
        }
        """
    )


def test_without_the_twin_a_count_that_does_not_fit_is_refused() -> None:
    response = respond(counting("MPI_Count_up_c"), lacking=("MPI_Count_up_c",))
    one, _ = both_layers(response, "count_up")
    assert one == expected(
        """
        inline result<> count_up(count_t count, comm_handle comm) noexcept {
          if (!detail::fit_int(count)) [[unlikely]] return {MPI_ERR_COUNT};
          return {MPIGLOT_MPI(MPI_Count_up)(static_cast<int>(count), comm.native)};
        }
        """
    )


def test_a_missing_function_keeps_its_name_and_says_what_it_needs() -> None:
    response = respond(counting(None), lacking=("MPI_Count_up",))
    one, two = both_layers(response, "count_up")
    assert "return {MPI_ERR_UNSUPPORTED_OPERATION};" in one
    assert two == expected(
        """
        inline void count_up(count_t /*count*/, comm_handle /*comm*/) {
          detail::raise_unavailable("MPI_Count_up", "MPI 4.0");
        }
        """
    )
    assert "inline constexpr bool has_count_up = false;" in text_of(
        response, "mpiglot/mpi/available.hpp"
    )


def test_another_name_of_a_missing_function_is_called_instead() -> None:
    f = counting(None)
    f.alternatives = ["MPIX_Count_up"]
    other = planned("MPIX_Count_up", [], decision="alias")
    one, two = both_layers(respond(f, other, lacking=("MPI_Count_up",)), "count_up")
    assert "MPIGLOT_MPI(MPIX_Count_up)(" in one
    assert '"MPI_Count_up"' in two


def test_arrays_of_both_widths_call_their_own_twin() -> None:
    counts = Argument("counts", "span", "MPI_Count", element="count", narrow=True)
    slot = Slot("counts", "const int []", "data", "counts", large_type="const MPI_Count []")
    size = Slot("n", "int", "size", "counts", large_type="MPI_Count")
    f = planned("MPI_Spread", [(counts, slot)], slots=[size])
    f.large, f.dispatch = "MPI_Spread_c", "overload"
    atlas_text = text_of(respond(f), "mpiglot/mpi/pt2pt.hpp")
    # The toy's MPI_Count is an int: one type, so that one function serves both.
    assert atlas_text.count("inline result<> spread(") == 1
    f.slots[0].large_type = "const MPI_Aint []"
    both = text_of(respond(f), "mpiglot/mpi/pt2pt.hpp")
    assert "spread(span<const int> counts) noexcept" in both
    assert "spread(span<const count_t> counts) noexcept" in both
    assert "MPI_Spread)(counts.data(), static_cast<int>(counts.count()))" in both
    assert "MPI_Spread_c)(counts.data(), counts.count())" in both


def test_arrays_that_belong_together_must_be_equally_long() -> None:
    first = Argument("first", "span", "int", element="int")
    second = Argument("second", "span_out", "int", element="int", shares_length=["first"])
    f = planned(
        "MPI_Pair",
        [(first, Slot("first", "const int []", "data", "first")),
         (second, Slot("second", "int []", "data", "second"))],
    )  # fmt: skip
    one, _ = both_layers(respond(f), "pair")
    assert "if (second.size() != first.size()) [[unlikely]] return {MPI_ERR_ARG};" in one


def test_a_flag_that_guards_a_value_makes_it_optional() -> None:
    f = planned(
        "MPI_Ask", [COMM],
        [Result("answer", "int", "int", when="flag"), Result("flag", "bool", "int")],
        [Slot("answer", "int *", "result", result="answer"),
         Slot("flag", "int *", "result", result="flag")],
    )  # fmt: skip
    f.shape = "optional"
    one, two = both_layers(respond(f), "ask")
    assert "return {code, detail::when<int>(flag != 0, answer)};" in one
    assert two.startswith("[[nodiscard]] inline std::optional<int> ask(comm_handle comm) {")
    assert "  int answer;\n  int flag{};\n" in two
    assert "  if (flag == 0) return std::nullopt;\n  return answer;" in two


def test_which_request_failed_comes_with_the_error() -> None:
    f = planned(
        "MPI_Waitsoever", [(Argument("status", "status_out"), STATUS)],
        [Result("index", "int", "int")], [Slot("index", "int *", "result", result="index")],
    )  # fmt: skip
    _, two = both_layers(respond(f), "waitsoever")
    assert "  int index{};\n" in two
    assert 'detail::raise_with<int>(code, "MPI_Waitsoever", index);' in two


def test_several_outputs_are_a_struct_and_enumerations_keep_their_type() -> None:
    f = planned(
        "MPI_Look", [value("wanted", "enum", "int")],
        [Result("level", "enum", "int", values="level"), Result("many", "count", "MPI_Count")],
        [Slot("level", "int *", "result", result="level"),
         Slot("many", "MPI_Count *", "result", result="many")],
    )  # fmt: skip
    f.arguments[0].values = "level"
    response = respond(f)
    text = text_of(response, "mpiglot/mpi/pt2pt.hpp")
    assert "struct look_result {\n  mpi::level level;\n  count_t many;\n};" in text
    one, _ = both_layers(response, "look")
    assert "look(mpi::level wanted)" in one or "look(level wanted)" in one
    assert "return {code, {static_cast<mpi::level>(level), many}};" in one


def test_a_callback_takes_any_callable() -> None:
    f = planned(
        "MPI_Toy", [(Argument("toy_fn", "callback", "MPI_Toy_function"),
                     Slot("toy_fn", "MPI_Toy_function *", "function", "toy_fn"))],
    )  # fmt: skip
    response = respond(f)
    one, two = both_layers(response, "toy")
    assert "template <class ToyFn>" in one
    assert "detail::stateless_entry<callbacks::toy_function>(static_cast<ToyFn&&>(toy_fn));" in one
    assert "if (toy_fn_entry.refused) [[unlikely]] return {MPI_ERR_NO_MEM};" in one
    assert "detail::unwrap_callback<callbacks::toy_function>(" in two
    assert "function(*len, data);" in text_of(response, "mpiglot/mpi/callbacks.hpp")


def test_what_cannot_be_expressed_is_a_warning_and_no_function() -> None:
    f = planned("MPI_Odd", [], slots=[Slot("thing", "void *", "result", result="nowhere")])
    response = respond(f)
    assert response.warnings == ["MPI_Odd: thing is part of nowhere, which is no result"]
    assert "odd(" not in text_of(response, "mpiglot/mpi/pt2pt.hpp")


def test_a_constant_named_like_a_parameter_steps_aside() -> None:
    text = text_of(respond(planned("MPI_Nothing", [COMM])), "mpiglot/mpi/constants.hpp")
    assert "inline constexpr int comm_ = MPI_COMM;" in text
    assert "low = MPI_LEVEL_LOW," in text


def test_the_constants_that_may_stand_in_place_of_an_argument_are_named() -> None:
    target = look_up(Inputs.of_known().atlas, Plan(), "mpich-4.0.2")
    one = planned("MPI_Toy", [value("send", "buffer", "const void *"), COMM])
    parameters = [
        Parameter("send", "const void *", sentinels=["MPI_IN_PLACE", "NULL"]),
        Parameter("status", "MPI_Status *", sentinels=["MPI_STATUS_IGNORE"]),
    ]
    target.functions["MPI_Toy"] = AtlasFunction(Function("MPI_Toy", "int", parameters=parameters))
    assert target.stand_ins(one) == {"send": ["MPI_IN_PLACE"]}


def test_every_file_begins_with_the_line_that_forbids_editing() -> None:
    for f in respond(planned("MPI_Nothing", [COMM])).files:
        assert re.match(r"// Code generated .* DO NOT EDIT\.\n", f.content), f.path


def test_c_plus_plus_is_for_one_mpi() -> None:
    with pytest.raises(UsageError, match=r"none of toy-1\.0"):
        generate(
            Request("cpp", Atlas("5.0", targets=[Target("toy-1.0", "T", "1", "t", "4")]), Plan())
        )


def test_functions_outside_of_extern_c_are_reached(tmp_path: Path) -> None:
    header = Path(__file__).parents[2] / "generated/cpp/mpich-4.0.2/mpiglot/mpi/native.hpp"
    text = header.read_text(encoding="utf-8")
    beginning, found, _ = text.partition("/// The C function behind every call")
    assert found
    (tmp_path / "mpi.h").write_text("int MPIX_Outside(void);\n", encoding="utf-8")
    (tmp_path / "library.c").write_text("int MPIX_Outside(void) { return 0; }\n", encoding="utf-8")
    program = tmp_path / "program.cpp"
    program.write_text(beginning + "int main() { return MPIX_Outside(); }\n", encoding="utf-8")
    for command in (
        ["gcc", "-c", "library.c", "-o", "library.o"],
        ["g++", "-std=c++20", "-I.", "program.cpp", "library.o", "-o", "program"],
        ["./program"],
    ):
        subprocess.run(command, cwd=tmp_path, check=True, timeout=guard(60))
