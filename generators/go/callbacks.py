"""Callbacks: the C functions that MPI calls, and the Go functions that those call.

A callback type whose parameters include a state needs one C function (and one more for each further
argument of the same type in one call); a type without state needs one C function per callback, its
slot. Both hand 64-bit words to an exported Go function, which calls what the program gave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from mpiglot.blueprints.catalogue import uses
from mpiglot.blueprints.model import CallbackType, Parameter
from mpiglot.generators.c_types import base_type
from mpiglot.generators.go import names as go_names
from mpiglot.generators.go.c import Inexpressible
from mpiglot.generators.holders import is_stateless
from mpiglot.generators.model import PlannedFunction

SLOTS = 4096  # of each callback type without state
_INTEGERS = frozenset(("int", "MPI_Count", "MPI_Aint", "MPI_Offset"))


@dataclass(slots=True)
class Seen:
    """A parameter of a callback, as MPI passes it and as Go sees it."""

    name: str
    go: str
    kind: str  # "count", "state", "status", "handle", "attribute", "address", "double", "integer"
    element: str  # C type without pointers
    c_type: str
    go_type: str = ""
    indirect: bool = False  # C has its address
    is_output: bool = False


@dataclass(slots=True)
class Callback:
    """One callback type; the templates write its functions in C and in Go."""

    c_name: str
    name: str
    returns: str  # "int" or "void"
    stateless: bool
    ordinals: list[int]
    null: bool  # MPI has a null function of this type
    variadic: bool
    use: uses.CallbackUse
    parameters: list[Seen] = field(default_factory=list)
    go_parameters: str = ""
    go_results: str = ""
    deletes: bool = False  # it is told of an attribute that goes away

    @property
    def shown(self) -> list[Seen]:
        """The parameters that Go gets."""
        return [p for p in self.parameters if p.kind not in ("count", "state")]

    @property
    def inputs(self) -> list[Seen]:
        return [p for p in self.shown if not p.is_output]

    @property
    def outputs(self) -> list[Seen]:
        return [p for p in self.shown if p.is_output]

    @property
    def copies(self) -> bool:
        """True if Go's function returns an attribute and says if there is one."""
        told = [(p.kind, p.go_type) for p in self.outputs]
        return told == [("attribute", "uintptr"), ("integer", "bool")] and self.returns == "int"

    @property
    def state(self) -> str:
        """The parameter with the state, if there is one."""
        return next((p.name for p in self.parameters if p.kind == "state"), "")


def used(functions: Iterable[PlannedFunction]) -> dict[str, int]:
    """Callback types that functions take -> the most that one function takes of it."""
    out: dict[str, int] = {}
    for f in functions:
        if f.decision != "generate":
            continue
        for a in f.arguments:
            if a.kind == "callback":
                same = [x for x in f.arguments if x.kind == "callback" and x.type == a.type]
                out[a.type] = max(out.get(a.type, 0), len(same))
    return out


def lower(
    callback: CallbackType,
    many: int,
    handles: Mapping[str, str],
    integers: Collection[str],
    null: bool,
) -> Callback:
    """The C and Go sides of one callback type."""
    if callback.returns not in ("int", "void"):
        raise Inexpressible(f"a {callback.name} returns {callback.returns}")
    stateless = is_stateless(callback)
    use = uses.load().callback(callback.name)
    out = Callback(
        c_name=callback.name,
        name=go_names.exported(callback.name),
        returns=callback.returns,
        stateless=stateless,
        ordinals=list(range(1 if stateless else many)),
        null=null,
        variadic=callback.variadic,
        use=use,
    )
    go = _names(callback, use)
    for p in callback.parameters:
        seen = _seen(p, use, handles, integers)
        seen.go = go.get(p.name, "")
        out.parameters.append(seen)
    out.go_parameters = ", ".join(f"{p.go} {p.go_type}" for p in out.inputs)
    out.go_results = _results(out)
    out.deletes = any(p.kind == "attribute" for p in out.inputs) and not out.outputs
    return out


def _names(callback: CallbackType, use: uses.CallbackUse) -> dict[str, str]:
    wanted = [p.name for p in callback.parameters if p.role != "state"]
    return {**go_names.parameters(wanted), **use.names}


def _results(out: Callback) -> str:
    results = [f"{p.go} {p.go_type}" for p in out.outputs]
    if out.use.answer:
        results.append(f"{out.use.answer} bool")
    elif out.returns == "int":
        if not results:
            return " error"
        results.append("err error")
    return f" ({', '.join(results)})" if results else ""


def _seen(
    p: Parameter, use: uses.CallbackUse, handles: Mapping[str, str], integers: Collection[str]
) -> Seen:
    element, pointer = base_type(p.type), "*" in p.type
    is_output = pointer and p.direction == "out"
    if p.name == use.count:
        return Seen(p.name, "", "count", "int", "int")
    if p.role == "state" or p.name == use.state:
        return Seen(p.name, "", "state", "void", "void **" if use.count else "void *")
    if element == "MPI_Status" and pointer:
        return Seen(p.name, "", "status", element, "void *", "*Status")
    if element in handles and not is_output:
        c_type = f"{element} *" if pointer else element
        return Seen(p.name, "", "handle", element, c_type, handles[element], pointer)
    if element == "void" and p.role == "attribute":
        out = p.direction == "out"
        return Seen(p.name, "", "attribute", element, "void *", "uintptr", is_output=out)
    if element == "double" and not pointer:
        return Seen(p.name, "", "double", element, "double", "float64")
    if element == "void" and pointer:
        return Seen(p.name, "", "address", element, "void *", "unsafe.Pointer")
    if element in _INTEGERS or element in integers:
        element = element if element in _INTEGERS else "int"
        go_type = "bool" if p.role == "flag" else "int"
        c_type = f"{element} *" if pointer else element
        return Seen(p.name, "", "integer", element, c_type, go_type, pointer, is_output)
    raise Inexpressible(f"{p.name} is a {p.type}")
