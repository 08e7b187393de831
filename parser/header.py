"""The declarations of `mpi.h`: functions, types, callback types, enumerators, variables, macros.

One parse of the preprocessed header with libclang. Behind the declarations stands one small
function per macro (`__auto_type v = MACRO;`), so that libclang says what each macro is: typedef
names survive there, which is the only thing that tells an `MPI_Comm` from an `int` on MPICH.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.model import Field, Omission, Parameter
from mpiglot.parser import clang
from mpiglot.parser.clang import Cursor, Kind, TypeKind
from mpiglot.parser.macros import FoundMacro, MacroTests
from mpiglot.parser.preprocess import Preprocessed

PREFIX = re.compile(r"MPIX?_\w")
_TOOL_ENUM = re.compile(r"^QMPI_")
_NO_PROTOTYPE = "declared without a prototype: its header does not say what its parameters are"


@dataclass(slots=True)
class FoundFunction:
    """A function prototype."""

    name: str
    returns: str
    parameters: list[Parameter] = field(default_factory=list)
    variadic: bool = False


@dataclass(slots=True)
class FoundType:
    """A typedef that is no function type."""

    name: str
    kind: str
    underlying: str
    signed: bool | None = None
    opaque_pointer: bool = False
    fields: list[Field] = field(default_factory=list)
    bit_fields: dict[str, int] = field(default_factory=dict)  # name -> offset in bytes


@dataclass(slots=True)
class FoundVariable:
    """A variable that the header declares."""

    name: str
    type: str
    pointer: bool
    array: bool
    constant: bool = False  # a number that the header itself gives: static const int


@dataclass(slots=True)
class Header:
    """Everything of interest in a header, nothing measured yet."""

    functions: dict[str, FoundFunction] = field(default_factory=dict)
    types: dict[str, FoundType] = field(default_factory=dict)
    callbacks: dict[str, FoundFunction] = field(default_factory=dict)
    enumerators: dict[str, str] = field(default_factory=dict)  # name -> type
    variables: dict[str, FoundVariable] = field(default_factory=dict)
    macros: dict[str, FoundMacro] = field(default_factory=dict)
    twins: set[str] = field(default_factory=set)  # PMPI_ functions that are declared
    omitted: list[Omission] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # of the declarations


def parse(source: Preprocessed) -> Header:
    """Reads the declarations and asks libclang what each macro is."""
    tests = MacroTests(source, PREFIX)
    before = source.text.count("\n") + 1
    unit, errors = clang.parse(f"{source.text}\n{source.defines()}\n{tests.text}")
    first = before + source.defines().count("\n") + 2
    header = Header()
    header.errors = [f"{source.place(line)}: {what}" for line, what in errors if line <= before]
    failed = {line - first for line, _ in errors if line >= first}
    reader = _Reader(header)
    for cursor in clang.children(unit):
        if not tests.take(cursor) and cursor.location.line <= before:
            reader.take(cursor)
    header.macros, omitted = tests.results(failed)
    omitted = [o for o in omitted if o.name not in header.functions]
    header.omitted += [*reader.omissions(), *omitted]
    return header


class _Reader:
    """Sorts declarations into a `Header`."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.tool_enumerators: dict[str, list[str]] = {}

    def take(self, cursor: Cursor) -> None:
        kind = cursor.kind
        if kind == Kind.ENUM_DECL:
            self._enum(cursor)
            return
        name = cursor.spelling
        if kind == Kind.FUNCTION_DECL and name.startswith("PMPI"):
            self.header.twins.add(name)
        if not PREFIX.match(name):
            return
        if kind == Kind.FUNCTION_DECL:
            self._function(cursor, name)
        elif kind == Kind.TYPEDEF_DECL:
            self._typedef(cursor, name)
        elif kind == Kind.VAR_DECL:
            type_ = cursor.type
            canonical = type_.get_canonical()
            constant = _is_constant(cursor)
            self.header.variables[name] = FoundVariable(
                name,
                clang.spelled(type_).removeprefix("const ")
                if constant
                else _without_const(clang.spelled(type_)),
                canonical.kind == TypeKind.POINTER,
                canonical.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY),
                constant,
            )

    def omissions(self) -> list[Omission]:
        """Enumerators of tool interfaces, which merely look like constants of MPI."""
        found = []
        for enum, names in sorted(self.tool_enumerators.items()):
            count = f"{len(names)} enumerators of enum {enum}"
            found.append(
                Omission("MPI*_T", f"{count}: ids of a tool interface, no constants of MPI")
            )
        return found

    def _enum(self, cursor: Cursor) -> None:
        tag = cursor.spelling
        tool = _TOOL_ENUM.match(tag) is not None
        for constant in clang.children(cursor):
            name = constant.spelling
            if constant.kind != Kind.ENUM_CONSTANT_DECL or not PREFIX.match(name):
                continue
            if tool and name.endswith("_T"):
                self.tool_enumerators.setdefault(tag, []).append(name)
            else:
                self.header.enumerators[name] = "int"

    def _function(self, cursor: Cursor, name: str) -> None:
        if cursor.type.kind == TypeKind.FUNCTIONNOPROTO and name not in _without_parameters():
            self._omit(name, _NO_PROTOTYPE)
            return
        arguments = list(cursor.get_arguments())
        old = self.header.functions.get(name)
        if old is not None and _named(old.parameters) >= sum(bool(a.spelling) for a in arguments):
            return  # declared again, with no more names than before
        self.header.functions[name] = FoundFunction(
            name,
            clang.spelled(cursor.result_type),
            [Parameter(a.spelling, clang.spelled(a.type)) for a in arguments],
            _variadic(cursor.type),
        )

    def _typedef(self, cursor: Cursor, name: str) -> None:
        type_ = cursor.underlying_typedef_type
        canonical = type_.get_canonical()
        pointee = canonical.get_pointee() if canonical.kind == TypeKind.POINTER else None
        function = canonical if _is_function(canonical) else pointee
        if function is not None and _is_function(function):
            self._callback(cursor, name, function)
            return
        found = FoundType(name, _kind(canonical), clang.spelled(canonical))
        if not found.kind:
            reason = "type that is neither a number, a pointer nor a structure"
            self.header.omitted.append(Omission(name, reason))
            return
        if found.kind == "integer":
            found.signed = canonical.kind in _SIGNED
        elif found.kind == "enum":
            found.signed = canonical.get_declaration().enum_type.kind in _SIGNED
        elif found.kind == "struct":
            self._fields(found, canonical)
        elif pointee is not None:
            found.opaque_pointer = pointee.kind == TypeKind.RECORD
        self.header.types[name] = found

    def _fields(self, found: FoundType, record: Any) -> None:
        for member in record.get_fields():
            type_ = member.type.get_canonical()
            if not member.spelling.isidentifier():  # nothing, or the place of an unnamed one
                if (
                    type_.kind == TypeKind.RECORD
                ):  # its members are reached without a name of its own
                    self._fields(found, type_)
                continue
            found.fields.append(Field(member.spelling, clang.spelled(member.type), 0))
            if member.is_bitfield():
                found.bit_fields[member.spelling] = member.get_field_offsetof() // 8

    def _omit(self, name: str, reason: str) -> None:
        if all(o.name != name for o in self.header.omitted):
            self.header.omitted.append(Omission(name, reason))

    def _callback(self, cursor: Cursor, name: str, function: Any) -> None:
        if function.kind == TypeKind.FUNCTIONNOPROTO:
            self._omit(name, _NO_PROTOTYPE)
            return
        names = [c.spelling for c in _parameters(cursor)]
        types = [clang.spelled(c.type) for c in _parameters(cursor)]
        if not names:
            types = [clang.spelled(t) for t in function.argument_types() or []]
            names = [""] * len(types)
        self.header.callbacks[name] = FoundFunction(
            name,
            clang.spelled(function.get_result()),
            [Parameter(n, t) for n, t in zip(names, types, strict=True)],
            _variadic(function),
        )


_SIGNED = {
    TypeKind.CHAR_S,
    TypeKind.SCHAR,
    TypeKind.SHORT,
    TypeKind.INT,
    TypeKind.LONG,
    TypeKind.LONGLONG,
    TypeKind.INT128,
}
_UNSIGNED = {
    TypeKind.BOOL,
    TypeKind.CHAR_U,
    TypeKind.UCHAR,
    TypeKind.USHORT,
    TypeKind.UINT,
    TypeKind.ULONG,
    TypeKind.ULONGLONG,
}
_FLOATING = {TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE}


@lru_cache(maxsize=1)
def _without_parameters() -> frozenset[str]:
    """The functions of the standard that have no parameters: `MPI_Wtime()` says it all."""
    return frozenset(f.name for f in catalogue.load().functions if not f.parameters)


def _kind(canonical: Any) -> str:
    if canonical.kind == TypeKind.POINTER:
        return "pointer"
    if canonical.kind == TypeKind.RECORD:
        return "struct"
    if canonical.kind == TypeKind.ENUM:
        return "enum"
    if canonical.kind in _SIGNED or canonical.kind in _UNSIGNED:
        return "integer"
    return "floating" if canonical.kind in _FLOATING else ""


def _is_function(type_: Any) -> bool:
    return type_.kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO)


def _variadic(type_: Any) -> bool:
    return type_.kind == TypeKind.FUNCTIONPROTO and bool(type_.is_function_variadic())


def _parameters(cursor: Cursor) -> list[Cursor]:
    """The parameters that a typedef of a function type, or the typedef it repeats, names."""
    children = clang.children(cursor)
    found = [c for c in children if c.kind == Kind.PARM_DECL]
    if found:
        return found
    for child in children:
        if child.kind == Kind.TYPE_REF and child.referenced.kind == Kind.TYPEDEF_DECL:
            return _parameters(child.referenced)
    return []


def _named(parameters: list[Parameter]) -> int:
    return sum(bool(p.name) for p in parameters)


def _is_constant(variable: Cursor) -> bool:
    """Whether a variable is a whole number with a value of its own in each file."""
    type_ = variable.type.get_canonical()
    return (
        variable.storage_class == clang.StorageClass.STATIC
        and type_.is_const_qualified()
        and type_.kind in _SIGNED | _UNSIGNED
        and any(child.kind.is_expression() for child in clang.children(variable))
    )


def _without_const(text: str) -> str:
    """The type of a variable's value: an `int *const` holds an `int *`."""
    return re.sub(r"\*\s*const$", "*", text)
