"""How things are called in C++: functions, types, enumerators, constants, parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mpiglot.generators.words import without_common_words

# Keywords, names that our own code uses inside functions, and macros of the system.
_RESERVED = frozenset(
    re.findall(
        r"\w+",
        """
        alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t
        char16_t char32_t class compl concept const consteval constexpr constinit const_cast
        continue co_await co_return co_yield decltype default delete do double dynamic_cast else
        enum explicit export extern false float for friend goto if inline int long mutable
        namespace new noexcept not not_eq nullptr operator or or_eq private protected public
        register reinterpret_cast requires return short signed sizeof static static_assert
        static_cast struct switch template this thread_local throw true try typedef typeid
        typename union unsigned using virtual void volatile wchar_t while xor xor_eq code detail
        nothrow callbacks linux unix errno assert
        """,
    )
)
#: C's integers and what they are called in C++.
SCALARS = {
    "int": "int",
    "MPI_Count": "count_t",
    "MPI_Aint": "aint_t",
    "MPI_Offset": "offset_t",
    "MPI_Fint": "fint_t",
    "double": "double",
}
_DIGITS = {"1": "one_", "2": "two_", "3": "three_", "4": "four_", "8": "eight_"}


def identifier(text: str) -> str:
    """`text` in lower case as a C++ name."""
    name = text.lower()
    if name[:1].isdigit():
        name = _DIGITS.get(name[0], "n" + name[0]) + name[1:]
    return name + "_" if name in _RESERVED else name


def without_prefix(c_name: str) -> str:
    """A C name without MPI_; extensions keep theirs, so that nobody takes them for the standard."""
    return c_name[4:] if c_name.startswith("MPI_") else c_name


def function_name(c_name: str) -> str:
    """MPI_Comm_split -> comm_split."""
    return identifier(without_prefix(c_name))


def handle_name(c_type: str) -> str:
    """MPI_Comm -> comm_handle: never the name of a parameter."""
    name = identifier(without_prefix(c_type))
    return name if name.endswith("_handle") else name + "_handle"


def owner_name(c_type: str) -> str:
    """MPI_Comm -> unique_comm."""
    return "unique_" + without_prefix(c_type).lower()


def constant_name(c_name: str, c_type: str = "") -> str:
    """MPI_COMM_WORLD -> comm_world; of datatypes the _T goes, since int32_t is somebody else's."""
    text = without_prefix(c_name)
    if c_type == "MPI_Datatype" and text.endswith("_T"):
        text = text[:-2]
    return identifier(text)


def enumerator_names(c_names: list[str]) -> dict[str, str]:
    """Each constant of a value set without the words that (nearly) all of them begin with."""
    words = without_common_words({n: without_prefix(n).split("_") for n in c_names})
    return {name: identifier("_".join(own)) for name, own in words.items()}


def callback_name(c_type: str) -> str:
    """MPI_User_function -> callbacks::user_function."""
    return f"callbacks::{identifier(c_type.removeprefix('MPI_'))}"


def beside(types: Iterable[str], name: str) -> str:
    """A function's name, which must not hide a type."""
    return name + "_" if name in types else name


class Scope:
    """The names already given in a namespace; the next one of the same name gets an underscore."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def add(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name
