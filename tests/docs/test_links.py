"""Every link of a page leads to something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mpiglot.ci.changes import walked

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def pages() -> list[Path]:
    """The Markdown files of the project."""
    return [ROOT / name for name in walked(ROOT) if name.endswith(".md")]


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    found = re.findall(r"^#+ +(.*)$", text, re.M)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in found)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in plain}


def has(page: Path, anchor: str) -> bool:
    return anchor == "" or page.suffix != ".md" or anchor in anchors(page)


def broken(page: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
    found = []
    for target in LINK.findall(text):
        name, _, anchor = target.partition("#")
        if re.match(r"\w+:", target):
            continue
        there = (page.parent / name).resolve() if name else page
        if not there.exists() or not has(there, anchor.lower()):
            found.append(target)
    return found


def test_there_are_pages() -> None:
    assert len(pages()) > 20


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert broken(page) == []
