"""Whose MPI it is: from the header's macros and from what the library says of itself.

The header decides the version, since functions and values come from it; a library of another
vendor behind it is a mix-up that nothing can be generated from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.blueprints.model import Catalogue, Function, Mpi, Platform
from mpiglot.parser.measure import Measured
from mpiglot.parser.preprocess import Preprocessed
from mpiglot.parser.vendors import (
    decimal,
    identify_library,
    same_version,
    vendor,
    vendors,
)

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029]")
_ODD = re.compile(r"[^A-Za-z0-9._+-]")
_NUMBER = re.compile(r"\d+(\.\d+)+")
_PROCESSORS = {
    "__x86_64__": "x86_64",
    "__aarch64__": "aarch64",
    "__i386__": "i686",
    "__arm__": "arm",
    "__powerpc64__": "ppc64",
    "__riscv": "riscv64",
    "__s390x__": "s390x",
}
_ENOUGH = 0.9  # of a version's functions: "nearly all"


def stubs_of(mpi: Mpi) -> Mapping[str, Any] | None:
    """What functions of this vendor say that are there and do nothing."""
    return next((v.data.get("stubs") for v in vendors() if v.title == mpi.vendor), None)


def identify(source: Preprocessed, measured: Measured, handles_are_pointers: bool) -> Mpi:
    """Vendor, version and ABI family; a header of the standard ABI has pointers as handles."""
    mpi = Mpi(vendor="unknown", abi="unknown")
    text = source.defines()
    header = next(((v, version) for v in vendors() if (version := v.header_version(text))), None)
    library = identify_library(measured.library_version)
    if header and library and header[0].key != library[0]:
        raise EnvironmentProblem(
            f"mpi.h is {header[0].title}'s but the library loaded is "
            f"{_title(library[0])}'s ({_library_file(measured)}): two MPIs are mixed; "
            "see `mpiglot doctor`"
        )
    if header:
        mpi.vendor, mpi.version, mpi.abi = header[0].title, header[1], header[0].abi
    elif library:
        mpi.vendor, mpi.version = _title(library[0]), library[1]
        found = vendor(library[0])
        mpi.abi = found.abi if found else "unknown"
    else:
        number = _NUMBER.search(measured.library_version)
        mpi.version = number[0] if number else ""
    if source.value("MPI_ABI_VERSION") not in ("", "0") and handles_are_pointers:
        mpi.abi = "abi"
    mpi.standard_reported = _reported(source)
    mpi.library_version = _CONTROL.sub("", measured.library_version)
    mpi.version = _ODD.sub("", mpi.version)
    mpi.soname = Path(_library_file(measured)).name
    return mpi


def other_release(mpi: Mpi, measured: Measured) -> list[str]:
    """A warning where the library that programs load is not of the header's release."""
    library = identify_library(measured.library_version)
    if not mpi.version or library is None or same_version(mpi.version, library[1]):
        return []
    return [
        f"mpi.h is that of {mpi.vendor} {mpi.version}, but programs load {library[1]} "
        f"({_library_file(measured)}); see `mpiglot doctor`"
    ]


def effective_standard(functions: Sequence[Function], known: Catalogue) -> str:
    """The newest version of the standard of whose functions the library has nearly all.

    Stubs count: they say which version the library follows in what it does have.
    """
    usable = callable_functions(functions) | {f.name for f in functions if f.status == "stub"}
    required = [f for f in known.functions if f.since and not f.removed and not _fortran(f)]
    answer = ""
    for version in sorted({f.since for f in required}, key=_number):
        if _share([f.name for f in required if f.since == version], usable) < _ENOUGH:
            break
        answer = version
    return answer


def callable_functions(functions: Sequence[Function]) -> set[str]:
    """The names of what programs can call; all that is declared where no library was there."""
    usable = {f.name for f in functions if f.status == "links" or f.macro not in (None, "trap")}
    if not any(f.status == "links" for f in functions):
        usable |= {f.name for f in functions if f.status == "declared"}
    return usable


def _fortran(function: Function) -> bool:
    """Conversions of Fortran handles; those of MPI 5 (`toint`) are for every language."""
    return function.chapter == "fortran" and _number(function.since) < (5,)


def platform(source: Preprocessed, machine: str, system: str) -> Platform:
    """What the compiler compiles for; this machine's processor where it does not tell."""
    sizes = {name: source.value(f"__SIZEOF_{name}__") for name in ("INT", "LONG", "POINTER")}
    models = {"4 8 8": "LP64", "4 4 4": "ILP32", "4 4 8": "LLP64", "8 8 8": "ILP64"}
    order = source.value("__BYTE_ORDER__")
    return Platform(
        architecture=_architecture(source) or machine,
        system=system,
        data_model=models.get(" ".join(sizes.values()), "unknown"),
        byte_order={
            "__ORDER_LITTLE_ENDIAN__": "little",
            "__ORDER_BIG_ENDIAN__": "big",
        }.get(order, "unknown"),
    )


def _architecture(source: Preprocessed) -> str:
    """The processor that the compiler compiles for, as Linux calls it; empty if unknown."""
    return next((name for macro, name in _PROCESSORS.items() if source.value(macro)), "")


def library_of(measured: Measured) -> str:
    """The file of the library that a program really loads."""
    return _library_file(measured)


def _library_file(measured: Measured) -> str:
    """The file that holds most of the functions: a tool in front of the library holds a few."""
    held = Counter(
        address.library
        for key, address in measured.addresses.items()
        if key.startswith("function:") and address.symbol is not None
    )
    return min(held, key=lambda file: (-held[file], file)) if held else ""


def _reported(source: Preprocessed) -> str:
    version, subversion = (decimal(source.value(f"MPI_{n}VERSION")) for n in ("", "SUB"))
    return f"{version}.{subversion or 0}" if version else ""


def _title(key: str) -> str:
    found = vendor(key)
    return found.title if found else key


def _share(names: Sequence[str], usable: set[str]) -> float:
    return sum(n in usable for n in names) / len(names) if names else 1.0


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
