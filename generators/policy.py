"""The one place that decides whether a function is generated, is an alias, or is skipped, and why.

The plan takes its decisions from here, `mpiglot show` prints the reasons, no language decides
anything of the kind. What an MPI merely lacks is no decision: the function keeps its name there
and says `unavailable` (see `availability`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from mpiglot.blueprints.model import Function
from mpiglot.blueprints.prototypes import called_as
from mpiglot.generators.c_types import base_type, is_lists_of_texts
from mpiglot.generators.model import (
    Argument,
    Atlas,
    AtlasFunction,
    Plan,
    PlannedFunction,
    Presence,
    Target,
)

# Families whose libraries a program cannot load while it runs, and why.
_NOT_LOADABLE = {"smpi": "its library only works in a program that its launcher has started"}
_NARROW = "its addresses have 32 bits, and Go and Java are generated for 64"

# How the reason begins where no rule expresses a declaration.
_LEFT_OUT = "left out"


class Decision(NamedTuple):
    """What becomes of one function of the atlas."""

    decision: str  # "generate", "alias", "skip"
    reason: str  # why not simply generated; empty otherwise
    alternatives: list[str]  # other names of the same function, where it is missing


@dataclass(slots=True)
class Filters:
    """What the user wants of it: shell patterns on C names; exclusion wins."""

    include: list[str] = field(default_factory=list)
    exclude: list[str] = field(default_factory=list)

    def refusal(self, name: str) -> str | None:
        """Why the user does not want `name`, or None."""
        for pattern in self.exclude:
            if fnmatchcase(name, pattern):
                return f"excluded by the pattern {pattern}"
        if self.include and not any(fnmatchcase(name, p) for p in self.include):
            return "not among the included patterns"
        return None


def decide(atlas: Atlas) -> dict[str, Decision]:
    """The decision for every function of the atlas, `_c` twins included."""
    entries = {entry.function.name: entry for entry in atlas.functions}
    others = _other_names(entries)
    return {
        name: Decision(*_decide_one(entry, entries), others.get(name, []))
        for name, entry in entries.items()
    }


def _decide_one(entry: AtlasFunction, entries: dict[str, AtlasFunction]) -> tuple[str, str]:
    function = entry.function
    name = function.name
    if name.startswith("PMPI_"):
        return "skip", f"profiling name of {name[1:]}, reached by the layer below"
    if function.removed:
        return "skip", f"removed from the standard in MPI {function.removed}"
    if entry.present and all(p.macro == "trap" for p in entry.present):
        return "skip", "the header only has a macro that refuses to compile"
    if function.source == "inferred" and all(p.status == "declared" for p in entry.present):
        where = ", ".join(p.target for p in entry.present)
        return "skip", f"declared by {where}, but no library has it"
    if any(p.type.removeprefix("const ") == "MPI_Status" for p in function.parameters):
        return "skip", f"{_LEFT_OUT}: a status is passed by value"
    twin = _namesake(name, entries)
    if twin is not None:
        return "skip", f"{_LEFT_OUT}: some languages take its name for that of {twin}"
    small = entries.get(function.small_count or "")
    if small is not None and same_shape(small.function, function):
        return "alias", f"large-count twin, called through {small.function.name}"
    standard = entries.get(_standard_name(name))
    if standard is not None and same_call(function, standard.function):
        return "alias", f"stands in for {standard.function.name} where that is missing"
    return "generate", ""


def _namesake(name: str, entries: dict[str, AtlasFunction]) -> str | None:
    """The function before `name` that some language takes for it: the standard's first."""
    if entries[name].function.source != "inferred":
        return None
    key = name.lower().replace("_", "")
    same = [n for n in entries if n.lower().replace("_", "") == key]
    same.sort(key=lambda n: (entries[n].function.source == "inferred", n))
    return same[0] if same[0] != name else None


def not_loadable(target: Target) -> str:
    """Why Go and Java leave this library out, which they would load at run time; or nothing."""
    return _NARROW if target.data_model == "ILP32" else _NOT_LOADABLE.get(target.abi, "")


def left_out(plan: Plan) -> list[str]:
    """A sentence for each function that no language has because of how it is declared."""
    return [f"{f.name}: {f.reason}" for f in plan.functions if f.reason.startswith(_LEFT_OUT)]


def same_shape(small: Function, large: Function) -> bool:
    """Whether a `_c` twin differs from its small function in integer widths only."""
    if len(small.parameters) != len(large.parameters):
        return False
    return all(
        (a.callback is None and b.callback is None) or a.type == b.type
        for a, b in zip(small.parameters, large.parameters, strict=True)
    )


# --------------------------------------------------------------------------- other names


def _other_names(entries: dict[str, AtlasFunction]) -> dict[str, list[str]]:
    """Function -> the names under which an MPI may have it that lacks it: MPIX_ before the standard
    had it, and `_x`, with which MPI 3.0 told sizes that need 64 bits, before there were `_c`."""
    out: dict[str, list[str]] = {}
    for name, entry in entries.items():
        for standard in (_standard_name(name), _large_name(name)):
            if standard in entries and same_call(entry.function, entries[standard].function):
                out.setdefault(standard, []).append(name)
    return out


def _large_name(name: str) -> str:
    return name.removesuffix("_x") + "_c" if name.endswith("_x") else ""


def _standard_name(name: str) -> str:
    return "MPI_" + name[5:] if name.startswith("MPIX_") else ""


def same_call(a: Function, b: Function) -> bool:
    """Whether both are called in the same way: the types of result and parameters agree."""
    if len(a.parameters) != len(b.parameters) or a.returns != b.returns:
        return False
    pairs = zip(a.parameters, b.parameters, strict=True)
    return all(called_as(p.type) == called_as(q.type) for p, q in pairs)


# --------------------------------------------------------------------------- per target


def availability(entry: AtlasFunction, target: str) -> tuple[str, str]:
    """A function on one target ("links", "macro", "declared", "stub", "trap", "absent") and why."""
    presence = presence_on(entry, target)
    if presence is None:
        return "absent", "not in its header"
    if presence.macro == "trap":
        return "trap", "a macro that refuses to compile"
    if presence.status == "declared":
        return "declared", "declared in its header, but its library has no such symbol"
    if presence.status == "stub":
        return "stub", "in its library, which says that it is not implemented"
    return presence.status, ""


def presence_on(entry: AtlasFunction, target: str) -> Presence | None:
    """The entry of `target`, if it has the function in any form."""
    return next((p for p in entry.present if p.target == target), None)


# --------------------------------------------------------------------------- what stays as it is


def why_plain(argument: Argument) -> str:
    """Why an argument stays as C has it in every language; empty if it has another form, as all
    have but message data and memory, which are addresses by nature."""
    if argument.kind == "address":
        return "an address that MPI hands on as it is"
    if argument.kind != "plain" or is_lists_of_texts(argument.type):
        return ""
    if argument.kept:
        return "MPI writes it after the call has returned"
    base = base_type(argument.type)
    if base == "int":
        return "nothing says how many there are"
    return f"nothing is known of {base} but its name"


# --------------------------------------------------------------------------- the user's choice


def apply_filters(plan: Plan, filters: Filters) -> Plan:
    """The plan with everything the user does not want skipped, its `_c` twins included."""
    if not filters.include and not filters.exclude:
        return plan
    return replace(plan, functions=[_filtered(f, filters) for f in plan.functions])


def _filtered(function: PlannedFunction, filters: Filters) -> PlannedFunction:
    if function.decision == "skip":
        return function
    refusal = filters.refusal(function.name)
    if refusal:
        return replace(function, decision="skip", reason=refusal)
    if function.large and _twin_excluded(function.large, filters.exclude):
        return replace(function, large=None, large_alternatives=[], dispatch="only")
    return function


def _twin_excluded(twin: str, exclude: Sequence[str]) -> bool:
    """Only an exclusion takes the `_c` twin away: nobody should have to include it by name."""
    return any(fnmatchcase(twin, pattern) for pattern in exclude)
