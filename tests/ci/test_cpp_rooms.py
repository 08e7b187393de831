"""The order of the rooms below `detail/` of the C++ runtime, and where bodies lie."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.ci.test_imports import ROOT

INCLUDE = ROOT / "cpp_runtime/include"
DETAIL = "mpiglot/detail"
INCLUDED = re.compile(r'^#include [<"](mpiglot/[^>"]+)[>"]', re.M)

#: From the ground up: a room includes only rooms that stand before it; docs/architecture.md has the
#: same list.
ORDER = [
    "base",
    "kernels",
    "codec",
    "views",
    "arguments",
    "requests",
    "merged",
    "engine",
    "collectives",
    "access",
    "plugins",
]

#: By the path of a header: what it includes. A body (.ipp) is part of the header beside it.
Includes = Mapping[str, set[str]]


def includes(root: Path) -> Includes:
    found: dict[str, set[str]] = {}
    for path in sorted(root.rglob("*.?pp")):
        header = path.relative_to(root).with_suffix(".hpp").as_posix()
        text = path.read_text(encoding="utf-8")
        others = {str(Path(other).with_suffix(".hpp")) for other in INCLUDED.findall(text)}
        found.setdefault(header, set()).update(others - {header})
    return found


def reached(header: str, graph: Includes) -> dict[str, str]:
    """All headers that one needs, each with the one that includes it."""
    found: dict[str, str] = {}
    waiting = [header]
    while waiting:
        one = waiting.pop()
        for other in sorted(graph.get(one, set()) - found.keys()):
            found[other] = one
            waiting.append(other)
    return found


def room_of(header: str) -> str | None:
    return header.split("/")[2] if header.startswith(f"{DETAIL}/") else None


def backward(graph: Includes, order: list[str]) -> list[str]:
    """One line for each header below `detail/` that needs a room above its own."""
    wrong = []
    for header in sorted(graph):
        room = room_of(header)
        if room is None:
            continue
        allowed = {None, *order[: order.index(room) + 1]}
        for other, through in reached(header, graph).items():
            if room_of(other) not in allowed:
                wrong.append(f"{header} needs {other}, which {through} includes")
    return wrong


@pytest.fixture(scope="module")
def graph() -> Includes:
    return includes(INCLUDE)


def test_a_room_includes_only_rooms_below_it(graph: Includes) -> None:
    assert backward(graph, ORDER) == []


def test_every_room_has_its_place_and_every_internal_header_a_room() -> None:
    entries = list((INCLUDE / DETAIL).iterdir())
    assert {path.name for path in entries} == set(ORDER)
    assert all(path.is_dir() for path in entries)


def test_the_page_names_the_rooms_in_this_order() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)/` \| [^|]* \|$", page, re.M) == ORDER


def test_an_include_through_a_public_header_counts() -> None:
    graph = {
        f"{DETAIL}/low/a.hpp": {"mpiglot/public.hpp"},
        "mpiglot/public.hpp": {f"{DETAIL}/high/b.hpp"},
    }
    assert backward(graph, ["low", "high"]) == [
        f"{DETAIL}/low/a.hpp needs {DETAIL}/high/b.hpp, which mpiglot/public.hpp includes"
    ]
    assert backward(graph, ["high", "low"]) == []


def test_a_body_lies_beside_its_header_and_is_compiled_in_one_source() -> None:
    sources = [
        path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "cpp_runtime/src").glob("*.cpp"))
    ]
    bodies = sorted(INCLUDE.rglob("*.ipp"))
    assert bodies
    for body in bodies:
        line = f"#include <{body.relative_to(INCLUDE).as_posix()}>"
        header = body.with_suffix(".hpp").read_text(encoding="utf-8")
        assert f"#if MPIGLOT_BODIES\n{line}\n#endif" in header
        assert sum(line in source for source in sources) == 1
