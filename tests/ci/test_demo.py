"""`ci/demo` goes the whole way, and where it cannot, it says which step failed and why."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.ci import demo
from mpiglot.ci.demo import Demonstration, Subject
from mpiglot.parser.find import choose
from mpiglot.provision.environment import Environment

TOOL = """\
case $1 in
  doctor) exit 1 ;;
  probe) while [ "$1" != -o ]; do shift; done; cp {blueprint} "$2" ;;
  generate) while [ "$1" != -o ]; do shift; done
    for language in cpp go java; do mkdir -p "$2/$language"; echo code >"$2/$language/file"; done ;;
esac
"""
LAUNCHER = 'shift 2\nexec "$@"\n'
BUILD = """\
for out; do :; done
mkdir -p "$out"
printf '#!/bin/sh\\necho "{said}"\\nexit {code}\\n' >"$out/demo"
chmod +x "$out/demo"
"""


def _script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def made(tmp_path: Path) -> Demonstration:
    """A project of scripts: an MPI, a tool, and a program for each language."""
    blueprint = tmp_path / "known.json"
    blueprint.write_text(json.dumps({"functions": [{}, {}], "constants": [{}]}))
    _script(tmp_path / "mpiglot", TOOL.format(blueprint=blueprint))
    for language in ("cpp", "go", "java"):
        build = BUILD.format(said=f"{language} runs", code=0)
        _script(tmp_path / f"{language}_runtime" / "build-demo", build)
    launcher = _script(tmp_path / "mpiexec", LAUNCHER)
    subject = Subject(
        "mpich-9.9.9",
        "mpicc",
        "mpich",
        tmp_path / "mpicc",
        launcher,
        Environment(),
        ("cpp", "go", "java"),
    )
    return Demonstration(tmp_path, subject, dict(os.environ))


def test_the_whole_way_leaves_a_row_for_each_language_and_number_of_ranks(
    made: Demonstration,
) -> None:
    made.all(made.root / "mpiglot")
    assert not made.failed
    assert [row[:7] for row in made.rows] == [
        ["mpich-9.9.9", 2, 1, title, "1 files, 1 lines", ranks, "ok"]
        for title in ("C++", "Go", "Java")
        for ranks in (2, 4)
    ]
    assert "go runs" in (made.folder / "run-Go-on-4-ranks.log").read_text()


def test_a_program_that_fails_is_named_and_shown(
    made: Demonstration, capfd: pytest.CaptureFixture[str]
) -> None:
    _script(made.root / "go_runtime" / "build-demo", BUILD.format(said="ring broken", code=7))
    made.all(made.root / "mpiglot")
    assert made.failed
    results = {(row[3], row[5]): row[6] for row in made.rows}
    assert results["Go", 2] == results["Go", 4] == "exit code 7"
    assert results["Java", 4] == "ok"
    complaint = capfd.readouterr().err
    assert "mpich-9.9.9: run Go on 2 ranks failed (exit code 7)" in complaint
    assert "  | ring broken" in complaint


def test_a_build_that_fails_leaves_the_other_languages(made: Demonstration) -> None:
    _script(made.root / "cpp_runtime" / "build-demo", "exit 1\n")
    made.all(made.root / "mpiglot")
    assert made.failed
    assert made.rows[0][3:7] == ["C++", "1 files, 1 lines", "-", "build: exit code 1"]
    assert len(made.rows) == 5


def test_a_step_that_takes_long_says_that_it_runs(
    made: Demonstration, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "SILENCE", 0.05)
    _script(made.root / "go_runtime" / "build-demo", f"sleep 1\n{BUILD.format(said='go', code=0)}")
    made.all(made.root / "mpiglot")
    assert "demo: mpich-9.9.9: build Go runs for " in capfd.readouterr().err


def test_the_end_says_what_the_programs_said_and_where_the_files_are(
    made: Demonstration,
) -> None:
    made.all(made.root / "mpiglot")
    farewell = made.farewell()
    assert "Java on 4 ranks said:\n  | java runs\n" in farewell
    assert f"logs: {made.folder}\n" in farewell
    assert "next: ci/test --quick" in farewell
    (page,) = [word for word in farewell.split() if word.endswith(".md")]
    assert (Path(__file__).parents[2] / Path(page).relative_to(made.root)).is_file()


def test_the_end_repeats_nothing_that_an_earlier_demo_said(made: Demonstration) -> None:
    made.all(made.root / "mpiglot")
    _script(made.root / "go_runtime" / "build-demo", "exit 1\n")
    made.all(made.root / "mpiglot")
    assert "go runs" not in made.farewell()
    assert "java runs" in made.farewell()


@pytest.mark.parametrize("step", ["probe", "generate"])
def test_without_probe_or_bindings_the_way_ends(made: Demonstration, step: str) -> None:
    tool = made.root / "mpiglot"
    text = tool.read_text().replace(f"  {step})", f"  {step}) exit 3 ;;\n  never)")
    tool.write_text(text)
    made.all(tool)
    assert made.failed
    assert [row[6] for row in made.rows] == ["exit code 3"]


def test_without_an_mpi_a_wheel_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise EnvironmentProblem("no MPI was found; install one")

    taken: list[str] = []
    monkeypatch.setattr(demo, "choose", none)
    monkeypatch.setattr(demo, "named_subject", taken.append)
    demo.found_subject()
    assert taken == ["mpich-5.0.2"]


def test_the_found_mpi_is_taken_as_it_is() -> None:
    try:
        found = choose()
    except EnvironmentProblem:
        pytest.skip("no MPI on this machine")
    subject = demo.found_subject()
    assert (subject.name, subject.wrapper) == (found.name, found.wrapper)
    assert subject.spec == str(found.wrapper)
    assert subject.environment.set["MPICC"] == str(found.wrapper)
