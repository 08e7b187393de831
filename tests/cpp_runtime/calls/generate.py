"""Writes the table of calls: every element, description, ownership, bound, operation and form.

    generate.py pairs FILE       a program: every pair of values occurs in a call that is right
    generate.py OPERATION FILE   for `-fsyntax-only`: all calls of an operation
    generate.py operations       prints the names of the operations, with semicolons between

The names of the verdicts that refuse calls are the rules in `expected`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

ELEMENTS = ("plain", "reflected", "encoded", "deep")
DESCRIPTIONS = ("range", "span", "strided", "view", "bag")
OWNERSHIPS = ("lvalue", "constant", "moved", "temporary")
FORMS = ("now", "later", "bound")
# Around what fits into the first message of an MPI, and into a block of packed elements.
LENGTHS = (7, 0, 257, 1, 4096, 8, 255, 9, 65537, 256, 4095, 4097)
LENGTHS_OF_CODED = tuple(n for n in LENGTHS if n < 5000)

SENT = (("sent", "none"), ("sent", "at_most"), ("sent", "count"))
RECEIVED = (("received", "none"), ("received", "at_most"), ("received", "count"))
IN_PLACE = (("both", "in_place"),)
PLACED = (("both", "none"), ("both", "at_most"), ("both", "count"))
REDUCTIONS = ("reduce", "allreduce", "scan", "exscan", "reduce_scatter_block", "reduce_scatter")
SINGLES = (
    "reduce_single", "allreduce_single", "scan_single", "exscan_single", "bcast_single",
    "scatter_single",
)  # fmt: skip
NEIGHBORS = tuple(
    "neighbor_" + name for name in ("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw")
)
ROWS = {
    **{name: SENT for name in ("send", "bsend", "ssend", "rsend")},
    **{name: RECEIVED for name in ("recv", "mrecv")},
    "sendrecv": SENT + RECEIVED,
    "sendrecv_replace": PLACED,
    "bcast": PLACED,
    **{
        name: SENT + RECEIVED + IN_PLACE
        for name in (
            "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall",
            "alltoallv", "alltoallw", *REDUCTIONS,
        )
    },
    **{name: SENT + RECEIVED for name in NEIGHBORS},
    **{name: SENT for name in SINGLES},
}  # fmt: skip
MESSAGES = ("recv", "sendrecv")
SENDS = ("send", "bsend", "ssend", "rsend")
WITHOUT_COUNT = {
    **{name: RECEIVED for name in ("mrecv", *REDUCTIONS)},
    "reduce_scatter_block": SENT + RECEIVED,
    "reduce_scatter": (),
    "sendrecv_replace": PLACED,
    **{name: SENT for name in SINGLES},
}
# The lengths of parts may differ, and are not known to those who receive them.
WITH_LENGTHS = ("gatherv", "allgatherv", "alltoallv", "neighbor_allgatherv", "neighbor_alltoallv")
DIVIDING = (
    "scatter", "scatterv", "scatter_single", "alltoall", "alltoallv", "neighbor_alltoall",
    "neighbor_alltoallv",
)  # fmt: skip
CHANGING = "encoded_length_may_change_between_starts_use_the_nonblocking_form"
REPLACED = "encoded_buffer_is_replaced_in_two_steps_use_isend_and_irecv"
UNKNOWN = "length_unknown_give_this_or_write_at_most"
WITHOUT_PERSISTENT = ("mrecv", "sendrecv", "sendrecv_replace")


@dataclass(frozen=True)
class Call:
    """One call; its fields are the axes."""

    row: str
    element: str
    side: tuple[str, str]
    description: str
    ownership: str
    form: str

    def values(self) -> tuple[tuple[int, object], ...]:
        """The values of all axes, each with the number of its axis."""
        own = (self.row, self.element, self.side, self.description, self.ownership, self.form)
        return tuple(enumerate(own))

    def line(self, n: int) -> str:
        """The call as a line of C++."""
        side, bound = self.side
        axes = (
            self.row, self.element, side, self.description, self.ownership, bound, self.form
        )  # fmt: skip
        return f'  CALL({", ".join(axes)}, "{expected(self)}", {n});'


def is_run(call: Call) -> bool:
    """Whether a call is right and its numbers are those of elements.

    The counts of coded values are bytes, which only a program knows that encodes them itself. As
    the bound of a message any number will do that is large enough.
    """
    bytes_counted = is_coded(call) and call.side[1] == "count" and call.row not in MESSAGES
    return expected(call) == "right" and not bytes_counted


def is_coded(call: Call) -> bool:
    """Whether the elements travel as bytes that a codec writes."""
    return call.element in ("encoded", "deep")


def expected(call: Call) -> str:
    """The name of the verdict about a call."""
    side, bound = call.side
    coded = is_coded(call)
    row = call.row
    if coded and call.description != "range":
        return "type_cannot_be_encoded_list_fields_and_rules_of_pointers"
    if bound == "count" and call.side in WITHOUT_COUNT.get(row, ()):
        return "parameter_not_accepted_here"
    if call.description == "range" and call.ownership == "constant" and side != "sent":
        return "buffer_to_receive_into_is_const"
    if row.endswith("alltoallw") and not (coded and side != "both"):
        good = not coded and bound != "at_most" and call.description in ("range", "span")
        return "right" if good else "buffer_is_no_contiguous_range_give_one_or_raw_memory"
    counted = bound == "count" and side != "received" and row != "reduce_scatter"
    if coded and (counted or row.endswith("alltoallw")):
        return "encoded_buffer_has_no_elements_to_count_give_no_count"
    if row in (*REDUCTIONS, *SINGLES[:4]) and (coded or bound == "at_most"):
        return "encoded_buffer_cannot_be_combined"
    if row in SINGLES[:4] and call.description != "range":
        return "buffer_is_no_single_value"
    if row == "bcast_single":
        return of_one_value(call)
    if row in DIVIDING and bound == "at_most" and not coded:
        return "elements_are_divided_without_a_limit_give_no_at_most"
    if row == "scatter_single" and coded and bound == "none":
        return "buffer_is_no_single_value"
    if coded and bound == "in_place":
        return "buffer_is_encoded_give_send_buf_and_recv_buf"
    if coded and row in SENDS:
        return CHANGING if call.form == "bound" else "right"
    if call.form != "now" and is_unknown(call):
        return REPLACED if row == "sendrecv_replace" else UNKNOWN
    return "right"


def of_one_value(call: Call) -> str:
    """The verdict about `bcast_single`, which gives back a value and changes none."""
    bound = call.side[1]
    given_up = call.ownership in ("moved", "temporary")
    if call.description != "range":
        right = call.description == "bag" and given_up
        return "right" if right else "buffer_is_no_single_value"
    if is_coded(call) or bound == "at_most":
        if call.ownership == "constant":
            return "buffer_to_receive_into_is_const"
        if not given_up:
            return "value_is_borrowed_move_it_in_or_use_bcast"
        if bound != "at_most" and call.form != "now":
            return UNKNOWN
    return "right"


def is_unknown(call: Call) -> bool:
    """Whether a length must be received, which only the blocking form can do."""
    row, bound = call.row, call.side[1]
    if row in WITH_LENGTHS:
        if is_coded(call):
            return bound == "none"
        return bound == "none" or (bound == "at_most" and row.endswith("alltoallv"))
    if not is_coded(call):  # a range that the library owns gets the length that the root tells
        fits = call.description == "range" and call.ownership in ("moved", "temporary")
        unsaid = {"bcast": "none", "scatter": "in_place", "scatterv": "in_place"}
        return fits and call.side == ("both", unsaid.get(row))
    if row == "mrecv":
        return False
    if row == "sendrecv_replace":
        return True
    if row in ("recv", "sendrecv"):
        return call.side == ("received", "none")
    if row in ("scatter", "scatterv"):
        return bound == "none"
    return bound in ("none", "count")


def calls_of(row: str, ownerships: tuple[str, ...]) -> Iterator[Call]:
    """Every call of an operation."""
    forms = FORMS[:2] if row in WITHOUT_PERSISTENT else FORMS
    for axes in product(ELEMENTS, ROWS[row], DESCRIPTIONS, ownerships, forms):
        yield Call(row, *axes)


def pairs(calls: list[Call]) -> list[Call]:
    """Calls in which all pairs of values occur that occur in any of these calls.

    Greedy: of the calls with most pairs that are new, the first one.
    """
    groups = {call: set(combinations(call.values(), 2)) for call in calls}
    missing = set().union(*groups.values())
    chosen: list[Call] = []
    at_most = len(next(iter(groups.values())))
    while missing:
        best, gain = None, 0
        for call in calls:
            new = len(groups[call] & missing)
            if new > gain:
                best, gain = call, new
                if gain == at_most:
                    break
        assert best is not None
        at_most = gain
        chosen.append(best)
        missing -= groups[best]
    return chosen


def written(calls: list[Call]) -> str:
    """A program of these calls, one test for each operation."""
    lines = ['#include "calls.hpp"']
    used = {call.row for call in calls}
    for row in filter(used.__contains__, ROWS):
        lines += ["", f"TEST({row}_takes_every_buffer_or_names_what_is_wrong) {{"]
        for i, call in enumerate(call for call in calls if call.row == row):
            lengths = LENGTHS_OF_CODED if is_coded(call) else LENGTHS
            lines.append(call.line(lengths[(i + len(row)) % len(lengths)]))
        lines += ["  calls::expect_no_faults();", "}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes the program that is asked for."""
    kind = sys.argv[1]
    if kind == "operations":
        print(";".join(ROWS), end="")
        return
    if kind == "pairs":
        every = [call for row in ROWS for call in calls_of(row, OWNERSHIPS)]
        chosen = pairs([call for call in every if is_run(call)])
    else:  # what is moved and what is temporary are of one type
        chosen = [*calls_of(kind, OWNERSHIPS[:3])]
    Path(sys.argv[2]).write_text(written(chosen))
    print(f"{len(chosen)} calls, {sum(expected(call) == 'right' for call in chosen)} of them right")


if __name__ == "__main__":
    main()
