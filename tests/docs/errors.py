"""Writes docs/reference/errors.md: what compilers say about mistakes in a call, and what to do.

    .venv/bin/python tests/docs/errors.py

The mistakes are those of tests/cpp_runtime/mistakes, which CTest compiles. The page has a section
for each kind of mistake, with the whole message of g++ for the first example of it; a test compares
the page with what g++ says now, but for the numbers of lines in our headers.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/cpp_runtime/mistakes"
HEADERS = ROOT / "cpp_runtime/include"
PAGE = ROOT / "docs/reference/errors.md"
CASE = re.compile(
    r"^#(?:el)?if MISTAKE == (\d+)  // ([^\n]*)\n(.*?)(?=^#(?:elif|endif|else))", re.M | re.S
)
# Every kind of mistake (namespace mpiglot::wrong_call), and what to do about it.
REMEDIES = {
    "argument_without_name_such_as_send_buf": "Say what it is: `send_buf(v)`, `recv_buf(v)`, "
    "`root(0)`; the operation's section in [operations.md](operations.md) lists the names.",
    "parameter_missing": "Give the parameter that is named; nothing can stand for it.",
    "parameter_missing_else_give_recv_buf_or_the_type_as_in_scatter_of_int": "Nothing says what is "
    "received. A rank that is not the root gives its `recv_buf`, or names the type: "
    "`comm.scatter<int>(root(1))`.",
    "parameter_not_accepted_here": "The operation has no such parameter; "
    "[operations.md](operations.md) lists those it has.",
    "parameter_given_twice_or_given_and_asked_for": "Give it once. What you give "
    "(`recv_counts(c)`) need not be asked for (`recv_counts_out()`); `send_buf_out` is a "
    "`send_buf`, too.",
    "parameter_contradicts_send_recv_buf": "`send_recv_buf` is both buffers (in place): leave out "
    "the other one.",
    "buffer_is_encoded_give_send_buf_and_recv_buf": "Encoded parts have no place of their own in "
    "the buffer: give `send_buf` and `recv_buf`.",
    "encoded_value_is_no_list_with_an_element_for_each_rank": "Each rank gives or gets an element: "
    "encode a `std::vector`, `std::list`, `std::deque` or `std::array` of them; maps and sets have "
    "no place for each rank.",
    "encoded_buffer_cannot_be_combined": "A reduction combines elements, not the bytes of encoded "
    "values: `allgather` them and combine the values, or give a buffer of elements.",
    "parameters_exclude_each_other": "Only one of them can say where or how: decide for one.",
    "buffer_without_datatype_write_as_serialized_or_deep": "MPI has no datatype for its elements: "
    "`as_serialized(x)` sends values, `deep(x)` what pointers point to; a class of your own can "
    "get a `datatype_traits<T>`.",
    "pointer_is_no_buffer_give_a_span_or_raw_with_a_count": "A pointer says nothing of a length: "
    "`std::span(p, n)`, or `raw(p, n, type)`; `deep(x)` follows pointers that own.",
    "vector_of_bool_has_no_elements_use_vector_of_boolean": "Its elements are bits, which have no "
    "address: use `std::vector<mpiglot::boolean>` or `std::vector<char>`.",
    "elements_sent_and_received_differ_give_one_type_or_send_type_and_recv_type": "Bytes of one "
    "type would be read as the other: receive into elements of the type that is sent, or say with "
    "`send_type` and `recv_type` (or `raw`) that you mean it.",
    "buffer_to_receive_into_is_const": "Receive into something that can be changed.",
    "buffer_is_no_single_value": "The `_single` form takes one value; without `_single` the "
    "operation takes ranges.",
    "buffer_must_live_until_the_epoch_ends_give_an_lvalue": "MPI may read it until the epoch ends "
    "or flushes: name it, or use the form with a request (`rput`), which owns it.",
    "buffer_is_encoded_and_not_laid_out_in_memory": "One-sided accesses touch memory as it lies "
    "there: use a buffer that is not encoded.",
    "counts_are_no_contiguous_integers": "Counts and displacements are contiguous ranges of any "
    "integers, one for each rank.",
    "types_are_no_contiguous_datatypes": "Datatypes of parts are a contiguous range of "
    "`mpi::datatype_handle` or `MPI_Datatype`, one for each rank.",
    "op_cannot_be_called_with_two_elements": "The function gets two elements and gives one: "
    "`[](const point& a, const point& b) { return a + b; }`.",
    "length_unknown_give_this_or_write_at_most": "A nonblocking or persistent operation makes one "
    "MPI call, so no length can travel first: give the parameter that is named, or bound the "
    "buffer, `at_most(bytes, x)`.",
    "encoded_length_may_change_between_starts_use_the_nonblocking_form": "A persistent message is "
    "always equally long, an encoded value is not: `isend` it each time. Collectives take "
    "`at_most(bytes, x)`.",
    "op_needs_commutative_or_non_commutative": "Say of a function of your own whether operands may "
    "change places: `op(f, commutative)` or `op(f, non_commutative)`.",
    "operation_has_no_meaning_for_this_type_give_a_function": "MPI's operations are for MPI's own "
    "types: give a function, `op([](T a, T b) { ... }, commutative)`.",
    "one_sided_operations_are_those_of_mpi_give_no_function": "Accumulating takes MPI's operations "
    "(`mpi::sum`) or `std::plus<>` and its like only.",
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
    for source in (FOLDER / "mistakes.cpp", FOLDER / "core.cpp"):
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
    if text.count("error:") != 1 or mistake.words not in text:
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
    texts = "\n".join(path.read_text(encoding="utf-8") for path in HEADERS.rglob("*.hpp"))
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


def page() -> str:
    lines = [
        "# Compiler errors",
        "",
        "<!-- Made by tests/docs/errors.py from the compile-fail tests. DO NOT EDIT. -->",
        "",
        "A mistake in a call is one error of at most ten lines, with g++ and clang. Read its last",
        "line: `wrong_call::WHAT<keys::PARAMETER, operations::OPERATION>`; look for WHAT below.",
        "The line of your program is the one with `required from here` (g++) or `in instantiation",
        "of ... requested here` (clang). The examples are the compile-fail tests, with all that",
        "g++ 12 says about the first of each kind.",
        "",
    ]
    for kind, examples in kinds().items():
        lines += [f"## {kind.replace('_', ' ')}", "", REMEDIES[kind], ""]
        for number, example in enumerate(examples):
            lines += ["```c++", example.code, "```", ""]
            if number == 0:
                lines += ["```text", message(example), "```", ""]
            else:
                lines += [f"`wrong_call::{example.words}`", ""]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
