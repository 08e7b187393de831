"""What Javadoc says of parameters and results, from their kinds."""

from __future__ import annotations

from mpiglot.generators import java_names as names
from mpiglot.generators.c_types import is_lists_of_texts
from mpiglot.generators.model import Argument, Result

_ARGUMENT_DOCS = {
    "int": "an integer",
    "count": "a number of elements or bytes",
    "aint": "an address or a distance in bytes",
    "offset": "a position in a file",
    "fint": "a Fortran integer or handle",
    "double": "a number",
    "bool": "true or false",
    "buffer": "memory outside the Java heap",
    "memory": "memory outside the Java heap",
    "address": "an address",
    "string": "a text",
    "strings": "texts",
    "status": "the status",
    "status_ref": "the status to change",
    "status_out": "filled by the call; null to ignore it",
    "statuses_out": "filled by the call; null to ignore them",
    "plain": "as in C",
    "callback": "called by MPI; what it throws comes out of the call that returns next",
}


def argument_doc(a: Argument) -> str:
    """What a parameter is, in a few words."""
    if a.kind in ("buffer",):
        text = "memory outside the Java heap"
        parts = [names.parameter(p) for p in (a.count, a.datatype) if p]
        if parts:
            text += ", described by " + " and ".join(f"{{@code {p}}}" for p in parts)
        return text + ("; kept until the operation completes" if a.kept else "")
    if a.kind in ("handle", "handle_ref"):
        name = names.handle_class(a.type)
        article = "an" if name[0] in "AEIO" else "a"
        return f"{article} {{@code {name}}}" + (
            " that the call changes" if a.kind == "handle_ref" else ""
        )
    if a.kind in ("span", "span_out", "span_ref"):
        text = {"span": "read by the call", "span_out": "filled by the call"}.get(
            a.kind, "changed by the call"
        )
        if isinstance(a.length, str):
            text += f"; as long as {{@code {a.length}}} says"
        return text
    if is_lists_of_texts(a.type):
        return "texts for each of the programs, or null"
    if a.kind == "scalar_ref":
        return "its first element is read and changed"
    text = _ARGUMENT_DOCS.get(a.kind, "one of its named constants")
    return text + (f" (see {{@link Mpi}}: {a.values})" if a.values and a.kind == "int" else "")


def result_doc(r: Result) -> str:
    """What a result is, in a few words."""
    if r.kind == "handle":
        return f"the {{@code {names.handle_class(r.type)}}}"
    return f"the value of {{@code {r.name}}}" + (" ({@link Mpi} names it)" if r.values else "")
