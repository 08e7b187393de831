"""The generated files of `dev.mpiglot.mpi`: planned methods by class, overloads for arrays."""

from __future__ import annotations

from typing import Any

from mpiglot.blueprints import catalogue
from mpiglot.generators.java import names
from mpiglot.generators.java.upper import accesses, collectives, queries, surface, transfers
from mpiglot.generators.java.upper.accesses import Access
from mpiglot.generators.java.upper.methods import Upper, write
from mpiglot.generators.java.upper.queries import Query
from mpiglot.generators.java.upper.transfers import Transfer
from mpiglot.generators.jinja import render
from mpiglot.generators.layout import wrapped
from mpiglot.generators.model import Atlas, File, PlannedFunction

Method = Upper | Query | Access | Transfer
#: Not beside the lower layer, which compiles without the upper one.
FOLDER = "src/upper/java/dev/mpiglot/mpi/"
WIDTH = 120
#: Enumerations that are the same in both layers.
_LOW_ENUMS = frozenset({"Comparison", "Topology"})
#: What the lower layer calls a class.
_LOW = {"MpiFile": "FileHandle", "Window": "WinHandle"}
#: Classes with a type of elements.
_TYPED = {"Window": "<E extends Element>"}
#: Overloads for the arrays of each primitive type.
_ARRAYS = ("array_operations", "array_results", "neighbor_results")
#: Handwritten classes that a class's generated methods stand below.
_ABOVE = {
    "Comm": "TopologyFactory",
    "Intercomm": "Comm",
    "Neighborhood": "Comm",
    "Window": "WindowEpochs",
}


def files(atlas: Atlas, functions: list[PlannedFunction]) -> list[File]:
    """All of them; fails if the table of surfaces does not fit the functions."""
    rows = surface.load()
    surface.check(rows, catalogue.load().functions)
    methods = _methods(rows, atlas, functions)
    planned = [
        _java("planned", f"Planned{owner}", **_context(owner, methods[owner])) for owner in methods
    ]
    arrays = [_java(each, each.title().replace("_", ""), elements=_elements()) for each in _ARRAYS]
    return [*arrays, *planned]


def _java(template: str, name: str, **values: Any) -> File:
    text = render(f"java/{template}.java.jinja", values)
    return File(f"{FOLDER}{name}.java", wrapped(text, WIDTH))


def _elements() -> list[dict[str, str]]:
    """The primitive types that arrays of messages have, and what `Element` calls them."""
    types = ("byte", "short", "char", "int", "long", "float", "double")
    return [{"type": t, "name": f"{t.capitalize()}s"} for t in types]


def _methods(
    rows: list[surface.Row], atlas: Atlas, functions: list[PlannedFunction]
) -> dict[str, list[Method]]:
    """The generated methods by class."""
    planned = {f.name: f for f in functions if f.decision == "generate"}
    meanings = {entry.function.name: entry.function for entry in atlas.functions}
    written = [r for r in rows if r.reached and r.function in planned]
    form_names = {r.function: r.method for r in written}
    methods: dict[str, list[Method]] = {}
    for row in written:
        if row.state == "generated":
            f = planned[row.function]
            one: Method
            if queries.fits(f):
                one = queries.write(f, row)
            elif accesses.fits(f):
                one = accesses.write(f, row)
            elif transfers.fits(f):
                one = transfers.write(f, row)
            elif f.collective:
                one = collectives.write(f, row)
            else:
                one = write(f, row, planned, meanings[f.name], form_names)
            if row.through and isinstance(one, Upper):
                one.holder = row.through  # gets the call in place of its communicator
                one.arguments = ["call" if a == "call.comm()" else a for a in one.arguments]
            methods.setdefault(row.owner, []).append(one)
    return methods


def _context(owner: str, written: list[Method]) -> dict[str, Any]:
    methods = [m for m in written if isinstance(m, Upper)]
    asked = [m for m in written if isinstance(m, Query)]
    moved = [m for m in written if isinstance(m, Transfer)]
    return {
        "owner": owner,
        "typed": _TYPED.get(owner, ""),
        "low": _LOW.get(owner, f"{owner}Handle"),
        "transfers": moved,
        "accesses": [m for m in written if isinstance(m, Access)],
        "above": _ABOVE.get(owner, ""),
        "methods": methods,
        "queries": asked,
        "imports": _imports(owner, methods, asked),
        "takes": any("take()" in m.arguments for m in methods),
        "collective": any(m.shape for m in methods),
    }


def _imports(owner: str, methods: list[Upper], asked: list[Query]) -> list[str]:
    low = set(names.CHAPTERS.values())
    holders = ({m.holder for m in methods} | {m.holder for m in asked}) & low
    imports = {f"dev.mpiglot.low.{holder}" for holder in holders}
    imports |= {f"dev.mpiglot.low.{m.returns}" for m in asked if m.returns in _LOW_ENUMS}
    if any(m.asks for m in methods):
        imports.add("java.util.Optional")
    if any(m.returns == "OptionalInt" for m in asked):
        imports.add("java.util.OptionalInt")
    if asked and _ABOVE.get(owner) != "Comm":
        imports.add("java.util.function.Supplier")
    return sorted(imports)
