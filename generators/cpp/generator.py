"""C++ for one MPI: headers by chapter in namespace `mpiglot::mpi`, nothing to compile or link.

This module only collects; what a function looks like is decided in `cpp_signature` (outside) and
`cpp_calls` (inside), constants and types in `cpp_constants`, and the text is in templates/cpp.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mpiglot.generators.cpp.assertions import assertions
from mpiglot.generators.cpp.constants import callbacks, constants, handles
from mpiglot.generators.cpp.functions import CppFunction, FunctionWriter, Inexpressible
from mpiglot.generators.cpp.keys import key_kinds
from mpiglot.generators.cpp.names import identifier, without_prefix
from mpiglot.generators.cpp.operations import operations
from mpiglot.generators.cpp.target import CppTarget, look_up
from mpiglot.generators.jinja import render
from mpiglot.generators.layout import wrapped
from mpiglot.generators.model import File, Plan, PlannedFunction, Request, Response

_CHAPTERS = {
    "abi": "The standard ABI: its version, and what it says about Fortran.",
    "attributes": "Attributes of communicators, datatypes and windows.",
    "collectives": "Collective communication.",
    "datatypes": "Datatypes: constructors, inquiry, packing.",
    "deprecated": "What the standard deprecates, for old programs.",
    "dynamic": "Processes that are started or connected later.",
    "environment": "Start and end, versions, clocks, memory, error classes and handlers.",
    "extensions": "What vendors have beyond the standard.",
    "external": "Generalized requests, and error codes of one's own.",
    "fortran": "Handles and statuses in Fortran's form.",
    "groups": "Groups and communicators.",
    "info": "Info objects: hints as pairs of texts.",
    "io": "Files.",
    "partitioned": "Partitioned communication.",
    "pt2pt": "Point-to-point communication.",
    "rma": "One-sided communication.",
    "sessions": "Sessions.",
    "tools": "The tool information interface: control and performance variables, events.",
    "topologies": "Process topologies.",
}


# The launchers' families by ABI; a library of the standard ABI may belong to either.
_FAMILIES = {"mpich": "mpich", "ompi": "ompi"}


def loaded_library(abi: str) -> dict[str, object]:
    """What the guards must know of the library that is loaded."""
    return {"family": _FAMILIES.get(abi, ""), "is_abi": abi == "abi"}


def generate(request: Request) -> Response:
    """The headers for `request.target`."""
    target = look_up(request.atlas, request.plan, request.target)
    writer = FunctionWriter(target, request.atlas)
    warnings: list[str] = []
    chapters = dict(_chapters(writer, request.plan, warnings))
    values = constants(target, request.plan)
    common = {"title": target.title()}
    with_handles = {**common, "handles": handles(target, request.plan)}
    classes = [e for e in values.enums if e.name == "error_class"]
    files = [
        _file("mpi/native", {**common, **_around(target)}),
        _file(
            "mpi/assertions", {**common, "a": assertions(target)}
        ),
        _file("mpi/result", common),
        _file("mpi/handles", with_handles),
        _file("mpi/hash", with_handles),
        _file(
            "mpi/constants",
            {
                **common, "enums": [e for e in values.enums if e not in classes],
                "integers": values.integers, "objects": values.objects,
                "libraries": target.disputed.libraries,
            },
        ),
        _file("mpi/names", {**common, "enums": [e for e in values.enums if e.constants]}),
        _file("mpi/error_class", {**common, "enums": classes}),
        _file("mpi/sentinels", {**common, "objects": values.sentinels}),
        _file("mpi/status", common),
        _file("mpi/error", common),
        _file(
            "mpi/error_bodies",
            {**common, "sessions": target.has_function("MPI_Session_init")},
        ),
        _file("mpi/spans", common),
        _file("mpi/optionals", common),
        _file("mpi/last_words", common),
        _file("mpi/loaded", common),
        _file("mpi/loaded_bodies", common),
        _file("mpi/strings", common),
        _file("mpi/callbacks", {**common, "callbacks": callbacks(target, request.plan)}),
        _file("mpi/arrays", common),
        _file("mpi/callables", common),
        _file("mpi/guard", common),
        _file("mpi/guard_bodies", {**common, **loaded_library(target.target.abi)}),
        _file("mpi/state", common),
        _file("mpi/keys", {**common, "kinds": key_kinds(request.plan.functions)}),
        _file("mpi/available", {**common, "flags": _flags(target, request.plan)}),
        File(
            "mpiglot/mpi.hpp",
            render(
                "cpp/umbrella.hpp.jinja",
                {
                    **common,
                    "headers": [c for c in chapters if c != "deprecated"],
                    "deprecated": "deprecated" in chapters,
                },
            ),
        ),
    ]  # fmt: skip
    files += [_chapter(name, chapter, target.title()) for name, chapter in chapters.items()]
    calls = operations(target, request.plan.functions)
    files += [
        _file("mpi/call", with_handles),
        _file("mpi/calls", {**common, "operations": calls}),
        *(
            File(
                f"mpiglot/mpi/calls/{o.name}.hpp",
                render("cpp/operation.hpp.jinja", {**common, "operation": o}),
            )
            for o in calls
        ),
    ]
    files.sort(key=lambda f: f.path)
    return Response(files, sorted([*warnings, *values.warnings]))


def _file(name: str, values: dict[str, Any]) -> File:
    template = name.rpartition("/")[2]
    return File(f"mpiglot/{name}.hpp", render(f"cpp/{template}.hpp.jinja", values))


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


def _chapter(name: str, functions: list[CppFunction], mpi: str) -> File:
    values = {
        "title": _CHAPTERS.get(name, f"{name.capitalize()}."),
        "mpi": mpi,
        "includes": sorted({header for f in functions for header in _includes(f.plan)}),
        "functions": functions,
    }
    text = render("cpp/chapter.hpp.jinja", values)
    return File(f"mpiglot/mpi/{name}.hpp", wrapped(text))


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


def _around(target: CppTarget) -> dict[str, Any]:
    """What stands before and after `#include <mpi.h>`."""
    before = []
    after = []
    if target.target.abi == "abi":
        before = ["#ifndef MPI_ABI", "#define MPI_ABI 1", "#endif"]
    if target.target.abi == "ompi":
        after = ["#if __has_include(<mpi-ext.h>)", "#include <mpi-ext.h>", "#endif"]
    if target.target.abi == "mpich":
        # MPICH 3 and Intel MPI 2021.10 declare MPIX_Grequest_class_create and others outside of
        # extern "C"; around the headers that do not it does no harm.
        before = ["#include <stddef.h>", "#include <cstdint>", 'extern "C" {']
        after = ["}"]
    fint = "MPI_Fint" if target.has_type("MPI_Fint") else "int"  # the ABI leaves it to Fortran
    large = "true" if target.has_function("MPI_Send_c") else "false"
    return {"before": before, "after": after, "fint": fint, "large": large}
