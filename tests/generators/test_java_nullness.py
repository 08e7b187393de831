"""What may be null in Java's upper package is annotated, and documented, and nothing else is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (
    ROOT / "java_runtime/src/main/java/dev/mpiglot/mpi",
    ROOT / "generated/java/src/upper/java/dev/mpiglot/mpi",
)
SOURCES = [path for folder in FOLDERS for path in sorted(folder.glob("*.java"))]
SEEN = re.compile(r"^public |^(abstract )?sealed |^interface ", re.MULTILINE)
DOCUMENTED = re.compile(r"/\*\*((?:(?!\*/).)*)\*/\s*([^{;]*?)\(([^{;]*)\)[^{;()]*[{;]", re.DOTALL)
TAG = re.compile(r"@param (\w+) (.*?)(?=@param|@return|@throws|$)", re.DOTALL)


def parameters(declared: str) -> dict[str, bool]:
    """The names in a list of parameters, and whether each may be null."""
    out: dict[str, bool] = {}
    depth, start = 0, 0
    for place, sign in enumerate(declared + ","):
        depth += (sign == "<") - (sign == ">")
        if sign == "," and depth == 0:
            words = declared[start:place].split()
            start = place + 1
            out |= {words[-1]: words[0] == "@Nullable"} if words else {}
    return out


def differences(text: str) -> Iterator[str]:
    """What is annotated otherwise than documented."""
    for comment, before, declared in DOCUMENTED.findall(text):
        told = dict(TAG.findall(re.sub(r"\s*\n\s*\* ?", " ", comment)))
        for name, nullable in parameters(declared).items():
            if name in told and ("null" in re.findall(r"\w+", told[name])) != nullable:
                yield f"{before.split()[-1]}: {name}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_what_may_be_null_is_annotated(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not SEEN.search(text) or not list(differences(text))


def test_both_differences_are_found() -> None:
    text = """
    /**
     * Does something.
     *
     * @param hints some; null:
     *     none
     * @param places where
     */
    public void doSomething(Info hints, @Nullable Map<String, int[]> places) {
    """
    assert list(differences(text)) == ["doSomething: hints", "doSomething: places"]
