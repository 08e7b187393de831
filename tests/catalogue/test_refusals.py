"""A name that is added to the catalogue without a fact that no rule can know is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from mpiglot.blueprints.catalogue import build, docs
from mpiglot.blueprints.errors import UsageError

Inputs = dict[str, Any]
Change = Callable[[Inputs], None]

FILES = ("prototypes.json", "overlay.json", "constants.json", "docs.json")
READ = {name: build._read(name) for name in (*FILES, "deviations.json")}


def _with_function(name: str, *, since: bool = True, family: str | None = "local") -> Change:
    def change(inputs: Inputs) -> None:
        prototype = {"returns": "int", "parameters": [["comm", "MPI_Comm"], ["n", "int *"]]}
        inputs["prototypes.json"]["functions"][name] = prototype
        inputs["docs.json"][name] = "Counts something."
        if since:
            inputs["overlay.json"]["since"]["5.0"].append(name)
        if family is not None:
            inputs["overlay.json"]["families"].setdefault(family, []).append(name)

    return change


def _append(table: str, heading: str, name: str) -> Change:
    return lambda inputs: inputs["overlay.json"][table][heading].append(name)


def _without_line(inputs: Inputs) -> None:
    _with_function("MPI_Comm_count")(inputs)
    del inputs["docs.json"]["MPI_Comm_count"]


def _constant(inputs: Inputs) -> None:
    inputs["prototypes.json"]["constants"]["MPI_NEW"] = ["int", 7]


def _callback(inputs: Inputs) -> None:
    shape = {"returns": "int", "parameters": [["comm", "MPI_Comm"]]}
    inputs["prototypes.json"]["callbacks"]["MPI_New_function"] = shape


OVERLAY = "blueprints/catalogue/overlay.json"
REFUSALS: list[tuple[str, Change, str]] = [
    (
        "function without version",
        _with_function("MPI_Comm_count", since=False),
        f'MPI_Comm_count is missing under "since" in {OVERLAY}.',
    ),
    (
        "constant without version",
        _constant,
        f'MPI_NEW is missing under "constants_since" in {OVERLAY}.',
    ),
    (
        "callback without version",
        _callback,
        f'MPI_New_function is missing under "callbacks_since" in {OVERLAY}.',
    ),
    (
        "function without chapter",
        _with_function("MPI_Frobnicate"),
        "MPI_Frobnicate has no chapter: no pattern of CHAPTERS in "
        "blueprints/catalogue/structure.py matches it.",
    ),
    (
        "function without family",
        _with_function("MPI_Comm_count", family=None),
        f'MPI_Comm_count is missing under "families" in {OVERLAY}.',
    ),
    (
        "family that the rules do not give",
        _with_function("MPI_Comm_count", family="blocking, collective"),
        f'MPI_Comm_count: {OVERLAY} states "blocking, collective", the rules of '
        'blueprints/catalogue/structure.py give "local".',
    ),
    (
        "unknown family",
        _with_function("MPI_Comm_count", family="quick"),
        f'MPI_Comm_count: "quick" in {OVERLAY} is no family; a family is blocking, nonblocking, '
        'persistent, local, and ", collective" may follow.',
    ),
    (
        "function without line",
        _without_line,
        "MPI_Comm_count has no line that says what it does in blueprints/catalogue/docs.json.",
    ),
    (
        "version of a name that does not exist",
        _append("since", "4.0", "MPI_Snd"),
        f'{OVERLAY}: "since" lists MPI_Snd under "4.0", but nothing is called so.',
    ),
    (
        "two versions of one name",
        _append("since", "4.0", "MPI_Send"),
        f'{OVERLAY}: "since" lists MPI_Send twice, under "1.0" and "4.0".',
    ),
    (
        "pattern that matches nothing",
        _append("before_init", "4.0", "MPI_Sesion_*"),
        f'{OVERLAY}: "before_init" lists MPI_Sesion_*, but nothing is called so.',
    ),
]


@pytest.fixture
def inputs(monkeypatch: pytest.MonkeyPatch) -> Inputs:
    """The catalogue's inputs, to be changed."""
    changed = copy.deepcopy(READ)
    monkeypatch.setattr(build, "_read", changed.__getitem__)
    monkeypatch.setattr(docs, "_lines", lambda: changed["docs.json"])
    return changed


def test_one_refusal_says_all_that_is_missing(inputs: Inputs) -> None:
    _with_function("MPI_Frobnicate", since=False, family=None)(inputs)
    del inputs["docs.json"]["MPI_Frobnicate"]
    with pytest.raises(UsageError) as refused:
        build.build()
    sentences = str(refused.value).splitlines()
    assert len(sentences) == 4
    assert all(s.startswith("MPI_Frobnicate ") and s.endswith(".") for s in sentences)


def test_a_complete_function_is_accepted(inputs: Inputs) -> None:
    _with_function("MPI_Comm_count")(inputs)
    added = next(f for f in build.build().functions if f.name == "MPI_Comm_count")
    assert (added.since, added.chapter, added.family) == ("5.0", "groups", "local")


@pytest.mark.parametrize(
    ("change", "sentence"), [r[1:] for r in REFUSALS], ids=[r[0] for r in REFUSALS]
)
def test_a_missing_fact_is_refused_in_one_sentence(
    inputs: Inputs, change: Change, sentence: str
) -> None:
    change(inputs)
    with pytest.raises(UsageError) as refusal:
        build.build()
    assert str(refusal.value) == sentence


def test_the_build_prints_the_sentence_and_writes_nothing(
    inputs: Inputs, capsys: pytest.CaptureFixture[str]
) -> None:
    before = build.TARGET.read_bytes()
    _with_function("MPI_Comm_count", since=False)(inputs)
    assert build.main([]) == 2
    assert capsys.readouterr().err == f'MPI_Comm_count is missing under "since" in {OVERLAY}.\n'
    assert build.TARGET.read_bytes() == before
