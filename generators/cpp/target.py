"""The one MPI that C++ is generated for, and what C++ calls everything in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from mpiglot.blueprints.model import CallbackType, Function, Handle, ValueSet
from mpiglot.errors import UsageError
from mpiglot.generators.c_types import base_type
from mpiglot.generators.cpp.names import (
    Scope,
    enumerator_names,
    function_name,
    handle_name,
    identifier,
)
from mpiglot.generators.model import (
    Atlas,
    AtlasConstant,
    ConstantValue,
    Plan,
    PlannedFunction,
    Representation,
    Target,
)
from mpiglot.generators.policy import availability, presence_on

# Value sets with room for more that are an enumeration all the same: error classes are what the
# exception type is asked for.
_OPEN_ENUMERATIONS = frozenset({"error_class"})
_SESSIONS = "4.0"  # the standard that has them


@dataclass(slots=True)
class Disputed:
    """Constants to which libraries of one ABI give different values: the loaded library decides.

    The first value of each is the standard's, the others are those of `libraries`, which are known
    by how their version texts begin.
    """

    libraries: list[str] = field(default_factory=list)
    values: dict[str, list[int]] = field(default_factory=dict)


@dataclass(slots=True)
class CppTarget:
    """Looks up what the target has. Built once per generation."""

    target: Target
    status: dict[str, str]  # C function -> "links", "macro", ...
    types: dict[str, Representation]
    constants: dict[str, tuple[AtlasConstant, ConstantValue]]
    handles: dict[str, str]  # C type -> C++ type
    handle_data: dict[str, Handle]
    enums: dict[str, ValueSet]  # value sets that are enumerations
    enumerators: dict[str, dict[str, str]]  # value set -> C constant -> enumerator
    aliases: set[str]  # types that are macros
    callbacks: dict[str, CallbackType]
    function_names: dict[str, str]
    disputed: Disputed
    early: set[str]  # functions of C that need no running MPI
    twinless: set[str]  # functions of C without a PMPI_ twin
    loose: dict[str, set[str]]  # C function -> parameters that headers have with and without const
    scope: Scope = field(default_factory=Scope)

    def has_function(self, c_name: str | None) -> bool:
        return self.status.get(c_name or "") in ("links", "macro")

    def has_type(self, c_type: str) -> bool:
        base = base_type(c_type)
        return not base.startswith("MPI") or base in self.types or base in self.aliases

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

    def has_constant(self, c_name: str | None) -> bool:
        return c_name in self.constants

    def null(self, c_type: str) -> str:
        """The null handle of a type, if there is one."""
        data = self.handle_data.get(c_type)
        name = data.null if data else f"{c_type.upper()}_NULL"  # MPIX_STREAM_NULL
        return name if name and self.has_constant(name) else ""

    def is_constant_expression(self, c_name: str) -> bool:
        return c_name in self.constants and self.constants[c_name][1].constant_expression

    def releases(self, callback: str) -> bool:
        """Whether a callback is the last to be called: it is given the state and nothing else."""
        parameters = self.callbacks[callback].parameters
        return [p.role for p in parameters] == ["state"]

    def title(self) -> str:
        """What people call this MPI."""
        t = self.target
        if t.abi == "abi":
            return f"the MPI {t.standard} ABI"
        return f"{t.vendor} {t.version}"

    def provider(self, function: PlannedFunction) -> str | None:
        """The C function that does the work of `function` here: itself or another name of it."""
        names = [function.name, *function.alternatives]
        return next((n for n in names if self.has_function(n)), None)

    def twin(self, function: PlannedFunction) -> str | None:
        """The C function that serves `function` here where values need 64 bits."""
        names = [function.large, *function.large_alternatives]
        return next((n for n in names if self.has_function(n)), None)


def look_up(atlas: Atlas, plan: Plan, name: str | None) -> CppTarget:
    """The target called `name`, ready for generation."""
    target = next((t for t in atlas.targets if t.name == name), None)
    if target is None:
        known = ", ".join(t.name for t in atlas.targets)
        raise UsageError(
            f"C++ is generated for one MPI, and {name or 'no name'} is none of {known}; "
            "name one with --target."
        )
    handles = [t.name for t in atlas.types if t.handle]
    types = {t.name: r for t in atlas.types for r in t.representations if r.target == target.name}
    enums = {s.name: s for s in atlas.value_sets if _is_enumeration(s)}
    constants = {
        c.name: (c, v) for c in atlas.constants for v in c.values if v.target == target.name
    }
    enum_names = {name: identifier(name) for name in enums}
    functions = {
        f.name: _beside(enum_names.values(), function_name(f.name))
        for f in plan.functions
        if f.decision != "skip"
    }
    handle_names = {name: handle_name(name) for name in handles}
    status = {f.function.name: availability(f, target.name)[0] for f in atlas.functions}
    # Open MPI 5 has MPI 4's sessions, and what may be called around them, and says that it is 3.1.
    allows = max(target.standard, _SESSIONS if status.get("MPI_Session_init") == "links" else "")
    return CppTarget(
        target=target,
        status=status,
        types=types,
        constants=constants,
        handles=handle_names,
        handle_data={h.name: h for h in atlas.handles},
        enums=enums,
        enumerators={
            s.name: enumerator_names([c for c in s.constants if c in constants])
            for s in enums.values()
        },
        aliases={name for name, (c, _) in constants.items() if c.cls == "type"},
        callbacks={c.name: c for c in _callbacks(atlas, plan)},
        function_names=functions,
        disputed=disputed(atlas) if target.abi == "abi" else Disputed(),
        early={f.function.name for f in atlas.functions if _is_early(f.function, allows)},
        twinless={
            f.function.name
            for f in atlas.functions
            if (p := presence_on(f, target.name)) and not p.pmpi
        },
        loose={f.function.name: set(f.const_differs) for f in atlas.functions},
        scope=Scope({*functions.values(), *enum_names.values(), *handle_names.values()}),
    )


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


def _value(constant: AtlasConstant, target: Target) -> int | None:
    """What an integer constant or a handle of fixed value is on one target."""
    value = next((v.value for v in constant.values if v.target == target.name), None)
    return value if isinstance(value, int) and isinstance(constant.abi_value, int) else None


def _beside(types: Iterable[str], name: str) -> str:
    """A function's name, which must not hide a type."""
    return name + "_" if name in types else name


def _is_enumeration(values: ValueSet) -> bool:
    return values.kind in ("closed", "flags") or values.name in _OPEN_ENUMERATIONS
