"""The collective methods: their buffers, counts and operations as `Shares` takes them."""

from __future__ import annotations

from mpiglot.generators.java import names
from mpiglot.generators.java.model import Parameter
from mpiglot.generators.java.upper.methods import Overload, Upper, notes
from mpiglot.generators.java.upper.surface import Row
from mpiglot.generators.model import Argument, PlannedFunction

#: What the plan does not say: the first process gets no result.
_NOTHING_FIRST = frozenset({"MPI_Exscan", "MPI_Iexscan", "MPI_Exscan_init"})
#: By the method of `Shares`.
_SENT = {
    "gathered": "what this process gives",
    "scattered": "a part for each rank, in their order",
    "exchanged": "a part for each rank, in their order",
}
_RECEIVED = {
    "gathered": "where the parts of all go, in the order of ranks",
    "scattered": "where this process's part goes",
    "exchanged": "where a part from each rank goes, in their order",
    "reduced": "where the result goes, which has as many values",
    "reducedBefore": "where the result goes, which has as many values; rank 0 gets none",
    "reducedBlocks": "where this process's part of the result goes, of the same size everywhere",
    "reducedParts": "where this process's part of the result goes",
}
#: Of operations among neighbours.
_NEAR = {
    "a part for each rank, in their order": "a part for each neighbour to send to, in their order",
    "where the parts of all go, in the order of ranks": (
        "where the parts of the neighbours to receive from go, in their order"
    ),
    "where a part from each rank goes, in their order": (
        "where a part from each neighbour to receive from goes, in their order"
    ),
}
_IN_PLACE = "{@link MpiBuffer#inPlace()} where {@code %s} has it"
_ROOT_ONLY = "at {@code root}, %s; not used elsewhere and may be {@code null}"


def write(f: PlannedFunction, row: Row) -> Upper:
    """The method of `row`."""
    method = Upper(
        c_name=f.name,
        name=row.method,
        doc=f.doc.replace("extents of the datatype", "elements"),
        notes=notes(f),
        parameters=[],
        holder=names.CHAPTERS[f.chapter],
        low_name=names.method(f.name),
        collective=True,
    )
    method.made = next((names.thing(r.type) for r in f.results if r.kind == "handle"), "")
    if f.family == "persistent":
        method.made = "Persistent"
    method.work = "COLLECTIVE"
    buffers = [a for a in f.arguments if a.kind == "buffer"]
    method.shape = _shape(f, buffers)
    if row.owner == "Neighborhood":
        method.maker = "Neighbors"
    method.typed = len(buffers) > 1
    if method.made == "Persistent":
        method.notes.append("Collective, as each start is: the first may wait for the others.")
    if method.made and buffers:
        method.notes.append("Arrays change when the operation is complete.")
    _arguments(method, f, buffers)
    _overload(method, row)
    return method


def _shape(f: PlannedFunction, buffers: list[Argument]) -> str:
    """The method of `Shares` that makes MPI's words of the buffers."""
    if len(buffers) < 2:
        return "alone" if buffers else ""
    spans = {a.name for a in f.arguments if a.kind == "span"}
    many = [bool(b.blocks) or b.count in spans for b in buffers]
    if any(a.type == "MPI_Op" for a in f.arguments):
        if buffers[0].count in spans:
            return "reducedParts"
        if many[0]:
            return "reducedBlocks"
        return "reducedBefore" if f.name in _NOTHING_FIRST else "reduced"
    return "exchanged" if all(many) else "scattered" if many[0] else "gathered"


def _arguments(method: Upper, f: PlannedFunction, buffers: list[Argument]) -> None:
    reduces = method.shape.startswith("reduced")
    sides = {b.name: "received" if b.mutable else "sent" for b in buffers}
    described: dict[str, str] = {}
    for b in buffers:  # one count of both buffers is that of what is received
        described[str(b.count)] = described[str(b.datatype)] = sides[b.name]
    counted = [a.name for a in f.arguments if a.element == "count"]
    last = ""
    for a in f.arguments:
        if a.name in sides:
            _buffer(method, a, sides[a.name])
            method.arguments.append(f"own.{sides[a.name]}()")
        elif a.kind == "span":
            last = described.get(a.name, last)
            _numbers(method, a, last, alone=len(counted) == 1)
        elif a.name in described:
            what = "Type" if a.kind == "handle" else "Count"
            method.arguments.append(f"own.{described[a.name]}{what}()")
        elif a.type == "MPI_Op":
            method.parameters.append(Parameter("Op<? super E>", "op", "how two become one"))
            method.arguments.append("call.operation()")
        elif a.values == "root":
            doc = "the rank that gets the result" if reduces else "the rank that has all"
            method.parameters.append(Parameter("int", "root", doc))
            method.arguments.append("root")
        elif a.type == "MPI_Info":
            method.arguments.append("dev.mpiglot.low.InfoHandle.NULL")
        else:
            method.arguments.append("call.comm()")


def _buffer(method: Upper, a: Argument, side: str) -> None:
    if method.shape == "alone":
        doc = "read at {@code root}, written elsewhere; the same number of elements everywhere"
        method.parameters.append(Parameter("MpiBuffer<?>", "data", doc))
        return
    docs = _RECEIVED if a.mutable else _SENT
    doc = docs.get(method.shape, "the values of this process")
    if method.maker == "Neighbors":
        doc = _NEAR.get(doc, doc)
    if a.root_only:
        doc = _ROOT_ONLY % doc
    if "MPI_IN_PLACE" in a.sentinels:
        doc += "; " + _IN_PLACE % ("sent" if a.mutable else "received")
    method.parameters.append(Parameter("MpiBuffer<E>", side, doc))


def _numbers(method: Upper, a: Argument, side: str, alone: bool) -> None:
    """Counts, or where the parts begin."""
    of = "" if alone else side
    if a.element == "count":
        word, suffix = "counts", "Counts"
        whom = "neighbour" if method.maker == "Neighbors" else "rank"
        doc = f"how many elements of {{@code {side}}} belong to each {whom}"
    else:
        word, suffix = "displacements", "At"
        doc = f"the element of {{@code {side}}} where each part begins; {{@code null}}: in turn"
    name = f"{of}{word.capitalize()}" if of else word
    doc = _ROOT_ONLY % doc if a.root_only else doc
    method.parameters.append(Parameter("int[]", name, doc))
    method.arguments.append(f"own.{side}{suffix}()")


def _overload(method: Upper, row: Row) -> None:
    """Without places where parts stand in turn; in place."""
    few = [p for p in method.parameters if not p.name.lower().endswith("displacements")]
    if few != method.parameters:
        given = [p.name if p in few else "null" for p in method.parameters]
        method.overload = Overload("Each part begins where the one before it ends.", few, given)
    elif method.shape in ("reduced", "reducedBefore") and not row.by_hand:
        at = " at {@code root}" if any(p.name == "root" for p in method.parameters) else ""
        doc = f"the values of this process,{at} replaced by the result"
        data = Parameter("MpiBuffer<E>", "data", doc)
        given = ["MpiBuffer.inPlace()", "self().alone(data)"]
        rest = method.parameters[2:]
        given += [p.name for p in rest]
        method.overload = Overload("In place.", [data, *rest], given)
