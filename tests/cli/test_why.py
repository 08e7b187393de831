"""`show --why`: which rule gave each fact of a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mpiglot.blueprints import catalogue, model
from mpiglot.generators.inputs import Named, known
from mpiglot.views import explain, explain_why

Run = Callable[..., Any]

STANDARD = catalogue.load()
SUBJECTS: list[model.Function | model.CallbackType] = [*STANDARD.functions, *STANDARD.callbacks]


def facts(mpiglot: Run, *name: str) -> dict[tuple[str, str], dict[str, Any]]:
    rows = mpiglot("show", "--why", "--json", *name).json()["facts"]
    return {(row["parameter"], row["fact"]): row for row in rows}


def test_a_rule_is_named_with_its_conditions(mpiglot: Run) -> None:
    found = facts(mpiglot, "MPI_Igatherv")
    by = found["displs", "root_only"]["by"]
    assert by == r"rules.PARAMETERS: function /i?gatherv?(_\w+)?/, parameter /recv\w+|displs/"
    assert found["", "family"]["value"] == "nonblocking"
    assert found["", "family"]["by"] == "request is a new request"
    assert found["recvbuf", "kept"]["by"].startswith(
        "structure.KEPT_ROLES: a pointer of role buffer"
    )
    assert found["sendbuf", "direction"]["by"] == "its C type, const void *"
    assert found["", "large_count"]["value"] == "MPI_Igatherv_c"


def test_what_no_rule_knows_is_said_to_be_stated_and_where(mpiglot: Run) -> None:
    found = facts(mpiglot, "MPI_Type_size_x")
    assert (found["", "since"]["value"], found["", "deprecated"]["value"]) == ("3.0", "4.1")
    assert found["", "since"]["by"].startswith("stated, in blueprints/catalogue/")
    assert facts(mpiglot, "MPI_Comm_free")["", "free"]["value"] == "MPI_Comm"


def test_an_exception_comes_with_its_reason(mpiglot: Run) -> None:
    row = facts(mpiglot, "MPI_Precv_init")["buf", "direction"]
    assert (row["value"], row["by"]) == ("out", "its C type, void *")
    assert row["note"].startswith("the Forum's data says in: ")
    assert "MPI writes to it" in row["note"]


def test_the_later_of_two_rules_is_named(mpiglot: Run) -> None:
    by = facts(mpiglot, "MPI_Comm_join")["fd", "role"]["by"]
    assert by == "rules.PARAMETERS: function /comm_join/, parameter /fd/"


def test_text_and_json_say_the_same(mpiglot: Run) -> None:
    text = mpiglot("show", "--why", "MPI_Allreduce").out
    for row in facts(mpiglot, "MPI_Allreduce").values():
        assert row["by"] in text
        assert row["parameter"] in text


def test_an_extension_is_explained_by_the_rules_that_inferred_it(mpiglot: Run) -> None:
    found = facts(mpiglot, "mpich-4.0.2", "MPIX_Comm_agree")
    assert found["flag", "direction"]["value"] == "inout"
    assert "/(\\w+_)?i?agree/" in found["flag", "direction"]["by"]
    assert found["", "chapter"]["by"] == "its name, which is not the standard's"
    assert ("", "since") not in found


def test_every_fact_of_the_catalogue_has_a_reason() -> None:
    silent = [
        (subject.name, r.parameter, r.fact)
        for subject in SUBJECTS
        for r in explain_why.reasons(explain.Explanation(subject.name, None, subject), None)
        if not r.by
    ]
    assert silent == []


@pytest.mark.parametrize("name", sorted(known()))
def test_every_fact_of_an_extension_has_a_reason(name: str) -> None:
    blueprint = model.load(model.Blueprint, known()[name])
    named = Named(name, blueprint, known()[name])
    for f in blueprint.functions:
        if f.source == "inferred" and not any(g.name == f.name for g in STANDARD.functions):
            e = explain.Explanation(f.name, (name, f), None)
            for r in explain_why.reasons(e, named):
                assert r.by, (f.name, r.parameter, r.fact)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "--why needs the name of a function: mpiglot show --why MPI_Send"),
        (
            ["thread_level"],
            "--why explains functions and callback types; thread_level is a value set.",
        ),
        (["MPI_ANY_TAG"], "--why explains functions and callback types; MPI_ANY_TAG is neither"),
        (["MPI_Sen"], "no function, constant or type is called MPI_Sen"),
    ],
)
def test_what_has_no_rules_is_refused_in_one_sentence(
    mpiglot: Run, arguments: list[str], sentence: str
) -> None:
    done = mpiglot("show", "--why", *arguments)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert len(done.err.splitlines()) == 1
