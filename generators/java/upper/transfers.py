"""Reads and writes of files: alone and together, at a place, at a position, begun."""

from __future__ import annotations

from dataclasses import dataclass

from mpiglot.generators.java import names
from mpiglot.generators.java.model import Parameter
from mpiglot.generators.java.upper.surface import Row
from mpiglot.generators.model import PlannedFunction

_OFFSET = Parameter("long", "offset", "where, in elements of the view")


@dataclass(slots=True)
class Transfer:
    """One method: `templates/java/transfers.java.jinja` lays it out."""

    c_name: str
    name: str
    doc: str
    holder: str
    low_name: str
    returns: str  # "long", "Request", "SplitTransfer"
    take: str  # the method of the class `Transfer` that takes the buffer
    half: str  # of a split one: what ends it
    together: bool
    parameters: list[Parameter]
    arguments: list[str]


def fits(f: PlannedFunction) -> bool:
    """Whether a function of the plan moves a buffer to or from a file."""
    types = [a.type for a in f.arguments]
    return types[:1] == ["MPI_File"] and any(a.kind == "buffer" for a in f.arguments)


def write(f: PlannedFunction, row: Row) -> Transfer:
    """The method of `row`."""
    buffer = next(a for a in f.arguments if a.kind == "buffer")
    at = [_OFFSET for a in f.arguments if a.kind == "offset"]
    shared = f.name.partition("_begin")[0].endswith(("_shared", "_ordered"))
    split = f.family == "nonblocking" and not f.results
    doc = "where the values go" if buffer.mutable else "the values"
    words = {"fh": "self().word()", "offset": "transfer.offset()", "buf": "transfer.segment()"}
    words |= {"datatype": "transfer.type()", "status": "transfer.found()"}
    return Transfer(
        c_name=f.name,
        name=row.method,
        doc=f.doc,
        holder=names.CHAPTERS[f.chapter],
        low_name=names.method(f.name),
        returns="Request" if f.results else "SplitTransfer" if split else "long",
        take=("fill" if buffer.mutable else "give") + ("At" if at else "Shared" * shared),
        half=f.name.removeprefix("MPI_File_").removesuffix("_begin").upper() if split else "",
        together=f.collective,
        parameters=[*at, Parameter("MpiBuffer<?>", "data", doc)],
        arguments=[words.get(a.name, f"transfer.{a.name}()") for a in f.arguments],
    )
