"""The turn of the gate is the day of the commit; what failed before a change refuses nothing."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from mpiglot.blueprints.errors import UsageError
from mpiglot.ci.before import Before
from mpiglot.ci.changes import Tree, walked
from mpiglot.ci.parts import Counts, Part, Task
from mpiglot.ci.running import Run
from mpiglot.ci.testing import PARTS, report
from mpiglot.ci.turns import COMMITTED, DAY, before, committed, turn_of
from mpiglot.provision.toolchains import Toolchains

ROOT = PARTS.parents[1].resolve()
# A part's command at the earlier commit: `ci/test` writes its log and fails.
FAILS = """#!/bin/bash
mkdir -p build/test-logs
printf '%s\\n' "$@" >build/words
printf 'FAILED tests/a.py::test_old - no\\n' >build/test-logs/p.log
exit 1
"""


class Checkout:
    """A small checkout whose commits have dates."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "a@b")
        self.git("config", "user.name", "a")
        (root / "ci").mkdir()
        (root / ".ci").mkdir()
        (root / COMMITTED).write_text("$Format:%ct$\n")
        (root / ".gitattributes").write_text(f"/{COMMITTED} export-subst\n")
        (root / ".gitignore").write_text("/build/\n*.o\n")

    def git(self, *words: str, seconds: int = 0) -> str:
        when = f"{seconds} +0000"
        done = subprocess.run(
            ["git", "-C", self.root, *words],
            env={**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, seconds: int) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "one", seconds=seconds)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    root = tmp_path / "checkout"
    root.mkdir()
    return Checkout(root)


def test_commits_of_a_day_have_one_turn_and_the_next_day_the_next(checkout: Checkout) -> None:
    turns = []
    for seconds in (20_000 * DAY, 20_001 * DAY - 1, 20_001 * DAY):
        checkout.commit(seconds)
        assert committed(checkout.root) == seconds
        turns.append(turn_of(checkout.root))
    assert turns == [20_000, 20_000, 20_001]


def test_an_archive_has_the_turn_of_its_commit(checkout: Checkout, tmp_path: Path) -> None:
    checkout.commit(20_000 * DAY + 5)
    archive = tmp_path / "archive"
    archive.mkdir()
    checkout.git("archive", "-o", str(tmp_path / "a.tar"), "HEAD")
    subprocess.run(["tar", "xf", tmp_path / "a.tar", "-C", archive], check=True)
    assert turn_of(archive) == 20_000
    assert before(archive) == ""
    (archive / COMMITTED).write_text("$Format:%ct$\n")
    assert turn_of(archive) == 0
    (archive / COMMITTED).unlink()
    assert turn_of(archive) == 0


def test_the_projects_own_archive_gets_its_date() -> None:
    lines = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    assert f"/{COMMITTED} export-subst" in lines and committed(ROOT)


def test_before_the_change_is_the_last_commit_of_an_earlier_day(checkout: Checkout) -> None:
    checkout.commit(20_000 * DAY)
    earlier = checkout.commit(20_001 * DAY - 1)
    checkout.commit(20_001 * DAY)
    checkout.commit(20_001 * DAY + 9)
    assert before(checkout.root) == earlier


def test_the_first_day_has_nothing_before_it(checkout: Checkout) -> None:
    checkout.commit(20_000 * DAY)
    checkout.commit(20_000 * DAY + 1)
    assert before(checkout.root) == ""


def test_an_archive_has_the_files_that_git_would_not_ignore(checkout: Checkout) -> None:
    (checkout.root / "build").mkdir()
    (checkout.root / "build/x").write_text("")
    (checkout.root / "ci/a.o").write_text("")
    (checkout.root / "ci/new").write_text("")
    (checkout.root / "link").symlink_to("ci")
    checkout.commit(20_000 * DAY)
    by_git = set(Tree.of(checkout.root).files)
    assert set(walked(checkout.root)) == by_git
    (checkout.root / ".git").rename(checkout.root.parent / "git")
    tree = Tree.of(checkout.root)
    assert set(tree.files) == by_git >= {"link", "ci/new"}
    with pytest.raises(UsageError, match="no git repository"):
        tree.since("HEAD")


@pytest.mark.usefixtures("repository")
def test_a_walk_through_the_project_finds_what_git_has() -> None:
    assert set(walked(ROOT)) == set(Tree.of(ROOT).files)


def _run(checkout: Checkout, said: str, **about: object) -> Run:
    """Runs a part that says something and fails, with a commit before it in which one test does."""
    (checkout.root / "ci/test").write_text(FAILS)
    earlier = checkout.commit(20_000 * DAY)
    part = Part("p", (("sh", "-c", f"printf '%b' '{said}'; exit 1"),), "pytest", (("", 1.0),))
    run = Run(
        checkout.root, Toolchains(Path("java"), False, Path("go/go")), turn=7, keep_going=True
    )
    run.before = Before(checkout.root, earlier, 7, checkout.root / "build/before")
    behind = Part("q", (("true",),), "exit", (("", 1.0),), after=("p",))
    part = replace(part, **about)  # type: ignore[arg-type]
    run.everything([Task(part), Task(behind)], 1)
    return run


def test_what_fails_before_the_change_too_is_reported_and_refuses_nothing(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    run = _run(checkout, "FAILED tests/a.py::test_old - no\\n1 failed, 5 passed in 1.0s\\n")
    first, second = run.rows
    assert first.counts == Counts(5, 0, 1) and first.before == {"tests/a.py::test_old"}
    assert second.counts == Counts(0, 0, 1), "what waits for it is not run"
    words = next((checkout.root / "build/before").glob("*/build/words")).read_text().split()
    assert words == ["--turn", "7", "--keep-going", "--part", "p"]
    assert report(run.rows, 1.0).failed == 0
    assert "p fails without the change, too, and refuses nothing: tests/a.py::test_old" in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize(
    "said",
    [
        "FAILED tests/a.py::test_new - no\\n1 failed in 1.0s\\n",
        "FAILED tests/a.py::test_new - no\\nFAILED tests/a.py::test_old - no\\n2 failed in 1.0s\\n",
        "nothing that a tool would say",
    ],
)
def test_what_fails_with_the_change_only_refuses_it(checkout: Checkout, said: str) -> None:
    first, second = _run(checkout, said).rows
    assert first.counts.failed and second.counts.failed
    assert not first.before and first.note.startswith("not on ")


def test_what_every_gate_runs_is_not_repeated(checkout: Checkout) -> None:
    run = _run(checkout, "FAILED tests/a.py::test_old - no\\n1 failed in 1.0s\\n", counts="exit")
    assert run.rows[0].counts.failed and not (checkout.root / "build/before").exists()


def test_a_part_without_names_fails_as_a_whole(checkout: Checkout) -> None:
    words = (("sh", "-c", "exit 1", "{some_ranks}"),)
    run = _run(checkout, "", commands=words, counts="exit")
    assert run.rows[0].before == {"p"}


def test_a_commit_that_cannot_run_the_part_excuses_nothing(checkout: Checkout) -> None:
    (checkout.root / "ci").mkdir(exist_ok=True)
    earlier = checkout.commit(20_000 * DAY)
    earlier_run = Before(checkout.root, earlier, 7, checkout.root / "build/before")
    task = Task(Part("p", (("true",),), "pytest", (("", 1.0),)))
    assert earlier_run.fails(task, limit=60, stop=Event()) == set()
