"""Handle types, enumerations, constants and callbacks of the target, ready for the templates."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field

from mpiglot.blueprints.model import CallbackType, Parameter
from mpiglot.generators.c_types import base_type
from mpiglot.generators.c_types import pointer as spelled
from mpiglot.generators.cpp.names import SCALARS, constant_name, identifier, owner_name
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.cpp.text import WIDTH, broken, comment, sentence
from mpiglot.generators.model import AtlasConstant, Plan

# --------------------------------------------------------------------------- handles


@dataclass(slots=True)
class CppHandle:
    """One handle type."""

    name: str
    c_name: str
    present: bool
    initial: str
    free: str = ""
    free_name: str = ""
    unique: str = ""
    independent: bool = False  # of MPI_Init and MPI_Finalize


def handles(target: CppTarget, plan: Plan) -> list[CppHandle]:
    """All handle types; owners for those that one function with one parameter frees."""
    alone = {
        f.name
        for f in plan.functions
        if len(f.slots) == 1 and f.slots[0].fold == "reference" and f.decision == "generate"
    }
    out = []
    for c_name, name in sorted(target.handles.items()):
        data = target.handle_data.get(c_name)
        null = target.null(c_name)
        handle = CppHandle(name, c_name, target.has_type(c_name), f" = {null}" if null else "{}")
        handle.independent = c_name == "MPI_Session"
        if data and data.free in alone:
            handle.free_name = data.free
            if target.status.get(data.free) == "links":
                handle.free = f"MPIGLOT_MPI({data.free})"
            if handle.free or not handle.present:  # a type that is missing keeps both its names
                handle.unique = owner_name(c_name)
        out.append(handle)
    return out


# --------------------------------------------------------------------------- constants


@dataclass(slots=True)
class CppConstant:
    """One constant: an enumerator, a number, or an object that becomes the C constant."""

    name: str
    c_name: str
    type: str = "int"
    value: str = ""
    array: bool = False  # stands in for a whole array

    def members(self) -> list[str]:
        """What makes the object the C constant, and a range without elements at that address."""
        out = [_member(f"operator {self.type}()", self.value)]
        if self.array:
            address = f"{self.type} {{}}()"
            out += [_member(address.format(name), self.value) for name in ("data", "begin", "end")]
            out.append(_member("std::size_t size()", "0"))
        return out


@dataclass(slots=True)
class CppEnum:
    """One value set as an enumeration."""

    name: str
    doc: str
    flags: bool
    constants: list[CppConstant]
    disputed: bool = False


@dataclass(slots=True)
class Group:
    """Constants of one kind under a common title."""

    title: str
    constants: list[CppConstant] = field(default_factory=list)


@dataclass(slots=True)
class Constants:
    """Everything `constants.hpp` holds."""

    enums: list[CppEnum]
    integers: list[CppConstant]
    objects: list[Group]
    sentinels: list[Group]  # those that stand in for a whole array
    warnings: list[str]


def constants(target: CppTarget, plan: Plan) -> Constants:
    """All constants of the target."""
    parameters = {identifier(a.name) for f in plan.functions for a in f.arguments}
    parameters |= {identifier(r.name) for f in plan.functions for r in f.results}
    enums = [
        CppEnum(
            identifier(s.name), sentence(s.doc) or f"{s.name}.", s.kind == "flags",
            [
                CppConstant(target.enumerators[s.name][c], c, value=_of_library(target, c))
                for c in s.constants
                if target.is_constant_expression(c)
            ],
        )
        for s in target.enums.values()
    ]  # fmt: skip
    for enum in enums:
        enum.disputed = any(c.value for c in enum.constants)
    closed = {
        c for s in target.enums.values() if s.kind in ("closed", "flags") for c in s.constants
    }
    out = Constants(enums, [], [], [], [])
    groups: dict[str, Group] = {}
    sentinels: dict[str, Group] = {}
    for c_name, (constant, value) in sorted(target.constants.items()):
        if c_name in closed and value.constant_expression:
            open_too = any(s not in target.enums for s in constant.sets)
            if not open_too:
                continue
        name = constant_name(c_name, constant.type)
        name = target.scope.add(name + "_" if name in parameters else name)
        depends = _of_library(target, c_name)
        if constant.cls in ("integer", "string") and value.constant_expression and not depends:
            c_type = "auto" if constant.cls == "string" else _integer_type(constant)
            out.integers.append(CppConstant(name, c_name, c_type))
        elif constant.cls == "type":
            continue  # another spelling of a C type
        elif made := _object(target, constant, name):
            title = _title(target, constant)
            where = sentinels if made.array else groups
            where.setdefault(title, Group(title)).constants.append(made)
        else:
            out.warnings.append(f"{c_name}: a constant of class {constant.cls} has no C++ form")
    out.objects = [groups[t] for t in sorted(groups)]
    out.sentinels = [sentinels[t] for t in sorted(sentinels)]
    return out


def _member(declared: str, value: str) -> str:
    head = f"  {declared} const noexcept {{"
    line = f"{head} return {value}; }}"
    return line if len(line) <= WIDTH else f"{head}\n    return {value};\n  }}"


def _integer_type(constant: AtlasConstant) -> str:
    return SCALARS.get(constant.type, spelled(constant.type) or "int")


def _title(target: CppTarget, constant: AtlasConstant) -> str:
    if constant.type in target.handles:
        return f"Predefined handles: {constant.type}."
    return {"function": "Predefined callbacks."}.get(constant.cls, "Sentinels.")


def _null_instead(target: CppTarget, constant: AtlasConstant) -> str:
    """The null handle's name, if that is all a predefined handle is here (it may differ in C++)."""
    data = target.handle_data.get(constant.type)
    null = target.constants.get(data.null or "") if data else None
    if null is None or null[0].name == constant.name:
        return ""
    mine = target.constants[constant.name][1]
    same = (mine.symbol or mine.value) == (null[1].symbol or null[1].value)
    return null[0].name if same and (mine.symbol or mine.value) is not None else ""


def _of_library(target: CppTarget, c_name: str) -> str:
    """The expression for a value that depends on the library; empty for all others."""
    values = target.disputed.values.get(c_name)
    return f"detail::of_library({{{', '.join(map(str, values))}}})" if values else ""


def _object(target: CppTarget, constant: AtlasConstant, name: str) -> CppConstant | None:
    c_name, c_type = constant.name, constant.type
    if constant.cls == "handle" and c_type in target.handles:
        if not target.has_type(c_type):
            return None
        handle = target.handles[c_type]
        value = _null_instead(target, constant) or c_name
        if depends := _of_library(target, c_name):
            value = depends.replace("of_library(", f"handle_of_library<{c_type}>(")
        return CppConstant(name, c_name, handle, f"{handle}{{{value}}}")
    if constant.cls == "integer":
        value = _of_library(target, c_name) or c_name
        return CppConstant(name, c_name, _integer_type(constant), value)
    if constant.cls in ("sentinel", "function", "string"):
        if not target.has_type(c_type) and constant.cls == "sentinel":
            return None
        made = CppConstant(name, c_name, f"decltype(+{c_name})", c_name)
        element = base_type(c_type)
        if element in target.callbacks:
            made.type = spelled(c_type)
            made.value = f"reinterpret_cast<{made.type}>({c_name})"
        if constant.cls == "sentinel" and c_type.count("*") == 1 and element in SCALARS:
            made.array = True
            made.type = f"{SCALARS[element]}*"
        return made
    return None


# --------------------------------------------------------------------------- callbacks


@dataclass(slots=True)
class CppCallback:
    """One callback type: how C's arguments become the callable's."""

    name: str
    c_name: str
    doc: str
    signature: list[str]  # the callable's parameters
    returns: str
    call_head: str
    assertion: str  # that it takes what it is called with
    invoke: str
    state: str
    state_head: str
    state_call: str
    releases: bool
    key: str = ""  # of attributes: "copy" or "delete", which are counted
    flag: str = ""


def callbacks(target: CppTarget, plan: Plan) -> list[CppCallback]:
    """The callback types that functions of this target take."""
    used = {
        a.type
        for f in plan.functions
        if f.decision == "generate" and target.provider(f)
        for a in f.arguments
        if a.kind == "callback"
    }
    return [_callback(target, target.callbacks[c]) for c in sorted(used) if c in target.callbacks]


_POINTER = re.compile(r"\*\s*$|\[\s*\]\s*$")


def _callback(target: CppTarget, callback: CallbackType) -> CppCallback:
    state = next((p for p in callback.parameters if p.role == "state"), None)
    others = [p for p in callback.parameters if p is not state]
    mapped = [_up(target, p) for p in others]
    returns = spelled(callback.returns)
    arguments = [m[1] for m in mapped]
    back = "" if returns == "void" else "return "
    releases = target.releases(callback.name) and returns != "void"
    if returns == "int":
        invoke = broken("return detail::code_of(", ["function", *arguments], ");", 4)
    else:
        invoke = broken(f"{back}function(", arguments, ");", 4)
    signature = [m[0] for m in mapped]
    # "argument2" is the parser's name for what has none in the header.
    shown = [re.sub(r" argument\d+$", "", s) for s in signature]
    taken = f"({', '.join(shown)})"
    note = ", returning a code or nothing" if returns == "int" else ""
    head = f"static {returns} "
    own = [_declared(p, named=p is not state) for p in callback.parameters]
    theirs = [_declared(p) for p in callback.parameters]
    passed = ["function", *(identifier(p.name) for p in callback.parameters)]
    own_name = identifier(callback.name.removeprefix("MPI_"))
    key = _key_role(callback)
    call = f"{'auto code = ' if releases else back}call("
    if key:
        call = f"const int code = detail::call_member<{own_name}>("
    return CppCallback(
        name=own_name,
        c_name=callback.name,
        doc=comment([f"{callback.name}: a callable taking {taken}{note}."]),
        assertion=broken("static_assert(requires { function(", arguments, "); },", 4)
        + _literal(f"{callback.name}: the callable must take {taken}", ");"),
        signature=signature,
        returns=returns,
        call_head=broken(f"{head}call(", ["Function& function", *own], ") noexcept {", 2),
        invoke=invoke,
        state=identifier(state.name) if state else "",
        state_head=broken(f"{head}with_state(", theirs, ") noexcept {", 2),
        state_call=broken(call, passed, ");", 4),
        releases=releases,
        key=key,
        flag=next((identifier(p.name) for p in callback.parameters if p.role == "flag"), ""),
    )


def _literal(text: str, tail: str) -> str:
    """A string literal on lines of its own."""
    pad = " " * 18
    lines = textwrap.wrap(text, WIDTH - len(pad) - len(tail) - 3)
    pieces = [f'\n{pad}"{line} "' for line in lines[:-1]] + [f'\n{pad}"{lines[-1]}"']
    return "".join(pieces) + tail


def _key_role(callback: CallbackType) -> str:
    """Whether the callback copies or deletes an attribute."""
    roles = {p.role for p in callback.parameters}
    if not {"keyval", "attribute", "state"} <= roles:
        return ""
    return "copy" if "flag" in roles else "delete"


def _declared(p: Parameter, named: bool = True) -> str:
    c_type = spelled(p.type.replace("[]", "*"))
    return f"{c_type} {identifier(p.name)}" if named else c_type


def _up(target: CppTarget, p: Parameter) -> tuple[str, str]:
    """The callable's parameter (for its documentation), and the expression that makes it."""
    name = identifier(p.name)
    base = base_type(p.type)
    pointer = bool(_POINTER.search(p.type))
    if base in target.handles:
        handle = target.handles[base]
        return f"{handle} {name}", f"{handle}{{{'*' if pointer else ''}{name}}}"
    if base == "MPI_Status" and pointer:
        return f"mpi::status& {name}", f"*reinterpret_cast<mpi::status*>({name})"
    if base == "void" or p.type.count("*") > 1:
        return _declared(p), name
    if pointer and p.length is None:
        inner = SCALARS.get(base, base)
        by_value = p.direction == "in"
        return f"{inner}{'' if by_value else '&'} {name}", f"*{name}"
    if p.values in target.enums and not pointer:
        enum = identifier(p.values or "")
        return f"mpi::{enum} {name}", f"static_cast<mpi::{enum}>({name})"
    return _declared(p), name


def names_of(groups: Iterable[Group]) -> list[str]:
    """The C names in groups of objects."""
    return [c.c_name for g in groups for c in g.constants]
