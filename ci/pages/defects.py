"""Writes what provision/matrix.json says of defects: the table of the C++ runtime, and pages.

    .venv/bin/python -m mpiglot.ci.pages

A header asks by `library_defect("ID")`. The table says on which releases that is answered by the
defect's first sentence. `Matrix.wrong_releases` says what becomes of releases that
the matrix does not have.
"""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path

from mpiglot.provision.matrix import Defect, matrix

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "cpp_runtime/include/mpiglot"
TABLE = HEADERS / "detail/base/defect_table.hpp"
ASKED = re.compile(r'\b(?:library_defect\(|(?:persistent|in_place)_defect = )"([a-z0-9-]+)"')
VENDORS = ("mpich", "openmpi", "intelmpi")
ANY_LATER = "~0U"

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


def asked() -> list[str]:
    """The ids of the defects that the runtime's headers ask for."""
    found: set[str] = set()
    for path in [*HEADERS.rglob("*.hpp"), *HEADERS.rglob("*.ipp")]:
        found |= set(ASKED.findall(path.read_text(encoding="utf-8")))
    return sorted(found)


def table() -> str:
    known = {defect.id: defect for defect in matrix().defects}
    rows = []
    for id_ in asked():
        for vendor, first, end in matrix().wrong_releases(known[id_]):
            if vendor not in VENDORS:
                continue
            text = known[id_].sentence
            pieces = textwrap.wrap(text, 84, drop_whitespace=False, break_on_hyphens=False)
            literal = "\n".join(f"     {json.dumps(piece)}" for piece in pieces)
            last = ANY_LATER if end is None else str(end)
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
    PAGE.write_text(page(), encoding="utf-8")
