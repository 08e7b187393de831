"""The one MPI that C++ is generated for, and what C++ calls everything in it."""

from __future__ import annotations

from mpiglot.blueprints.errors import UsageError
from mpiglot.blueprints.model import ValueSet
from mpiglot.generators.cpp.names import (
    Scope,
    beside,
    enumerator_names,
    function_name,
    handle_name,
    identifier,
)
from mpiglot.generators.model import Atlas, Plan
from mpiglot.generators.target import OneTarget

# Value sets with room for more that are an enumeration all the same: error classes are what the
# exception type is asked for.
_OPEN_ENUMERATIONS = frozenset({"error_class"})


class CppTarget(OneTarget):
    """A target with the names of its things in C++."""

    def __init__(self, atlas: Atlas, plan: Plan, name: str | None) -> None:
        target = next((t for t in atlas.targets if t.name == name), None)
        if target is None:
            known = ", ".join(t.name for t in atlas.targets)
            raise UsageError(
                f"C++ is generated for one MPI, and {name or 'no name'} is none of {known}; "
                "name one with --target."
            )
        super().__init__(atlas, plan, target)
        self.handles = {t.name: handle_name(t.name) for t in atlas.types if t.handle}
        self.enums = {s.name: s for s in atlas.value_sets if _is_enumeration(s)}
        self.enumerators = {
            s.name: enumerator_names([c for c in s.constants if c in self.constants])
            for s in self.enums.values()
        }
        types = {identifier(name) for name in self.enums}
        self.function_names = {
            f.name: beside(types, function_name(f.name))
            for f in plan.functions
            if f.decision != "skip"
        }
        self.scope = Scope({*self.function_names.values(), *types, *self.handles.values()})

    def is_disputed(self, values: str | None) -> bool:
        """Whether the values of an enumeration depend on the library that is loaded."""
        known = self.enums.get(values or "")
        return known is not None and any(c in self.disputed.values for c in known.constants)


def look_up(atlas: Atlas, plan: Plan, name: str | None) -> CppTarget:
    """The target called `name`, ready for generation."""
    return CppTarget(atlas, plan, name)


def _is_enumeration(values: ValueSet) -> bool:
    return values.kind in ("closed", "flags") or values.name in _OPEN_ENUMERATIONS
