"""The methods of the upper package that follow from the plan: what each takes, does and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mpiglot.blueprints.model import Function
from mpiglot.generators.java import names
from mpiglot.generators.java.model import Parameter
from mpiglot.generators.java.upper.surface import Row
from mpiglot.generators.model import Argument, PlannedFunction

#: Parameters whose C names run words together.
_WORDS = {"sendtag": "sendTag", "recvtag": "receiveTag"}
#: What an integer argument is, by the value set or role that the catalogue gives it.
_DOCS = {
    "dest": "the rank to send to",
    "source": "the rank to receive from, or {@link Comm#ANY_SOURCE}",
    "tag": "the tag of the message, or {@link Comm#ANY_TAG}",
    "sent tag": "what the receiver tells messages apart by",
}


@dataclass(slots=True)
class Lent:
    """A buffer that a call uses."""

    name: str
    variable: str
    way: str  # the method of `Call` that lends it: "read", "fill"
    written: bool


@dataclass(slots=True)
class Overload:
    """A shorter way to call a method."""

    note: str
    parameters: list[Parameter]
    given: list[str]


@dataclass(slots=True)
class Upper:
    """One method: the templates lay it out."""

    c_name: str
    name: str
    doc: str
    notes: list[str]
    parameters: list[Parameter]
    holder: str  # the class of the lower layer
    low_name: str
    arguments: list[str] = field(default_factory=list)
    lent: list[Lent] = field(default_factory=list)
    found: bool = False  # MPI fills a status
    made: str = ""  # the class of the handle that MPI gives: "Request", "Message"
    work: str = ""  # what `Request` calls an operation on buffers
    asks: bool = False  # there may be no answer
    virtual: str = ""  # on a virtual thread: "form", "question", "platform"
    form: str = ""  # the method that is called instead there
    collective: bool = False
    shape: str = ""  # of a collective method: the method of `maker` that takes its parameters
    maker: str = "Shares"  # "Neighbors" for operations among neighbours
    typed: bool = False  # its buffers and its operation have elements of one type
    overload: Overload | None = None

    @property
    def returns(self) -> str:
        kind = self.made or ("Status" if self.found else "void")
        return f"Optional<{kind}>" if self.asks else kind

    @property
    def received(self) -> str:
        """The loan of the message that arrives."""
        return next((one.variable for one in self.lent if one.written), "")


def write(
    f: PlannedFunction,
    row: Row,
    planned: Mapping[str, PlannedFunction],
    meaning: Function,
    form_names: Mapping[str, str],
) -> Upper:
    """The method of `row`; `form_names` are the methods of all generated functions."""
    roles = {p.name: p for p in meaning.parameters}
    method = Upper(
        c_name=f.name,
        name=row.method,
        doc=f.doc,
        notes=notes(f),
        parameters=[],
        holder=names.CHAPTERS[f.chapter],
        low_name=names.method(f.name),
    )
    buffers = [a for a in f.arguments if a.kind == "buffer"]
    described = {n for b in buffers for n in (b.count, b.datatype)}
    for a in f.arguments:
        if a.kind == "buffer":
            _lend(method, a, roles[a.name].direction, alone=len(buffers) == 1)
        elif a.kind == "status_out":
            method.found = True
            method.arguments.append("found")
        elif a.kind == "handle_ref":
            method.arguments.append("self().take()")
        elif a.kind == "handle" and a.name not in described:
            method.arguments.append(f"call.{names.parameter(a.name)}()")
        elif a.name not in described:
            _pass(method, a, roles[a.name].role)
    method.made = next((names.thing(r.type) for r in f.results if r.kind == "handle"), "")
    if f.family == "persistent":
        method.made = "Persistent"
    method.asks = any(r.kind == "bool" for r in f.results)
    method.work = _work(f, buffers)
    if method.work == "EXCHANGE":  # a status need not tell how much arrived: all is written back
        for one in method.lent:
            one.way = "read"
    _choose_virtual(method, f, planned, form_names)
    return method


def notes(f: PlannedFunction) -> list[str]:
    """What follows the text of the catalogue."""
    found = [f"{{@code {f.name}}}"]
    if f.since > "3.0":
        found.append(f"Since MPI {f.since}; not in every library.")
    return found


def _lend(method: Upper, a: Argument, direction: str, alone: bool) -> None:
    """The buffer as a parameter, and its loan as address, count and datatype."""
    name = "data" if alone else "received" if a.mutable else "sent"
    variable = "loan" if alone else "in" if a.mutable else "out"
    docs = {"in": "what to send", "out": "where it goes"}
    doc = docs.get(direction, "what to send, and where the other message goes")
    if not alone and a.mutable:
        doc = "where the other message goes"
    method.parameters.append(Parameter("MpiBuffer<?>", name, doc))
    method.lent.append(Lent(name, variable, "fill" if direction == "out" else "read", a.mutable))
    method.arguments += [f"{variable}.segment()", f"{variable}.count()", f"{variable}.type()"]


def _pass(method: Upper, a: Argument, role: str) -> None:
    name = _WORDS.get(a.name, names.parameter(a.name))
    doc = _DOCS.get(a.values or f"sent {role}", "an integer")
    method.parameters.append(Parameter("int", name, doc))
    method.arguments.append(name)


def _work(f: PlannedFunction, buffers: list[Argument]) -> str:
    """What `Request` calls the operation."""
    if not any(b.mutable for b in buffers):
        return "SEND"
    if any(a.values == "dest" for a in f.arguments):
        return "EXCHANGE"
    return "MATCHED" if any(a.kind == "handle_ref" for a in f.arguments) else "RECEIVE"


def _choose_virtual(
    method: Upper,
    f: PlannedFunction,
    planned: Mapping[str, PlannedFunction],
    form_names: Mapping[str, str],
) -> None:
    """What does not hold a carrier: the nonblocking form, a question asked again and again, or a
    thread of the library where not every MPI with the function has its form."""
    if f.family != "blocking":
        return
    form = f.forms.get("nonblocking", "")
    question = f"MPI_I{f.name[4:5].lower()}{f.name[5:]}"
    if form in form_names and planned[form].since <= "3.0":
        method.virtual, method.form = "form", form_names[form]
    elif not f.forms and question in form_names and _asks(planned[question], f):
        method.virtual, method.form = "question", form_names[question]
    else:
        method.virtual = "platform"


def _asks(question: PlannedFunction, f: PlannedFunction) -> bool:
    return question.family == "local" and question.inputs() == f.inputs()
