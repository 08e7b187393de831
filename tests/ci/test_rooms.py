"""The order of the rooms: which folder may import which, lazy imports included."""

from __future__ import annotations

from pathlib import Path

import pytest

from mpiglot.ci.changes import modules
from tests.ci.test_imports import ROOT

#: Each room with the rooms that it may import; docs/architecture.md says the same.
MAY_IMPORT: dict[str, set[str]] = {
    "blueprints": set(),
    "templates": set(),
    "parser": {"blueprints"},
    "provision": {"blueprints", "parser"},
    "doctor": {"blueprints", "parser"},
    "generators": {"blueprints", "templates"},
    "exchange": {"blueprints", "generators"},
    "views": {"blueprints", "generators", "exchange"},
    "packaging": {"blueprints", "provision", "generators", "exchange", "templates"},
    "commands": {
        "blueprints",
        "parser",
        "provision",
        "doctor",
        "generators",
        "exchange",
        "views",
        "packaging",
    },
    "cli": {"blueprints", "parser"},
    "ci": {"blueprints", "parser", "provision", "commands", "cli"},
}


#: The folders of `generators/`, each with the others that it may import; "" is the pipeline.
LANGUAGES: dict[str, set[str]] = {
    "": set(),
    "cpp": {""},
    "go": {""},
    "java": {""},
    "pmpi": {"", "cpp"},
}


def rooms_imported(text: str) -> set[str]:
    """The rooms that a file's imports name, wherever in it they stand."""
    return {words[1] for words in modules(text) if words[0] == "mpiglot" and words[1:]}


def languages_imported(text: str) -> set[str]:
    """The folders of `generators/` that a file's imports name; "" is the pipeline."""
    inside = [words[2] for words in modules(text) if words[:2] == ["mpiglot", "generators"]]
    return {word if word in LANGUAGES else "" for word in inside}


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pipeline_knows_no_language_and_a_language_only_those_below_it(language: str) -> None:
    folder = ROOT / "generators" / language
    files = sorted(folder.rglob("*.py") if language else folder.glob("*.py"))
    assert files
    allowed = LANGUAGES[language] | {language}
    wrong = [
        f"{path.relative_to(ROOT)} imports mpiglot.generators.{other}"
        for path in files
        for other in sorted(languages_imported(path.read_text(encoding="utf-8")) - allowed)
    ]
    assert wrong == []


def test_every_folder_of_the_generators_has_its_place() -> None:
    folders = {path.parent.name for path in (ROOT / "generators").glob("*/__init__.py")}
    assert folders == set(LANGUAGES) - {""}


@pytest.mark.parametrize("order", (MAY_IMPORT, LANGUAGES), ids=("rooms", "languages"))
def test_the_order_has_no_circle(order: dict[str, set[str]]) -> None:
    seen: set[str] = set()
    for room, below in order.items():
        assert below <= seen, f"{room} stands before a room that it may import"
        seen.add(room)


def test_every_room_has_its_place() -> None:
    inside = {path.stem for path in (ROOT / "mpiglot").iterdir() if path.suffix in ("", ".py")}
    rooms = {name for name in inside if name.isidentifier() and not name.startswith("__")}
    rooms.remove("bin")  # no Python: the script that starts it
    assert {name for name in rooms if not name.endswith("_runtime")} == set(MAY_IMPORT)


def test_an_import_inside_a_function_counts() -> None:
    assert rooms_imported("def f():\n    import mpiglot.ci.demo\n") == {"ci"}


def test_an_import_of_a_name_made_at_run_time_counts() -> None:
    text = 'import importlib\nimportlib.import_module(f"mpiglot.generators.go.{name}")\n'
    assert rooms_imported(text) == {"generators"}
    assert languages_imported(text) == {"go"}
