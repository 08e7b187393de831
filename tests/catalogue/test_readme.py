"""`blueprints/README.md` documents what there is."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from mpiglot.blueprints import catalogue, model
from mpiglot.blueprints.catalogue.vocabulary import CHAPTERS, FAMILIES, ROLES

KNOWN = catalogue.load()
TEXT = (Path(catalogue.__file__).parents[1] / "README.md").read_text(encoding="utf-8")
QUOTED = set(re.findall(r"`([^`]+)`", TEXT))


def table(heading: str) -> dict[str, list[str]]:
    """First cell -> the other cells of the first table below a heading."""
    part = TEXT.split(f"# {heading}\n", 1)[1].split("\n#", 1)[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| `")]
    return {row[0].strip().strip("`"): [cell.strip() for cell in row[1:]] for row in rows}


def keys(cls: Any, seen: set[Any]) -> set[str]:
    """The JSON keys of a model class and of all classes below it."""
    if cls in seen:
        return set()
    seen.add(cls)
    found = {model._KEYS.get(f.name, f.name) for f in fields(cls)}
    for name in re.findall(r"\b[A-Z]\w+", " ".join(str(f.type) for f in fields(cls))):
        other = getattr(model, name, None)
        if is_dataclass(other):
            found |= keys(other, seen)
    return found


def test_every_key_is_documented() -> None:
    seen: set[Any] = set()
    everything = keys(model.Blueprint, seen) | keys(model.Catalogue, seen)
    assert len(everything) > 80
    tables = {"functions", "callbacks", "constants", "value_sets"}
    assert {k for k in everything - tables if k not in QUOTED} == set()


def test_every_role_is_documented_as_it_is() -> None:
    assert table("Roles") == {role: [doc] for role, doc in ROLES.items()}


def test_every_chapter_and_family_is_documented() -> None:
    assert table("Chapters") == {chapter: [doc] for chapter, doc in CHAPTERS.items()}
    assert set(FAMILIES) <= QUOTED


def test_every_value_set_is_documented_as_it_is() -> None:
    documented = {name: cells[:2] for name, cells in table("Value sets").items()}
    assert documented == {s.name: [s.kind, s.doc] for s in KNOWN.value_sets}


def test_every_form_of_length_is_documented() -> None:
    forms = " ".join(table("Length"))
    for f in KNOWN.functions:
        for p in f.parameters:
            parts = p.length if isinstance(p.length, list) else [p.length or ""]
            for part in parts:
                rule = re.match(r"(\w+)\(", part)
                assert rule is None or rule[1] + "(" in forms, part


def test_every_form_of_blocks_is_documented() -> None:
    forms = {p.group.blocks for f in KNOWN.functions for p in f.parameters if p.group} - {None}
    assert forms <= QUOTED
