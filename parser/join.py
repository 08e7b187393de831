"""Joining a blueprint with the catalogue: what the standard says of each function and constant.

Functions are joined by name and their parameters by position, since headers call them differently.
Functions that the catalogue does not know get the same facts from its rules, marked "inferred".
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.catalogue import engine
from mpiglot.blueprints.model import (
    Blueprint,
    CallbackType,
    Catalogue,
    Constant,
    Function,
    Omission,
    Parameter,
    ValueSet,
)
from mpiglot.parser.assemble import Lists

# Of C, in lower case: what `Char` or `_Bool` may not become.
_WORDS = """
auto bool break case char const continue default do double else enum extern float for goto if
inline int long register restrict return short signed sizeof static struct switch typedef union
unsigned void volatile while
"""
_KEYWORDS = frozenset(_WORDS.split())
_FACTS = (
    "chapter",
    "family",
    "collective",
    "since",
    "deprecated",
    "removed",
    "before_init",
    "brief",
    "doc",
    "large_count",
    "small_count",
)


def refresh(blueprint: Blueprint) -> None:
    """Joins a blueprint anew, in place: what was measured stays, the catalogue may have changed."""
    parameters = [f.parameters for f in blueprint.functions]
    for p in chain(*parameters, *(c.parameters for c in blueprint.callbacks)):
        p.name = p.c_name or p.name
    lists = Lists(
        blueprint.types,
        blueprint.constants,
        blueprint.functions,
        blueprint.callbacks,
        blueprint.omitted,
    )
    join(lists)
    blueprint.functions, blueprint.omitted = lists.functions, lists.omitted


def join(lists: Lists) -> None:
    """Fills in what the catalogue knows, in place."""
    known = catalogue.load()
    functions = _functions(known)
    handles = {t.name for t in lists.types if t.handle} | {h.name for h in known.handles}
    callbacks = {c.name for c in lists.callbacks}
    names = {f.name for f in lists.functions if f.macro != "trap"}
    aliases = {c.name: c.type for c in lists.constants if c.cls == "type"}
    for f in lists.functions:
        standard = functions.get(f.name)
        if standard is not None and _fits(f, standard):
            _take(f, standard)
            _restore_aliases(f, standard, aliases)
        else:
            _infer(f, handles, callbacks, names)
        f.large_count = f.large_count if f.large_count in names else None
        f.small_count = f.small_count if f.small_count in names else None
    _omit_typeless(lists)
    _callbacks(lists.callbacks, {c.name: c for c in known.callbacks}, handles)
    types = callbacks | {t.name for t in lists.types if t.kind in ("integer", "pointer")}
    _constants(lists.constants, {c.name: c for c in known.constants}, known.value_sets, types)
    handle_types = {h.name for h in known.handles}
    for t in lists.types:
        t.handle |= t.name in handle_types and t.kind in ("integer", "pointer")


@lru_cache(maxsize=1)
def _by_name(standard: str) -> dict[str, Function]:
    return {f.name: f for f in catalogue.load().functions}


def _functions(known: Catalogue) -> dict[str, Function]:
    return _by_name(known.standard)


def _fits(found: Function, standard: Function) -> bool:
    """Whether the header's function can be the standard's; a macro for "any arguments" can."""
    if found.status == "macro" and not found.parameters:
        return True
    return len(found.parameters) == len(standard.parameters)


def _take(found: Function, standard: Function) -> None:
    found.source = "catalogue"
    for fact in _FACTS:
        setattr(found, fact, getattr(standard, fact))
    if found.status == "macro":
        _take_prototype(found, standard)
        return
    for p, q in zip(found.parameters, standard.parameters, strict=True):
        _take_parameter(p, q)


def _restore_aliases(found: Function, standard: Function, aliases: dict[str, str]) -> None:
    """A type that is a macro (`MPI_Fint` on Open MPI) is gone after preprocessing: put it back."""
    found.returns = _restored(found.returns, standard.returns, aliases)
    for p, q in zip(found.parameters, standard.parameters, strict=True):
        p.type = _restored(p.type, q.type, aliases)


def _restored(found: str, standard: str, aliases: dict[str, str]) -> str:
    for name, meaning in aliases.items():
        if re.sub(rf"\b{name}\b", meaning, standard) == found:
            return standard
    return found


def _take_prototype(found: Function, standard: Function) -> None:
    """A macro has no types of its own: the standard's prototype is what it stands for."""
    names: list[str | None] = [p.name for p in found.parameters]
    names += [None] * (len(standard.parameters) - len(names))
    found.returns = standard.returns
    found.variadic = standard.variadic
    found.parameters = [
        replace(q, c_name=q.name if name is None else name)
        for q, name in zip(standard.parameters, names, strict=True)
    ]


def _take_parameter(found: Parameter, standard: Parameter) -> None:
    """Canonical name and meaning; the type stays the header's."""
    c_name = "" if found.c_name == "" else found.name
    for fact in Parameter.__dataclass_fields__:
        if fact not in ("type", "c_name"):
            setattr(found, fact, getattr(standard, fact))
    found.c_name = c_name


def _keep_names(parameters: list[Parameter]) -> None:
    """What the catalogue does not know is called as the header calls it, in lower case.

    Names that some language would take for one get a number.
    """
    taken: set[str] = set()
    for p in parameters:
        p.c_name = p.name if p.c_name is None else p.c_name
        plain = p.name.lstrip("_").lower() or ("argument" if p.name else "")
        plain += "_value" if plain in _KEYWORDS else ""
        name, number = plain, 1
        while name.replace("_", "") in taken:
            number += 1
            name = f"{plain}_{number}"
        if name:
            taken.add(name.replace("_", ""))
        p.name = name


def _infer(f: Function, handles: set[str], callbacks: set[str], names: set[str]) -> None:
    f.source = "inferred"
    _keep_names(f.parameters)
    engine.annotate(f, handles, callbacks, names)
    if not f.chapter:
        f.chapter = "extensions"


def _omit_typeless(lists: Lists) -> None:
    """A function-like macro that the catalogue does not know has no types to generate from."""
    reason = "function-like macro outside the standard: its parameters have no types"
    unknown = {
        f.name
        for f in lists.functions
        if f.status == "macro" and f.macro != "alias" and f.source == "inferred"
    }
    lists.functions = [f for f in lists.functions if f.name not in unknown]
    lists.omitted += [Omission(name, reason) for name in sorted(unknown)]
    lists.omitted.sort(key=lambda o: o.name)


def _callbacks(
    found: list[CallbackType], known: dict[str, CallbackType], handles: set[str]
) -> None:
    names = {c.name for c in found}
    for c in found:
        standard = known.get(c.name)
        if standard is None or len(standard.parameters) != len(c.parameters):
            _keep_names(c.parameters)
            if all(p.c_name != "" for p in c.parameters):  # without names there is no telling
                engine.annotate(Function(c.name, c.returns, c.parameters), handles, names)
            continue
        c.deprecated, c.since, c.removed = standard.deprecated, standard.since, standard.removed
        for p, q in zip(c.parameters, standard.parameters, strict=True):
            _take_parameter(p, q)


def _constants(
    found: list[Constant], known: dict[str, Constant], sets: list[ValueSet], types: set[str]
) -> None:
    for c in found:
        standard = known.get(c.name)
        if standard is None:
            c.sets = [s.name for s in sets if c.name in s.constants]
            continue
        c.abi_value, c.sets = standard.abi_value, list(standard.sets)
        c.since, c.deprecated, c.removed = standard.since, standard.deprecated, standard.removed
        c.purpose = standard.purpose
        if c.cls == "sentinel" and standard.cls in ("function", "handle"):
            c.cls = standard.cls
        elif c.cls == "integer" and standard.cls == "handle":
            c.cls = "handle"  # an int without a name of its own, or without a null handle
        if c.cls == standard.cls and standard.type.rstrip(" *") in types and not _named(c.type):
            c.type = standard.type


def _named(type_: str) -> bool:
    """Whether a type is written with a name of MPI rather than with what lies behind it."""
    return re.match(r"(const )?MPIX?_\w+( \*)?$", type_) is not None
