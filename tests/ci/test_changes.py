"""`ci/test --changed` runs what a change can have touched, and nothing that has passed as it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mpiglot.ci.changes import (
    Inputs,
    Passed,
    Tree,
    completed,
    is_repository,
    narrowed,
    pattern,
    read_rules,
    touched_tests,
    without_joins,
)
from mpiglot.ci.executed import Executed
from mpiglot.ci.parts import Choice, Part, Task, chosen, read, tasks
from mpiglot.ci.testing import PARTS
from mpiglot.provision.matrix import matrix

ROOT = PARTS.parents[1].resolve()
ALL = read(PARTS)
MPI = "mpich-4.0.2"


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree.of(ROOT)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout with one commit."""

    def git(*words: str) -> None:
        subprocess.run(["git", "-C", tmp_path, *words], check=True, capture_output=True)

    (tmp_path / "tests").mkdir()
    (tmp_path / "a.py").write_text("import b\n")
    (tmp_path / "b.py").write_text("B = 1\n")
    (tmp_path / "c.txt").write_text("c\n")
    (tmp_path / ".gitignore").write_text("build/\n")
    (tmp_path / "tests/test_a.py").write_text("def test() -> None:\n    import a\n")
    (tmp_path / "tests/test_c.py").write_text("from b import nothing\n")
    git("init", "-q")
    git("config", "user.email", "a@b")
    git("config", "user.name", "a")
    git("add", "-A")
    git("commit", "-q", "-m", "one")
    return tmp_path


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("**/*.py", "a.py", True),
        ("**/*.py", "x/y/a.py", True),
        ("x/*", "x/a", True),
        ("x/*", "x/y/a", False),
        ("x/**", "x/y/a", True),
        ("x/**", "xy/a", False),
        ("*/build-demo", "go/build-demo", True),
        ("**", "any/thing", True),
    ],
)
def test_globs_stay_in_their_folder_unless_they_are_double(
    glob: str, path: str, fits: bool
) -> None:
    assert bool(pattern(glob).fullmatch(path)) == fits


def test_every_tracked_file_belongs_to_a_part_of_its_own(tree: Tree) -> None:
    inputs = Inputs([part for part in ALL if part.name != "pytest command"])
    rest = set(tree.files)
    for part in ALL:
        if part.name != "pytest command":
            rest -= set(inputs.of(part.name, tree.files))
    python = touched_tests(["tests"], [], tree, read_rules())
    assert python == []
    left = [
        path
        for path in sorted(rest)
        if not touched_tests(["tests"], [path], tree, read_rules())
        and not path.startswith(("tests/", ".git"))
    ]
    assert left == []


def test_every_part_has_inputs_and_every_rule_its_files_and_tests(tree: Tree) -> None:
    inputs = Inputs(ALL)
    for part in ALL:
        assert inputs.of(part.name, tree.files), part.name
    for rule in read_rules():
        for glob in (*rule.files, *rule.tests):
            assert any(pattern(glob).fullmatch(path) for path in tree.files), glob


def _touched(tree: Tree, tmp_path: Path, *files: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    passed = Passed(tmp_path, tree, Inputs(ALL))
    for part in ("C++", "Go build", "Java build"):
        for task in tasks([one for one in ALL if one.name == part], [matrix().get(MPI)]):
            passed.note(task)
    choice = Choice(mpis=(MPI,), once=True)
    found = narrowed(without_joins(chosen(ALL, matrix().mpis, choice)), set(files), passed)
    return {task.part.name: task.part.commands for task in found}


def test_a_changed_file_brings_its_parts_and_no_others(tree: Tree, tmp_path: Path) -> None:
    assert set(_touched(tree, tmp_path, "tests/cpp_runtime/forms.cpp")) == {"lint", "C++ runtime"}
    go = set(_touched(tree, tmp_path, "go_runtime/op.go"))
    assert {"Go build", "Go", "Go endings"} <= go and not go & {"Java", "C++", "coverage", "demo"}
    java = set(_touched(tree, tmp_path, "java_runtime/src/main/java/dev/mpiglot/mpi/Op.java"))
    assert {"Java build", "Java"} <= java and not java & {"Go build", "C++", "coverage"}
    header = set(_touched(tree, tmp_path, "cpp_runtime/include/mpiglot/communicator.hpp"))
    assert {"C++", "C++ runtime", "C++ conformance"} <= header and not header & {"Go", "Java"}


def test_lint_and_python_tests_are_of_the_changed_files_only(tree: Tree, tmp_path: Path) -> None:
    found = _touched(tree, tmp_path, "generators/go/c.py")
    assert found["lint"][0][-1] == "generators/go/c.py"
    tests = [word for word in found["pytest command"][0] if word.startswith("tests/")]
    assert "tests/generators/test_go.py" in tests
    assert all(word.endswith(".py") and "java" not in word for word in tests)


def test_imports_are_followed_and_lazy_ones_too(checkout: Path) -> None:
    tree = Tree.of(checkout)
    assert touched_tests(["tests"], ["b.py"], tree, []) == ["tests/test_a.py", "tests/test_c.py"]
    assert touched_tests(["tests"], ["a.py"], tree, []) == ["tests/test_a.py"]
    assert touched_tests(["tests"], ["c.txt"], tree, []) == []
    assert touched_tests(["other"], ["a.py"], tree, []) == []


def test_a_tree_knows_what_is_changed_new_and_gone(checkout: Path) -> None:
    before = Tree.of(checkout).files
    (checkout / "b.py").write_text("B = 2\n")
    (checkout / "new.py").write_text("")
    (checkout / "c.txt").unlink()
    (checkout / "build").mkdir()
    (checkout / "build/x").write_text("")
    tree = Tree.of(checkout)
    assert tree.since("HEAD") == {"b.py", "new.py", "c.txt"}
    assert before["b.py"] != tree.files["b.py"] and before["a.py"] == tree.files["a.py"]
    assert "c.txt" not in tree.files and "build/x" not in tree.files


def test_an_archive_without_history_is_no_repository(checkout: Path, tmp_path: Path) -> None:
    assert is_repository(checkout)
    (checkout / ".git").rename(checkout / "git")
    assert not is_repository(checkout)


def test_what_passed_is_known_until_its_inputs_change(checkout: Path, tmp_path: Path) -> None:
    part = Part("p", (("true",),), "exit", (("", 1.0),), inputs=("*.py",))
    other = Part("q", (("true",),), "exit", (("", 1.0),), after=("p",), inputs=("@p", "c.txt"))
    task, behind = Task(part), Task(other)

    def passed() -> Passed:
        return Passed(tmp_path / "build", Tree.of(checkout), Inputs([part, other]))

    assert completed([behind], [task, behind], passed()) == [task, behind]
    passed().note(task, cpu=3.0)
    assert (passed().row(task) or {})["cpu"] == 3.0
    assert completed([behind], [task, behind], passed()) == [behind]
    (checkout / "c.txt").write_text("d\n")
    assert passed().row(task) is not None
    (checkout / "b.py").write_text("B = 3\n")
    assert passed().row(task) is None


def test_a_program_that_passed_runs_again_when_it_or_what_drives_it_changes(
    checkout: Path,
) -> None:
    part = Part("p", (("true",),), "line", (("", 1.0),), inputs=("b.py",))
    build = checkout / "build"
    build.mkdir()
    program = build / "program"
    program.write_bytes(b"\x7fELF 1")
    task = Task(part)

    def executed() -> Executed:
        return Executed(build, Tree.of(checkout), Inputs([part]), skip=True)

    def key() -> str:
        return executed().key(task, ["run", str(program)])

    first = key()
    assert not executed().has_passed(first)
    executed().note([first, ""])
    assert executed().has_passed(first) and not executed().has_passed("")
    program.write_bytes(b"\x7fELF 2")
    second = key()
    assert second != first
    (checkout / "b.py").write_text("B = 4\n")
    assert key() not in (first, second)
    assert executed().key(task, ["run", "elsewhere"]) == ""
    program.write_bytes(b"#!/bin/sh\nexec java -jar program.jar\n")
    (build / "program.jar").write_bytes(b"1")
    script = key()
    (build / "program.jar").write_bytes(b"2")
    assert key() != script
