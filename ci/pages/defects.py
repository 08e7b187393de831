"""Writes what provision/matrix.json says of defects: the tables of C++ and Java, and pages.

    .venv/bin/python -m mpiglot.ci.pages

A header asks by `library_defect("ID")`, Java by `has("ID")` and `sentence("ID")`. The tables say on
which releases that is answered by the defect's first sentence. `Matrix.wrong_releases` says what
becomes of releases that the matrix does not have.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from mpiglot.provision.matrix import Defect, matrix

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "cpp_runtime/include/mpiglot"
TABLE = HEADERS / "detail/base/defect_table.hpp"
ASKED = re.compile(r'\b(?:library_defect\(|(?:persistent|in_place)_defect = )"([a-z0-9-]+)"')
PACKAGE = ROOT / "java_runtime/src/main/java/dev/mpiglot/mpi"
JAVA_TABLE = PACKAGE / "DefectTable.java"
JAVA_ASKED = re.compile(r'\b(?:has|sentence)\("([a-z0-9-]+)"\)')
VENDORS = ("mpich", "openmpi", "intelmpi")
ANY_LATER = "~0U"
JAVA_ANY_LATER = "Integer.MAX_VALUE"

PAGE = ROOT / "docs/guide/known-issues.md"
BEGIN = "<!-- Made by ci/pages/defects.py from provision/matrix.json: begin -->"
END = "<!-- end -->"
LISTS = {
    ("instead", "refused"): "Another function is called, or the call throws `mpi::unavailable`:",
    ("undecided",): "A program can meet these, since nobody can know it before the call:",
    ("open",): "A program can meet these, too, although it could be known before the call:",
}

HEAD = """// The releases with a defect that the runtime asks for, made from provision/matrix.json
// by ci/pages/defects.py. DO NOT EDIT.

#pragma once

namespace mpiglot::detail {

enum class vendor { other, mpich, openmpi, intelmpi };

/// A defect of the releases of one vendor from `first` on and before `end`. A release is a number:
/// 4.0.2 is 4'000'002.
struct defect_range {
  const char* id;
  vendor maker;
  unsigned first, end;
  const char* sentence;
};

inline constexpr defect_range defect_table[] = {
"""
TAIL = """};

}  // namespace mpiglot::detail
"""

JAVA_HEAD = """package dev.mpiglot.mpi;

// The releases with a defect that this package asks for, made from provision/matrix.json
// by ci/pages/defects.py. DO NOT EDIT.

/**
 * A defect of the releases of one vendor from {@code first} on and before {@code end}. A release
 * is a number: 4.0.2 is 4_000_002.
 */
record DefectTable(String id, String vendor, int first, int end, String sentence) {

    /** All of them. */
    static DefectTable[] rows() {
        return new DefectTable[] {
"""
JAVA_TAIL = """        };
    }
}
"""


def asked() -> list[str]:
    """The ids of the defects that the runtime's headers ask for."""
    found: set[str] = set()
    for path in [*HEADERS.rglob("*.hpp"), *HEADERS.rglob("*.ipp")]:
        found |= set(ASKED.findall(path.read_text(encoding="utf-8")))
    return sorted(found)


def asked_in_java() -> list[str]:
    """The ids of the defects that the Java package asks for."""
    text = (PACKAGE / "LibraryDefects.java").read_text(encoding="utf-8")
    return sorted(set(JAVA_ASKED.findall(text)))


def rows_of(ids: list[str], width: int) -> Iterator[tuple[str, str, int, int | None, list[str]]]:
    """A defect, a vendor, its first wrong and first right release, and the sentence in pieces."""
    known = {defect.id: defect for defect in matrix().defects}
    for id_ in ids:
        pieces = textwrap.wrap(
            known[id_].sentence, width, drop_whitespace=False, break_on_hyphens=False
        )
        for vendor, first, end in matrix().wrong_releases(known[id_]):
            if vendor in VENDORS:
                yield id_, vendor, first, end, [json.dumps(piece) for piece in pieces]


def java_table() -> str:
    rows = []
    for id_, vendor, first, end, pieces in rows_of(asked_in_java(), 90):
        last = JAVA_ANY_LATER if end is None else str(end)
        head = f'            new DefectTable("{id_}", "{vendor}", {first}, {last},'
        literal = "\n                + ".join(pieces)
        rows.append(f"{head}\n                {literal}),\n")
    return JAVA_HEAD + "".join(rows) + JAVA_TAIL


def table() -> str:
    rows = []
    for id_, vendor, first, end, pieces in rows_of(asked(), 84):
        last = ANY_LATER if end is None else str(end)
        literal = "\n".join(f"     {piece}" for piece in pieces)
        rows.append(f'    {{"{id_}", vendor::{vendor}, {first}, {last},\n{literal}}},\n')
    return HEAD + "".join(rows) + TAIL


def cells(defect: Defect) -> str:
    """The row of a defect on a page: functions, what happens, what C++ does, MPIs."""
    names = ", ".join(f"`{name}`" for name in defect.functions)
    did = defect.cpp[1] if defect.cpp else ""
    sentence = defect.sentence.replace("|", "\\|")
    return f"| {names} | {sentence} | {did} | {', '.join(defect.mpis)} |"


def lists() -> str:
    """The defects that a C++ program can meet, or that are refused."""
    lines = []
    for ways, text in LISTS.items():
        met = [one for one in matrix().defects if one.cpp is not None and one.cpp[0] in ways]
        if not met:
            continue
        lines += ["", text, "", "| functions | what happens | in C++ | MPIs |", "|---|---|---|---|"]
        lines += [cells(one) for one in met]
    return "\n".join(lines) + "\n\n"


def page() -> str:
    """known-issues.md with the lists of today."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{lists()}{END}{after}"


def main() -> None:
    TABLE.write_text(table(), encoding="utf-8")
    JAVA_TABLE.write_text(java_table(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
