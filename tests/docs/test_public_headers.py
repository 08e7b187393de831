"""The public headers of the C++ runtime: comments that editors show, and clang-tidy."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clang.cindex import AccessSpecifier, Cursor, CursorKind, Index

from tests.limits import guard

ROOT = Path(__file__).parents[2]
HEADERS = ROOT / "cpp_runtime/include"
LAYER = ROOT / "generated/cpp/mpich-4.0.2"
MPI = Path("/usr/lib/x86_64-linux-gnu/mpich/include")
BOOST = Path("/usr/include/boost/archive/binary_oarchive.hpp")
CEREAL = Path("/usr/include/cereal/cereal.hpp")
PFR = ROOT / ".tools/boost-pfr/usr/include"

CLASSES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE}
MEMBERS = CLASSES | {
    CursorKind.CONCEPT_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.ENUM_DECL,
    CursorKind.FUNCTION_DECL,
    CursorKind.FUNCTION_TEMPLATE,
    CursorKind.TYPE_ALIAS_DECL,
    CursorKind.TYPE_ALIAS_TEMPLATE_DECL,
    CursorKind.VAR_DECL,
}
# Of these the comment at the top of the header, and the one of each member, say everything.
ELSEWHERE = {"detail", "keys", "operations", "wrong_call"}
# What containers and iterators have, what cereal asks of archives, and the mark of a buffer.
KNOWN = {"archives", "iterator", "describes_buffer", "begin", "end", "value_type"}


def undocumented(cursor: Cursor, inside: str = "") -> Iterator[str]:
    for child in cursor.get_children():
        name = child.spelling.split("<")[0]
        if child.kind == CursorKind.NAMESPACE:
            if (inside or name == "mpiglot") and name not in ELSEWHERE | KNOWN:
                yield from undocumented(child, f"{inside}{name}::")
        elif inside and child.kind in MEMBERS and is_shown(child, inside):
            if not child.raw_comment:
                place = Path(str(child.location.file)).name
                yield f"{place}:{child.location.line}: {inside}{name}"
            if child.kind in CLASSES:
                yield from undocumented(child, f"{inside}{name}::")


def is_shown(cursor: Cursor, inside: str) -> bool:
    """Whether somebody who completes a name sees this: it is defined, public and not deleted."""
    file = Path(str(cursor.location.file)).resolve()
    name = cursor.spelling.split("<")[0]
    return (
        HEADERS in file.parents
        and not {"detail", "members"} & set(file.parts)
        and cursor.access_specifier not in (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED)
        and (cursor.kind not in CLASSES or cursor.is_definition())
        and not is_deleted(cursor, file)
        and name not in KNOWN
        and not name.startswith("operator")
        and not inside.endswith(f"{name}::")  # a constructor
    )


def is_deleted(cursor: Cursor, file: Path) -> bool:
    """libclang does not tell it of templates."""
    lines = file.read_text(encoding="utf-8").splitlines()[cursor.location.line - 1 :]
    declaration = " ".join(lines).partition(";")[0]
    return declaration.split()[-2:] == ["=", "delete"]


def of(text: str, *flags: str) -> list[str]:
    words = ["-std=c++20", "-fparse-all-comments", "-DMPICH_SKIP_MPICXX", *flags]
    unit = Index.create().parse("all.cpp", args=words, unsaved_files=[("all.cpp", text)])
    assert [str(d) for d in unit.diagnostics if d.severity >= 3] == []
    return sorted(undocumented(unit.cursor))


def headers(*unless: str) -> str:
    """All public headers, as one includes them; those whose libraries are not here left out."""
    missing = {"boost.hpp": BOOST, "cereal.hpp": CEREAL, "cereal_binary.hpp": CEREAL}
    missing["reflect.hpp"] = PFR
    found = [
        path
        for folder in ("", "plugins", "serialization")
        for path in sorted((HEADERS / "mpiglot" / folder).glob("*.hpp"))
        if path.name not in unless and (path.name not in missing or missing[path.name].exists())
    ]
    assert len(found) > 35
    return "".join(f"#include <{path.relative_to(HEADERS)}>\n" for path in found)


@pytest.mark.skipif(not MPI.is_dir(), reason="Debian's MPICH has to be there")
def test_every_public_member_has_a_comment() -> None:
    gcc = Path("/usr/include/c++/12")
    flags = [f"-I{folder}" for folder in (LAYER, HEADERS, MPI, PFR)]
    flags += [f"-isystem{p}" for p in (gcc, "/usr/include/x86_64-linux-gnu/c++/12")]
    flags.append("-isystem/usr/lib/gcc/x86_64-linux-gnu/12/include")
    assert of(headers(), *flags) == []


@pytest.mark.skipif(not MPI.is_dir(), reason="Debian's MPICH has to be there")
def test_clang_tidy_finds_no_mistake_in_a_header(tmp_path: Path) -> None:
    source = tmp_path / "all.cpp"
    # RapidJSON, which cereal brings, has mistakes of its own.
    source.write_text(headers("cereal.hpp"), encoding="utf-8")
    tidy = str(Path(sys.executable).with_name("clang-tidy"))
    words = [tidy, f"--config-file={ROOT / '.clang-tidy'}", "--quiet", str(source), "--"]
    words += ["-std=c++20", "-DMPICH_SKIP_MPICXX", f"-I{HEADERS}"]
    words += [f"-isystem{folder}" for folder in (LAYER, MPI, PFR)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=guard(300), check=False)
    assert (done.returncode, done.stdout) == (0, "")
