"""Operations as types over the C functions behind them: blocking, nonblocking, persistent, `_c`."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.cpp.text import broken
from mpiglot.generators.model import PlannedFunction


@dataclass(slots=True)
class CppForm:
    """One form of an operation."""

    title: str  # "now", "later", "bound"
    parameters: str
    body: str


@dataclass(slots=True)
class CppOperation:
    """One operation in all its forms."""

    name: str
    c_names: list[str] = field(default_factory=list)
    forms: list[CppForm] = field(default_factory=list)


def operations(target: CppTarget, functions: list[PlannedFunction]) -> list[CppOperation]:
    """All operations behind which stand several C functions: forms, or a `_c` twin."""
    planned = {
        f.name: f
        for f in functions
        if f.decision == "generate" and f.returns == "error" and f.chapter != "extensions"
    }
    further = {name: _further_forms(f, planned) for name, f in planned.items()}
    theirs = {f.name for forms in further.values() for f in forms.values()}
    out = []
    for name, function in sorted(planned.items()):
        if name in theirs or not (further[name] or function.large):
            continue
        if any(a.kind == "callback" for a in function.arguments):
            continue
        forms = {"now": function, **further[name]}
        operation = CppOperation(target.function_names[name])
        for title, form in forms.items():
            info = len(_inputs(form)) > len(_inputs(function))
            operation.forms.append(_form(target, title, form, info))
            operation.c_names.append(form.name)
        out.append(operation)
    return out


def _further_forms(
    function: PlannedFunction, planned: dict[str, PlannedFunction]
) -> dict[str, PlannedFunction]:
    """The nonblocking and the persistent form of a blocking function."""
    if function.family != "blocking":
        return {}
    prefix, own = function.name[:4], function.name[4:]
    names = {"later": f"{prefix}I{own[:1].lower()}{own[1:]}", "bound": f"{function.name}_init"}
    found = {title: planned.get(name) for title, name in names.items()}
    return {title: f for title, f in found.items() if f and _alike(function, f)}


def _form(target: CppTarget, title: str, function: PlannedFunction, info: bool) -> CppForm:
    """`title` calls `function`; `info` says that it takes one which the blocking form does not."""
    types, hooked = [], []
    small, large = target.provider(function), target.twin(function)
    if large and function.dispatch == "large":
        small = None  # the outputs are wide
    for c_name in (small, large):
        if c_name is None:
            types.append("no_function")
            hooked.append("no_function{}")
        else:
            types.append(f"decltype({c_name})")
            bare = c_name in target.twinless
            hooked.append(c_name if bare else f"MPIGLOT_MPI({c_name})")
    qualified = [f"detail::{t}" if t == "no_function" else t for t in types]
    called = [f"detail::{h}" if h.startswith("no_function") else h for h in hooked]
    arguments = ["given..."]
    parameters = "auto&&... given"
    if title != "now":
        parameters = "request_handle& request, auto&&... given"
        arguments += ["no_info"] if info else []
        arguments.append("request")
    body = broken(f"return detail::call<{', '.join(qualified)}>(", [*called, *arguments], ");", 4)
    return CppForm(title, parameters, f"    info_handle no_info;\n{body}" if info else body)


def _inputs(function: PlannedFunction) -> list[str]:
    """The names of what goes in, the place for a status apart."""
    return [a.name for a in function.arguments if a.kind != "status_out"]


def _alike(blocking: PlannedFunction, form: PlannedFunction) -> bool:
    """Whether `form` takes what the blocking function takes, and at most an info more."""
    mine, theirs = _inputs(blocking), _inputs(form)
    kind = form.family in ("nonblocking", "persistent")
    return kind and (
        theirs == mine or (theirs[:-1] == mine and form.arguments[-1].type == "MPI_Info")
    )
