"""The least that an MPI must have: less is no library that a binding could serve."""

from __future__ import annotations

from mpiglot.blueprints.catalogue import uses
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.blueprints.model import Blueprint
from mpiglot.parser.identity import callable_functions

_SHOWN = 4


def check(blueprint: Blueprint, wrapper: str) -> None:
    """Refuses what is below the floor."""
    missing = _missing(blueprint)
    if not missing:
        return
    more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
    raise EnvironmentProblem(
        f"the MPI of {wrapper} is no MPI 2.2 nor the part of it that mpiglot needs: "
        f"it lacks {', '.join(missing[:_SHOWN])}{more}"
    )


def _missing(blueprint: Blueprint) -> list[str]:
    floor = uses.load().floor
    usable = callable_functions(blueprint.functions)
    constants = {c.name for c in blueprint.constants}
    fields = {t.name: {f.name for f in t.fields} for t in blueprint.types}
    types = fields.keys() | {c.name for c in blueprint.constants if c.cls == "type"}
    status = fields.get("MPI_Status", set(floor.status))
    return [
        *(n for n in floor.functions if n not in usable),
        *(n for n in floor.types if n not in types),
        *(n for n in floor.constants if n not in constants),
        *(f"{n} in MPI_Status" for n in floor.status if n not in status),
    ]
