"""The rules on functions the catalogue does not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mpiglot.blueprints import catalogue, model
from mpiglot.blueprints.catalogue import engine
from mpiglot.blueprints.catalogue.vocabulary import HANDLE_ROLES
from mpiglot.blueprints.model import Function, Parameter

DATA = Path(__file__).parents[1] / "data"
BLUEPRINTS = Path(catalogue.__file__).parents[1] / "known"
STANDARD = {f.name: f for f in catalogue.load().functions}
CALLBACKS = {c.name for c in catalogue.load().callbacks}


def function(name: str, *parameters: str) -> Function:
    """ "void * buf" means a parameter `buf` of type `void *`."""
    split = [p.rsplit(" ", 1) for p in parameters]
    return Function(name, "int", [Parameter(name=n, type=t) for t, n in split])


def inferred(name: str, *parameters: str, handles: tuple[str, ...] = ()) -> dict[str, Parameter]:
    f = function(name, *parameters)
    engine.annotate(f, {*HANDLE_ROLES, *handles}, CALLBACKS)
    return {p.name: p for p in f.parameters}


def accuracy(file: str) -> tuple[float, int, list[str]]:
    data: Any = json.loads((DATA / file).read_text())
    wrong, total = [], 0
    for name, facts in data["functions"].items():
        f = Function(name, "int", [Parameter(name=n, type=t) for t, n, _ in facts])
        engine.annotate(f, {*HANDLE_ROLES, *data["handles"]}, CALLBACKS | set(data["callbacks"]))
        for p, (_, _, expected) in zip(f.parameters, facts, strict=True):
            total += 1
            if p.direction != expected:
                wrong.append(f"{name}.{p.name}")
    return 1 - len(wrong) / total, total, wrong


def test_directions_of_extensions_in_released_headers() -> None:
    share, total, wrong = accuracy("released_extensions.json")
    print(f"released extensions: {share:.1%} of {total} directions")
    assert total > 200
    assert wrong == []


@pytest.mark.parametrize(
    ("file", "first", "least"),
    [("unseen_extensions.json", 90.4, 0.95), ("later_extensions.json", 91.3, 0.99)],
)
def test_directions_of_extensions_nobody_tuned_for(file: str, first: float, least: float) -> None:
    """`first` per cent were right when the rules met them; what was general was then learned."""
    share, total, wrong = accuracy(file)
    print(f"{file}: {share:.1%} of {total} directions ({first} % at first); wrong: {wrong}")
    assert total > 120
    assert share >= least


@pytest.mark.parametrize("path", sorted(BLUEPRINTS.glob("*.json")), ids=lambda p: p.stem)
def test_rules_alone_understand_the_standards_functions_under_vendors_names(path: Path) -> None:
    """As if nothing were known: the header's types and names, and no catalogue."""
    blueprint = model.load(model.Blueprint, path)
    handles = {t.name for t in blueprint.types if t.handle} | set(HANDLE_ROLES)
    callbacks = CALLBACKS | {c.name for c in blueprint.callbacks}
    total, wrong = 0, []
    for found in blueprint.functions:
        standard = STANDARD.get(found.name)
        if standard is None or found.source != "catalogue" or found.status == "macro":
            continue
        f = Function(
            found.name,
            found.returns,
            [Parameter(name=p.c_name or p.name, type=p.type) for p in found.parameters],
        )
        engine.annotate(f, handles, callbacks)
        for p, q in zip(f.parameters, standard.parameters, strict=True):
            total += 1
            if p.direction != q.direction:
                wrong.append(f"{f.name}.{p.name}")
    print(f"{path.stem}: {1 - len(wrong) / total:.2%} of {total}; wrong: {', '.join(wrong)}")
    assert total > 1000
    assert len(wrong) / total < 0.002


def test_function_types_are_asked_of_the_parser_and_not_guessed_from_names() -> None:
    f = function("MPIX_Watch", "MPIX_Watcher * watcher", "void * extra_state")
    engine.annotate(f, set(), {"MPIX_Watcher"})
    watcher, state = f.parameters
    assert (watcher.direction, watcher.role) == ("in", "callback")
    assert watcher.callback is not None and watcher.callback.state == "extra_state"
    assert state.direction == "in"

    other = function("MPIX_Watch", "MPIX_Watcher * watcher", "void * extra_state")
    engine.annotate(other, {"MPIX_Watcher"}, set())
    assert (other.parameters[0].direction, other.parameters[0].role) == ("out", "handle")
    assert other.parameters[0].callback is None


def test_collective_extension_gets_its_groups() -> None:
    p = inferred(
        "MPIX_Ireduce_scatter_hint",
        *("const void * sendbuf", "void * recvbuf", "const int [] recvcounts"),
        *("MPI_Datatype datatype", "MPI_Op op", "MPI_Comm comm", "MPI_Info info"),
        "MPI_Request * request",
    )
    group = p["sendbuf"].group
    assert group is not None and (group.count, group.datatype) == ("recvcounts", "datatype")
    assert p["sendbuf"].kept and p["recvcounts"].kept
    assert p["request"].direction == "out"


def test_persistent_extension_under_an_old_name_means_what_the_standards_does() -> None:
    """Open MPI 4.1 has MPI 4.0's persistent collectives as MPIX_."""
    standard = STANDARD["MPI_Gatherv_init"]
    old = Function(
        "MPIX_Gatherv_init", "int", [Parameter(p.name, p.type) for p in standard.parameters]
    )
    engine.annotate(old, HANDLE_ROLES, CALLBACKS)
    assert old.parameters == standard.parameters
    assert (old.family, old.collective) == ("persistent", True)


def test_chapter_of_the_unknown_is_extensions() -> None:
    f = function("MPIX_Send_gently", "const void * buf", "MPI_Comm comm")
    engine.annotate(f, HANDLE_ROLES, CALLBACKS)
    assert f.chapter == "extensions"


def test_annotating_twice_changes_nothing() -> None:
    for standard in STANDARD.values():
        again = Function(
            standard.name,
            standard.returns,
            [Parameter(p.name, p.type) for p in standard.parameters],
        )
        for _ in range(2):
            engine.annotate(again, HANDLE_ROLES, CALLBACKS, STANDARD)
        assert again.parameters == standard.parameters, standard.name


@pytest.mark.parametrize(
    ("name", "parameter", "expected"),
    [
        ("MPIX_Foo_free", "MPIX_Foo * foo", "inout"),
        ("MPIX_Foo_create", "MPIX_Foo * foo", "out"),
        ("MPIX_Foo_get", "int * value", "out"),
        ("MPIX_Foo_set", "int * value", "in"),
        ("MPIX_Foo_get_all", "int [] values", "out"),
        ("MPIX_Foo_isend", "void * buf", "in"),
        ("MPIX_Foo_irecv", "void * buf", "out"),
        ("MPIX_Foo_bcast", "void * buf", "inout"),
        ("MPIX_Foo_do", "void * extra_state", "in"),
        ("MPIX_Foo_do", "const char * what", "in"),
        ("MPIX_Foo_do", "char *[] argv", "in"),
        ("MPIX_Foo_do", "int level", "in"),
    ],
)
def test_direction_by_type_name_and_function(name: str, parameter: str, expected: str) -> None:
    (p,) = inferred(name, parameter, handles=("MPIX_Foo",)).values()
    assert p.direction == expected
