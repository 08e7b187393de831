"""The generated files of `dev.mpiglot.mpi`: planned methods by class, overloads for arrays."""

from __future__ import annotations

from typing import Any

from mpiglot.blueprints import catalogue
from mpiglot.generators.java.upper import collectives, surface
from mpiglot.generators.java.upper.methods import Upper, write
from mpiglot.generators.jinja import render
from mpiglot.generators.layout import wrapped
from mpiglot.generators.model import Atlas, File, PlannedFunction

#: Not beside the lower layer, which compiles without the upper one.
FOLDER = "src/upper/java/dev/mpiglot/mpi/"
WIDTH = 120


def files(atlas: Atlas, functions: list[PlannedFunction]) -> list[File]:
    """All of them; fails if the table of surfaces does not fit the functions."""
    rows = surface.load()
    surface.check(rows, catalogue.load().functions)
    methods = _methods(rows, atlas, functions)
    planned = [
        _java("planned", f"Planned{owner}", **_context(owner, methods[owner])) for owner in methods
    ]
    return [_java("array_operations", "ArrayOperations", elements=_elements()), *planned]


def _java(template: str, name: str, **values: Any) -> File:
    text = render(f"java/{template}.java.jinja", values)
    return File(f"{FOLDER}{name}.java", wrapped(text, WIDTH))


def _elements() -> list[dict[str, str]]:
    """The primitive types that arrays of messages have, and what `Element` calls them."""
    types = ("byte", "short", "char", "int", "long", "float", "double")
    return [{"type": t, "name": f"{t.capitalize()}s"} for t in types]


def _methods(
    rows: list[surface.Row], atlas: Atlas, functions: list[PlannedFunction]
) -> dict[str, list[Upper]]:
    """The generated methods by class."""
    planned = {f.name: f for f in functions if f.decision == "generate"}
    meanings = {entry.function.name: entry.function for entry in atlas.functions}
    written = [r for r in rows if r.reached and r.function in planned]
    form_names = {r.function: r.method for r in written}
    methods: dict[str, list[Upper]] = {}
    for row in written:
        if row.state == "generated":
            f = planned[row.function]
            if f.collective:
                one = collectives.write(f, row)
            else:
                one = write(f, row, planned, meanings[f.name], form_names)
            methods.setdefault(row.owner, []).append(one)
    return methods


def _context(owner: str, methods: list[Upper]) -> dict[str, Any]:
    return {
        "owner": owner,
        "methods": methods,
        "holders": sorted({m.holder for m in methods}),
        "optional": any(m.asks for m in methods),
        "takes": any("take()" in m.arguments for m in methods),
        "collective": any(m.shape for m in methods),
    }
