"""C++ for one MPI: headers by chapter in namespace `mpiglot::mpi`, nothing to compile or link.

This module only collects: the other modules of this folder say what a target has of functions,
constants and types, as data, and templates/cpp has the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mpiglot.blueprints import families
from mpiglot.blueprints.catalogue import uses
from mpiglot.generators import holders
from mpiglot.generators.cpp.callbacks import callbacks
from mpiglot.generators.cpp.constants import constants, handles
from mpiglot.generators.cpp.functions import CppFunction, FunctionWriter, Inexpressible
from mpiglot.generators.cpp.names import identifier, without_prefix
from mpiglot.generators.cpp.operations import operations
from mpiglot.generators.cpp.target import CppTarget, look_up
from mpiglot.generators.jinja import environment, render
from mpiglot.generators.layout import wrapped
from mpiglot.generators.measured import assertions
from mpiglot.generators.model import File, Plan, PlannedFunction, Request, Response

_FIXED = (
    "arrays callables driving driving_bodies error guard holders holders_bodies last_words loaded "
    "loaded_bodies optionals result spans spin_lock state status strings"
)
#: An option: the header declares functions for C without saying so.
EXTERN_C = "extern_c"
# Templates that write each statement on one line, however long.
_ONE_LINE_EACH = ("callbacks", "chapter", "constants", "operation", "sentinels")


def generate(request: Request) -> Response:
    """The headers for `request.target`."""
    target = look_up(request.atlas, request.plan, request.target)
    functions = request.plan.functions
    warnings: list[str] = []
    chapters = dict(_chapters(FunctionWriter(target), request.plan, warnings))
    values = constants(target, request.plan)
    enums = [e for e in values.enums if e.name != "error_class"]
    error_classes = [e for e in values.enums if e.name == "error_class"]
    with_handles = {"handles": [*handles(target, request.plan)]}
    contents: dict[str, Mapping[str, Any]] = {
        **{name: {} for name in _FIXED.split()},
        **dict.fromkeys(("handles", "hash", "call"), with_handles),
        "assertions": _assertions(target),
        "constants": {
            "enums": enums, "integers": values.integers, "groups": values.objects,
            "disputed": target.disputed, "error_classes": error_classes,
        },
        "names": {"enums": [e for e in values.enums if e.constants]},
        "error_class": {"enums": error_classes},
        "sentinels": {"groups": values.sentinels}, "state": {"starts": uses.load().starts},
        "error_bodies": {"sessions": target.has_sessions},
        "callbacks": {"callbacks": [*callbacks(target, request.plan)]},
        "native": {"abi": target.target.abi, "extern_c": EXTERN_C in request.options},
        "guard_bodies": {"abi": target.target.abi, "families": families.load()},
        "keys": {"kinds": sorted({f.key_kind for f in functions if f.key_kind})},
        "available": {"flags": _flags(target, request.plan)},
        "calls": {"operations": (calls := [*operations(target, functions)])},
    }  # fmt: skip
    common = {"title": target.title(), "twinless": target.twinless, "target": target,
              "holders": holders.find(functions, request.atlas),
              "waiting": {f.name: f for f in functions if f.waits}}  # fmt: skip
    files = [_file(f"mpi/{n}", n, {**common, **more}) for n, more in contents.items()]
    files.append(_file("mpi", "umbrella", {**common, "headers": list(chapters)}))
    files += [
        _file(f"mpi/{name}", "chapter", {**common, "chapter": name, "functions": fs,
              "includes": sorted({header for f in fs for header in _includes(f.plan)})})
        for name, fs in chapters.items()
    ]  # fmt: skip
    files += [_file(f"mpi/calls/{o.name}", "operation", {**common, "operation": o}) for o in calls]
    files.sort(key=lambda f: f.path)
    warnings += [*values.warnings, *map(": ".join, target.unservable.items())]
    return Response(files, sorted(warnings))


def _file(path: str, template: str, values: Mapping[str, Any]) -> File:
    text = render(f"cpp/{template}.hpp.jinja", values)
    return File(f"mpiglot/{path}.hpp", wrapped(text) if template in _ONE_LINE_EACH else text)


def _chapters(
    writer: FunctionWriter, plan: Plan, warnings: list[str]
) -> Iterator[tuple[str, list[CppFunction]]]:
    """The functions of every header; what C++ cannot express is a warning."""
    generated = [f for f in plan.functions if f.decision == "generate"]
    for name in sorted({f.chapter for f in generated}):
        functions: list[CppFunction] = []
        for f in generated:
            try:
                functions += writer.functions(f) if f.chapter == name else ()
            except Inexpressible as problem:
                warnings.append(f"{f.name}: {problem}")
        yield name, functions


def _includes(f: PlannedFunction) -> Iterator[str]:
    """What of the headers beside the chapters a function needs."""
    kinds = {a.kind for a in f.arguments}
    spans = any(a.kind.startswith("span") for a in f.arguments)
    nullable = any(a.nullable for a in f.arguments)
    needs = {
        "callbacks": f.key_use or "callback" in kinds,
        "status": kinds & {"status", "status_ref", "status_out", "statuses_out"},
        "spans": spans and not nullable,
        "sentinels": spans and nullable,
        "optionals": f.shape == "optional",
        "arrays": f.dispatch == "overload" or "strings" in kinds,
        "strings": any(r.kind == "string" for r in f.results),
    }
    return (header for header, needed in needs.items() if needed)


def _flags(target: CppTarget, plan: Plan) -> dict[str, bool]:
    """Whether each function can be called, by its own name or another that the target has."""
    provided = {f.name for f in plan.functions if target.provider(f)}
    return {
        identifier(without_prefix(name)).rstrip("_"): target.has_function(name) or name in provided
        for name in sorted(target.status)
    }


def _assertions(target: CppTarget) -> dict[str, Any]:
    """What is asserted, and by what <mpi.h> tells whose it is."""
    vendors: Any = environment().get_template("cpp/vendors.jinja").module
    vendor = "abi" if target.target.abi == "abi" else target.target.vendor
    whose = vendors.vendors.get(vendor)
    groups, left_out = assertions(target, whose is not None)
    series = ["1"] if vendor == "abi" else [*target.target.version.split("."), "0"]
    return {"whose": whose, "series": series, "groups": groups, "left_out": left_out}
