"""Operations as types over the C functions behind them: blocking, nonblocking, persistent, `_c`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.model import PlannedFunction

_TITLES = {"nonblocking": "later", "persistent": "bound"}


@dataclass(slots=True)
class Form:
    """One form of an operation; of its two C functions a target may lack one."""

    title: str  # "now", "later", "bound"
    c_name: str
    small: str | None
    large: str | None
    info: bool  # takes one which the blocking form does not


@dataclass(slots=True)
class Operation:
    """One operation in all its forms."""

    name: str
    forms: list[Form]


def operations(target: CppTarget, functions: list[PlannedFunction]) -> Iterator[Operation]:
    """All operations behind which stand several C functions: forms, or a `_c` twin."""
    planned = {
        f.name: f
        for f in functions
        if f.decision == "generate" and f.returns == "error" and f.chapter != "extensions"
    }
    theirs = {name for f in planned.values() for name in f.forms.values()}
    for name, f in sorted(planned.items()):
        forms = {"now": f, **{_TITLES[k]: planned[n] for k, n in f.forms.items() if n in planned}}
        alone = len(forms) == 1 and not f.large
        if name not in theirs and not alone and all(a.kind != "callback" for a in f.arguments):
            made = [_form(target, title, form, f) for title, form in forms.items()]
            yield Operation(target.function_names[name], made)


def _form(target: CppTarget, title: str, f: PlannedFunction, blocking: PlannedFunction) -> Form:
    large = target.twin(f)
    small = None if large and f.dispatch == "large" else target.provider(f)  # wide outputs
    # A macro has no address and no type: the chapter's function calls it.
    small, large = (None if target.status.get(n or "") == "macro" else n for n in (small, large))
    return Form(title, f.name, small, large, len(f.inputs()) > len(blocking.inputs()))
