"""How much a buffer or an array holds: in words that the docs of all languages share, and where."""

from __future__ import annotations

import re
from collections.abc import Callable

from mpiglot.generators.model import Argument, PlannedFunction

_FOR_EACH = {
    "comm_size": "process of {} (of its remote group, if it has one)",
    "local_size": "process of the local group of {}",
    "indegree": "process that sends to this one in the topology of {}",
    "outdegree": "process that this one sends to in the topology of {}",
    "cartdim": "dimension of {}",
}


def quoted(name: str) -> str:
    """A name as comments show it."""
    return f"`{name}`"


def holds(f: PlannedFunction, a: Argument, code: Callable[[str], str] = quoted) -> str:
    """What a buffer or an array must hold, or how long it must be; empty if nothing tells."""
    if a.kind == "memory" and isinstance(a.length, str):
        return "bytes"
    return elements(f, a, code) or length(f, a, code)


def elements(f: PlannedFunction, a: Argument, code: Callable[[str], str]) -> str:
    """What a buffer holds; `code` writes a parameter's name. Empty if no argument tells."""
    if a.kind != "buffer" or not a.count:
        return ""
    count, datatype = code(a.count), code(a.datatype) if a.datatype else ""
    kinds = {b.name: b.kind for b in f.arguments}
    rule, of = length_rule(a.blocks)
    if kinds.get(a.count) == "span":
        if kinds.get(a.datatype or "") == "span":
            return f"elements as {count} and {datatype} say"
        mine = " for this process" if rule == "own" else ""
        return f"as many elements of {datatype} as {count} says{mine}"
    what = f"{count} elements" + (f" of {datatype}" if datatype else "")
    if rule in _FOR_EACH:
        return f"for each {_FOR_EACH[rule].format(code(of))}, {what}"
    return f"{code(a.blocks)} times {what}" if a.blocks else what


def length(f: PlannedFunction, a: Argument, code: Callable[[str], str]) -> str:
    """How long an array must be, where something else than itself tells that; else empty."""
    if not isinstance(a.length, str):
        return ""
    rule, of = length_rule(a.length)
    if rule in _FOR_EACH:
        return f"one for each {_FOR_EACH[rule].format(code(of))}"
    if rule == "sum":
        return f"as many as the numbers in {code(of)} add up to"
    if rule == "last":
        return f"as many as the last number in {code(of)} says"
    if a.shares_length:  # C's length is no parameter here
        return f"as long as {code(a.shares_length[0])}"
    if any(b.name == a.length for b in f.arguments):
        return f"as long as {code(a.length)} says"
    return ""


_SENT = ("sendcounts", "sdispls", "sendtypes")


def may_be_absent(f: PlannedFunction, a: Argument) -> str:
    """Where an array may be null or empty whatever its length is: "always", "elsewhere" (but at the
    root), "in place" (where the data to send is), or nowhere: MPI would follow the null pointer."""
    if a.nullable:
        return "always"
    if a.root_only:
        return "elsewhere"
    takes_in_place = any(b.name == "sendbuf" and "MPI_IN_PLACE" in b.sentinels for b in f.arguments)
    return "in place" if takes_in_place and a.name in _SENT else ""


def length_rule(text: str | None) -> tuple[str, str]:
    """What `comm_size(comm)` is made of; two empty texts if it is no such rule."""
    found = re.fullmatch(r"(\w+)\((\w+)\)", text or "")
    return (found[1], found[2]) if found else ("", "")
