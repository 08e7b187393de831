"""The callback types that functions of the target take: how C's arguments become a callable's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mpiglot.blueprints.model import CallbackType, Parameter
from mpiglot.generators.c_types import base_type, pointer
from mpiglot.generators.cpp.names import SCALARS, identifier
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.model import Plan

_POINTER = re.compile(r"\*\s*$|\[\s*\]\s*$")


@dataclass(slots=True)
class CallbackParameter:
    """One parameter of C, and the form in which a callable gets it."""

    name: str
    form: str  # "handle", "status", "enum", "value" and "reference" of what C points to, "c"
    type: str
    c_type: str
    points: bool = False  # C has a pointer to it
    named: bool = True


@dataclass(slots=True)
class CppCallback:
    """One callback type."""

    name: str
    c_name: str
    returns: str
    parameters: list[CallbackParameter]
    state: str = ""  # the parameter that finds the callable
    releases: bool = False
    key: str = ""  # of attributes: "copy" or "delete", which are counted
    flag: str = ""

    @property
    def others(self) -> list[CallbackParameter]:
        """What the callable gets."""
        return [p for p in self.parameters if p.name != self.state]


def callbacks(target: CppTarget, plan: Plan) -> Iterator[CppCallback]:
    """The callback types that functions of this target take."""
    generated = [f for f in plan.functions if f.decision == "generate" and target.provider(f)]
    used = {a.type for f in generated for a in f.arguments if a.kind == "callback"}
    for name in sorted(used.intersection(target.callbacks)):
        yield _callback(target, target.callbacks[name])


def _callback(target: CppTarget, callback: CallbackType) -> CppCallback:
    roles = {p.role: identifier(p.name) for p in callback.parameters}
    returns = pointer(callback.returns)
    key = "copy" if "flag" in roles else "delete"
    return CppCallback(
        identifier(callback.name.removeprefix("MPI_")),
        target.callback_name(callback.name),
        returns,
        [_parameter(target, p) for p in callback.parameters],
        state=roles.get("state", ""),
        releases=target.releases(callback.name) and returns != "void",
        key=key if {"keyval", "attribute", "state"} <= roles.keys() else "",
        flag=roles.get("flag", ""),
    )  # fmt: skip


def _parameter(target: CppTarget, p: Parameter) -> CallbackParameter:
    base, points = base_type(p.type), bool(_POINTER.search(p.type))
    out = CallbackParameter(identifier(p.name), "c", pointer(p.type), pointer(p.type), points)
    # "argument2" is the parser's name for what has none in the header.
    out.named = re.fullmatch(r"argument\d+", out.name) is None
    if base in target.handles:
        out.form, out.type = "handle", target.handles[base]
    elif base == "MPI_Status" and points:
        out.form = "status"
    elif base == "void" or p.type.count("*") > 1:
        return out
    elif points and p.length is None:
        out.form = "value" if p.direction == "in" else "reference"
        out.type = SCALARS.get(base, base)
    elif p.values in target.enums and not points:
        out.form, out.type = "enum", identifier(p.values or "")
    return out
