"""The pages about the Java package can be read in one go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.test_links import LINK, ROOT

README = ROOT / "java_runtime" / "README.md"
PAGES = [*sorted((ROOT / "docs/guide/java").glob("*.md")), ROOT / "docs/internals/java-tests.md"]


def words(page: Path) -> int:
    """All of them, those of code and tables too, as `wc -w` counts."""
    return len(page.read_text(encoding="utf-8").split())


def test_the_readme_has_at_most_900_words() -> None:
    assert words(README) <= 900


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_at_most_800_words(page: Path) -> None:
    assert words(page) <= 800


@pytest.mark.parametrize("index", [README, ROOT / "docs" / "README.md"], ids=["package", "docs"])
def test_every_page_is_listed(index: Path) -> None:
    links = LINK.findall(index.read_text(encoding="utf-8"))
    listed = {(index.parent / link.partition("#")[0]).resolve() for link in links}
    assert set(PAGES) <= listed
