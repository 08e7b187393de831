"""Tools that only read files can follow every import of the project: editors and type checkers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from mpiglot.provision.obtain import checkout

ROOT = checkout() or Path.cwd()
OURS = ("mpiglot", "tests", "benchmarks")
FOLDERS = (*OURS, "blueprints", "ci", "doctor", "generators", "parser", "provision", "templates")
ROOMS = sorted(path.name for path in (ROOT / "mpiglot").iterdir() if path.is_symlink())


def imported(tree: ast.AST) -> Iterator[tuple[str, ...]]:
    """The modules that a file names, each with the name that is taken out of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name,) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from ((node.module or "", alias.name) for alias in node.names)


def defined(file: Path) -> set[str]:
    """The names that a module gives itself."""
    out: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            out.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            out.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            out.update(alias.asname or alias.name for alias in node.names)
    return out


def resolves(root: Path, module: str, name: str = "") -> bool:
    """Whether files alone, below `root`, lead to the module and to the name in it."""
    path = root.joinpath(*module.split("."))
    file = path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"
    if not file.is_file():
        return path.is_dir() and bool(name) and resolves(root, f"{module}.{name}")
    return not name or name in defined(file) or resolves(root, f"{module}.{name}")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_import_leads_to_a_file(folder: str) -> None:
    unresolved = [
        f"{path.relative_to(ROOT)}: {'.'.join(one)}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for one in imported(ast.parse(path.read_text(encoding="utf-8")))
        if one[0].split(".")[0] in OURS and not resolves(ROOT, *one)
    ]
    assert unresolved == []


def test_an_import_that_leads_nowhere_is_noticed() -> None:
    assert resolves(ROOT, "mpiglot.parser.find", "choose")
    assert not resolves(ROOT, "mpiglot.parser.find", "no_such_name")
    assert not resolves(ROOT, "mpiglot.parser.no_such_file")


@pytest.mark.parametrize("room", ROOMS)
def test_the_link_of_a_room_is_relative_and_leads_to_the_folder_of_its_name(room: str) -> None:
    link = ROOT / "mpiglot" / room
    assert link.readlink() == Path("..", room)
    assert link.is_dir()


def test_every_room_has_a_link() -> None:
    with_code = {
        path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name not in OURS
    }
    assert with_code <= set(ROOMS)


def test_an_editable_installation_is_a_folder_on_the_path() -> None:
    files = metadata.files("mpiglot") or []
    named = [file for file in files if file.suffix == ".pth"]
    if not named:
        pytest.skip("mpiglot is not installed as editable here")
    lines = [line for file in named for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines == [str(ROOT)]


def test_each_test_file_has_a_name_of_its_own() -> None:
    """Two of one name in folders that are no packages cannot be collected together."""
    names = [path.name for path in sorted((ROOT / "tests").rglob("test_*.py"))]
    assert sorted(set(names)) == sorted(names)
