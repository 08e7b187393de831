"""Applies the tables of `rules` to one function: what each parameter means, from type and name.

The catalogue is built with it, and the probe uses it for functions the catalogue does not know
(`MPIX_...`, vendors'). Types are asked first, then parameter names, then the function's name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from mpiglot.blueprints.catalogue import meanings, rules, structure
from mpiglot.blueprints.catalogue.tables import Rule, matches
from mpiglot.blueprints.catalogue.vocabulary import HANDLE_ROLES, OTHER_TYPES
from mpiglot.blueprints.model import Callback, Function, Group, Parameter


@dataclass(frozen=True, slots=True)
class CType:
    """A parameter's type taken apart."""

    base: str  # "int", "MPI_Comm", "void", "char"
    const: bool
    depth: int  # stars and brackets together
    array: bool  # written with brackets


@lru_cache(maxsize=4096)
def c_type(text: str) -> CType:
    words = re.findall(r"[A-Za-z_]\w*", re.sub(r"\[[^\]]*\]", "", text))
    names = [w for w in words if w not in ("const", "restrict", "volatile", "struct", "enum")]
    base = " ".join(names)
    const = bool(re.match(r"\s*const\b|[\w\s]+\bconst\b", text))
    return CType(base, const, text.count("*") + text.count("["), "[" in text)


_PREFIX = re.compile(r"^P?(MPI|MPIX|[A-Z]{2,8})_(?=[A-Za-z])")


def stem(name: str) -> str:
    """What the rules call a function: without prefix and `_c`, in lower case."""
    text = _PREFIX.sub("", name)
    return re.sub(r"_c$", "", text).lower()


def annotate(
    function: Function,
    known_handles: Collection[str] = (),
    callback_types: Collection[str] = (),
    function_names: Collection[str] = (),
) -> None:
    """Fills in everything the rules can tell about `function`.

    `known_handles` are the handle types of the installation, `callback_types` its function
    typedefs (asked of the C parser, never guessed from a name), `function_names` all functions
    beside it, among which a large-count twin is looked for.
    """
    name = stem(function.name)
    for parameter in function.parameters:
        _reset(parameter)
        _by_type(parameter, known_handles, callback_types)
    _apply(function, name, rules.PARAMETERS)
    for parameter in function.parameters:
        parameter.group = _group(function, parameter)
    _states(function)
    _classify(function, name)
    _apply(function, name, structure.LENGTHS)
    _apply(function, name, meanings.VALUES)
    _apply(function, name, meanings.SENTINELS)
    _blocks(function, name)
    _kept(function)
    for parameter in function.parameters:
        parameter.nullable = bool(set(parameter.sentinels) - meanings.NOT_NULL)
    _twins(function, function_names)


def _reset(p: Parameter) -> None:
    p.direction, p.role, p.length, p.group, p.callback, p.values = "", "", None, None, None, None
    p.nullable = p.root_only = p.kept = p.indirect = False
    p.sentinels = []


def _by_type(p: Parameter, known_handles: Collection[str], callback_types: Collection[str]) -> None:
    t = c_type(p.type)
    if t.base in callback_types:
        p.direction, p.role, p.callback = "in", "callback", Callback(type=t.base)
        return
    pointer = t.depth > 0
    p.direction = "out" if pointer and not t.const else "in"
    if t.base in HANDLE_ROLES:
        p.role = HANDLE_ROLES[t.base]
    elif t.base in ("MPI_Status", "MPI_F08_status"):
        p.role = "status"
    elif t.base == "void":
        p.role = "buffer" if t.depth == 1 else "object"
    elif t.base == "char":
        p.role = "string" if t.depth == 1 else "argument_vector"
        if t.depth > 1:
            p.direction = "in"
    elif t.base == "MPI_Aint":
        p.role = "displacement"
    elif t.base == "MPI_Offset":
        p.role = "offset"
    elif t.base == "MPI_Count":
        p.role = "count"
    elif t.base == "MPI_Fint":
        p.role = "fortran_handle"
    elif t.base in known_handles or (
        t.base.startswith(("MPI_", "MPIX_")) and t.base not in OTHER_TYPES
    ):
        p.role = "handle"
    else:
        p.role = "number"


def _apply(function: Function, name: str, table: tuple[Rule, ...]) -> None:
    """Every rule that matches, in the table's order; what a later one says counts."""
    beside = [(p, f"{p.type} {p.name}") for p in function.parameters]
    for rule in table:
        if rule.function and not matches(rule.function, name):
            continue
        for parameter, _ in beside:
            if rule.parameter and not matches(rule.parameter, parameter.name):
                continue
            if rule.type and not matches(rule.type, parameter.type):
                continue
            if rule.not_last and parameter is function.parameters[-1]:
                continue
            if rule.beside and not any(
                matches(rule.beside, text) for p, text in beside if p is not parameter
            ):
                continue
            for key, value in rule.sets.items():
                if key == "length" and isinstance(value, tuple):
                    value = _first_sibling(function, parameter, value)
                    if value is None:
                        continue
                setattr(parameter, key, list(value) if isinstance(value, tuple) else value)


def _first_sibling(function: Function, p: Parameter, names: tuple[str, ...]) -> str | None:
    present = {q.name for q in function.parameters if q is not p}
    for name in names:
        if name in present:
            return name
    return None


def _group(function: Function, p: Parameter) -> Group | None:
    if p.role != "buffer" or p.indirect:
        return None
    by_name = {q.name: q for q in function.parameters}
    for buffers, counts, types, displacements in structure.GROUPS:
        if not matches(buffers, p.name):
            continue
        datatype = next((n for n in types if n in by_name), None)
        if datatype is None or by_name[datatype].role != "datatype":
            continue
        if c_type(by_name[datatype].type).depth and by_name[datatype].direction == "out":
            continue
        count = next((n for n in counts if n in by_name), None)
        if count is None and not any(n in by_name for n in structure.ONE_SIDED):
            continue
        displs = None
        if count and c_type(by_name[count].type).depth:
            displs = next((n for n in displacements if n in by_name), None)
        return Group(count=count, datatype=datatype, displacements=displs)
    return None


def _states(function: Function) -> None:
    state = next((p.name for p in function.parameters if p.role == "state"), None)
    for p in function.parameters:
        if p.callback is not None:
            p.callback.state = state


def _classify(function: Function, name: str) -> None:
    request = next(
        (p for p in function.parameters if p.role == "request" and p.direction == "out"), None
    )
    function.collective = any(matches(r, name) for r in structure.COLLECTIVE)
    if name.endswith("_init") and request is not None:
        function.family = "persistent"
    elif any(matches(r, name) for r in structure.NONBLOCKING) or (
        request is not None and not any(matches(r, name) for r in structure.LOCAL_REQUESTS)
    ):
        function.family = "nonblocking"
    elif function.collective or any(matches(r, name) for r in structure.BLOCKING):
        function.family = "blocking"
    else:
        function.family = "local"
    if function.name.startswith("MPI_"):
        function.chapter = next((c for r, c in structure.CHAPTERS if matches(r, name)), "")
    if not function.chapter:
        function.chapter = "extensions"


def _blocks(function: Function, name: str) -> None:
    for pattern, buffer, blocks in structure.BLOCKS:
        if matches(pattern, name):
            for p in function.parameters:
                if p.group is not None and matches(buffer, p.name):
                    p.group.blocks = blocks


def _kept(function: Function) -> None:
    """Memory that MPI still uses when the call has returned."""
    name = stem(function.name)
    if any(matches(r, name) for r in structure.NOT_KEPT):
        return
    pending = function.family in ("nonblocking", "persistent")
    for p in function.parameters:
        t = c_type(p.type)
        if t.depth == 0:
            continue
        if pending and p.role in structure.KEPT_ROLES:
            p.kept = True
        if any(matches(f, name) and matches(n, p.name) for f, n in structure.KEPT_OTHERWISE):
            p.kept = True


def _twins(function: Function, names: Collection[str]) -> None:
    name = function.name
    if name + "_c" in names:
        function.large_count = name + "_c"
    if name.endswith("_c") and name[:-2] in names:
        function.small_count = name[:-2]
