"""What `mpiglot show --why MPI_X` says: every fact of a function, and the rule that gave it."""

from __future__ import annotations

import copy
import json
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.catalogue import docs, engine
from mpiglot.blueprints.catalogue.stated import where_stated
from mpiglot.blueprints.catalogue.vocabulary import HANDLE_ROLES
from mpiglot.blueprints.catalogue.why import Answer, Trace
from mpiglot.blueprints.errors import UsageError
from mpiglot.blueprints.model import Blueprint, CallbackType, Function, to_json
from mpiglot.generators.inputs import Named, blueprint
from mpiglot.views.explain import Explanation

# Facts of a parameter, as the Forum's data may differ from them.
_FORUM_KEYS = {"direction": "direction", "role": "role", "length": "length"}
_FORUM_KEYS |= {"root_only": "root_only", "kept": "kept"}


@dataclass(frozen=True, slots=True)
class Reason:
    """One fact, what gave it, and what else is known about it."""

    parameter: str  # empty: of the function itself
    fact: str
    value: object
    by: str
    note: str = ""  # where the Forum's data differs: what it says, and why the catalogue does not


def reasons(e: Explanation, named: Named | None) -> list[Reason]:
    """Every fact of a function or a callback type; other names have no rules."""
    thing = e.thing
    if not isinstance(thing, Function | CallbackType):
        raise UsageError(
            f"--why explains functions and callback types; {e.name} is neither, and what is known "
            f"of it is stated, not inferred: mpiglot show {e.name}"
        )
    function = _function(thing)
    if e.standard is not None:
        known = catalogue.load()
        trace = _trace(
            function,
            HANDLE_ROLES,
            {c.name for c in known.callbacks},
            {f.name for f in known.functions},
        )
        own = [*_stated(thing), *_handles(e.name)]
        return [*own, *_with_notes(trace.answers(function), e.name)]
    source = named.blueprint if e.here and named else blueprint(next(iter(e.sightings))).blueprint
    trace = _trace(function, *_surroundings(source))
    return [Reason(a.parameter, a.fact, a.value, a.by) for a in trace.answers(function)]


def _function(thing: Function | CallbackType) -> Function:
    if isinstance(thing, Function):
        return thing
    return Function(name=thing.name, returns=thing.returns, parameters=thing.parameters)


def _surroundings(source: Blueprint) -> tuple[Collection[str], Collection[str], Collection[str]]:
    """What the probe told the rules about the rest of the installation."""
    handles = {t.name for t in source.types if t.handle}
    handles |= {h.name for h in catalogue.load().handles}
    callbacks = {c.name for c in source.callbacks}
    return handles, callbacks, {f.name for f in source.functions if f.macro != "trap"}


def _trace(
    function: Function,
    handles: Collection[str],
    callbacks: Collection[str],
    names: Collection[str],
) -> Trace:
    """What the rules say when they are applied once more, to a copy."""
    trace = Trace()
    again = copy.deepcopy(function)
    again.chapter = ""
    engine.annotate(again, handles, callbacks, names, trace)
    for fact in ("since", "deprecated", "removed", "before_init", "brief"):
        trace.note(None, fact, where_stated(fact))
    trace.note(None, "doc", docs.source(function))
    return trace


def _stated(thing: Function | CallbackType) -> Iterable[Reason]:
    """What a callback type has beside its parameters."""
    if isinstance(thing, CallbackType):
        for fact in ("since", "deprecated", "removed"):
            value = getattr(thing, fact)
            if value:
                place = "callbacks_since" if fact == "since" else fact
                yield Reason("", fact, value, where_stated(place))


def _handles(name: str) -> Iterable[Reason]:
    """What a function is to handles: what frees them, converts them."""
    for handle in catalogue.load().handles:
        for use in ("free", "c2f", "f2c", "toint", "fromint"):
            if getattr(handle, use) == name:
                by = 'stated, in blueprints/catalogue/constants.json under "handles"'
                yield Reason("", use, handle.name, by)


def _with_notes(answers: Iterable[Answer], name: str) -> Iterable[Reason]:
    deviations = {
        (d.parameter, d.key): d for d in catalogue.load().deviations if d.function == name
    }
    for a in answers:
        d = deviations.get((a.parameter, _FORUM_KEYS.get(a.fact, "")))
        note = f"the Forum's data says {d.forum}: {d.reason}" if d else ""
        yield Reason(a.parameter, a.fact, a.value, a.by, note)


# --------------------------------------------------------------------------- text and JSON


def as_text(e: Explanation, found: Iterable[Reason]) -> str:
    """The reasons for a terminal: the function's facts, then those of each parameter."""
    lines = [f"{e.name}: where each fact comes from"]
    if e.standard is None:
        lines.append("not in the standard: all of it is inferred from names and types")
    subject: str | None = None
    for reason in found:
        if reason.parameter != subject:
            subject = reason.parameter
            lines += ["", subject or "The function"]
        lines.append(f"  {reason.fact} {_value(reason.value)}")
        lines.append(f"      {reason.by}")
        if reason.note:
            lines.append(f"      {reason.note}")
    return "\n".join(lines)


def _value(value: object) -> str:
    if value is True:
        return "yes"
    plain = to_json(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def as_json(e: Explanation, found: Iterable[Reason]) -> dict[str, Any]:
    """The reasons for programs."""
    rows = [{**asdict(r), "value": to_json(r.value)} for r in found]
    return {"name": e.name, "in_standard": e.standard is not None, "facts": rows}
