"""What Javadoc says of parameters and results, from their kinds."""

from __future__ import annotations

from mpiglot.generators import shapes
from mpiglot.generators.c_types import is_lists_of_texts
from mpiglot.generators.java import names
from mpiglot.generators.model import Argument, PlannedFunction, Result

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


_INSTEAD = (
    "MPI_IN_PLACE",
    "MPI_BOTTOM",
    "MPI_BUFFER_AUTOMATIC",
    "MPI_UNWEIGHTED",
    "MPI_WEIGHTS_EMPTY",
    "MPI_ERRCODES_IGNORE",
)


def argument_doc(f: PlannedFunction, a: Argument) -> str:
    """What a parameter is, in a few words."""
    instead = [f"{{@link MpiConstants#{names.constant(c)}}}" for c in a.sentinels if c in _INSTEAD]
    return (
        _what(f, a)
        + (f"; may be {' or '.join(instead)}" if instead else "")
        + ("; used at the root only" if a.root_only else "")
    )


def _what(f: PlannedFunction, a: Argument) -> str:
    if a.kind in ("buffer",):
        holds = shapes.elements(f, a, _code)
        text = "memory outside the Java heap" + (f": {holds}" if holds else "")
        return text + ("; kept until the operation completes" if a.kept else "")
    if a.kind in ("handle", "handle_ref"):
        name = names.handle_class(a.type)
        article = "an" if name[0] in "AEIO" else "a"
        changes = " that the call changes" if a.kind == "handle_ref" else ""
        return f"{article} {{@link {name}}}{changes}"
    if a.kind in ("span", "span_out", "span_ref"):
        text = {"span": "read by the call", "span_out": "filled by the call"}.get(
            a.kind, "changed by the call"
        )
        return text + _length(f, a)
    if is_lists_of_texts(a.type):
        return "texts for each of the programs, or null"
    if a.kind == "count":
        for b in f.arguments:
            if b.kind == "buffer" and b.count == a.name and b.datatype:
                return f"how many elements of {{@code {names.parameter(b.datatype)}}}"
    if a.kind == "scalar_ref":
        return "its first element is read and changed"
    text = _ARGUMENT_DOCS.get(a.kind, "one of its named constants")
    return text + (
        f" (see {{@link MpiConstants}}: {a.values})" if a.values and a.kind == "int" else ""
    )


def _length(f: PlannedFunction, a: Argument) -> str:
    """How long an array must be, where something else than itself tells that."""
    if isinstance(a.length, str) and a.length.isupper():
        return f"; {_code(a.length)} of them"
    of = shapes.length(f, a, _code)
    return f"; {of}" if of else ""


def _code(name: str) -> str:
    return f"{{@code {name if name.isupper() else names.parameter(name)}}}"


def result_doc(r: Result) -> str:
    """What a result is, in a few words."""
    if r.kind == "handle":
        return f"the {{@link {names.handle_class(r.type)}}}"
    return f"the value of {{@code {r.name}}}" + (
        " ({@link MpiConstants} names it)" if r.values else ""
    )
