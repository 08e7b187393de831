"""One target of the atlas: what it has of functions, types and constants, and in which form.

A generator for one MPI, as for C++ and PMPI, asks here; languages add their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from mpiglot.blueprints.catalogue import uses
from mpiglot.blueprints.model import CallbackType, Function
from mpiglot.blueprints.prototypes import called_as
from mpiglot.generators.atlas import sets_of
from mpiglot.generators.c_types import base_type
from mpiglot.generators.model import Atlas, AtlasConstant, Plan, PlannedFunction, Target
from mpiglot.generators.policy import availability, presence_on

_INTEGERS = frozenset({"int", "MPI_Aint", "MPI_Offset", "MPI_Count", "MPI_Fint"})
_SESSIONS = "4.0"  # the standard that has them


@dataclass(slots=True)
class Disputed:
    """Constants to which libraries of one ABI give different values: the loaded library decides.

    The first value of each is the standard's, the others are those of `libraries`, which are known
    by how their version texts begin.
    """

    libraries: list[str] = field(default_factory=list)
    values: dict[str, list[int]] = field(default_factory=dict)


class OneTarget:
    """Looks up what a target has. Built once per generation."""

    def __init__(self, atlas: Atlas, plan: Plan, target: Target) -> None:
        self.target = target
        self.functions = {f.function.name: f for f in atlas.functions}
        self.status = {n: availability(f, target.name)[0] for n, f in self.functions.items()}
        # C function -> what its prototype has otherwise here; those that no call suits, and why
        self.prototypes = {
            n: p.differs
            for n, f in self.functions.items()
            if (p := presence_on(f, target.name)) and p.differs
        }
        self.types = {
            t.name: r for t in atlas.types for r in t.representations if r.target == target.name
        }
        self.constants = {
            c.name: (c, v) for c in atlas.constants for v in c.values if v.target == target.name
        }
        self.handle_data = {h.name: h for h in atlas.handles}
        # types that are macros
        self.aliases = {name for name, (c, _) in self.constants.items() if c.cls == "type"}
        self.callbacks = {c.name: c for c in _callbacks(atlas, plan)}
        self._absent_callbacks = frozenset(target.absent_callbacks)
        self.unservable = {
            n: reason
            for n, status in self.status.items()
            if status in ("links", "macro", "declared", "stub")
            and (reason := self._unservable(self.functions[n].function))
        }
        self.status |= dict.fromkeys(self.unservable, "other")
        self.disputed = disputed(atlas) if target.abi == "abi" else Disputed()
        # Open MPI 5 has MPI 4's sessions, and what may be called around them, and says that it is
        # 3.1.
        allows = max(target.standard, _SESSIONS if self.has_sessions else "")
        # functions of C that need no running MPI, and those without a PMPI_ twin
        self.early = {n for n, f in self.functions.items() if _is_early(f.function, allows)}
        self.twinless = {
            n
            for n, f in self.functions.items()
            if (p := presence_on(f, target.name)) and not p.pmpi
        }
        # C function -> parameters that headers have with and without const
        self.loose = {n: set(f.const_differs) for n, f in self.functions.items()}
        self._targets = sorted(atlas.targets, key=lambda t: _numbers(t.version))

    # ------------------------------------------------------------- functions

    def _unservable(self, function: Function) -> str:
        """Why no call that is made for the standard's prototype suits this one; empty if it does.

        An integer of another width that is passed by value is converted.
        """
        differs = self.prototypes.get(function.name, {})
        for what in ("arity", "returns"):
            if what in differs:
                return f"its {what} is {differs[what]} here, which is not the standard's"
        for p in function.parameters:
            own = differs.get(p.name, p.type)
            if own != p.type and not {own, p.type} <= _INTEGERS:
                return f"{p.name} is {own} here, and {p.type} in the standard"
            base = base_type(own)
            nameless = base in self.callbacks and not self.callback_name(base)
            if nameless or not self.has_type(own):
                return f"{p.name} is {own}, a type that the header does not declare completely"
        return ""

    @property
    def has_sessions(self) -> bool:
        """True if a function links that starts a session."""
        starting = (n for n, what in uses.load().starts.items() if what == "session")
        return any(self.status.get(n) == "links" for n in starting)

    @property
    def has_large(self) -> bool:
        """True if a function for counts of 64 bits can be called."""
        return any(self.has_function(f.function.large_count) for f in self.functions.values())

    @property
    def stubs(self) -> list[str]:
        """The functions that say that they are not implemented."""
        return sorted(name for name, status in self.status.items() if status == "stub")

    def has_function(self, c_name: str | None) -> bool:
        return self.status.get(c_name or "") in ("links", "macro")

    def provider(self, function: PlannedFunction) -> str | None:
        """The C function that does the work of `function` here: itself or another name of it."""
        names = [function.name, *function.alternatives]
        return next((n for n in names if self.has_function(n)), None)

    def twin(self, function: PlannedFunction) -> str | None:
        """The C function that serves `function` here where values need 64 bits."""
        names = [function.large, *function.large_alternatives]
        return next((n for n in names if self.has_function(n)), None)

    def needs(self, c_name: str) -> str:
        """What an MPI must be to have a function: a version of the standard, or whose it is."""
        entry = self.functions.get(c_name)
        if entry is None:
            return "another MPI"
        if entry.function.since:
            return f"MPI {entry.function.since}"
        first: dict[str, str] = {}  # vendor -> first version that has it
        for t in self._targets:
            presence = presence_on(entry, t.name)
            if presence and presence.status in ("links", "macro"):
                first.setdefault(t.vendor, t.version)
        having = [f"{vendor} {version}" for vendor, version in sorted(first.items())]
        return " or ".join(having) or "an MPI that has it"

    def stand_ins(self, function: PlannedFunction) -> dict[str, list[str]]:
        """The constants of this target that may stand in place of arguments, requests apart."""
        given = {a.name for a in function.arguments if not a.kind.startswith("status")}
        entry = self.functions.get(function.name)
        return {
            p.name: [c for c in p.sentinels if self.has_constant(c)]
            for p in (entry.function.parameters if entry else ())
            if p.name in given and p.role != "request"
        }

    # ------------------------------------------------------------- types

    def is_bare(self, c_name: str) -> bool:
        """Whether a function has no PMPI_ twin to be called by: a macro, or one that lacks it."""
        return self.status.get(c_name) == "macro" or c_name in self.twinless

    def type_of(self, function: str, c_name: str, parameter: str, standard: str) -> str:
        """The type of a parameter in this target's prototype of `c_name`, a form of `function`."""
        own = self.prototypes.get(c_name, {}).get(parameter, standard)
        return own.replace("const ", "") if parameter in self.loose.get(function, ()) else own

    def has_type(self, c_type: str) -> bool:
        base = base_type(c_type)
        known = base in self.types or base in self.aliases or base in self.callbacks
        return not base.startswith("MPI") or known

    def callback_name(self, name: str) -> str:
        """What the header calls a callback type: its name, an older one of the same signature, or
        nothing where it has neither."""
        if name not in self._absent_callbacks:
            return name
        wanted = self.callbacks.get(name)
        there = (c for n, c in sorted(self.callbacks.items()) if n not in self._absent_callbacks)
        return next((c.name for c in there if wanted and _is_same_callback(c, wanted)), "")

    def existing(self, c_type: str) -> str:
        """`c_type`, or what stands in for it where the target does not have it."""
        if self.has_type(c_type):
            return c_type
        return "void *" if "*" in c_type or "[" in c_type else "int"

    def same_type(self, a: str, b: str) -> bool:
        """Whether two integer types of C are one type here: no overload can tell them apart."""
        mine, theirs = (self.types[t].underlying if t in self.types else t for t in (a, b))
        return mine == theirs

    def indistinct(self, function: PlannedFunction) -> bool:
        """Whether the arrays of both twins have the same C types here: then the counts decide."""
        spans = {a.name for a in function.arguments if a.narrow and a.kind.startswith("span")}
        return all(
            self.same_type(base_type(s.type), base_type(s.large_type or s.type))
            for s in function.slots
            if s.argument in spans and s.fold == "data"
        )

    def releases(self, callback: str) -> bool:
        """Whether a callback is the last to be called: it is given the state and nothing else."""
        return [p.role for p in self.callbacks[callback].parameters] == ["state"]

    # ------------------------------------------------------------- constants

    def has_constant(self, c_name: str | None) -> bool:
        return c_name in self.constants

    def null(self, c_type: str) -> str:
        """The null handle of a type, if there is one."""
        data = self.handle_data.get(c_type)
        name = data.null if data else f"{c_type.upper()}_NULL"  # MPIX_STREAM_NULL
        return name if name and self.has_constant(name) else ""

    def is_null(self, constant: AtlasConstant) -> str:
        """The null handle that a predefined handle is here (it may differ in C++), if it is one."""
        null = self.constants.get(self.null(constant.type))
        if null is None or null[0].name == constant.name:
            return ""
        mine, theirs = (v.symbol or v.value for v in (self.constants[constant.name][1], null[1]))
        return null[0].name if mine == theirs and mine is not None else ""

    def is_constant_expression(self, c_name: str) -> bool:
        return c_name in self.constants and self.constants[c_name][1].constant_expression

    def title(self) -> str:
        """What people call this MPI."""
        t = self.target
        if t.abi == "abi":
            return f"the MPI {t.standard} ABI"
        return f"{t.vendor} {t.version}" if t.version else "this MPI"


def _numbers(version: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", version)]


def _is_same_callback(a: CallbackType, b: CallbackType) -> bool:
    mine, theirs = (
        (called_as(c.returns), c.variadic, [called_as(p.type) for p in c.parameters])
        for c in (a, b)
    )
    return mine == theirs


def _is_early(function: Function, standard: str) -> bool:
    """Whether a function may be called without a running MPI in a version of the standard."""
    since = function.before_init
    if not since or not standard:
        return False
    return [*map(int, since.split("."))] <= [*map(int, standard.split("."))]


def _callbacks(atlas: Atlas, plan: Plan) -> Iterator[CallbackType]:
    """The callback types; of extensions a nameless pointer is the state, if it is the only one."""
    stateful = {a.type for f in plan.functions for a in f.arguments if a.state}
    for callback in atlas.callbacks:
        parameters = callback.parameters
        nameless = [p for p in parameters if p.type == "void *" and not p.role]
        known = any(p.role == "state" for p in parameters)
        if callback.name in stateful and len(nameless) == 1 and not known:
            parameters = [
                replace(p, name="extra_state", role="state") if p is nameless[0] else p
                for p in parameters
            ]
        yield replace(callback, parameters=parameters)


def disputed(atlas: Atlas) -> Disputed:
    """On which values the libraries of the standard ABI disagree with the standard."""
    out = Disputed()
    deviating: dict[str, Target] = {}  # first word of the version text -> newest such library
    for t in atlas.targets:
        if t.abi != "abi" or not t.library_version:
            continue
        if any(_value(c, t) not in (None, c.abi_value) for c in atlas.constants):
            deviating[t.library_version.split()[0]] = t
    out.libraries = sorted(deviating)
    for c in atlas.constants:
        values = [_value(c, deviating[name]) for name in out.libraries]
        if isinstance(c.abi_value, int) and any(v not in (None, c.abi_value) for v in values):
            out.values[c.name] = [c.abi_value, *(c.abi_value if v is None else v for v in values)]
    return out


def disputed_sets(atlas: Atlas) -> set[str]:
    """The value sets on which libraries of the standard ABI disagree."""
    known = disputed(atlas).values
    return {of for c in atlas.constants if c.name in known for of in sets_of(atlas, c)}


def _value(constant: AtlasConstant, target: Target) -> int | None:
    """What an integer constant or a handle of fixed value is on one target."""
    value = next((v.value for v in constant.values if v.target == target.name), None)
    return value if isinstance(value, int) and isinstance(constant.abi_value, int) else None
