"""What is known of C types, and how each is passed through Java's foreign function interface."""

from __future__ import annotations

from dataclasses import dataclass

from mpiglot.generators.c_types import base_type
from mpiglot.generators.holders import Holders
from mpiglot.generators.java import names

WIDE = frozenset({"MPI_Count", "MPI_Aint", "MPI_Offset"})
_INTS = frozenset({"int", "MPI_Fint", "unsigned int"})


@dataclass(slots=True)
class Types:
    """What is known of all types: handles, and which of them keep memory until completion."""

    handles: set[str]
    keepers: set[str]
    nulls: dict[str, str]  # handle type -> Java expression of its null handle
    four_bytes: set[str]  # other types that are passed as 32-bit integers
    callbacks: set[str]
    frees: dict[str, bool]  # what frees a handle type -> whether it may leave operations going
    keys: set[str]  # value sets of keys, some of attributes that are integers with names
    holders_of_memory: set[str]  # handle types that are freed collectively
    disputed: set[str]  # value sets on which libraries of the standard ABI disagree
    holders: Holders  # of functions of the program
    limits: dict[str, str]  # functions whose text libraries cut -> the constant that says where

    def token(self, c_type: str) -> str:
        """What a C type is: i int, j long, d double, r pointer, v void, or a handle's name."""
        if "*" in c_type or "[" in c_type:
            return "r"
        name = base_type(c_type)
        if name in self.handles:
            return name
        if name in _INTS or name in self.four_bytes:
            return "i"
        if name in ("double", "void"):
            return name[0]
        return "j"

    def set_of(self, values: str | None) -> str:
        """Where Java has a value set."""
        nested = "Measured." if values in self.disputed else ""
        return f"Sets.{nested}{str(values).upper()}"


def letter(token: str) -> str:
    """How Java passes it: everything that goes into an integer register is a `long`."""
    return token if token in ("d", "p", "v") else "j"


def widths(handle: str) -> str:
    """The constant that says whether a handle type takes eight bytes."""
    return names.thing(handle).upper()
