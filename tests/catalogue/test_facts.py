"""The catalogue against the Forum's own data: what differs is published, nothing else differs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.catalogue.vocabulary import FORUM_KINDS, VERSIONS
from mpiglot.blueprints.model import CallbackType, Function, Parameter

DATA = Path(__file__).parents[1] / "data"
FACTS: dict[str, list[Any]] = json.loads((DATA / "forum_facts.json").read_text())["functions"]
REMOVED = {
    *("MPI_Address", "MPI_Errhandler_create", "MPI_Errhandler_get", "MPI_Errhandler_set"),
    *("MPI_Type_extent", "MPI_Type_hindexed", "MPI_Type_hvector", "MPI_Type_lb"),
    *("MPI_Type_struct", "MPI_Type_ub", "MPI_Handler_function"),
}
# second names of callback types that the Forum's data has under their first
SECOND_NAMES = {f"MPI_{x}_errhandler_fn" for x in ("Comm", "File", "Session", "Win")}

Subject = Function | CallbackType


def subjects() -> list[Subject]:
    known = catalogue.load()
    return [*known.functions, *known.callbacks]


def facts_of(subject: Subject) -> list[Any] | None:
    """The Forum's parameters; those of a large-count function are written with the small one."""
    name = subject.name
    if name in FACTS:
        return [p for p in FACTS[name] if "l" not in p[4]]
    return FACTS.get(name.removesuffix("_c"))


def pairs() -> Iterator[tuple[Subject, list[Any], Parameter]]:
    for subject in subjects():
        facts = facts_of(subject)
        if facts is None:
            continue
        assert len(facts) == len(subject.parameters), subject.name
        for fact, parameter in zip(facts, subject.parameters, strict=True):
            yield subject, fact, parameter


def compared() -> tuple[set[tuple[str, ...]], Counter[str]]:
    """All differences, and how many parameters were compared for each key."""
    found: set[tuple[str, ...]] = set()
    counted: Counter[str] = Counter()
    for subject, (_, kind, direction, length, marks), p in pairs():
        ours: dict[str, Any] = {
            "direction": (direction, p.direction),
            "role": (FORUM_KINDS[kind], p.role),
            "root_only": ("yes" if "r" in marks else "no", "yes" if p.root_only else "no"),
            "kept": ("yes" if "a" in marks else "no", "yes" if p.kept else "no"),
        }
        if length is not None:
            # "*" leaves the length open: any length the catalogue knows is an answer to it
            answered = length == "*" and p.length is not None
            ours["length"] = (_text(p.length) if answered else _text(length), _text(p.length))
        for key, (theirs, mine) in ours.items():
            counted[key] += 1
            if theirs != mine:
                found.add((subject.name, p.name, key, theirs, mine))
    return found, counted


def _text(length: str | list[str] | None) -> str:
    if length is None:
        return "none"
    return length if isinstance(length, str) else " x ".join(length)


def published() -> set[tuple[str, ...]]:
    return {
        (d.function, d.parameter, d.key, d.forum, d.catalogue)
        for d in catalogue.load().deviations
        if d.key != "type"
    }


def test_facts_cover_every_function_that_is_still_in_the_standard() -> None:
    of_the_facts = [s for s in subjects() if VERSIONS.index(s.since) <= VERSIONS.index("5.0")]
    assert {s.name for s in of_the_facts if facts_of(s) is None} == REMOVED | SECOND_NAMES
    assert len(FACTS) > 540


def test_no_function_of_the_forum_is_missing() -> None:
    assert set(FACTS) - {s.name for s in subjects()} == set()


def test_every_difference_from_the_forum_is_published_and_every_published_one_is_real() -> None:
    differences, _ = compared()
    assert differences - published() == set()
    assert published() - differences == set()


def test_every_deviation_has_a_reason() -> None:
    assert all(len(d.reason) > 20 for d in catalogue.load().deviations)


@pytest.mark.parametrize(
    ("key", "least"),
    [("direction", 0.995), ("role", 0.98), ("root_only", 0.999), ("kept", 0.995), ("length", 0.95)],
)
def test_agreement_before_any_exception(key: str, least: float) -> None:
    """The list of deviations must not become a place to hide a bad rule."""
    differences, counted = compared()
    wrong = sum(1 for d in differences if d[2] == key)
    share = 1 - wrong / counted[key]
    print(f"{key}: {share:.2%} of {counted[key]} parameters as the Forum has them")
    assert counted[key] > (280 if key == "length" else 3000)
    assert share >= least


def test_open_lengths_of_the_forum_are_answered() -> None:
    unanswered = {(s.name, p.name) for s, fact, p in pairs() if fact[3] == "*" and p.length is None}
    assert unanswered <= {(f, p) for f, p, key, _, _ in published() if key == "length"}


def test_constant_pointers_of_the_forum_are_inputs_with_const_in_c() -> None:
    checked = 0
    for subject, fact, p in pairs():
        if "c" in fact[4] and ("*" in p.type or "[" in p.type):
            assert p.direction == "in", (subject.name, p.name)
            assert "const" in p.type, (subject.name, p.name)
            checked += 1
    assert checked > 480


def test_names_are_the_forums_but_for_c_spellings() -> None:
    """C cannot say `index`; the ABI header writes some names otherwise."""
    other = Counter((fact[0], p.name) for _, fact, p in pairs() if fact[0] != p.name)
    assert set(other) <= {
        *(("index", "indx"), ("err", "error"), ("pe_session", "session")),
        # callbacks
        *(("oldcomm", "comm"), ("oldtype", "datatype"), ("oldwin", "win")),
        *(("comm_keyval", "keyval"), ("type_keyval", "keyval"), ("win_keyval", "keyval")),
    }


def test_readme_gives_these_figures() -> None:
    text = (Path(catalogue.__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    differences, counted = compared()
    for key, name in (("direction", "directions"), ("role", "roles"), ("length", "lengths")):
        share = 100 * (1 - sum(d[2] == key for d in differences) / counted[key])
        row = next(line for line in text.splitlines() if f"the Forum's data: {name}" in line)
        assert f"{share:.1f} %" in row
