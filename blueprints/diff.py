"""What differs between two blueprints: the question asked when a new release of an MPI comes out.

Only what a program can notice is compared: names, prototypes, values, classes, sizes, layouts, what
links. The annotations come from the catalogue, not from the MPI, and are left out. Two spellings of
one type are no difference: `int []` and `int *`, or two names of one function type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from mpiglot.blueprints.model import (
    Blueprint,
    CallbackType,
    Constant,
    Function,
    Parameter,
    Type,
)
from mpiglot.blueprints.prototypes import declared_as

SUBJECTS = ("installation", "functions", "constants", "types", "callbacks")


@dataclass(slots=True, frozen=True)
class Change:
    """One difference."""

    subject: str  # one of SUBJECTS
    kind: str  # "added", "removed", "changed"
    name: str
    what: str = ""  # "prototype", "value", "handle kind", ... ("" for added and removed)
    before: str = ""
    after: str = ""


def noticeable(changes: Iterable[Change]) -> bool:
    """Whether a program can tell the two apart, by more than what the MPI says of its version."""
    return any((c.subject, c.name) != ("installation", "version") for c in changes)


class _Named(Protocol):
    name: str


N = TypeVar("N", bound=_Named)
Aspects = Sequence[tuple[str, Callable[[N], str]]]
Same = Callable[[N, N], bool]


def compare(before: Blueprint, after: Blueprint) -> list[Change]:
    """All differences, by subject, then removed, changed, added, then by name."""
    old, new = _function_types(before), _function_types(after)

    def same_function(a: Function, b: Function) -> bool:
        return "macro" not in (a.status, b.status) and _types(a, old) == _types(b, new)

    def same_callback(a: CallbackType, b: CallbackType) -> bool:
        return _types(a, old) == _types(b, new)

    changes = [
        *_compare_installation(before, after),
        *_compare(
            "functions", before.functions, after.functions, _FUNCTION, prototype, same_function
        ),
        *_compare("constants", before.constants, after.constants, _CONSTANT, constant_text),
        *_compare("types", before.types, after.types, _TYPE, type_text),
        *_compare(
            "callbacks", before.callbacks, after.callbacks, _CALLBACK, callback_text, same_callback
        ),
    ]
    kinds = ("removed", "changed", "added")
    return sorted(
        changes, key=lambda c: (SUBJECTS.index(c.subject), kinds.index(c.kind), c.name, c.what)
    )


def _compare(
    subject: str,
    before: Iterable[N],
    after: Iterable[N],
    aspects: Aspects[N],
    text: Callable[[N], str],
    same_prototype: Same[N] | None = None,
) -> list[Change]:
    old = {item.name: item for item in before}
    new = {item.name: item for item in after}
    out = [Change(subject, "removed", n, before=text(old[n])) for n in old if n not in new]
    out += [Change(subject, "added", n, after=text(new[n])) for n in new if n not in old]
    for name in old.keys() & new.keys():
        for what, aspect in aspects:
            was, now = aspect(old[name]), aspect(new[name])
            if what == "prototype" and same_prototype and same_prototype(old[name], new[name]):
                continue
            if was != now:
                out.append(Change(subject, "changed", name, what, was, now))
    return out


def _compare_installation(before: Blueprint, after: Blueprint) -> list[Change]:
    def facts(b: Blueprint) -> dict[str, str]:
        return {
            "vendor": b.mpi.vendor,
            "version": b.mpi.version,
            "standard": b.mpi.standard,
            "standard reported": b.mpi.standard_reported,
            "ABI family": b.mpi.abi,
            "soname": b.mpi.soname,
            "architecture": b.platform.architecture,
            "data model": b.platform.data_model,
            "byte order": b.platform.byte_order,
        }

    old, new = facts(before), facts(after)
    return [
        Change("installation", "changed", name, "", old[name], new[name])
        for name in old
        if old[name] != new[name]
    ]


def _types(of: Function | CallbackType, function_types: Mapping[str, str]) -> list[str]:
    """The result's and the parameters' types, in the one spelling that can be compared."""

    def resolved(c_type: str) -> str:
        return re.sub(r"\w+", lambda word: function_types.get(word[0], word[0]), c_type)

    types = [declared_as(resolved(t)) for t in (of.returns, *(p.type for p in of.parameters))]
    return [*types, "..."] if of.variadic else types


def _function_types(blueprint: Blueprint) -> dict[str, str]:
    """What the names of function types stand for."""
    return {c.name: f"({', '.join(_types(c, {}))})" for c in blueprint.callbacks}


# --------------------------------------------------------------------------- as text


def _declared(type_name: str, name: str) -> str:
    """A C declaration: `int []` and `ranges` become `int ranges[]`."""
    head, bracket, tail = type_name.partition("[")
    gap = "" if head.endswith("*") else " "
    return f"{head.rstrip()}{gap}{name}{bracket}{tail}" if name else type_name


def parameter_list(parameters: Sequence[Parameter], variadic: bool = False) -> str:
    """The text between the parentheses of a prototype, in the header's own names."""
    texts = [_declared(p.type, p.c_name or p.name) for p in parameters]
    return ", ".join([*texts, "..."] if variadic else texts) or "void"


def prototype(function: Function) -> str:
    """The C prototype as the header has it."""
    parameters = parameter_list(function.parameters, function.variadic)
    if function.status == "macro" and function.expansion is not None:
        return f"#define {function.name}({parameters}) {function.expansion}"
    return f"{_declared(function.returns, function.name)}({parameters})"


def callback_text(callback: CallbackType) -> str:
    """The typedef of a function type."""
    parameters = parameter_list(callback.parameters, callback.variadic)
    return f"typedef {_declared(callback.returns, callback.name)}({parameters})"


def constant_text(constant: Constant) -> str:
    """A constant as one line: type and value."""
    return f"{constant.type} {constant.name} = {_value(constant)}"


def type_text(t: Type) -> str:
    """A type as one line: what it really is, and how large."""
    return f"{t.name}: {_representation(t)}, {t.size} bytes"


def _value(constant: Constant) -> str:
    if constant.symbol:
        return f"{'&' if constant.access == 'address' else ''}{constant.symbol}"
    if constant.cls == "handle" and isinstance(constant.value, int) and constant.value > 0:
        return f"{constant.value:#x}"
    if isinstance(constant.value, str):
        return json.dumps(constant.value, ensure_ascii=False)
    return "(address)" if constant.value is None else str(constant.value)


def _representation(t: Type) -> str:
    return f"{t.kind} ({t.underlying})" if t.underlying else t.kind


def _signature(function: Function) -> str:
    """A prototype as far as calling goes: without the parameters' names."""
    types = ", ".join(p.type for p in function.parameters)
    if function.status == "macro":
        return f"macro of {len(function.parameters)} arguments"
    return f"{function.returns} ({types}{', ...' if function.variadic else ''})"


def _layout(t: Type) -> str:
    return ", ".join(f"{f.type} {f.name} at {f.offset}" for f in t.fields)


def _status(function: Function) -> str:
    return f"{function.status} ({function.macro})" if function.macro else function.status


_FUNCTION: Aspects[Function] = (
    ("status", _status),
    ("prototype", _signature),
    ("expansion", lambda f: f.expansion or ""),
)
_CONSTANT: Aspects[Constant] = (
    ("class", lambda c: c.cls),
    ("type", lambda c: c.type),
    ("value", _value),
    ("constant expression", lambda c: "yes" if c.constant_expression else "no"),
    ("links", lambda c: "yes" if c.links else "no"),
)
_TYPE: Aspects[Type] = (
    ("handle kind", lambda t: _representation(t) if t.handle else ""),
    ("kind", lambda t: "" if t.handle else _representation(t)),
    ("size", lambda t: f"{t.size} bytes"),
    ("alignment", lambda t: f"{t.alignment} bytes"),
    ("layout", _layout),
)
_CALLBACK: Aspects[CallbackType] = (
    (
        "prototype",
        lambda c: f"{c.returns} ({', '.join(p.type for p in c.parameters)})",
    ),
)
