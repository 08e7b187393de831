"""Writes docs/reference/errors.md: the compiler errors for mistakes in a call, and the remedies.

    .venv/bin/python -m mpiglot.ci.pages

The mistakes are those of tests/cpp_runtime/mistakes, which CTest compiles. The page has a section
for each kind of mistake, with the whole message of g++ for its first example. A test compares the
page with the messages that g++ prints now, except for the line numbers in our headers.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/cpp_runtime/mistakes"
HEADERS = ROOT / "cpp_runtime/include"
PAGE = ROOT / "docs/reference/errors.md"
SOURCES = (
    "mistakes.cpp",
    "core.cpp",
    "fields.cpp",
    "addresses.cpp",
    "views.cpp",
    "buffers.cpp",
)
CASE = re.compile(
    r"^#(?:el)?if MISTAKE == (\d+)  // ([^\n]*)\n(.*?)(?=^#(?:elif|endif|else))", re.M | re.S
)
# Every kind of mistake (namespace mpiglot::wrong_call), and what to do about it.
REMEDIES = {
    "argument_without_name_such_as_send_buf": "Name the argument: `send_buf(v)`, `recv_buf(v)`, "
    "`root(0)`; the operation's section in [operations.md](operations.md) lists the names.",
    "parameter_missing": "Give the parameter that the message names; it has no default.",
    "parameter_missing_else_give_recv_buf_or_the_type_as_in_scatter_of_int": "The type of the "
    "received elements is unknown. A rank that is not the root gives its `recv_buf`, or names the "
    "type: `comm.scatter<int>(root(1))`.",
    "parameter_not_accepted_here": "The operation has no such parameter; "
    "[operations.md](operations.md) lists its parameters.",
    "parameter_given_twice_or_given_and_asked_for": "Give the parameter once. A parameter that you "
    "give (`recv_counts(c)`) cannot also be asked for (`recv_counts_out()`). `send_buf_out` "
    "counts as `send_buf`.",
    "parameter_contradicts_send_recv_buf": "`send_recv_buf` is the send buffer and the receive "
    "buffer (in place): leave out the other parameter.",
    "buffer_is_encoded_give_send_buf_and_recv_buf": "Encoded parts have no fixed position in the "
    "buffer: give `send_buf` and `recv_buf`.",
    "encoded_value_is_no_list_with_an_element_for_each_rank": "The buffer needs one element for "
    "each rank: encode a `std::vector`, `std::list`, `std::deque` or `std::array`. The elements "
    "of maps and sets do not correspond to ranks.",
    "encoded_buffer_cannot_be_combined": "A reduction combines elements, not the bytes of encoded "
    "values: `allgather` them and combine the values, or give a buffer of elements.",
    "parameters_exclude_each_other": "Both parameters set the same thing: give one of them.",
    "buffer_without_datatype_write_as_serialized_or_deep": "MPI has no datatype for the elements: "
    "`as_serialized(x)` sends values, `deep(x)` sends the objects that pointers own. For your own "
    "class you can specialise `datatype_traits<T>`.",
    "buffer_adapter_lacks_member": "The specialisation of `buffer_adapter` for this buffer has no "
    "such member, or one with another signature, or one that is private. "
    "[buffers.md](../guide/buffers.md) lists what an adapter must have.",
    "pointer_is_no_buffer_give_a_span_or_raw_with_a_count": "A pointer has no length: give "
    "`std::span(p, n)` or `raw(p, n, type)`. `deep(x)` follows owning pointers.",
    "vector_of_bool_has_no_elements_use_vector_of_boolean": "Its elements are bits without an "
    "address: use `std::vector<mpiglot::boolean>` or `std::vector<char>`.",
    "elements_sent_and_received_differ_give_one_type_or_send_type_and_recv_type": "Bytes of one "
    "type would be read as another: receive elements of the type that is sent, or give `send_type` "
    "and `recv_type` (or `raw`) to state that you mean it.",
    "view_is_not_known_include_mpiglot_view_hpp_or_specialise_view_traits": "A view with extents "
    "or strides need not be contiguous. `mpiglot/view.hpp` describes `std::mdspan`, `Kokkos::View` "
    "and matrices, maps and blocks of Eigen. For another kind, specialise `mpiglot::view_traits` "
    "([views.md](../guide/views.md)).",
    "view_has_no_strides_or_its_accessor_is_no_pointer_copy_it": "The elements of this view do not "
    "lie at fixed distances in memory, or its accessor computes them. Copy them to a "
    "`std::vector`.",
    "view_lies_in_memory_of_a_device_copy_it_to_its_host_mirror": "The memory space of this "
    "`Kokkos::View` is not that of its mirror on the host. Copy it with "
    "`Kokkos::create_mirror_view_and_copy`, or give `staged(view, copy)` or `device_aware(view)` "
    "of `mpiglot/device.hpp`.",
    "memory_of_a_device_takes_no_part_in_collectives_give_staged": "Collective operations put "
    "small parts into one message on the host, which does not reach this memory: give "
    "`staged(view, copy)`.",
    "staged_view_is_no_memory_that_mpi_uses_later_give_device_aware": "A staged view is copied "
    "when the operation begins and ends. MPI uses buffers of windows and partitions in between: "
    "give `device_aware(view)`.",
    "elements_of_a_tuple_cannot_be_reduced_fix_a_member": "A tuple travels as bytes, which MPI "
    "does not combine. `bag ^ fix<'t'>(lit<k>)` is the bag of one member.",
    "tuple_has_no_parts_for_ranks_use_an_mpi_traverser": "Members of a tuple lie behind each "
    "other, so it is not cut into parts of equal elements. An `mpi_traverser` says which dimension "
    "is the rank.",
    "tuple_is_no_memory_that_mpi_uses_later_give_raw_and_as_datatype": "A tuple is packed when the "
    "operation begins and ends. MPI uses buffers of windows and partitions in between: give "
    "`raw(bag.data(), 1, as_datatype(bag))`.",
    "type_owns_no_elements_or_its_view_traits_have_no_make_give_recv_buf": "With `extents` the "
    "operation makes a view and returns it. A `std::mdspan`, a map or a pointer owns no elements: "
    "give `recv_buf(view)` to receive into it. For a class of yours, add `make` to its "
    "`view_traits`. Elements of a `std::vector` need no extents: `comm.recv<int>()`.",
    "view_has_another_number_of_extents": "Give one extent for each dimension of the view, the "
    "slowest index first.",
    "elements_of_view_have_no_datatype_copy_them_and_write_as_serialized": "The elements of this "
    "view have no datatype. Copy them to a container and send `as_serialized(x)`.",
    "this_is_no_view_of_elements_that_have_a_datatype": "`as_datatype` describes a view whose "
    "elements have a datatype, such as `std::mdspan`, `strided_view` or a bag. Other types need "
    "`view_traits` ([views.md](../guide/views.md)).",
    "class_holds_an_address_list_its_fields_and_write_as_serialized_or_deep": "A pointer, "
    "reference, view, iterator or handle among its fields means nothing in another process. Give "
    "the class `fields` and send `as_serialized(x)`, or `deep(x)` if it owns what it points to.",
    "field_cannot_be_encoded_or_decoded": "A field that the class lists is a view, a pointer that "
    "owns nothing, or another type that cannot be made again from bytes. Both sides refuse it. "
    "List what it refers to instead, for example a `std::vector`, or leave it out.",
    "field_is_a_pointer_list_it_by_owned_shared_or_observed": "Nothing says who owns what a "
    "pointer "
    "of the language among the fields points to. Write `visit(mpiglot::owned(self.p))`, "
    "`shared` or "
    "`observed`, and `owned(self.p, self.n)` of an array.",
    "field_has_objects_without_default_constructor": "The decoder makes the objects of a "
    "container, "
    "or behind a pointer, by the default constructor, and then reads their fields. Give the class "
    "a public one.",
    "field_is_const_and_cannot_be_received": "A const field has its value for good, so nothing can "
    "be received into it. Leave it out of `fields`, or make it variable.",
    "field_has_a_rule_of_pointers_and_is_none": "`owned`, `shared` and `observed` are for pointers "
    "of the language, and for arrays of them with a count that is an integer. A field that is no "
    "pointer is listed as it is: `visit(self.text)`.",
    "field_needs_a_destructor": "An `arena_of<T>` frees its memory at once and runs no "
    "destructors, so this field would leak. Take a container of `std::pmr` in place of a "
    "`std::vector` or `std::string`, and a pointer of the language with a rule in place of a "
    "`std::unique_ptr`.",
    "class_cannot_be_looked_into_specialise_plain_bytes_if_it_holds_no_address": "The class has "
    "constructors, private or const members, references or a union, so that its fields are not "
    "known. If its bytes mean the same in another process, say so: "
    "`template <> inline constexpr bool mpiglot::plain_bytes<T> = true;`. Otherwise give it "
    "`fields` and send `as_serialized(x)`.",
    "buffer_to_receive_into_is_const": "Give a buffer that is not `const`.",
    "buffer_cannot_be_resized_give_a_vector_or_no_policy": "Arrays, spans, single values and views "
    "keep their size: receive into a `std::vector`, or leave the policy out and give a buffer that "
    "is large enough.",
    "encoded_buffer_has_no_elements_to_count_give_no_count": "What is encoded, or limited by "
    "`at_most`, is sent as a whole: leave the count out, or give a shorter container.",
    "buffer_is_no_single_value": "The `_single` form takes one value; without `_single` the "
    "operation takes ranges.",
    "buffer_is_described_by_a_variable_describe_it_in_the_call_or_move_it": "What "
    "`as_serialized(x)` or `at_most(n, x)` gives belongs to one call: write it there, "
    "`send_buf(as_serialized(x))`, or move the variable in, `send_buf(std::move(described))`.",
    "value_is_borrowed_move_it_in_or_use_bcast": "`bcast_single` gives a value back and changes "
    "none: move an encoded value in, or use `bcast`.",
    "elements_are_divided_without_a_limit_give_no_at_most": "Only an encoded range has a limit for "
    "each of its parts. The parts of other elements have the length that the counts say.",
    "buffer_is_no_contiguous_range_give_one_or_raw_memory": "The datatypes and displacements of "
    "the program are those of memory: give a contiguous range, or `raw`.",
    "buffer_must_live_until_the_epoch_ends_give_an_lvalue": "MPI may read the buffer until the "
    "epoch ends or is flushed: give an lvalue, or use the form with a request (`rput`), which "
    "owns the buffer.",
    "buffer_is_encoded_and_not_laid_out_in_memory": "One-sided operations read and write memory "
    "directly: use a buffer that is not encoded.",
    "counts_are_no_contiguous_integers": "Counts and displacements are contiguous ranges of "
    "integers of any type, one for each rank.",
    "types_are_no_contiguous_datatypes": "The datatypes are a contiguous range of "
    "`mpi::datatype_handle` or `MPI_Datatype`, one for each rank.",
    "elements_without_default_constructor_cannot_be_made_give_a_recv_buf_that_keeps_its_size": (
        "A result of such elements cannot be made before they arrive. Make them yourself and "
        "receive into them: `comm.recv(recv_buf(x), source(0))`."
    ),
    "op_cannot_be_called_with_two_elements": "The function takes two elements and returns one: "
    "`[](const point& a, const point& b) { return a + b; }`.",
    "op_that_may_throw_needs_elements_give_no_datatype": "The elements travel beside a flag, as "
    "one element of MPI's. Give a buffer of elements, without `send_type` and `recv_type`, or a "
    "function without `may_throw`.",
    "op_names_another_type_than_the_elements_name_none": "The object converts each element to the "
    "type that it names: `std::plus<int>` would cut off the fractions of doubles. Write "
    "`op(std::plus<>())`.",
    "length_unknown_give_this_or_write_at_most": "A nonblocking or persistent operation makes one "
    "MPI call, so no length can travel first: give the parameter that the message names, or give "
    "the buffer a limit, `at_most(bytes, x)`.",
    "encoded_buffer_is_replaced_in_two_steps_use_isend_and_irecv": "The encoded message that "
    "arrives may be longer than the one sent, which a nonblocking operation of one MPI call cannot "
    "know; `at_most` does not help, since MPI has one count for both. Call `sendrecv_replace`, or "
    "`isend` and `irecv`.",
    "encoded_length_may_change_between_starts_use_the_nonblocking_form": "Every start of a "
    "persistent operation sends the same number of bytes; the length of an encoded value may "
    "change. Call `isend` each time. Collectives take `at_most(bytes, x)`.",
    "op_needs_commutative_or_non_commutative": "State whether your function is commutative: `op(f, "
    "commutative)` or `op(f, non_commutative)`.",
    "operation_has_no_meaning_for_this_type_give_a_function": "MPI defines its operations for its "
    "own types only: give a function, `op([](T a, T b) { ... }, commutative)`.",
    "one_sided_operations_are_those_of_mpi_give_no_function": "Accumulate operations take MPI's "
    "predefined operations (`mpi::sum`), or functors such as `std::plus<>` that correspond to "
    "them.",
}


@dataclass(frozen=True)
class Mistake:
    """A wrong call, and the words that its message must have."""

    source: Path
    number: int
    words: str
    code: str

    @property
    def kind(self) -> str:
        return self.words.split("<")[0]


def mistakes() -> Iterator[Mistake]:
    for name in SOURCES:
        source = FOLDER / name
        for number, words, code in CASE.findall(source.read_text(encoding="utf-8")):
            if number != "0":
                lines = [line[2:] for line in code.rstrip().splitlines()]
                yield Mistake(source, int(number), words, "\n".join(lines))


def message(mistake: Mistake) -> str:
    """All that g++ says, on a machine with Debian's MPICH."""
    shown = subprocess.run(
        ["mpicxx.mpich", "-show"], capture_output=True, text=True, timeout=60, check=True
    )
    includes = [word for word in shlex.split(shown.stdout) if word.startswith("-I")]
    layer = f"-I{ROOT / 'generated/cpp/mpich-4.0.2'}"
    source = str(mistake.source)
    command = ["g++", "-std=c++20", "-S", "-o", "-", f"-DMISTAKE={mistake.number}", source]
    done = subprocess.run(
        [*command, *includes, layer, f"-I{HEADERS}"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    text = done.stderr.replace(f"{HEADERS}/", "").replace(source, "app.cpp")
    text = text.replace(f"{FOLDER}/", "").rstrip()
    if len(re.findall(r"\d: error:", text)) != 1 or mistake.words not in text:
        raise SystemExit(f"{mistake.code}\nhas to be one error, {mistake.words}, and is\n{text}")
    return text


def can_be_made() -> bool:
    """Whether this machine has what the page was made with."""
    if not shutil.which("mpicxx.mpich") or not shutil.which("g++"):
        return False
    version = subprocess.run(
        ["g++", "-dumpversion"], capture_output=True, text=True, timeout=60, check=True
    )
    return version.stdout.split(".")[0].strip() == "12"


def kinds() -> dict[str, list[Mistake]]:
    found: dict[str, list[Mistake]] = {kind: [] for kind in REMEDIES}
    for mistake in mistakes():
        found.setdefault(mistake.kind, []).append(mistake)
    return found


def undescribed() -> set[str]:
    """Kinds of mistakes that headers know, and the page or the tests do not."""
    texts = "\n".join(path.read_text(encoding="utf-8") for path in HEADERS.rglob("*.?pp"))
    spaces = re.findall(
        r"namespace (?:mpiglot::)?wrong_call \{\n(.*?)\n\}  // namespace", texts, re.S
    )
    known = {name for space in spaces for name in re.findall(r"^struct (\w+) \{\};", space, re.M)}
    found = kinds()
    described = {kind for kind, examples in found.items() if examples and kind.isidentifier()}
    return (known ^ described) | (set(found) - set(REMEDIES))


def without_lines(text: str) -> str:
    """A page without the numbers of lines, and without the marks below them."""
    lines = [line for line in text.splitlines() if not re.match(r"^ *\d* \|", line)]
    return re.sub(r":\d+(:\d+)?(?=[:,])", "", "\n".join(lines))


def paragraph(text: str) -> list[str]:
    """The lines of a paragraph."""
    return textwrap.wrap(text, 100, break_long_words=False, break_on_hyphens=False)


def page() -> str:
    lines = [
        "# Compiler errors",
        "",
        "<!-- Made by ci/pages/errors.py from the compile-fail tests. DO NOT EDIT. -->",
        "",
        "g++ and clang report a mistake in a call as one error of at most ten lines. The line",
        "`error:` names it (`wrong_call::WHAT<keys::PARAMETER, operations::OPERATION>`); WHAT is",
        "below.",
        "The line of your program is marked `required from here` (g++) or `in instantiation of ...",
        "requested here` (clang). The examples are the compile-fail tests; the first of each kind",
        "shows the whole message of g++ 12.",
        "",
        "An error in the body of a generic lambda (the function of `op`, the action of a pool) is",
        "not reported so: the compiler finds it before any template can ask. It is one error in",
        "your line, of up to 9 lines with g++ and 19 with clang, for the templates that led there.",
        "",
    ]
    for kind, examples in kinds().items():
        lines += section(kind, examples)
    return "\n".join(lines).rstrip() + "\n"


def section(kind: str, examples: Sequence[Mistake]) -> list[str]:
    """The lines about one kind of mistake; the compiler is asked for its message."""
    lines = [f"## {kind.replace('_', ' ')}", "", *paragraph(REMEDIES[kind]), ""]
    for number, example in enumerate(examples):
        lines += ["```c++", example.code, "```", ""]
        if number == 0:
            lines += ["```text", message(example), "```", ""]
        else:
            lines += ["```text", f"wrong_call::{example.words}", "```", ""]
    return lines


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
