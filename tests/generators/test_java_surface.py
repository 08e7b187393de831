"""The table of Java's upper package: complete, and held by the compiled calls."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.errors import UsageError
from mpiglot.generators.java.upper import page, surface

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/java.md"
FUNCTIONS = catalogue.load().functions


def written(tmp_path: Path, **rows: dict[str, Any]) -> Path:
    """A table of point-to-point functions."""
    path = tmp_path / "surface.json"
    named = {f"MPI_{name}": row for name, row in rows.items()}
    path.write_text(json.dumps({"chapters": {"pt2pt": named}}), encoding="utf-8")
    return path


def truth() -> dict[str, set[str]]:
    """Calls that are what the table says."""
    low = {f.name: page.low_method(f) for f in FUNCTIONS if surface.counts(f)}
    reached: dict[str, set[str]] = {}
    for row in surface.load():
        if row.reached:
            reached.setdefault(f"{row.owner}.{row.method}", set()).add(low[row.function])
    return reached


def test_every_function_of_its_chapters_is_in_the_table() -> None:
    surface.check(surface.load(), FUNCTIONS)


def test_a_function_without_a_row_is_named() -> None:
    rows = [row for row in surface.load() if row.function != "MPI_Ssend"]
    with pytest.raises(UsageError, match="no row for MPI_Ssend, a function of pt2pt"):
        surface.check(rows, FUNCTIONS)


@pytest.mark.parametrize("name", ["MPI_Send_c", "MPI_Barrier", "MPI_Nothing"])
def test_a_row_without_a_function_is_named(name: str) -> None:
    rows = surface.load()
    rows.append(replace(rows[0], function=name))
    with pytest.raises(UsageError, match=f"row for {name}, which is no function of pt2pt"):
        surface.check(rows, FUNCTIONS)


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"generated": "Comm", "absent": "why"},
        {"absent": ""},
        {"absent": "why", "method": "send"},
        {"generated": "Comm", "reason": "why"},
    ],
)
def test_a_row_says_one_thing(tmp_path: Path, row: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="the row of MPI_Send must have one of"):
        surface.load(written(tmp_path, Send=row))


def test_a_method_is_called_after_its_function_unless_the_row_says_more(tmp_path: Path) -> None:
    given = written(tmp_path, Ssend={"generated": "Comm"}, Mrecv={"generated": "M", "method": "r"})
    assert [(r.owner, r.method) for r in surface.load(given)] == [("Comm", "ssend"), ("M", "r")]


def test_a_form_in_place_may_be_handwritten_beside_a_generated_method(tmp_path: Path) -> None:
    given = written(tmp_path, Send={"generated": "Comm", "handwritten": "Comm"})
    (row,) = surface.load(given)
    assert (row.state, row.by_hand, row.reached) == ("generated", True, True)


def test_a_true_table_has_no_complaints() -> None:
    assert page.complaints(surface.load(), FUNCTIONS, truth()) == []


def test_a_method_that_does_not_reach_its_function_is_a_complaint() -> None:
    reached = truth()
    reached["Comm.ssend"] = {"PointToPoint.send"}
    (complaint,) = page.complaints(surface.load(), FUNCTIONS, reached)
    assert complaint == "MPI_Ssend: Comm.ssend does not reach PointToPoint.ssend."


def test_a_method_that_is_not_there_is_a_complaint() -> None:
    reached = truth()
    del reached["Message.recv"]
    (complaint,) = page.complaints(surface.load(), FUNCTIONS, reached)
    assert complaint == "MPI_Mrecv: there is no public method Message.recv."


def test_a_function_that_is_reached_is_not_absent() -> None:
    reached = truth() | {"Comm.other": {"PointToPoint.waitsome"}}
    (complaint,) = page.complaints(surface.load(), FUNCTIONS, reached)
    assert complaint == ("MPI_Waitsome: absent, and Comm.other reaches PointToPoint.waitsome.")


def test_the_page_has_the_rows_of_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith(
        page.table(surface.load(), FUNCTIONS) + page.exceptions()
    )


def test_the_page_is_written_and_checked(tmp_path: Path) -> None:
    lines = tmp_path / "reached.txt"
    calls = [f"{method} {low}\n" for method, its in truth().items() for low in its]
    lines.write_text("".join(calls), encoding="utf-8")
    target = tmp_path / "java.md"
    page.main([str(lines), str(target)])
    page.main([str(lines), str(target), "--check"])
    rows = [row for row in surface.load() if row.reached and row.chapter not in page.NOT_COUNTED]
    assert f"reaches {len(rows)} of 411 functions" in target.read_text()
    target.write_text("old", encoding="utf-8")
    with pytest.raises(UsageError, match="not up to date"):
        page.main([str(lines), str(target), "--check"])
    lines.write_text("Comm.send PointToPoint.send\n", encoding="utf-8")
    with pytest.raises(UsageError, match="there is no public method"):
        page.main([str(lines), str(target)])
    with pytest.raises(UsageError, match="usage"):
        page.main([])
