"""The Go half of a function: its signature, and what happens around the call of its C half."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mpiglot.generators import accesses
from mpiglot.generators.c_types import is_lists_of_texts
from mpiglot.generators.go import docs as go_docs
from mpiglot.generators.go import names as go_names
from mpiglot.generators.go.c import Inexpressible
from mpiglot.generators.holders import Holders
from mpiglot.generators.model import Argument, PlannedFunction, Result

_TYPES = {
    "int": "int",
    "count": "int",
    "aint": "int",
    "offset": "int",
    "fint": "int",
    "bool": "bool",
    "double": "float64",
    "address": "uintptr",
    "buffer": "Buffer",
    "memory": "Buffer",
    "string": "string",
    "strings": "[]string",
    "status_out": "*Status",
    "status_ref": "*Status",
    "status": "*Status",
    "statuses_out": "[]Status",
    "scalar_ref": "*int",
    "plain": "unsafe.Pointer",
    "pointer": "uintptr",
}
_SPAN_TYPES = {"flag": "[]bool", "range": "[][3]int"}


@dataclass(slots=True)
class GoFunction:
    """The names and types that one function has in Go; `templates/go/function.jinja` writes it."""

    name: str
    go: dict[str, str]  # argument or result -> its name in Go
    types: dict[str, str]  # argument or result -> its type in Go
    arguments: list[Argument]  # without main's
    results_in_order: list[Result]
    callbacks: list[Argument]
    begun: tuple[str, str] | None  # window or file, and target, of an access that is begun
    completed: tuple[str, str] | None  # the same of one that is completed
    parameters: str = ""
    results: str = ""
    returned: str = ""  # type of what the C function returns, if that is no error code
    failure: str = ""  # what is returned where an array has the wrong length
    doc: list[str] = field(default_factory=list)

    @property
    def passed(self) -> list[Argument]:
        """The arguments of the C half: a status travels apart."""
        return [a for a in self.arguments if a.kind != "status_out"]

    def sharing(self, a: Argument) -> list[Argument]:
        """The callbacks that share a state with one of them, and this one itself."""
        return [x for x in self.callbacks if x.state == a.state]


@dataclass(frozen=True, slots=True)
class Names:
    """What Go's names depend on besides the function itself."""

    handles: Mapping[str, str]  # MPI_Comm -> Comm
    closed: frozenset[str]  # value sets that are Go types
    near: frozenset[str]  # value sets whose names are few values side by side
    free: Mapping[str, str]  # MPI_Request -> MPI_Request_free
    callbacks: Mapping[str, str]  # MPI_User_function -> UserFunction
    stateless: frozenset[str]  # callback types without a state parameter
    always: frozenset[str]  # callback types that MPI gets even where the program has no function
    capacities: Mapping[str, int]  # MPI_MAX_PORT_NAME -> the most any library has
    few: go_docs.Few  # value sets with few names
    keys: frozenset[str]  # value sets of keys, some of attributes that are integers with names
    holders: Holders


def lower(f: PlannedFunction, names: Names) -> GoFunction:
    """The Go half of `f`."""
    wanted = [a.name for a in f.arguments if a.kind != "main_arguments"]
    out = GoFunction(
        name=go_names.exported(f.name),
        go=go_names.parameters(wanted + [r.name for r in f.results]),
        types={},
        arguments=[a for a in f.arguments if a.kind != "main_arguments"],
        results_in_order=sorted(f.results, key=lambda r: _is_last(f, r)),
        callbacks=[a for a in f.arguments if a.kind == "callback"],
        begun=accesses.begun(f),
        completed=accesses.completed(f),
    )
    out.types = {a.name: _type(a, names) for a in out.arguments}
    out.types |= {r.name: _result_type(r, names) for r in f.results}
    stateful = any(a.type not in names.stateless for a in out.callbacks)
    if stateful and not any(s.fold == "state" for s in f.slots):
        raise Inexpressible("its functions get the states that another function is given")
    for r in f.results:
        if r.room == "constant" and r.capacity not in names.capacities:
            raise Inexpressible(f"the length of {r.name}, {r.capacity}, is not known")
    out.parameters = _joined([(out.go[a.name], out.types[a.name]) for a in out.arguments])
    _add_results(out, f, names)
    out.doc = go_docs.lines(f, out.name, out.go, names.few)
    return out


def _is_last(f: PlannedFunction, r: Result) -> bool:
    """True for the flag that says if there are results."""
    return f.shape == "optional" and r.name == "flag"


def _type(a: Argument, names: Names) -> str:
    if a.kind in ("handle", "handle_ref"):
        return ("*" if a.kind == "handle_ref" else "") + names.handles[a.type]
    if a.kind == "callback":
        return names.callbacks[a.type]
    if a.kind == "enum":
        return _enum(a.values, names)
    if a.kind == "plain" and is_lists_of_texts(a.type):
        return "[][]string"
    if a.kind.startswith("span"):
        if a.element == "handle":
            return "[]" + names.handles[a.type]
        return _SPAN_TYPES.get(a.element, "[]int")
    return _plain_type(a)


def _result_type(r: Result, names: Names) -> str:
    if r.kind == "handle":
        return names.handles[r.type]
    return _enum(r.values, names) if r.kind == "enum" else _plain_type(r)


def _plain_type(x: Argument | Result) -> str:
    if x.kind not in _TYPES:
        raise Inexpressible(f"{x.name} is {x.kind}, which has no Go type here yet")
    return _TYPES[x.kind]


def _enum(values: str | None, names: Names) -> str:
    return go_names.type_name(values) if values and values in names.closed else "int"


def _add_results(out: GoFunction, f: PlannedFunction, names: Names) -> None:
    parts = [(_result_name(out, f, r), out.types[r.name]) for r in out.results_in_order]
    if f.returns == "handle":
        out.returned = names.handles[f.return_type]
        parts.append(("result", out.returned))
    elif f.returns == "double":
        parts.append(("", "float64"))
    elif f.return_type == "void *":
        out.returned = "uintptr"
        parts.append(("state", out.returned))
    elif f.returns not in ("error", "void"):
        out.returned = "int"
        parts.append(("result", out.returned))
    if f.returns != "double":
        parts.append(("err", "error"))
    zero = [_zero(t) for _, t in parts[:-1]]
    out.failure = ", ".join([*zero, f'failed("{f.name}", C.MPG_LENGTH)'])
    out.results = f"({_joined(parts)})" if len(parts) > 1 else parts[0][1]


def _result_name(out: GoFunction, f: PlannedFunction, r: Result) -> str:
    if _is_last(f, r):
        return "ok" if "ok" not in out.go.values() else "flag"
    return out.go[r.name] + ("Text" if r.kind == "string" else "")


_ZEROS = {"bool": "false", "string": '""', "error": "nil"}


def _zero(go_type: str) -> str:
    return _ZEROS.get(go_type, "nil" if go_type[:1] in "*[" else "0")


def _joined(parts: list[tuple[str, str]]) -> str:
    """Go's way to write parameters: neighbours of one type share it."""
    out: list[str] = []
    for i, (name, go_type) in enumerate(parts):
        shared = i + 1 < len(parts) and parts[i + 1][1] == go_type and name
        out.append(name if shared else f"{name} {go_type}".strip())
    return ", ".join(out)
