"""What a planned function looks like from outside in C++: parameters, results, documentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mpiglot.blueprints.model import Parameter
from mpiglot.generators import shapes
from mpiglot.generators.c_types import base_type, is_lists_of_texts
from mpiglot.generators.cpp.names import constant_name, identifier
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.cpp.text import declared, sentence, spelled
from mpiglot.generators.model import Argument, PlannedFunction, Result, Slot

SCALARS = {
    "int": "int",
    "MPI_Count": "count_t",
    "MPI_Aint": "aint_t",
    "MPI_Offset": "offset_t",
    "MPI_Fint": "fint_t",
    "double": "double",
}


@dataclass(slots=True)
class CppParameter:
    """One C++ parameter."""

    name: str
    declaration: str  # "comm_handle comm"
    default: str = ""
    moved: bool = False  # a callable, handed on by move
    template: str = ""  # name of its template parameter


@dataclass(slots=True)
class CppResult:
    """One value that comes back."""

    name: str
    type: str
    guarded: bool = False


@dataclass(slots=True)
class Signature:
    """The outside of one C++ function."""

    name: str
    parameters: list[CppParameter] = field(default_factory=list)
    results: list[CppResult] = field(default_factory=list)
    value: str = "void"  # type of the whole result
    record: str = ""  # name of the struct that holds several results
    template: list[str] = field(default_factory=list)
    returns_code: bool = True

    def declarations(self) -> list[str]:
        """The parameters with defaults, where everything behind them has one too."""
        out: list[str] = []
        open_end = True
        for p in reversed(self.parameters):
            open_end = open_end and bool(p.default)
            out.append(p.declaration + (f" = {p.default}" if open_end else ""))
        return out[::-1]

    def forwarded(self) -> list[str]:
        return [
            f"static_cast<{p.template}&&>({p.name})" if p.moved else p.name for p in self.parameters
        ]


class SignatureBuilder:
    """Builds signatures for one target. `wide` says which of an array overload's twins is meant."""

    def __init__(self, target: CppTarget) -> None:
        self.target = target

    def build(self, function: PlannedFunction, wide: bool = True) -> Signature:
        name = self.target.function_names[function.name]
        names = {identifier(a.name) for a in function.arguments}
        names |= {identifier(r.name) for r in function.results}
        signature = Signature(name, returns_code=function.returns == "error")
        slots = {s.argument: s for s in function.slots if s.fold in ("data", "value", "reference")}
        for argument in function.arguments:
            signature.parameters.append(
                self._parameter(argument, slots.get(argument.name), wide, names)
            )
        signature.template = [f"class {p.template}" for p in signature.parameters if p.template]
        if any(r.kind == "string" for r in function.results):
            signature.template.append("class String = std::string")
        self._results(function, signature, names)
        return signature

    # ------------------------------------------------------------- parameters

    def _parameter(
        self, a: Argument, slot: Slot | None, wide: bool, names: set[str]
    ) -> CppParameter:
        name = identifier(a.name)
        if a.kind == "callback":
            template = "".join(word.capitalize() for word in a.name.split("_"))
            return CppParameter(name, f"{template} {name}", moved=True, template=template)
        if a.kind == "plain" and is_lists_of_texts(a.type):
            return CppParameter(name, f"const text_lists& {name}")
        if a.kind in ("plain", "buffer", "address"):
            return CppParameter(name, declared(self._existing(a.type), name))
        if a.kind == "memory":
            return CppParameter(name, f"{'' if a.mutable else 'const '}void* {name}")
        spelling = self.argument_type(a, slot, wide, names)
        default = "{}" if a.kind in ("status_out", "statuses_out", "main_arguments") else ""
        return CppParameter(name, f"{spelling} {name}", default)

    def argument_type(
        self, a: Argument, slot: Slot | None, wide: bool, names: set[str] | None = None
    ) -> str:
        """The C++ type of an argument whose kind alone decides it."""
        fixed = {
            "bool": "bool", "string": "text", "main_arguments": "main_arguments",
            "status": "const mpi::status&", "status_ref": "mpi::status&",
            "status_out": "status_out", "statuses_out": "statuses_out",
            "strings": "const text_list&",
        }  # fmt: skip
        if a.kind in fixed:
            return fixed[a.kind]
        if a.kind.startswith("span"):
            element = self._element(a, slot, wide, names)
            return f"span<{'const ' if a.kind == 'span' else ''}{element}>"
        if a.kind == "handle_ref":
            return f"{self.target.handles[a.type]}&"
        if a.kind == "scalar_ref":
            return f"{SCALARS[a.type]}&"
        return self._scalar(a.kind, a.type, a.values, names)

    def _element(self, a: Argument, slot: Slot | None, wide: bool, names: set[str] | None) -> str:
        if a.element == "range":
            return "rank_range"
        c_type = a.type if wide or slot is None else base_type(slot.type)
        return self._scalar(a.element, c_type, a.values, names)

    def _scalar(self, kind: str, c_type: str, values: str | None, names: set[str] | None) -> str:
        if kind == "enum" and values in self.target.enums:
            spelling = identifier(values)
            return f"mpi::{spelling}" if names and spelling in names else spelling
        if kind == "handle":
            return self.target.handles[c_type]
        return SCALARS.get(c_type) or spelled(self._existing(c_type)) or "int"

    def _existing(self, c_type: str) -> str:
        """`c_type`, or what stands in for it where the target does not have it."""
        if self.target.has_type(c_type):
            return c_type
        return "void *" if "*" in c_type or "[" in c_type else "int"

    # ------------------------------------------------------------- results

    def _results(self, function: PlannedFunction, signature: Signature, names: set[str]) -> None:
        if function.returns not in ("error", "void"):
            kind = function.returns
            signature.value = self._scalar(kind, function.return_type, None, None)
            return
        for r in function.results:
            signature.results.append(
                CppResult(identifier(r.name), self.result_type(r, names), bool(r.when))
            )
        if not signature.results:
            return
        kept = signature.results
        if function.shape == "optional":
            kept = [r for r in signature.results if r.guarded]
        if len(kept) == 1:
            signature.value = kept[0].type
        else:
            signature.record = f"{signature.name}_result"
            signature.value = signature.record
            if any(r.type == "String" for r in kept):
                signature.value = f"{signature.record}<String>"
        if function.shape == "optional":
            signature.value = f"std::optional<{signature.value}>"

    def result_type(self, r: Result, names: set[str]) -> str:
        if r.kind in ("string", "pointer", "bool"):
            return {"string": "String", "pointer": "void*", "bool": "bool"}[r.kind]
        return self._scalar(r.kind, r.type, r.values, names)


# --------------------------------------------------------------------------- documentation


def documentation(
    function: PlannedFunction, twin: str | None, notes: Sequence[str] = ()
) -> list[str]:
    """The paragraphs of a function's doc comment."""
    out = [sentence(function.doc)] if function.doc else []
    since = f", MPI {function.since}" if function.since else ""
    large = f", {twin} for what does not fit" if twin else ""
    facts = [f"{function.name}{since}{large}"]
    if function.deprecated:
        facts.append(f"deprecated in MPI {function.deprecated}")
    if function.collective:
        facts.append("collective")
    elif function.family and function.family != "blocking":
        facts.append(function.family)
    out.append("; ".join(facts) + ".")
    out += [line for a in function.arguments for line in _shape_of(function, a)]
    rooted = [a.name for a in function.arguments if a.root_only]
    if rooted:
        out.append(f"Only the root's values count: {_names(rooted)}.")
    kept = [a.name for a in function.arguments if a.kept]
    if kept:
        out.append(f"In use until the operation completes: {_names(kept)}.")
    return out + list(notes)


def stand_ins(
    function: PlannedFunction, parameters: Sequence[Parameter], target: CppTarget
) -> Iterator[str]:
    """Which constants may stand in place of arguments, a paragraph each."""
    given = {a.name for a in function.arguments if not a.kind.startswith("status")}
    by_constants: dict[str, list[str]] = {}
    for p in parameters:
        if p.name not in given or p.role == "request":
            continue
        names = [
            constant_name(c, target.constants[c][0].type)
            for c in p.sentinels
            if target.has_constant(c)
        ]
        if names:
            by_constants.setdefault(" or ".join(f"`{n}`" for n in names), []).append(p.name)
    for constants, places in by_constants.items():
        yield f"May be {constants}: {_names(places)}."


def _shape_of(function: PlannedFunction, a: Argument) -> list[str]:
    if a.kind == "memory" and isinstance(a.length, str):
        return [f"`{a.name}`: bytes."]
    of = shapes.elements(function, a, _code) or shapes.length(function, a, _code)
    return [f"`{a.name}`: {of}."] if of else []


def _code(name: str) -> str:
    return f"`{name}`"


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(_code, names))
