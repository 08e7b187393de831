"""The least that an MPI must have: what C++ names even if the MPI has nothing else.

`blueprints/floor.json` lists it. It is computed from the generated code, by
`mpiglot/commands/_floor.py`.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import mpiglot.blueprints
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.blueprints.model import Blueprint
from mpiglot.parser.identity import callable_functions

PATH = Path(str(mpiglot.blueprints.__file__)).resolve().parent / "floor.json"
_SHOWN = 4


def check(blueprint: Blueprint, wrapper: str) -> None:
    """Refuses what is below the floor."""
    missing = _missing(blueprint)
    if not missing:
        return
    more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
    raise EnvironmentProblem(
        f"nothing can be generated for the MPI of {wrapper}: "
        f"it lacks {', '.join(missing[:_SHOWN])}{more}"
    )


@lru_cache(maxsize=1)
def names() -> dict[str, list[str]]:
    """The names, by kind: functions, types, constants, fields of MPI_Status."""
    data: dict[str, list[str]] = json.loads(PATH.read_text(encoding="utf-8"))
    return data


def _missing(blueprint: Blueprint) -> list[str]:
    floor = names()
    usable = callable_functions(blueprint.functions)
    constants = {c.name for c in blueprint.constants}
    fields = {t.name: {f.name for f in t.fields} for t in blueprint.types}
    types = fields.keys() | {c.name for c in blueprint.constants if c.cls == "type"}
    status = fields.get("MPI_Status", set(floor["status"]))
    return [
        *(n for n in floor["functions"] if n not in usable),
        *(n for n in floor["types"] if n not in types),
        *(n for n in floor["constants"] if n not in constants),
        *(f"{n} in MPI_Status" for n in floor["status"] if n not in status),
    ]
