"""The pages about the C++ runtime say what its code says."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

from mpiglot.ci.pages import defects, disagreements, errors, members, operations, releases
from mpiglot.provision.matrix import matrix
from tests.docs import snippets
from tests.tiers import in_turn

ROOT = Path(__file__).resolve().parents[2]


def test_operations_are_described_as_they_are() -> None:
    assert operations.complaints() == []


def test_the_page_of_operations_is_up_to_date() -> None:
    assert operations.PAGE.read_text(encoding="utf-8") == operations.page(), (
        "run python -m mpiglot.ci.pages"
    )


def test_the_page_of_releases_is_up_to_date() -> None:
    assert releases.PAGE.read_text(encoding="utf-8") == releases.page(), (
        "run python -m mpiglot.ci.pages"
    )


def test_the_page_of_checks_has_the_disagreements_of_today() -> None:
    assert disagreements.PAGE.read_text(encoding="utf-8") == disagreements.page(), (
        "run python -m mpiglot.ci.pages"
    )
    cases = disagreements.CASES.read_text(encoding="utf-8")
    calls = disagreements.SEEN.findall(cases)
    assert len(calls) == cases.count("\nSEEN(")
    assert len(disagreements.unseen(cases)) == cases.count("\nUNSEEN(")
    tried = {disagreements.operation(called) for _, called in calls}
    known = {each.name for each in operations.operations() if members.is_collective(each)}
    assert known <= tried


def test_the_members_of_operations_are_up_to_date() -> None:
    there = {path: path.read_text(encoding="utf-8") for path in members.MEMBERS.glob("*.hpp")}
    assert there == members.headers(), "run python -m mpiglot.ci.pages"


def test_the_table_of_defects_in_cpp_is_up_to_date() -> None:
    assert defects.TABLE.read_text(encoding="utf-8") == defects.table(), (
        "run python -m mpiglot.ci.pages"
    )


def test_the_page_of_known_issues_has_the_defects_of_today() -> None:
    text = defects.PAGE.read_text(encoding="utf-8")
    assert text == defects.page(), "run python -m mpiglot.ci.pages"
    for one in matrix().defects:
        if one.cpp is not None and one.cpp[0] in ("refused", "undecided", "open"):
            assert one.sentence in text, one.id


def test_the_page_of_operations_tells_what_is_known_to_be_wrong() -> None:
    text = operations.PAGE.read_text(encoding="utf-8")
    gather = text.split("### gather\n")[1].split("### ")[0]
    assert "`MPI_Gather_init`: The root's buffer stays as it was" in gather
    assert "gather_init calls MPI_Gatherv_init. (mpich-4.0.2" in gather


def test_every_member_has_an_example_of_its_own() -> None:
    for name, example in zip(members.names(), members.examples(), strict=True):
        assert re.search(rf"\.{name}(<(int|View)>)?\(", example), f"{name}: {example or 'none'}"


def test_every_kind_of_mistake_has_an_example_and_a_remedy() -> None:
    assert errors.undescribed() == set()


@pytest.mark.skipif(not errors.can_be_made(), reason="made with g++ 12 and Debian's MPICH")
@pytest.mark.parametrize("kind", in_turn(list(errors.kinds()), most=8))
def test_the_page_of_errors_shows_what_the_compiler_says(kind: str) -> None:
    shown = errors.without_lines(errors.PAGE.read_text(encoding="utf-8"))
    section = "\n".join(errors.section(kind, errors.kinds()[kind]))
    assert errors.without_lines(section) in shown, "run python -m mpiglot.ci.pages"


def test_the_page_of_errors_has_the_kinds_that_there_are_in_their_order() -> None:
    shown = errors.PAGE.read_text(encoding="utf-8")
    heads = [line[3:] for line in shown.splitlines() if line.startswith("## ")]
    assert heads == [kind.replace("_", " ") for kind in errors.kinds()]


def test_every_operation_has_its_functions_of_c_in_the_table() -> None:
    rows = operations.table()[2:]
    assert len(rows) > 20
    allgatherv = next(row for row in rows if "`MPI_Allgatherv`" in row)
    assert "recvcounts: `recv_counts`" in allgatherv
    assert "displs: `recv_displs`" in allgatherv


def test_the_programs_of_table_1_are_no_longer_than_promised() -> None:
    lines = runpy.run_path(str(ROOT / "cpp_runtime/examples/table1/lines.py"))
    assert lines["complaints"]() == []


def test_snippets_are_found_with_their_lines_and_kinds() -> None:
    page = (
        "text\n\n```cpp\nint x = 1;\n```\n\n"
        "<!-- snippet: scope -->\n```cpp\n#include <map>\nstruct s {};\n```\n\n```c++\nother\n```\n"
    )
    found = snippets.snippets(page)
    assert [(each.line, each.kind) for each in found] == [(4, "body"), (9, "scope")]
    program = snippets.program({"page.md": page})
    assert program.count("#include <map>") == 1
    assert '#line 4 "page.md"\nint x = 1;' in program
    assert "other" not in program


def test_an_argument_writes_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["pages", "--help"])
    with pytest.raises(SystemExit, match="takes no arguments"):
        runpy.run_module("mpiglot.ci.pages", run_name="__main__")
    assert list(tmp_path.iterdir()) == []
