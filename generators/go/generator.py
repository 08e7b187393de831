"""The Go generator: one module that calls any MPI library, found and loaded at run time.

The module has a C half and a Go half. In C, each MPI function becomes one small function that
takes 64-bit words, calls through a pointer and returns words; it is compiled once per *profile*,
that is, per way in which libraries represent their handles. In Go, each becomes a function with
results. What differs from library to library stands in tables. The files of the same package that
are written by hand lie in go_runtime/low.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mpiglot.blueprints import families
from mpiglot.blueprints.model import Parameter
from mpiglot.generators import holders
from mpiglot.generators.atlas import named_attributes
from mpiglot.generators.c_types import base_type
from mpiglot.generators.go import c as go_c
from mpiglot.generators.go import call as go_call
from mpiglot.generators.go import callbacks as go_callbacks
from mpiglot.generators.go import checks as go_checks
from mpiglot.generators.go import docs as go_docs
from mpiglot.generators.go import names as go_names
from mpiglot.generators.go import tables as go_tables
from mpiglot.generators.go.c import Inexpressible
from mpiglot.generators.handwritten import by_hand
from mpiglot.generators.jinja import render
from mpiglot.generators.layout import wrapped, wrapped_go
from mpiglot.generators.model import Atlas, File, PlannedFunction, Request, Response

_WIDTH = 120  # columns
_NEAR = 128  # as many values have a table of their own in values.go


@dataclass(frozen=True, slots=True)
class Macro:
    """What stands for a function that some library only has as a macro."""

    value: str  # C expression, on words
    when: str = ""  # where it stands for the function; anywhere if empty
    check: str = ""  # what must hold


@dataclass(slots=True)
class Pair:
    """Both halves of one function."""

    planned: PlannedFunction
    c: go_checks.CFunction
    go: go_call.GoFunction
    macro: Macro | None = None  # what is computed where the function is only a macro


@dataclass(slots=True)
class Chapter:
    name: str
    pairs: list[Pair] = field(default_factory=list)


def generate(request: Request) -> Response:
    """The whole module, for every library of the atlas."""
    atlas, plan = request.atlas, request.plan
    response = Response()
    handwritten = [File(*f) for f in by_hand("go_runtime/low", ".c", ".go", ".h", ".mod")]
    written_by_hand = _functions_of(handwritten)
    handles = {t.name: go_names.exported(t.name) for t in atlas.types if t.handle}
    integers = _integer_types(atlas)
    many = go_callbacks.used(plan.functions)
    tables = go_tables.build(atlas, handles, many)
    response.warnings += tables.warnings
    callbacks = _callbacks(atlas, many, handles, integers, tables, response)
    closed = frozenset(s.name for s in atlas.value_sets if s.kind != "open")
    attributes = _attributes(atlas, tables)
    names = go_call.Names(
        handles=handles,
        closed=closed,
        near=_near(atlas, tables),
        free={h.name: h.free for h in atlas.handles if h.free},
        callbacks={c.c_name: c.name for c in callbacks},
        stateless=frozenset(c.c_name for c in callbacks if c.stateless),
        always=frozenset(c.c_name for c in callbacks if c.use.last or c.deletes),
        capacities=tables.capacities,
        few=go_docs.few(atlas),
        keys=frozenset(attributes),
        holders=holders.find(plan.functions, atlas),
    )
    chapters: dict[str, Chapter] = {}
    macros = _macros(atlas)
    for f in plan.functions:
        if f.decision != "generate":
            continue
        try:
            c = go_c.lower(f, handles, integers)
            pair = Pair(f, c, go_call.lower(f, names), macros.get(f.name))
        except (Inexpressible, KeyError) as problem:
            response.warnings.append(f"{f.name}: {_sentence(problem)}")
            continue
        chapters.setdefault(f.chapter, Chapter(f.chapter)).pairs.append(pair)
    values: dict[str, Any] = {
        "chapters": [chapters[name] for name in sorted(chapters)],
        "tables": tables,
        "callbacks": callbacks,
        "slots": go_callbacks.SLOTS,
        "handles": sorted(handles.items()),
        "sets": _sets(atlas, tables, closed),
        "attributes": {go_names.attributes(keys): a for keys, a in attributes.items()},
        "numbered": _numbered(atlas, chapters),
        "copies": _copies(atlas, callbacks),
        "written_by_hand": written_by_hand,
        "quoted": _quoted,
        "names": names,
        "exported": go_names.exported,
        "variable": go_names.variable,
        "namer": go_names.attributes,
        "families": families.load(),
    }
    _rename_collisions(values, chapters, tables, response)
    response.files = handwritten + _files(values)
    return response


def _sentence(problem: Exception) -> str:
    known = not isinstance(problem, KeyError)
    return str(problem) if known else f"{problem.args[0]} has no form in Go"


# --------------------------------------------------------------------------- files


def _files(values: dict[str, Any]) -> list[File]:
    out: list[File] = []
    for chapter in values["chapters"]:
        shown = {**values, "chapter": chapter}
        out.append(_file(f"{chapter.name}.go", "chapter.go", shown))
        out.append(_file(f"calls_{chapter.name}.h", "calls.h", shown))
        out.append(_file(f"body_{chapter.name}.h", "body.h", shown))
    for profile in values["tables"].profiles:
        out.append(_file(f"profile{profile.number}.c", "profile.c", {**values, "profile": profile}))
    for name in ("names.c", "constants.h", "profiles.h", "callbacks.h"):
        out.append(_file(name, name, values))
    for name in ("callbacks", "constants", "handles", "tables", "sets"):
        out.append(_file(f"{name}.go", f"{name}.go", values))
    return out


def _file(path: str, template: str, values: Mapping[str, Any]) -> File:
    """A file of the module, its long lines broken."""
    text = render(f"go/{template}.jinja", values)
    return File(path, (wrapped_go if path.endswith(".go") else wrapped)(text, _WIDTH))


def _functions_of(files: Sequence[File]) -> set[str]:
    """What is written by hand already; the generated files leave that out."""
    defined: set[str] = set()
    for file in files:
        if file.path.endswith(".go"):
            defined.update(re.findall(r"^func ([A-Z]\w*)", file.content, re.MULTILINE))
    return defined


def _quoted(text: str) -> str:
    """A Go string literal."""
    return json.dumps(text)


# --------------------------------------------------------------------------- what the atlas says


def _integer_types(atlas: Atlas) -> set[str]:
    """C types that are passed like an int: enumerations and typedefs of int."""
    return {
        t.name
        for t in atlas.types
        if not t.handle
        and t.representations
        and all(r.kind in ("integer", "enum") and r.size == 4 for r in t.representations)
    }


def _macros(atlas: Atlas) -> dict[str, Macro]:
    """Functions that some library only has as a macro."""
    out: dict[str, Macro] = {}
    for entry in atlas.functions:
        f = entry.function
        for presence in entry.present:
            if presence.macro == "cast" and len(f.parameters) == 1:
                out[f.name] = _cast(f.parameters[0], f.returns)
            elif presence.macro == "arithmetic" and len(f.parameters) == 2:
                sign = "-" if "-" in (presence.expansion or "") else "+"
                a, b = (p.name for p in f.parameters)
                out[f.name] = Macro(f"{a} {sign} {b}")
    return out


def _cast(given: Parameter, returned: str) -> Macro:
    """A handle as the number that it is, where it is one, or the other way round."""
    if given.type == "MPI_Fint":
        when = f"sizeof({returned}) == sizeof(MPI_Fint)"
        return Macro(f"(int64_t)(uint32_t){given.name}", when, f"mpg_fits({given.name})")
    return Macro(f"(int64_t)(MPI_Fint){given.name}", f"sizeof({given.type}) == sizeof(MPI_Fint)")


def _callbacks(
    atlas: Atlas,
    many: Mapping[str, int],
    handles: dict[str, str],
    integers: set[str],
    tables: go_tables.Tables,
    response: Response,
) -> list[go_callbacks.Callback]:
    known = {c.name: c for c in atlas.callbacks}
    nulls = {s.name for s in tables.specials}
    out: list[go_callbacks.Callback] = []
    for name in sorted(many):
        if name not in known:
            response.warnings.append(f"{name}: the parameters of this callback are not known")
            continue
        null = go_tables.null_function(name) in nulls
        try:
            out.append(go_callbacks.lower(known[name], many[name], handles, integers, null))
        except Inexpressible as problem:
            response.warnings.append(f"{name}: {problem}")
    return out


def _numbered(atlas: Atlas, chapters: Mapping[str, Chapter]) -> list[dict[str, Any]]:
    """Handle types that have a number for Fortran, and the functions that tell it: newest first."""
    there = {p.planned.name: p.go.name for c in chapters.values() for p in c.pairs}
    out: list[dict[str, Any]] = []
    for h in sorted(atlas.handles, key=lambda h: h.name):
        to = [there[n] for n in (h.toint, h.c2f) if n in there]
        of = [there[n] for n in (h.fromint, h.f2c) if n in there]
        if to and of:
            out.append({"c_name": h.name, "name": go_names.exported(h.name), "to": to, "of": of})
    return out


def _copies(atlas: Atlas, callbacks: Sequence[go_callbacks.Callback]) -> list[dict[str, Any]]:
    """Predefined functions that copy an attribute as it is: in Go they are functions like any."""
    known = {c.c_name: c for c in callbacks if c.copies}
    return [
        {"c_name": c.name, "name": go_names.exported(c.name), "type": known[base_type(c.type)]}
        for c in atlas.constants
        if c.cls == "function" and c.abi_value != 0 and base_type(c.type) in known
    ]


def _near(atlas: Atlas, tables: go_tables.Tables) -> frozenset[str]:
    """Value sets that are translated by a short table alone, which refuses what is below zero and
    means something to a library only."""
    values = {c.name: c.abi_value for c in atlas.constants}
    natives = {c.c_name: [x.value for x in c.choices if x.value < 0] for c in tables.integers}
    out: set[str] = set()
    for s in atlas.value_sets:
        known = [v for v in (values.get(n) for n in s.constants) if isinstance(v, int)]
        natives_too = [*known, *(v for n in s.constants for v in natives.get(n, []))]
        side_by_side = known and max(known) <= 0 and max(natives_too) - min(natives_too) < _NEAR
        if s.kind == "open" and side_by_side:
            out.add(s.name)
    return frozenset(out)


def _sets(atlas: Atlas, tables: go_tables.Tables, closed: frozenset[str]) -> list[dict[str, Any]]:
    position = {c.c_name: i for i, c in enumerate(tables.integers)}
    members = {
        s.name: [*s.constants, *(c.c_name for c in tables.integers if s.name in c.sets)]
        for s in atlas.value_sets
    }
    return [
        {
            "variable": go_names.variable(s.name),
            "type": go_names.type_name(s.name) if s.name in closed else "",
            "kind": s.kind,
            "doc": s.doc,
            "constants": [n for n in s.constants if n in position],
            "positions": [position[n] for n in dict.fromkeys(members[s.name]) if n in position],
        }
        for s in sorted(atlas.value_sets, key=lambda s: s.name)
    ]


def _attributes(atlas: Atlas, tables: go_tables.Tables) -> dict[str, list[dict[str, Any]]]:
    """Predefined attributes that are integers with names, by the set that their keys are of."""
    keys = {c.c_name: c for c in tables.integers}
    return {
        of: [{"key": keys[a.key], "set": go_names.variable(str(a.values))} for a in named]
        for of, named in named_attributes(atlas).items()
    }


def _rename_collisions(
    values: dict[str, Any],
    chapters: Mapping[str, Chapter],
    tables: go_tables.Tables,
    response: Response,
) -> None:
    """Functions keep their names, then types, then constants: a later one gets a suffix."""
    taken = {p.go.name for c in chapters.values() for p in c.pairs} | values["written_by_hand"]
    taken |= {name for _, name in values["handles"]} | {c.name for c in values["callbacks"]}
    taken |= {"Buffer", "Status", "Error", "Class", "Options", "Bottom", "InPlace"}
    taken |= {"BufferAutomatic", "ErrUnavailable", "ErrNotRunning", "ErrNotLoaded", "ErrRange"}
    for s in values["sets"]:
        if s["type"] and s["type"] in taken:
            raise ValueError(f"the value set {s['type']} has the name of something else")
        taken.add(s["type"])
    for c in [*tables.handles, *tables.integers]:
        if c.name in taken:
            response.warnings.append(f"{c.c_name}: called {c.name}Constant, {c.name} is taken")
            c.name += "Constant"
        taken.add(c.name)
