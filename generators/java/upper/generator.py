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
#: Classes with a type of elements.
_TYPED = {"Window": "<E extends Element>"}
#: Overloads for the arrays of each primitive type.
_ARRAYS = ("array_operations", "array_results", "neighbor_results")
#: The interfaces that have the generated methods of a class. Users read these names.
_CHAPTERS = {
    "Comm": {
        "queries": "CommunicatorQueries",
        "messages": "PointToPointOperations",
        "collectives": "CollectiveOperations",
    },
    "Group": {"queries": "GroupQueries"},
    "Info": {"queries": "InfoQueries"},
    "Intercomm": {"queries": "IntercommQueries"},
    "Message": {"messages": "MessageReceives"},
    "MpiFile": {"queries": "FileQueries", "transfers": "FileTransfers"},
    "Neighborhood": {"collectives": "NeighborOperations"},
    "Window": {"queries": "WindowQueries", "accesses": "WindowAccesses"},
}
#: What documentation says of them.
_TOPICS = {
    "queries": "ask it",
    "messages": "send and receive messages",
    "collectives": "are collective",
    "accesses": "access the memory of other processes",
    "transfers": "read and write",
}


def files(atlas: Atlas, functions: list[PlannedFunction]) -> list[File]:
    """All of them; fails if the table of surfaces does not fit the functions."""
    rows = surface.load()
    surface.check(rows, catalogue.load().functions)
    methods = _methods(rows, atlas, functions)
    chapters = [
        _java("chapter_of_class", interface, **_context(owner, interface, kind, methods[owner]))
        for owner, kinds in _CHAPTERS.items()
        for kind, interface in kinds.items()
        if any(_kind(m) == kind for m in methods.get(owner, []))
    ]
    arrays = [_java(each, each.title().replace("_", ""), elements=_elements()) for each in _ARRAYS]
    return [*arrays, *chapters]


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


def _kind(method: Method) -> str:
    if isinstance(method, Upper):
        return "collectives" if method.collective else "messages"
    return {Query: "queries", Access: "accesses", Transfer: "transfers"}[type(method)]


def _context(owner: str, interface: str, kind: str, written: list[Method]) -> dict[str, Any]:
    methods = [m for m in written if _kind(m) == kind]
    typed = _TYPED.get(owner, "") if kind == "accesses" else ""
    return {
        "owner": owner,
        "interface": interface,
        "topic": _TOPICS[kind],
        "typed": typed,
        "arguments": "<E>" if typed else "<?>" if owner in _TYPED else "",
        "kind": kind,
        "methods": methods,
        "imports": _imports(methods),
    }


def _imports(methods: list[Method]) -> list[str]:
    returned = {m.returns for m in methods if isinstance(m, Query)}
    imports = {
        f"dev.mpiglot.low.{m.holder}" for m in methods if m.holder in names.CHAPTERS.values()
    }
    imports |= {f"dev.mpiglot.low.{one}" for one in returned & _LOW_ENUMS}
    if any(isinstance(m, Upper) and m.asks for m in methods):
        imports.add("java.util.Optional")
    if "OptionalInt" in returned:
        imports.add("java.util.OptionalInt")
    return sorted(imports)
