"""`ci/mutate` changes code and nothing else, and tells what tests notice from what they do not."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.ci.mutation import (
    Fate,
    Group,
    Sandbox,
    Tried,
    copied,
    files_of,
    mutants,
    mutants_of,
    read,
    tried,
)
from tests.ci.test_imports import ROOT

CODE = """def most(values):
    found = 0  # the smallest there is
    for one in values:
        if one > found:
            found = one
    return found
"""
TEST = """from code_under_test import most
assert most([1, 3, 2]) == 3
assert most([]) == 0
"""
GROUP = Group(
    "toy",
    ((r" > ", " < "), (r" > ", " >= "), (r"\b0\b", "1"), (r"found$", "(")),
    ("code_under_test.py",),
    (("{python}", "-m", "py_compile", "code_under_test.py"),),
    (("{python}", "-B", "test.py"),),
)


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    (tmp_path / "code_under_test.py").write_text(CODE)
    (tmp_path / "test.py").write_text(TEST)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return Sandbox(tmp_path, {"python": sys.executable}, environment, tmp_path / "log")


def test_tells_noticed_surviving_and_invalid_changes_apart(sandbox: Sandbox) -> None:
    found = mutants_of(GROUP, sandbox.root)
    fates = {one.after.strip(): fate for one, fate in tried(GROUP, sandbox, found, None)}
    assert fates == {
        "if one < found:": Fate.NOTICED,
        "if one >= found:": Fate.SURVIVED,
        "found = 1  # the smallest there is": Fate.NOTICED,
        "return (": Fate.INVALID,
    }
    assert (sandbox.root / "code_under_test.py").read_text() == CODE


def test_stops_when_so_many_have_compiled(sandbox: Sandbox) -> None:
    found = mutants_of(GROUP, sandbox.root)
    fates = [fate for _, fate in tried(GROUP, sandbox, found, 2)]
    assert len([fate for fate in fates if fate is not Fate.INVALID]) == 2
    assert mutants_of(GROUP, sandbox.root) == found


def test_a_test_that_does_not_end_has_noticed(sandbox: Sandbox) -> None:
    group = replace(GROUP, rules=((r"for one in values:", "while True:"),))
    limit = sandbox.seconds_of_tests(group) + 2
    (mutant,) = mutants_of(group, sandbox.root)
    assert sandbox.fate(group, mutant, limit) is Fate.NOTICED


def test_tests_that_fail_before_any_change_are_refused(sandbox: Sandbox) -> None:
    (sandbox.root / "test.py").write_text("raise SystemExit(1)")
    with pytest.raises(EnvironmentProblem, match="toy: the tests fail before any change"):
        list(tried(GROUP, sandbox, [], None))


def test_neither_comments_nor_texts_are_changed(tmp_path: Path) -> None:
    lines = ["// a < b\n", 'say("1 < 2", 3 < 4);\n', '"""\n', "1 < 2\n", '"""\n', "# 1 < 2\n"]
    (tmp_path / "file").write_text("".join(lines))
    changed = mutants(tmp_path, "file", [(" < ", " >= ")])
    assert [(one.line, one.after) for one in changed] == [(2, 'say("1 < 2", 3 >= 4);\n')]


def test_equivalent_changes_are_left_out(sandbox: Sandbox) -> None:
    known = frozenset({("code_under_test.py", "if one >= found:")})
    found = mutants_of(replace(GROUP, equivalent=known), sandbox.root)
    assert "if one >= found:" not in {one.after.strip() for one in found}
    assert len(found) == len(mutants_of(GROUP, sandbox.root)) - 1


def test_the_share_counts_what_compiles(sandbox: Sandbox) -> None:
    noticed, survived, invalid, _ = mutants_of(GROUP, sandbox.root)
    fates = {noticed: Fate.NOTICED, survived: Fate.SURVIVED, invalid: Fate.INVALID}
    assert Tried("toy", fates).percent == 50.0
    assert Tried("toy").percent == 100.0


def test_a_pattern_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"toy: no file is called code_under_test\.py"):
        files_of(GROUP, tmp_path)


def test_the_groups_of_the_project_have_files_and_changes() -> None:
    groups = read()
    assert len({group.name for group in groups}) == len(groups)
    for group in groups:
        assert len(mutants_of(group, ROOT)) > 50, group.name


def test_known_equivalent_changes_are_still_possible() -> None:
    """An entry whose line has changed says nothing any more."""
    for group in read():
        plain = {
            (one.file, one.after.strip())
            for one in mutants_of(replace(group, equivalent=frozenset()), ROOT)
        }
        here = {one for one in group.equivalent if one[0] in set(files_of(group, ROOT))}
        assert here <= plain


def test_the_copy_has_what_git_has_and_nothing_built(tmp_path: Path) -> None:
    copied(ROOT, tmp_path / "copy")
    assert (tmp_path / "copy/ci/mutation.py").read_bytes() == (ROOT / "ci/mutation.py").read_bytes()
    assert not (tmp_path / "copy/build").exists()


def test_the_nightly_job_has_each_group() -> None:
    job = (ROOT / ".github/workflows/mutation.yml").read_text(encoding="utf-8")
    (line,) = [line for line in job.splitlines() if "group: [" in line]
    assert line.partition("[")[2].rstrip("]").split(", ") == [group.name for group in read()]
