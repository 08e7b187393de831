"""Functions of MPI that do nothing, in C: written from the prototypes of a blueprint."""

from __future__ import annotations

import json
from pathlib import Path


def quiet(blueprint: Path, names: set[str]) -> str:
    """Definitions of these functions. Each returns success, and a request that it makes is one."""
    functions = {one["name"]: one for one in json.loads(blueprint.read_text())["functions"]}
    missing = sorted(names - functions.keys())
    if missing:
        raise SystemExit(f"{blueprint.name} does not have {', '.join(missing)}")
    return "#include <mpi.h>\n" + "".join(define(functions[name]) for name in sorted(names))


def define(function: dict) -> str:
    name, parameters = function["name"], function["parameters"]
    declared = ", ".join(
        "{} a{}{}".format(*split_array(one["type"], place)) for place, one in enumerate(parameters)
    )
    persistent = name.removesuffix("_c").endswith("_init")
    made = "".join(
        f"*a{place} = {2 if persistent else 1}; "
        for place, one in enumerate(parameters)
        if one["type"] == "MPI_Request *" and one["direction"] == "out"
    )
    return f"int {name}({declared}) {{ {made}return MPI_SUCCESS; }}\n"


def split_array(kind: str, place: int) -> tuple[str, int, str]:
    """A type in its parts around a name."""
    base, bracket, rest = kind.partition("[")
    return base, place, bracket + rest
