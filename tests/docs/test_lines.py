"""Pages can be read in an editor and in a review: no line of prose is long."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.test_links import ROOT, pages

LIMIT = 120


def prose(text: str) -> list[tuple[int, str]]:
    """The lines of a page, with their numbers, that are neither code nor rows of a table."""
    found = []
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        opened = re.match(r"\s*(```+|~~~+)", line)
        if fence:
            if opened and opened[1].startswith(fence) and line.strip() == opened[1]:
                fence = ""
        elif opened:
            fence = opened[1]
        elif not line.startswith("|"):
            found.append((number, line))
    return found


def long(text: str) -> list[int]:
    return [number for number, line in prose(text) if len(line) > LIMIT]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_of_prose_is_long(page: Path) -> None:
    assert long(page.read_text(encoding="utf-8")) == [], f"more than {LIMIT} characters"


def test_code_and_tables_may_have_long_lines() -> None:
    wide = "x" * (LIMIT + 1)
    code = f"```sh\n{wide}\n```\n````\n```\n{wide}\n````\n"
    page = f"{wide}\n{code}| {wide} |\n{wide[1:]}\n- {wide}\n"
    assert long(page) == [1, 11]
