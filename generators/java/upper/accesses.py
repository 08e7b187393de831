"""Accesses to the memory of other processes, with the counts and types of their buffers."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpiglot.generators.java import names
from mpiglot.generators.java.model import Parameter
from mpiglot.generators.java.upper.methods import Lent
from mpiglot.generators.java.upper.surface import Row
from mpiglot.generators.model import PlannedFunction

_DOCS = {
    "origin": "the values that this process gives",
    "compare": "the value that is expected there",
    "result": "where the values go that were there before, as many",
}
_INTO_ORIGIN = "where the values go"
_TARGET = Parameter(
    "int", "target", "whose memory: a rank, or {@link Comm#PROC_NULL} for no access"
)
_PLACE = Parameter("long", "displacement", "where the first value is there, see {@link Window}")
_OP = Parameter("Op<? super E>", "op", "how two become one, an operation that MPI provides")
#: Sentences of the catalogue that {@link Window} tells once for all.
_TOLD = ("Displacements are ", "The displacement is ")


@dataclass(slots=True)
class Access:
    """One method: `templates/java/accesses.java.jinja` lays it out."""

    c_name: str
    name: str
    doc: str
    holder: str
    low_name: str
    begun: bool  # gives a request
    combined: bool
    parameters: list[Parameter] = field(default_factory=list)
    lent: list[Lent] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)

    @property
    def received(self) -> str:
        return next((one.variable for one in self.lent if one.written), "null")


def fits(f: PlannedFunction) -> bool:
    """Whether a function of the plan is an access."""
    return any(a.name == "target_rank" for a in f.arguments)


def write(f: PlannedFunction, row: Row) -> Access:
    """The method of `row`."""
    one = any(a.name == "datatype" for a in f.arguments)
    combined = one or any(a.type == "MPI_Op" for a in f.arguments)
    method = Access(
        c_name=f.name,
        name=row.method,
        doc=next(f.doc.partition(f" {t}")[0] for t in _TOLD if t in f.doc),
        holder=names.CHAPTERS[f.chapter],
        low_name=names.method(f.name),
        begun=bool(f.results),
        combined=combined,
    )
    for a in f.arguments:
        name = a.name.removesuffix("_addr")
        role, _, what = a.name.partition("_")
        if a.kind == "buffer":
            doc = _INTO_ORIGIN if a.mutable and name == "origin" else _DOCS[name]
            method.parameters.append(Parameter("MpiBuffer<E>", name, doc))
            way = ("combine" if combined else "read") if not a.mutable else "fill"
            way = "fetch" if combined and a.mutable else way
            way = "single" if one and not a.mutable else way
            same = "Alike" if way == "fill" and method.begun else ""
            method.lent.append(Lent(name, f"{name}Loan", way + same, a.mutable))
            method.arguments.append(f"{name}Loan.segment()")
        elif a.name == "datatype" or (what == "datatype" and (combined or role == "target")):
            method.arguments.append("access.type()")
        elif what in ("count", "datatype"):
            of = "access.values" if role == "target" else f"{role}Loan.{what.replace('data', '')}"
            method.arguments.append(f"{of}()")
        else:
            known = {"target_rank": "target", "target_disp": "displacement", "op": "access.op()"}
            method.arguments.append(known.get(a.name, "self().word()"))
    method.parameters += [_TARGET, _PLACE]
    if any(a.type == "MPI_Op" for a in f.arguments):
        method.parameters.append(_OP)
    return method
