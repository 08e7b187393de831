"""What was measured of a target and what a program can assert: sizes, offsets, types, values."""

from __future__ import annotations

from dataclasses import dataclass

from mpiglot.generators.c_types import base_type, literal
from mpiglot.generators.model import AtlasConstant, ConstantValue
from mpiglot.generators.target import OneTarget

_TITLES = {
    "integer": "Integers.",
    "handle": "Handles: integers, or where they point.",
    "sentinel": "Sentinels: where they point.",
    "function": "Predefined callbacks.",
    "string": "Texts.",
    "type": "Types that are macros.",
}
_TYPE_TITLES = ("Sizes.", "Integer types.", "Offsets of the fields that the standard names.")


@dataclass(slots=True)
class Assertion:
    """One thing to assert; `form` says what `value` is of `name`."""

    form: str  # "size", "type", "offset", "text", "number", "symbol", "function", "place"
    name: str
    value: str | int
    field: str = ""


def assertions(
    target: OneTarget, vendor_known: bool
) -> tuple[dict[str, list[Assertion]], dict[str, str]]:
    """What must hold of <mpi.h>, by title, and the constants of which nothing is said, with why."""
    groups: dict[str, list[Assertion]] = {t: [] for t in (*_TYPE_TITLES, *_TITLES.values())}
    sizes, types, offsets = (groups[title] for title in _TYPE_TITLES)
    for name, t in sorted(target.types.items()):
        measured = t.size and t.kind in ("integer", "enum", "pointer", "struct")
        if name in target.callbacks or not measured or not name.startswith("MPI"):
            continue
        sizes.append(Assertion("size", name, t.size))
        if t.kind == "integer" and t.underlying:  # overloads ask which of equal size it is
            types.append(Assertion("type", name, t.underlying))
        named = [f for f in t.fields if f.name.startswith("MPI")]
        offsets += [Assertion("offset", name, f.offset, f.name) for f in named]
    left_out = {}
    for name, (constant, value) in sorted(target.constants.items()):
        made = _constant(target, constant, value)
        if name in target.disputed.values:
            left_out[name] = "libraries differ, the one that is loaded is asked"
        elif value.access == "load":
            left_out[name] = "a variable of the library"
        elif not vendor_known and constant.cls == "handle":
            left_out[name] = "measured in C, and C++ may have another"
        elif made is None:
            left_out[name] = "not measured"
        else:
            groups[_TITLES[constant.cls]].append(made)
    return {title: group for title, group in groups.items() if group}, left_out


def _constant(target: OneTarget, constant: AtlasConstant, value: ConstantValue) -> Assertion | None:
    name, own = constant.name, target.types.get(base_type(constant.type))
    if constant.cls == "type":
        return Assertion("type", name, constant.type)
    if isinstance(value.value, str):
        return Assertion("text", name, literal(value.value))
    is_number = constant.cls == "integer"
    if not is_number and not (constant.cls == "handle" and own and own.kind == "integer"):
        if value.symbol:
            form = "function" if constant.cls == "function" else "symbol"
            return Assertion(form, name, value.symbol)
        return None if value.value is None else Assertion("place", name, value.value)
    return None if value.value is None else Assertion("number", name, value.value)
