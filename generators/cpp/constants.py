"""Handle types, enumerations and constants of the target, ready for the templates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mpiglot.blueprints.model import ValueSet
from mpiglot.generators.c_types import base_type, pointer
from mpiglot.generators.cpp.names import SCALARS, constant_name, identifier, owner_name
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.model import AtlasConstant, Plan


@dataclass(slots=True)
class CppHandle:
    """One handle type; `free` and `unique` of those that one function with one parameter frees."""

    name: str
    c_name: str
    present: bool
    null: str
    free: str = ""
    freed_here: bool = False  # the target has the function
    unique: str = ""

    @property
    def independent(self) -> bool:
        """Whether it may outlive MPI_Finalize."""
        return self.c_name == "MPI_Session"


def handles(target: CppTarget, plan: Plan) -> Iterator[CppHandle]:
    """All handle types."""
    alone = {
        f.name
        for f in plan.functions
        if len(f.slots) == 1 and f.slots[0].fold == "reference" and f.decision == "generate"
    }
    for c_name, name in sorted(target.handles.items()):
        handle = CppHandle(name, c_name, target.has_type(c_name), target.null(c_name))
        data = target.handle_data.get(c_name)
        if data and data.free in alone:
            handle.free = data.free
            handle.freed_here = target.status.get(data.free) == "links"
            if handle.freed_here or not handle.present:  # a missing type keeps both its names
                handle.unique = owner_name(c_name)
        yield handle


@dataclass(slots=True)
class CppConstant:
    """One constant: an enumerator, a number, or an object that becomes the C constant."""

    name: str
    c_name: str
    form: str = "number"  # of objects: "handle", "number", "address", "function", "array"
    type: str = "int"  # what an object becomes; empty: the type that C has
    native: str = ""  # of handles: C's type
    same_as: str = ""  # of handles: the null handle, if it is that here
    values: list[int] = field(default_factory=list)  # by library, where libraries differ
    untyped: bool = False  # of arrays: C has a void *


@dataclass(slots=True)
class CppEnum:
    """One value set as an enumeration."""

    name: str
    set: ValueSet
    constants: list[CppConstant]

    @property
    def disputed(self) -> list[CppConstant]:
        """The enumerators whose values depend on the library."""
        return [c for c in self.constants if c.values]


@dataclass(slots=True)
class Constants:
    """Everything `constants.hpp` holds; objects in groups of one kind, by title."""

    enums: list[CppEnum]
    integers: list[CppConstant] = field(default_factory=list)
    objects: dict[str, list[CppConstant]] = field(default_factory=dict)
    sentinels: dict[str, list[CppConstant]] = field(default_factory=dict)  # for whole arrays
    warnings: list[str] = field(default_factory=list)


def constants(target: CppTarget, plan: Plan) -> Constants:
    """All constants of the target."""
    used = {identifier(x.name) for f in plan.functions for x in f.arguments}
    used |= {identifier(x.name) for f in plan.functions for x in f.results}
    out = Constants([_enumeration(target, s) for s in target.enums.values()])
    for c_name, (constant, value) in sorted(target.constants.items()):
        open_too = any(s not in target.enums for s in constant.sets)
        if value.constant_expression and not open_too and _is_enumerator(target, c_name):
            continue
        name = constant_name(c_name, constant.type)
        name = target.scope.add(name + "_" if name in used else name)
        if constant.cls == "type":
            continue  # another spelling of a C type
        made = _object(target, constant, name)
        if constant.cls in ("integer", "string") and value.constant_expression and not made.values:
            made.type = "auto" if constant.cls == "string" else made.type
            out.integers.append(made)
        elif not _has_type(target, constant) and constant.cls in ("handle", "sentinel", "function"):
            out.warnings.append(f"{c_name}: a constant of class {constant.cls} has no C++ form")
        else:
            where = out.sentinels if made.form == "array" else out.objects
            where.setdefault(_title(target, constant), []).append(made)
    out.objects = dict(sorted(out.objects.items()))
    return out


def _enumeration(target: CppTarget, values: ValueSet) -> CppEnum:
    names = target.enumerators[values.name]
    known = [c for c in values.constants if target.is_constant_expression(c)]
    disputed = target.disputed.values
    enumerators = [CppConstant(names[c], c, values=disputed.get(c, [])) for c in known]
    return CppEnum(identifier(values.name), values, enumerators)


def _is_enumerator(target: CppTarget, c_name: str) -> bool:
    """Whether nothing but an enumeration needs a constant."""
    closed = (s for s in target.enums.values() if s.kind in ("closed", "flags"))
    return any(c_name in s.constants for s in closed)


def _title(target: CppTarget, constant: AtlasConstant) -> str:
    if constant.type in target.handles:
        return f"Predefined handles: {constant.type}."
    return "Predefined callbacks." if constant.cls == "function" else "Sentinels."


def _has_type(target: CppTarget, constant: AtlasConstant) -> bool:
    base = base_type(constant.type)
    return target.has_type(constant.type) and bool(target.callback_name(base) or base == "")


def _object(target: CppTarget, constant: AtlasConstant, name: str) -> CppConstant:
    c_type, element = constant.type, base_type(constant.type)
    made = CppConstant(name, constant.name, values=target.disputed.values.get(constant.name, []))
    if constant.cls == "handle" and c_type in target.handles:
        made.form, made.type, made.native = "handle", target.handles[c_type], c_type
        made.same_as = target.is_null(constant)
    elif constant.cls == "integer":
        made.type = SCALARS.get(c_type, pointer(c_type) or "int")
    elif element in target.callbacks:
        made.form = "function"
        made.type = pointer(c_type.replace(element, target.callback_name(element)))
    elif constant.cls == "sentinel" and c_type.count("*") == 1 and element in SCALARS:
        made.form, made.type = "array", SCALARS[element]
        made.untyped = target.constants[constant.name][1].type == "void *"
    else:
        made.form, made.type = "address", ""
    return made
