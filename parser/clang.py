"""The few things the parser needs of libclang, with typed names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from clang import cindex

from mpiglot.parser.interrupts import held

Cursor = Any  # clang.cindex has no types of its own
Kind = cindex.CursorKind
TypeKind = cindex.TypeKind
StorageClass = cindex.StorageClass

_ARGUMENTS = [
    "-xc",
    "-std=gnu17",
    "-w",
    "-ferror-limit=0",
    "-nostdinc",
    "-Wno-int-conversion",  # an error otherwise: arguments of macros are tried as integers
    # names of types that only GCC has, used by the C library's headers
    "-D_Float128=__float128",
    "-D_Float64x=long double",
    "-D_Float32=float",
    "-D_Float64=double",
    "-D_Float32x=double",
]
_GCC_MALLOC = re.compile(r"\b(__malloc__|malloc)\s*\([^()]*\)(?=\s*[,)])")
_UNNAMED = re.compile(r" \((?:unnamed|anonymous)[^)]*\)")  # libclang adds the place
_ARRAY = re.compile(r"(?<=\w)(\[)")


def parse(text: str) -> tuple[Cursor, list[tuple[int, str]]]:
    """The translation unit of preprocessed C, and its errors as (line, message)."""
    unit = cindex.Index.create().parse(
        "mpi.c", args=_ARGUMENTS, unsaved_files=[("mpi.c", _GCC_MALLOC.sub(r"\1", text))]
    )
    errors = [
        (d.location.line, d.spelling)
        for d in unit.diagnostics
        if d.severity >= cindex.Diagnostic.Error
    ]
    return unit.cursor, errors


def spelled(type_: Any) -> str:
    """A type as C writes it, typedefs kept: "const int []", "char *[]", "int [][3]"."""
    return _ARRAY.sub(r" \1", _UNNAMED.sub("", type_.spelling), count=1)


def inner(cursor: Cursor) -> Cursor:
    """An expression without parentheses, casts and what the compiler adds silently."""
    while cursor.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR, Kind.CSTYLE_CAST_EXPR):
        expressions = [c for c in children(cursor) if c.kind.is_expression()]
        if not expressions:
            break
        cursor = expressions[-1]
    return cursor


def children(cursor: Cursor) -> list[Cursor]:
    """What is directly below a cursor; libclang would drop an interruption meanwhile."""
    with held():
        return list(cursor.get_children())


def walk(cursor: Cursor) -> Iterator[Cursor]:
    """A cursor and everything below it."""
    yield cursor
    for child in children(cursor):
        yield from walk(child)
