"""The order of the rooms: which folder may import which, lazy imports included."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.ci.test_imports import ROOT, imported

#: Each room with the rooms that it may import; docs/architecture.md says the same.
MAY_IMPORT: dict[str, set[str]] = {
    "blueprints": set(),
    "templates": set(),
    "parser": {"blueprints"},
    "provision": {"blueprints", "parser"},
    "generators": {"blueprints", "templates"},
    "packaging": {"blueprints", "provision", "generators", "templates"},
    "commands": {"blueprints", "parser", "provision", "generators", "packaging"},
    "cli": {"blueprints", "parser"},
    "ci": {"blueprints", "parser", "provision", "commands", "cli"},
}


def rooms_imported(text: str) -> set[str]:
    """The rooms that a file's imports name, wherever in it they stand."""
    modules = [".".join(one).split(".") for one in imported(ast.parse(text))]
    return {words[1] for words in modules if words[0] == "mpiglot" and words[1:]}


def files_of(room: str) -> list[Path]:
    top = ROOT / room if (ROOT / room).is_dir() else ROOT / "mpiglot" / room
    return sorted(top.rglob("*.py")) if top.is_dir() else [top.with_suffix(".py")]


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_imports_only_rooms_below_it(room: str) -> None:
    files = files_of(room)
    assert files
    allowed = MAY_IMPORT[room] | {room, "__version__"}
    wrong = [
        f"{path.relative_to(ROOT)} imports mpiglot.{other}"
        for path in files
        for other in sorted(rooms_imported(path.read_text(encoding="utf-8")) - allowed)
    ]
    assert wrong == []


def test_the_order_has_no_circle() -> None:
    seen: set[str] = set()
    for room, below in MAY_IMPORT.items():
        assert below <= seen, f"{room} stands before a room that it may import"
        seen.add(room)


def test_every_room_has_its_place() -> None:
    inside = {path.stem for path in (ROOT / "mpiglot").iterdir() if path.suffix in ("", ".py")}
    rooms = {name for name in inside if name.isidentifier() and not name.startswith("__")}
    assert {name for name in rooms if not name.endswith("_runtime")} == set(MAY_IMPORT)


def test_an_import_inside_a_function_counts() -> None:
    assert rooms_imported("def f():\n    import mpiglot.ci.demo\n") == {"ci"}
