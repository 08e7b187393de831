"""Callbacks: the C functions that MPI calls, and the Go functions that those call.

A callback type whose parameters include a state needs one C function (and one more for each further
argument of the same type in one call); a type without state needs one C function per callback, its
slot. Both hand 64-bit words to an exported Go function, which calls what the program gave.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from mpiglot.blueprints.catalogue import uses
from mpiglot.blueprints.model import CallbackType, Parameter
from mpiglot.generators.c_types import base_type
from mpiglot.generators.go import names as go_names
from mpiglot.generators.go.c import Inexpressible
from mpiglot.generators.go.tables import null_function
from mpiglot.generators.model import PlannedFunction

# What parameters without a name are called, by their type.
_NAMES = {"MPI_Status *": "status", "double": "timeout", "MPIX_Async_thing": "thing"}
SLOTS = 4096  # of each callback type without state
_INTEGERS = frozenset(("int", "MPI_Count", "MPI_Aint", "MPI_Offset"))


@dataclass(slots=True)
class Callback:
    """One callback type as the templates need it."""

    c_name: str
    name: str
    returns: str  # "int" or "void"
    stateless: bool
    ordinals: list[int]
    null: str
    c_parameters: str = ""  # of the function that MPI calls
    c_names: str = ""  # the same, names only
    c_before: list[str] = field(default_factory=list)
    c_arguments: str = ""  # to the Go function, after its first
    c_after: list[str] = field(default_factory=list)
    state: str = ""  # C expression of the state
    export_c: str = ""  # parameters of the Go function, in C
    export_go: str = ""  # the same in Go
    go_parameters: str = ""
    go_results: str = ""
    go_call: str = ""
    go_outputs: list[tuple[str, str, str]] = field(default_factory=list)  # name, pointer, value
    many: str = ""  # how many states there are in C, where a call is for many
    says: str = ""  # what an int that is no error code says: in Go whether this was the last call
    last: bool = False  # whether MPI calls no function with this state any more after it


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


def is_stateless(callback: CallbackType) -> bool:
    use = uses.load().callback(callback.name)
    told = use.state_function or use.state
    own = not use.foreign_state and any(p.role == "state" for p in callback.parameters)
    return not told and not own


def lower(
    callback: CallbackType,
    many: int,
    handles: dict[str, str],
    integers: Collection[str],
    null: bool,
) -> Callback:
    """The C and Go sides of one callback type."""
    stateless = is_stateless(callback)
    out = Callback(
        c_name=callback.name,
        name=go_names.exported(callback.name),
        returns=callback.returns,
        stateless=stateless,
        ordinals=list(range(1 if stateless else many)),
        null=f"mpg.special[{null_function(callback.name)}]" if null else "NULL",
    )
    if callback.returns not in ("int", "void"):
        raise Inexpressible(f"a {callback.name} returns {callback.returns}")
    return _Lowering(callback, out, handles, integers).run()


class _Lowering:
    def __init__(
        self,
        callback: CallbackType,
        out: Callback,
        handles: dict[str, str],
        integers: Collection[str],
    ) -> None:
        self.callback, self.out, self.handles, self.integers = callback, out, handles, integers
        self.use = uses.load().callback(callback.name)
        visible = [p.name for p in callback.parameters if p.role != "state"]
        self.go = go_names.parameters(visible)
        for p in callback.parameters:
            if not p.c_name and p.type in _NAMES:
                self.go[p.name] = _NAMES[p.type]
        self.c: list[str] = []
        self.c_arguments: list[str] = []
        self.export_c: list[str] = []
        self.export_go: list[str] = []
        self.parameters: list[tuple[str, str]] = []
        self.results: list[tuple[str, str]] = []
        self.call: list[str] = []

    def run(self) -> Callback:
        out = self.out
        for p in self.callback.parameters:
            self._one(p)
        out.c_names = ", ".join(p.name for p in self.callback.parameters)
        if self.callback.variadic:
            self.c.append("...")
        if asked := self.use.state_function:
            of = self.callback.parameters[0].name
            function = f"((void *(*)(uint64_t))mpg_fn[MPG_ID_{asked}])"
            self.out.state = f"(uintptr_t){function}((uint64_t){of})"
        out.last = self.use.last
        out.says = self.use.answer
        if out.says:
            self.results.append((out.says, "bool"))
        elif self.callback.returns == "int":
            self.results.append(("err", "error"))
        out.c_parameters = ", ".join(self.c)
        out.c_arguments = "".join(", " + x for x in self.c_arguments)
        out.export_c = "".join(", " + x for x in self.export_c)
        out.export_go = "".join(", " + x for x in self.export_go)
        out.go_parameters = ", ".join(f"{n} {t}" for n, t in self.parameters)
        results = ", ".join(f"{n} {t}" for n, t in self.results)
        single = len(self.results) == 1
        unnamed = single and not out.says
        out.go_results = f" {self.results[0][1]}" if unnamed else f" ({results})" if results else ""
        out.go_call = ", ".join(self.call)
        return out

    def _one(self, p: Parameter) -> None:
        element = base_type(p.type)
        pointer = "*" in p.type
        many = self.use.count
        if p.name == many:
            self.c.append(f"int {p.name}")
            self.out.many = p.name
        elif p.role == "state" or p.name == self.use.state:
            self.c.append(f"void *{'*' if many else ''}{p.name}")
            self.out.state = f"(uintptr_t){p.name}{'[i]' if many else ''}"
        elif element == "MPI_Status" and pointer:
            self._status(p)
        elif element in self.handles:
            self._handle(p, element, pointer)
        elif element == "void" and p.role == "attribute" and p.direction == "out":
            self._out(p, "void *", f"*(void **){p.name} = (void *)(intptr_t)%s;", "uintptr")
        elif element == "void" and p.role == "attribute":
            self._word(p, "void *", f"(int64_t)(intptr_t){p.name}", "uintptr")
        elif element == "double" and not pointer:
            self.c.append(f"double {p.name}")
            self.c_arguments.append(p.name)
            self.export_c.append(f"double {p.name}")
            self.export_go.append(f"{self.go[p.name]} C.double")
            self.parameters.append((self.go[p.name], "float64"))
            self.call.append(f"float64({self.go[p.name]})")
        elif element == "void" and pointer:
            self.c.append(f"void *{p.name}")
            self.c_arguments.append(p.name)
            self.export_c.append(f"void *{p.name}")
            self.export_go.append(f"{self.go[p.name]} unsafe.Pointer")
            self.parameters.append((self.go[p.name], "unsafe.Pointer"))
            self.call.append(self.go[p.name])
        elif element in _INTEGERS or element in self.integers:
            self._integer(p, element if element in _INTEGERS else "int", pointer)
        else:
            raise Inexpressible(f"{p.name} of {self.callback.name} is a {p.type}")

    def _word(self, p: Parameter, c_type: str, word: str, go_type: str, test: str = "") -> None:
        go = self.go[p.name]
        space = "" if c_type.endswith("*") else " "
        self.c.append(f"{c_type}{space}{p.name}")
        self.c_arguments.append(word)
        self.export_c.append(f"int64_t {p.name}")
        self.export_go.append(f"{go} C.int64_t")
        self.parameters.append((go, go_type))
        self.call.append(f"{go}{test}" if test else f"{go_type}({go})")

    def _out(self, p: Parameter, c_type: str, back: str, go_type: str) -> None:
        go = self.go[p.name]
        space = "" if c_type.endswith("*") else " "
        self.c.append(f"{c_type}{space}{p.name}")
        self.out.c_before.append(f"int64_t {p.name}_ = 0;")
        self.c_arguments.append(f"&{p.name}_")
        self.out.c_after.append(back % f"{p.name}_")
        self.export_c.append(f"int64_t *{p.name}")
        self.export_go.append(f"{go} *C.int64_t")
        self.results.append((go, go_type))
        value = f"cBool({go}Value)" if go_type == "bool" else f"C.int64_t({go}Value)"
        self.out.go_outputs.append((f"{go}Value", f"*{go}", value))

    def _handle(self, p: Parameter, element: str, pointer: bool) -> None:
        if pointer and p.direction == "out":
            raise Inexpressible(f"{p.name} of {self.callback.name} returns a handle")
        value = f"*{p.name}" if pointer else p.name
        self._word(
            p,
            f"{element} *" if pointer else element,
            f"(int64_t){element}_out({value})",
            self.handles[element],
        )

    def _integer(self, p: Parameter, element: str, pointer: bool) -> None:
        flag = p.role == "flag"
        if pointer and p.direction == "out":
            self._out(p, f"{element} *", f"*{p.name} = ({element})%s;", "bool" if flag else "int")
            return
        value = f"*{p.name}" if pointer else p.name
        c_type = f"{element} *" if pointer else element
        self._word(p, c_type, value, "bool" if flag else "int", " != 0" if flag else "")

    def _status(self, p: Parameter) -> None:
        go = self.go[p.name]
        self.c.append(f"void *{p.name}")
        self.out.c_before.append(f"mpg_status {p.name}_ = {{{{0}}}};")
        self.out.c_before.append(f"int {p.name}_wanted = mpg_wanted({p.name});")
        wanted = f"if ({p.name}_wanted) memcpy"
        self.out.c_before.append(f"{wanted}(&{p.name}_, {p.name}, mpg.status_size);")
        self.c_arguments.append(f"{p.name}_wanted ? &{p.name}_ : NULL")
        self.out.c_after.append(f"{wanted}({p.name}, &{p.name}_, mpg.status_size);")
        self.export_c.append(f"void *{p.name}")
        self.export_go.append(f"{go} unsafe.Pointer")
        self.parameters.append((go, "*Status"))
        self.call.append(f"(*Status)({go})")
