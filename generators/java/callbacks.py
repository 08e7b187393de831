"""Callback types: a functional interface each, and the adapter that C calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpiglot.blueprints.catalogue import uses
from mpiglot.blueprints.model import CallbackType
from mpiglot.blueprints.model import Parameter as CParameter
from mpiglot.generators.c_types import base_type
from mpiglot.generators.java import names
from mpiglot.generators.java.model import CallbackClass, Named, Parameter
from mpiglot.generators.java.types import Types, widths
from mpiglot.generators.model import Atlas

_CARRIERS = {"i": "int", "d": "double", "r": "long", "j": "long"}
#: Roles whose integers are translated although the callback type names no set.
_CODES = {"error_code": "error_class"}
_USED = {
    "in": "memory of the caller",
    "out": "memory that the callback writes its answer to",
    "inout": "memory that the callback reads and writes",
}


@dataclass(slots=True)
class _Adapter:
    """The statements of the C side of one callback."""

    parameters: list[Parameter] = field(default_factory=list)
    c_parameters: list[Parameter] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def show(self, type_: str, name: str, doc: str, value: str) -> None:
        """One argument of the Java callback."""
        self.parameters.append(Parameter(type_, name, doc))
        self.arguments.append(value)


def callbacks(atlas: Atlas, types: Types) -> list[CallbackClass]:
    """Every callback type, by name."""
    found = {names.callback_class(c.name): c for c in reversed(atlas.callbacks)}
    nulls = {
        base_type(c.type): c.name
        for c in atlas.constants
        if c.cls == "function" and c.abi_value == 0
    }
    made = [_callback(name, found[name], types) for name in sorted(found)]
    for callback in made:
        callback.null = nulls.get(callback.c_name, "")
    return made


def _callback(name: str, callback: CallbackType, types: Types) -> CallbackClass:
    adapter = _Adapter()
    for p in callback.parameters:
        _fold(p, types, adapter)
    returns = "v" if callback.returns == "void" else "i"
    return CallbackClass(
        name=name,
        c_name=callback.name,
        signature=" ".join([returns, *adapter.tokens]),
        parameters=adapter.parameters,
        c_parameters=adapter.c_parameters,
        before=adapter.before,
        arguments=adapter.arguments,
        after=adapter.after,
        returns_code=returns == "i",
        source=callback,
        use=uses.load().callback(callback.name),
        kind=next((k for k in ("handler", "event") if k in callback.name.lower()), "callback"),
    )


def _fold(p: CParameter, types: Types, out: _Adapter) -> None:
    """One C parameter: its width, and what the Java callback gets of it."""
    name, kind = names.parameter(p.name), base_type(p.type)
    token = types.token(p.type)
    pointer = "*" in p.type or "[" in p.type
    out.tokens.append("j" if token == "r" else token)
    out.c_parameters.append(Parameter(_CARRIERS.get(token, "long"), name, ""))
    if p.role == "state":
        return
    if kind in types.handles:
        value = f"Frame.getHandle({name}, Widths.{widths(kind)})" if pointer else name
        java = names.handle_class(kind)
        out.show(java, name, f"a {java}", f"new {java}({value})")
    elif kind == "MPI_Status":
        out.before.append(f"StatusValue {name}Object = new StatusValue();")
        out.after.append(f"{name}Object.write({name});")
        out.show("StatusValue", name, "to be filled by the callback", f"{name}Object")
    elif kind in ("int", "MPI_Count", "MPI_Aint") and pointer and p.direction == "in":
        wide = kind != "int"
        read = f"Frame.getLong({name})" if wide else f"Frame.getInt({name})"
        if values := p.values or _CODES.get(p.role):
            read = f"{types.set_of(values)}.toJava({read})"
        out.show("long" if wide else "int", name, "an integer", read)
    elif pointer:
        out.show("MemorySegment", name, _USED.get(p.direction, _USED["in"]), f"Frame.at({name})")
    else:
        java = _CARRIERS.get(token, "long")
        value = f"{types.set_of(p.values)}.toJava({name})" if p.values else name
        if p.role == "flag":
            java, value = "boolean", f"{name} != 0"
        out.show(java, name, "an integer", value)


@dataclass(slots=True)
class Predefined:
    """A callback constant of MPI: never called from Java, passed as what the library has."""

    constant: Named
    type: str
    lambda_parameters: str


def adapters(atlas: Atlas, types: Types) -> list[Predefined]:
    """The callback constants."""
    by_c_name = {c.c_name: c for c in callbacks(atlas, types)}
    out = []
    for c in atlas.constants:
        callback = by_c_name.get(base_type(c.type))
        if c.cls == "function" and callback is not None:
            shown = ", ".join(p.name for p in callback.parameters)
            out.append(Predefined(Named(names.constant(c.name), c.name), callback.name, shown))
    return out
