"""Which functions make, use and free keys of attributes, whose callables are counted (keys.hpp)."""

from __future__ import annotations

from mpiglot.generators.cpp.names import identifier
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.model import Argument, PlannedFunction, Result

_SUFFIX = "_keyval"


def key_kinds(functions: list[PlannedFunction]) -> list[str]:
    """What has keys: comm, type, win."""
    return sorted({kind for f in functions for x in f.results if (kind := _kind(x))})


def is_about_keys(function: PlannedFunction) -> bool:
    """Whether calls of the function are counted."""
    return _makes(function) or _sets(function) or _frees(function)


class KeyAccounting:
    """What one function has to tell about the keys it makes, uses or frees."""

    def __init__(self, function: PlannedFunction, target: CppTarget) -> None:
        self.makes = _makes(function)
        self.counts = is_about_keys(function)
        self._sets = _sets(function)
        things: list[Argument | Result] = [*function.arguments, *function.results]
        self._key = next(((identifier(x.name), _kind(x)) for x in things if _kind(x)), ("", ""))

    def after(self) -> str:
        """Tells what the call came to."""
        name, kind = self._key
        key = f"detail::key_kind::{kind}"
        if self.makes:
            return f"detail::key_made(code, *state, {key}, {name});"
        if self._sets:
            return f"detail::key_used(code, {key}, {name});"
        return f"detail::key_freed(code, {key}, {name}_before);"

    def before(self) -> list[str]:
        """MPI forgets the number of a key that it frees."""
        name, _ = self._key
        return [] if self.makes or self._sets else [f"const int {name}_before = {name};"]


def _kind(x: Argument | Result) -> str:
    values = x.values or ""
    return values.removesuffix(_SUFFIX) if values.endswith(_SUFFIX) else ""


def _makes(function: PlannedFunction) -> bool:
    return any(_kind(r) for r in function.results) and any(
        a.kind == "callback" for a in function.arguments
    )


def _sets(function: PlannedFunction) -> bool:
    return any(_kind(a) and a.kind == "int" for a in function.arguments) and any(
        a.kind == "address" for a in function.arguments
    )


def _frees(function: PlannedFunction) -> bool:
    return any(_kind(a) and a.kind == "scalar_ref" for a in function.arguments)
