"""The PMPI library for one MPI: every `MPI_X` in C, entering the C++ layer, which calls `PMPI_X`.

The plan's way up. Preloaded, the library turns any MPI program into a test of the C++ layer: each
wrapper makes friendly arguments of C's (`pmpi_up`), calls the throwing function of the same name,
and writes what comes back, or the exception's code, to where C wants it. What the friendly form
cannot express goes straight to PMPI, and both ways are counted.

The C++ layer comes with the files, so that one folder is all a build needs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from mpiglot.blueprints.catalogue import uses
from mpiglot.generators.cpp import generator as cpp
from mpiglot.generators.cpp.target import CppTarget, look_up
from mpiglot.generators.jinja import render
from mpiglot.generators.model import AtlasFunction, File, PlannedFunction, Request, Response
from mpiglot.generators.pmpi.up import Callable, Wrapper, WrapperWriter, callables


def generate(request: Request) -> Response:
    """The sources of the library for `request.target`, and the C++ layer they enter."""
    layer = cpp.generate(request)
    target = look_up(request.atlas, request.plan, request.target)
    inexpressible = dict(w.split(": ", 1) for w in layer.warnings if w.startswith("MPI"))
    wrappers = list(_wrappers(request, target, inexpressible))
    known = uses.load()
    for number, wrapper in enumerate(wrappers):
        wrapper.number = number
        wrapper.begins = wrapper.name in known.starts
        wrapper.ends = wrapper.name in known.ends
    called = callables(target, request.plan)
    files = [*layer.files, *_files(target, wrappers, called)]
    return Response(sorted(files, key=lambda f: f.path), layer.warnings)


def _wrappers(
    request: Request, target: CppTarget, inexpressible: dict[str, str]
) -> Iterator[Wrapper]:
    """One wrapper for each function that the target's library has."""
    writer = WrapperWriter(target)
    planned = _planned(request, target)
    for entry in sorted(request.atlas.functions, key=lambda e: e.function.name):
        name = entry.function.name
        if target.status.get(name) != "links" or name.startswith("PMPI_"):
            continue
        if name in target.twinless:
            continue  # the layer calls it by its own name, and nobody can stand between
        plan = planned.get(name)
        why = _why_not(plan, inexpressible, entry) or _stateless(plan, target)
        if plan is None or why:
            yield writer.direct(entry, why)
        else:
            yield writer.routed(entry, plan)


def _planned(request: Request, target: CppTarget) -> dict[str, PlannedFunction]:
    """C function -> the plan by which the C++ layer calls it on this target."""
    out: dict[str, PlannedFunction] = {}
    for plan in request.plan.functions:
        out.setdefault(plan.name, plan)
        if plan.large:
            out[plan.large] = plan
    for plan in request.plan.functions:
        provider = target.provider(plan) if plan.decision == "generate" else None
        if provider and provider != plan.name:
            out[provider] = plan
    return out


def _why_not(
    plan: PlannedFunction | None, inexpressible: dict[str, str], entry: AtlasFunction
) -> str:
    if plan is None:
        return "not planned"
    if plan.decision != "generate":
        return plan.reason
    return inexpressible.get(entry.function.name, inexpressible.get(plan.name, ""))


def _stateless(plan: PlannedFunction | None, target: CppTarget) -> str:
    """A callback that is told to have a state, of a type in which nobody has found it."""
    for a in plan.arguments if plan else ():
        if a.kind != "callback" or not a.state:
            continue
        callback = target.callbacks.get(a.type)
        if callback is None or not any(p.role == "state" for p in callback.parameters):
            return f"it is not known which argument of {a.type} is the state"
    return ""


def _files(target: CppTarget, wrappers: list[Wrapper], called: list[Callable]) -> Iterator[File]:
    chapters: dict[str, list[Wrapper]] = {}
    for wrapper in wrappers:
        chapters.setdefault(wrapper.chapter, []).append(wrapper)
    common = {"title": target.title(), "target": target.target.name, "wrappers": wrappers}
    yield File("pmpi/support.hpp", render("pmpi/support.hpp.jinja", common))
    yield File("pmpi/callables.hpp", render("pmpi/callables.hpp.jinja", {"callables": called}))
    yield File("pmpi/report.hpp", render("pmpi/report.hpp.jinja", common))
    yield File("pmpi/report.cpp", render("pmpi/report.cpp.jinja", common))
    yield File("pmpi/around.cpp", render("pmpi/around.cpp.jinja", common))
    yield File("pmpi/build", render("pmpi/build.jinja", common))
    yield File("pmpi/exports.map", render("pmpi/exports.map.jinja", common))
    for chapter, members in sorted(chapters.items()):
        values = {"chapter": chapter, "wrappers": members}
        yield File(f"pmpi/{chapter}.cpp", render("pmpi/chapter.cpp.jinja", values))
    yield File("pmpi/functions.json", _listing(target, wrappers))


def _listing(target: CppTarget, wrappers: list[Wrapper]) -> str:
    """What the report's reader wants to know: which wrapper serves which function, or why none."""
    functions = {
        w.name: {"wrapper": f"mpi::{w.friendly}"} if w.friendly else {"none": w.why}
        for w in wrappers
    }
    functions |= {name: {"none": "it has no PMPI twin"} for name in target.twinless}
    data = {"mpi": target.target.name, "functions": functions}
    return json.dumps(data, indent=1, sort_keys=True) + "\n"
