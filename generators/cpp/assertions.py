"""What the generated C++ relies on, as assertions: vendor, series, sizes, offsets, values."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from mpiglot.generators.c_types import base_type
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.model import AtlasConstant, ConstantValue


@dataclass(frozen=True, slots=True)
class Vendor:
    """How <mpi.h> says whose it is: a macro that others lack, and the series it belongs to."""

    macro: str
    lacks: str = ""  # a macro that relatives of this MPI define beside it
    series: tuple[str, ...] = ()


_VENDORS = {
    "MPICH": Vendor(
        "MPICH_NUMVERSION", "I_MPI_NUMVERSION",
        ("MPICH_NUMVERSION / 10000000 == {0}", "MPICH_NUMVERSION / 100000 % 100 == {1}"),
    ),
    "Intel MPI": Vendor(
        "I_MPI_NUMVERSION", "",
        ("I_MPI_NUMVERSION / 10000000 == {0}", "I_MPI_NUMVERSION / 100000 % 100 == {1}"),
    ),
    "Open MPI": Vendor(
        "OMPI_MAJOR_VERSION", "", ("OMPI_MAJOR_VERSION == {0}", "OMPI_MINOR_VERSION == {1}")
    ),
}  # fmt: skip
_ABI = Vendor("MPI_ABI_VERSION", "", ("MPI_ABI_VERSION == 1",))


@dataclass(slots=True)
class Assertion:
    """One thing to assert."""

    what: str
    value: str
    address: bool = False  # compilers take both as addresses only, not as constants


@dataclass(slots=True)
class Group:
    """What is asserted of one kind."""

    title: str
    assertions: list[Assertion] = field(default_factory=list)


@dataclass(slots=True)
class Assertions:
    """Everything `assertions.hpp` holds."""

    vendor: Vendor | None
    series: list[str]
    groups: list[Group]
    left_out: list[str]  # constants of which nothing can be said, with the reason


def assertions(target: CppTarget) -> Assertions:
    """What must hold of the <mpi.h> that the generated headers are compiled with."""
    abi = target.target.abi == "abi"
    vendor = _ABI if abi else _VENDORS.get(target.target.vendor)
    numbers = [*target.target.version.split("."), "0"]
    series = [s.format(*numbers) for s in vendor.series] if vendor else []
    sizes = Group("Sizes.")
    types = Group("Integer types.")
    offsets = Group("Offsets of the fields that the standard names.")
    for name, t in sorted(target.types.items()):
        if name in target.callbacks or not t.size or not name.startswith("MPI"):
            continue
        if t.kind in ("integer", "enum", "pointer", "struct"):
            sizes.assertions.append(Assertion(f"sizeof({name})", str(t.size)))
            if t.kind == "integer" and t.underlying:  # overloads ask which of equal size it is
                types.assertions.append(Assertion(f"__is_same({name}, {t.underlying})", "true"))
            offsets.assertions += [
                Assertion(f"offsetof({name}, {f.name})", str(f.offset))
                for f in t.fields
                if f.name.startswith("MPI")
            ]
    constants = {title: Group(title) for title in _TITLES.values()}
    left_out = []
    for name, (constant, value) in sorted(target.constants.items()):
        if name in target.disputed.values:
            left_out.append(f"{name}: libraries differ, the one that is loaded is asked.")
        elif value.access == "load":
            left_out.append(f"{name}: a variable of the library.")
        elif vendor is None and constant.cls == "handle":
            left_out.append(f"{name}: measured in C, and C++ may have another.")
        elif made := _constant(target, constant, value):
            constants[_TITLES[constant.cls]].assertions.append(made)
        else:
            left_out.append(f"{name}: not measured.")
    groups = [g for g in (sizes, types, offsets, *constants.values()) if g.assertions]
    return Assertions(vendor, series, groups, left_out)


_TITLES = {
    "integer": "Integers.",
    "handle": "Handles: integers, or where they point.",
    "sentinel": "Sentinels: where they point.",
    "function": "Predefined callbacks.",
    "string": "Texts.",
    "type": "Types that are macros.",
}


def _constant(target: CppTarget, constant: AtlasConstant, value: ConstantValue) -> Assertion | None:
    name = constant.name
    if constant.cls == "type":
        return Assertion(f"__is_same({name}, {constant.type})", "true")
    if isinstance(value.value, str):
        text = json.dumps(value.value)
        return Assertion(f"__builtin_strcmp({name}, {text})", "0")
    number = value.value if isinstance(value.value, int) else None
    own = target.types.get(base_type(constant.type))
    if constant.cls == "integer" or (constant.cls == "handle" and own and own.kind == "integer"):
        return None if number is None else Assertion(name, _literal(number))
    if value.symbol:
        place = f"&{value.symbol}"
        if constant.cls == "function":
            place = f"reinterpret_cast<void*>({place})"
        return Assertion(name, place, address=True)
    if number is None:
        return None
    place = f"reinterpret_cast<void*>({_literal(number)})" if number else "nullptr"
    return Assertion(name, place, address=True)


def _literal(value: int) -> str:
    return f"{value}LL" if not -(2**31) < value < 2**31 else str(value)
