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
from mpiglot.blueprints.catalogue.why import Trace
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
    trace: Trace | None = None,
) -> None:
    """Fills in everything the rules can tell about `function`.

    `known_handles` are the handle types of the installation, `callback_types` its function
    typedefs (asked of the C parser, never guessed from a name), `function_names` all functions
    beside it, among which a large-count twin is looked for. `trace` learns which rule gave which
    fact.
    """
    name = stem(function.name)
    trace = trace or Trace()
    for parameter in function.parameters:
        _reset(parameter)
        _by_type(parameter, known_handles, callback_types)
        for fact in ("direction", "role", "callback"):
            trace.note(parameter, fact, f"its C type, {parameter.type}")
    _apply(function, name, "rules.PARAMETERS", rules.PARAMETERS, trace)
    for parameter in function.parameters:
        parameter.group = _group(function, parameter, trace)
    _states(function, trace)
    _classify(function, name, trace)
    _apply(function, name, "structure.LENGTHS", structure.LENGTHS, trace)
    _apply(function, name, "meanings.VALUES", meanings.VALUES, trace)
    _apply(function, name, "meanings.SENTINELS", meanings.SENTINELS, trace)
    _blocks(function, name, trace)
    _kept(function, trace)
    for parameter in function.parameters:
        parameter.nullable = bool(set(parameter.sentinels) - meanings.NOT_NULL)
        trace.note(parameter, "nullable", "one of its sentinels means nothing")
    _twins(function, function_names, trace)


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


def _apply(
    function: Function, name: str, title: str, table: tuple[Rule, ...], trace: Trace
) -> None:
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
                trace.note(parameter, key, f"{title}: {rule}")


def _first_sibling(function: Function, p: Parameter, names: tuple[str, ...]) -> str | None:
    present = {q.name for q in function.parameters if q is not p}
    for name in names:
        if name in present:
            return name
    return None


def _group(function: Function, p: Parameter, trace: Trace) -> Group | None:
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
        trace.note(p, "group", f"structure.GROUPS: parameter /{buffers}/")
        return Group(count=count, datatype=datatype, displacements=displs)
    return None


def _states(function: Function, trace: Trace) -> None:
    state = next((p.name for p in function.parameters if p.role == "state"), None)
    for p in function.parameters:
        if p.callback is not None:
            p.callback.state = state
            if state is not None:
                trace.add(p, "callback", f"its state is the parameter of role state, {state}")


def _classify(function: Function, name: str, trace: Trace) -> None:
    collective = _first(structure.COLLECTIVE, name)
    function.collective = collective is not None
    trace.note(None, "collective", f"structure.COLLECTIVE: function /{collective}/")
    function.family, by = _family(function, name, collective)
    trace.note(None, "family", by)
    if function.name.startswith("MPI_"):
        row = next(((p, c) for p, c in structure.CHAPTERS if matches(p, name)), ("", ""))
        function.chapter = row[1]
        trace.note(None, "chapter", f"structure.CHAPTERS: function /{row[0]}/")
    if not function.chapter:
        function.chapter = "extensions"
        trace.note(None, "chapter", "its name, which is not the standard's")


def _first(patterns: tuple[str, ...], name: str) -> str | None:
    return next((p for p in patterns if matches(p, name)), None)


def _family(function: Function, name: str, collective: str | None) -> tuple[str, str]:
    """The family of a function, and what gives it."""
    request = next(
        (p.name for p in function.parameters if p.role == "request" and p.direction == "out"), None
    )
    if name.endswith("_init") and request is not None:
        return "persistent", f"its name ends in _init, and {request} is a new request"
    if (pattern := _first(structure.NONBLOCKING, name)) is not None:
        return "nonblocking", f"structure.NONBLOCKING: function /{pattern}/"
    if request is not None and _first(structure.LOCAL_REQUESTS, name) is None:
        return "nonblocking", f"{request} is a new request"
    if collective is not None:
        return "blocking", "it is collective and gives no request"
    if (pattern := _first(structure.BLOCKING, name)) is not None:
        return "blocking", f"structure.BLOCKING: function /{pattern}/"
    return "local", "no rule of structure.py gives it another family"


def _blocks(function: Function, name: str, trace: Trace) -> None:
    for pattern, buffer, blocks in structure.BLOCKS:
        if matches(pattern, name):
            for p in function.parameters:
                if p.group is not None and matches(buffer, p.name):
                    p.group.blocks = blocks
                    by = f"function /{pattern}/, parameter /{buffer}/"
                    trace.add(p, "group", f"blocks by structure.BLOCKS: {by}")


def _kept(function: Function, trace: Trace) -> None:
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
            by = f"a pointer of role {p.role} in a {function.family} function"
            trace.note(p, "kept", f"structure.KEPT_ROLES: {by}")
        for pattern, names in structure.KEPT_OTHERWISE:
            if matches(pattern, name) and matches(names, p.name):
                p.kept = True
                by = f"function /{pattern}/, parameter /{names}/"
                trace.note(p, "kept", f"structure.KEPT_OTHERWISE: {by}")


def _twins(function: Function, names: Collection[str], trace: Trace) -> None:
    name = function.name
    if name + "_c" in names:
        function.large_count = name + "_c"
        trace.note(None, "large_count", f"there is {name}_c")
    if name.endswith("_c") and name[:-2] in names:
        function.small_count = name[:-2]
        trace.note(None, "small_count", f"there is {name[:-2]}")
