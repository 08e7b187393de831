"""What the generated C++ relies on, as assertions: vendor, series, sizes, offsets, values."""

from __future__ import annotations

from dataclasses import dataclass

from mpiglot.generators.cpp_target import CppTarget


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


@dataclass(slots=True)
class Assertions:
    """Everything `assertions.hpp` holds."""

    vendor: Vendor | None
    series: list[str]
    sizes: list[Assertion]
    offsets: list[Assertion]
    values: list[Assertion]


def assertions(target: CppTarget) -> Assertions:
    """What must hold of the <mpi.h> that the generated headers are compiled with."""
    abi = target.target.abi == "abi"
    vendor = _ABI if abi else _VENDORS.get(target.target.vendor)
    numbers = [*target.target.version.split("."), "0"]
    out = Assertions(
        vendor, [s.format(*numbers) for s in vendor.series] if vendor else [], [], [], []
    )
    for name, t in sorted(target.types.items()):
        if name in target.callbacks:
            continue
        if t.kind in ("integer", "pointer", "struct") and t.size and name.startswith("MPI"):
            out.sizes.append(Assertion(f"sizeof({name})", str(t.size)))
            out.offsets += [
                Assertion(f"offsetof({name}, {f.name})", str(f.offset))
                for f in t.fields
                if f.name.startswith("MPI")
            ]
    for name, (constant, value) in sorted(target.constants.items()):
        if (
            constant.cls != "integer"
            or not value.constant_expression
            or name in target.disputed.values
        ):
            continue
        if isinstance(value.value, int):
            out.values.append(Assertion(name, _literal(value.value)))
    return out


def _literal(value: int) -> str:
    return f"{value}LL" if not -(2**31) < value < 2**31 else str(value)
