"""How things are called in Java: classes, methods, parameters and constants, from their C names."""

from __future__ import annotations

import re

#: Class of a chapter. Chapters not listed here are called after themselves.
CHAPTERS = {
    "pt2pt": "PointToPoint",
    "partitioned": "PartitionedCommunication",
    "datatypes": "Datatypes",
    "collectives": "Collectives",
    "groups": "Communicators",
    "topologies": "Topologies",
    "attributes": "Caching",
    "environment": "Environment",
    "info": "Infos",
    "dynamic": "Processes",
    "rma": "OneSided",
    "io": "InputOutput",
    "external": "Generalized",
    "sessions": "Sessions",
    "tools": "Tools",
    "fortran": "Conversions",
    "abi": "Abi",
    "deprecated": "Outdated",
    "extensions": "Extensions",
}

TITLES = {
    "pt2pt": "Point-to-point communication",
    "partitioned": "Partitioned point-to-point communication",
    "datatypes": "Datatypes, packing and addresses",
    "collectives": "Collective communication and reduction operations",
    "groups": "Groups and communicators",
    "topologies": "Process topologies",
    "attributes": "Attributes cached on communicators, datatypes and windows",
    "environment": "Starting and ending MPI, errors, names and clocks",
    "info": "Info objects",
    "dynamic": "Process creation and connections between jobs",
    "rma": "One-sided communication",
    "io": "Parallel files",
    "external": "Generalized requests and other external interfaces",
    "sessions": "Sessions",
    "tools": "The tool information interface",
    "fortran": "Conversions between handles and integers or Fortran",
    "abi": "Questions about the binary interface",
    "deprecated": "Functions that the standard advises against",
    "extensions": "Functions outside the standard",
}

_WORDS = """
abstract assert boolean break byte case catch char class const continue default do double else enum
extends final finally float for goto if implements import instanceof int interface long native new
package private protected public return short static strictfp super switch synchronized this throw
throws transient try void volatile while true false null _
"""
_KEYWORDS = frozenset(_WORDS.split())
#: Methods of Object without parameters, which a static method cannot hide.
_TAKEN = frozenset({"finalize", "notify", "notifyAll", "getClass", "clone", "hashCode", "toString"})
#: Names of local variables in the generated methods.
_LOCALS = frozenset({"frame", "mark", "code", "memory", "large", "result", "t", "held", "state"})


def camel(snake: str) -> str:
    """`array_of_requests` -> `arrayOfRequests`."""
    parts = [p for p in snake.split("_") if p]
    if not parts:
        return "value"
    return parts[0][:1].lower() + parts[0][1:] + "".join(p[:1].upper() + p[1:] for p in parts[1:])


def pascal(snake: str) -> str:
    """`thread_level` -> `ThreadLevel`."""
    name = camel(snake)
    return name[:1].upper() + name[1:]


def without_prefix(c_name: str) -> str:
    """`MPI_Comm_rank` -> `Comm_rank`, `MPIX_Stream` -> `Stream`."""
    return re.sub(r"^MPIX?_", "", c_name)


def method(c_name: str) -> str:
    """`MPI_Comm_split` -> `commSplit`."""
    name = camel(without_prefix(c_name))
    return name + "Mpi" if name in _KEYWORDS | _TAKEN else name


def holder(c_name: str) -> str:
    """The class of a function: `CommRank`; of an extension `StringCall`, which hides no String."""
    return pascal(without_prefix(c_name)) + ("Call" if c_name.startswith("MPIX_") else "")


def parameter(c_name: str) -> str:
    """A parameter's name, never a word of the language nor a local variable."""
    name = camel(c_name)
    return name + "Value" if name in _KEYWORDS | _LOCALS else name


def thing(c_type: str) -> str:
    """What a handle stands for: `MPI_Comm` -> `Comm`, `MPI_T_enum` -> `ToolEnum`."""
    return pascal(re.sub(r"^MPIX?_", "", re.sub(r"^MPI_T_", "Tool_", c_type)))


def handle_class(c_type: str) -> str:
    """`MPI_Comm` -> `CommHandle`, `MPI_T_pvar_handle` -> `ToolPvarHandle`."""
    return thing(c_type).removesuffix("Handle") + "Handle"


def callback_class(c_type: str) -> str:
    """`MPI_User_function` -> `UserFunction`."""
    return pascal(re.sub(r"^MPIX?_(T_)?", "", c_type.replace("*", "").strip()))


def constant(c_name: str, owner: str = "") -> str:
    """`MPI_COMM_WORLD` in the class of `MPI_Comm` -> `WORLD`; without owner `COMM_WORLD`."""
    name = re.sub(r"^MPIX?_", "", c_name).upper()
    prefix = re.sub(r"^MPIX?_", "", owner).upper() + "_"
    short = name[len(prefix) :] if owner and name.startswith(prefix) else name
    return short if re.match(r"[A-Z]", short) else "_" + short


def result_class(c_name: str) -> str:
    """The record of a function with several results: `MPI_Cart_get` -> `CartGetResult`."""
    return pascal(without_prefix(c_name)) + "Result"


def enum_constants(names: list[str]) -> dict[str, str]:
    """Short names of the constants of an enumeration: without what all have in common."""
    plain = [without_prefix(n) for n in names]
    common = ""
    if len(plain) > 1:
        parts = [p.split("_") for p in plain]
        for column in zip(*parts, strict=False):
            if len(set(column)) > 1:
                break
            common += column[0] + "_"
    short = {
        n: p[len(common) :] if p.startswith(common) and p[len(common) :] else p
        for n, p in zip(names, plain, strict=True)
    }
    fine = all(re.match(r"[A-Z][A-Z0-9_]*$", s) for s in short.values())
    if not fine or len(set(short.values())) < len(short):
        return dict(zip(names, plain, strict=True))
    return short
