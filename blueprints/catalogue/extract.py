"""Writes `prototypes.json`: the C facts of the standard, read once from header files.

    python -m mpiglot.blueprints.catalogue.extract FUNCTIONS_ABI_H CONSTANTS_ABI_H NATIVE_MPI_H

The functions and their parameter names come from a `mpi_abi.h` (MPICH 5.0.2's was used), and the
values of the constants from the header of the MPI Forum: `mpi.h` of mpi-forum/mpi-abi-stubs at
commit e5f65c776455481707233bd08d57e837a4c2f376 of 2026-07-20. (The Forum changed eight values in
commit 4fa63fa of October 2025; Intel MPI 2021.19's `mpi_abi.h` still has the earlier ones.) What no
ABI header has (Fortran conversions, removed functions) comes from MPICH's native header. Run it
again only when a new version of the standard comes out; the result is committed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from clang import cindex

_NAME = re.compile(r"^MPI_[A-Za-z0-9_]+$")
_NATIVE_ONLY = re.compile(
    r"^MPI_(\w+_(c2f|f2c|c2f08|f082c|f082f|f2f08)"
    r"|Address|Errhandler_(create|get|set)|Type_(extent|hindexed|hvector|lb|struct|ub))$"
)
_INTEGER_CAST = re.compile(
    r"^\(\s*\(\s*(?P<type>[A-Za-z_][\w ]*?\s*\**)\s*\)\s*(?P<value>-?\w+)\s*\)$"
)


def spelling(type_name: str) -> str:
    """A C type in the project's spelling: "const void *", "int []", "int [][3]", "char *[]"."""
    text = re.sub(r"\s*\*\s*", " *", type_name)
    text = re.sub(r"\* (?=\*)", "*", text)
    text = re.sub(r"(?<=\w)\s*\[", " [", text)
    text = re.sub(r"([*\]])\s*\[", r"\1[", text)
    return re.sub(r"\s+", " ", text).strip()


def parse(header: Path) -> cindex.TranslationUnit:
    include = subprocess.run(
        ["gcc", "-print-file-name=include"], capture_output=True, text=True, timeout=30, check=True
    ).stdout.strip()
    return cindex.Index.create().parse(
        str(header),
        args=["-x", "c", "-isystem", include, f"-I{header.parent}"],
        options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
    )


def prototype(returns: str, node: cindex.Cursor, variadic: bool) -> dict[str, Any]:
    parameters = [
        [child.spelling, spelling(child.type.spelling)]
        for child in node.get_children()
        if child.kind == cindex.CursorKind.PARM_DECL
    ]
    out: dict[str, Any] = {"returns": spelling(returns), "parameters": parameters}
    if variadic:
        out["variadic"] = True
    return out


def functions(unit: cindex.TranslationUnit) -> dict[str, Any]:
    found = {}
    for node in unit.cursor.get_children():
        if node.kind == cindex.CursorKind.FUNCTION_DECL and _NAME.match(node.spelling):
            variadic = node.type.kind == cindex.TypeKind.FUNCTIONPROTO and (
                node.type.is_function_variadic()
            )
            found[node.spelling] = prototype(node.result_type.spelling, node, variadic)
    return found


def callbacks(unit: cindex.TranslationUnit) -> dict[str, Any]:
    """Function types, and the names that are only another name of one."""
    found: dict[str, Any] = {}
    for node in unit.cursor.get_children():
        if node.kind != cindex.CursorKind.TYPEDEF_DECL or not _NAME.match(node.spelling):
            continue
        function = node.underlying_typedef_type.get_canonical()
        if function.kind != cindex.TypeKind.FUNCTIONPROTO:
            continue
        entry = prototype(function.get_result().spelling, node, function.is_function_variadic())
        if not entry["parameters"]:  # typedef of a typedef
            original = node.underlying_typedef_type.spelling
            entry = {"alias_of": original}
        found[node.spelling] = entry
    return found


def constants(unit: cindex.TranslationUnit) -> dict[str, Any]:
    """Name -> [type, value]: enumerators, plain numbers and casts of numbers."""
    found: dict[str, Any] = {}
    macros: dict[str, str] = {}
    for node in unit.cursor.get_children():
        if node.kind == cindex.CursorKind.ENUM_DECL:
            kind = node.type.spelling if "unnamed" not in node.type.spelling else "int"
            kind = kind.removeprefix("enum ")
            for item in node.get_children():
                if _NAME.match(item.spelling):
                    found[item.spelling] = [kind, item.enum_value]
        elif node.kind == cindex.CursorKind.MACRO_DEFINITION and _NAME.match(node.spelling):
            words = [t.spelling for t in node.get_tokens()]
            macros[node.spelling] = "".join(words[1:])
    for name, text in macros.items():
        if name.startswith(("MPI_H_", "MPI_ABI_")) and "VERSION" not in name:
            continue
        while text in macros:
            text = macros[text]
        cast = _INTEGER_CAST.match(text)
        if cast:
            found[name] = [spelling(cast["type"]), int(cast["value"], 0)]
        elif re.fullmatch(r"-?\w+", text) and text.lstrip("-")[:1].isdigit():
            found[name] = ["int", int(text, 0)]
    return found


def main(arguments: list[str]) -> None:
    abi, values, native = (parse(Path(a)) for a in arguments)
    everything = functions(abi)
    for name, entry in functions(native).items():
        if _NATIVE_ONLY.match(name):
            everything[name] = entry
    kinds = callbacks(abi)
    document = {
        "functions": dict(sorted(everything.items())),
        "callbacks": dict(sorted(kinds.items())),
        "constants": dict(sorted(constants(values).items())),
    }
    lines = ["{"]
    for i, (section, entries) in enumerate(document.items()):
        lines.append(f" {json.dumps(section)}: {{")
        rows = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in entries.items()]
        lines += [row + ("," if j + 1 < len(rows) else "") for j, row in enumerate(rows)]
        lines.append(" }" + ("," if i + 1 < len(document) else ""))
    lines.append("}")
    (Path(__file__).parent / "prototypes.json").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
