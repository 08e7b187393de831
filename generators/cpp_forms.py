"""Operations that exist in several forms: blocking, nonblocking, persistent."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpiglot.generators.cpp_target import CppTarget
from mpiglot.generators.cpp_text import broken
from mpiglot.generators.model import PlannedFunction


@dataclass(slots=True)
class CppForm:
    """One form of an operation."""

    title: str  # "now", "later", "bound"
    c_name: str
    function: str
    info: bool = False  # takes an info beside the operation's own arguments

    def call(self) -> str:
        """The call of layer 1."""
        arguments = ["static_cast<Arguments&&>(arguments)..."]
        if self.info:
            arguments.append("info_handle{}")
        return broken(f"return nothrow::{self.function}(", arguments, ");", 4)


@dataclass(slots=True)
class CppOperation:
    """One operation in all its forms."""

    name: str
    c_names: list[str] = field(default_factory=list)
    chapter: str = ""
    forms: list[CppForm] = field(default_factory=list)


def operations(target: CppTarget, functions: list[PlannedFunction]) -> list[CppOperation]:
    """The blocking functions that have a nonblocking form, with all the forms they have."""
    planned = {f.name: f for f in functions if f.decision == "generate"}
    out = []
    for name, blocking in sorted(planned.items()):
        prefix, own = name[:4], name[4:]
        later = planned.get(f"{prefix}I{own[:1].lower()}{own[1:]}")
        if blocking.family != "blocking" or later is None or later.family != "nonblocking":
            continue
        if not _alike(blocking, later):
            continue
        operation = CppOperation(target.function_names[name], chapter=blocking.chapter)
        persistent = planned.get(f"{name}_init")
        for title, form in (("now", blocking), ("later", later), ("bound", persistent)):
            if form is None or not _alike(blocking, form):
                continue
            info = len(_inputs(form)) > len(_inputs(blocking))
            function = target.function_names[form.name]
            operation.forms.append(CppForm(title, form.name, function, info))
            operation.c_names.append(form.name)
        out.append(operation)
    return out


def _inputs(function: PlannedFunction) -> list[str]:
    """The names of what goes in, the place for a status apart."""
    return [a.name for a in function.arguments if a.kind != "status_out"]


def _alike(blocking: PlannedFunction, form: PlannedFunction) -> bool:
    """Whether `form` takes what the blocking function takes, and at most an info more."""
    mine, theirs = _inputs(blocking), _inputs(form)
    return theirs == mine or (theirs[:-1] == mine and form.arguments[-1].type == "MPI_Info")
