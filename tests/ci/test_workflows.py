"""The steps of the workflows run in an archive of the sources, on a bare Debian 12.

What tests for long lists what it would test, and the matrix run executes the shorter ones in full.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.ci.bare_debian import STATUS, BareDebian
from tests.ci.test_news import registry as registry
from tests.ci.workflows import (
    ROOT,
    Room,
    Step,
    archive,
    expanded,
    only_listed,
    steps,
    uses_an_expression,
)
from tests.limits import guard
from tests.tiers import matrix_run, turn

if not STATUS.is_file():
    pytest.skip("there is no dpkg here whose packages could be linked", allow_module_level=True)

#: The steps that need the forge, each with what of it they need.
FORGE = {"news.yml news: Propose": "pushes a branch and opens a pull request, with GH_TOKEN"}
#: What takes long also where nothing is tested: in the matrix run.
LONG = {
    "mpi-matrix.yml test: Install mpiglot": "pip builds mpiglot from the archive",
    "mpi-matrix.yml test: Examine it": "the doctor compiles and starts programs",
}
LINT = "ci.yml lint: ci/lint"
#: What runs in full in the matrix run. The others take an hour.
IN_FULL = {"ci.yml demo: ci/demo"}
MPIS = ("mpich-5.0.2", "openmpi-5.0.11", "mpich-4.1.3", "intelmpi-2021.18.1")
MPI = next((name for name in MPIS if (ROOT / ".mpi" / name).is_dir()), None)
EVERY = steps()
HERE = [step for step in EVERY if step.label not in FORGE]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return archive(tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory, sources: Path) -> Callable[[Step], Room]:
    """A room for each job: its steps find there what the steps before them have left."""

    @cache
    def of(workflow: str, job: str) -> Room:
        return Room.made(tmp_path_factory.mktemp(job) / "room", sources)

    return lambda step: of(step.workflow, step.job)


def values_for(step: Step, room: Room) -> dict[str, str]:
    """What expressions are worth in a run: the first case of a matrix, a caller's inputs."""
    calls = {"inputs.mpiglot": ".", "inputs.packages": "g++ gcc libc6-dev", "inputs.test": "true"}
    if step.workflow == "mpi-matrix.yml":
        caller = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
        lines = caller.partition("test: |\n")[2].splitlines()
        calls["inputs.test"] = "\n".join(line.strip() for line in lines)
    return {
        **calls,
        "github.workspace": str(room.sources),
        "matrix.group": "parser",
        "matrix.language": "go",
        "matrix.mpi": MPI or MPIS[0],
        "steps.news.outputs.names": "mpich-5.0.2",
    }


def prepared(step: Step, room: Room) -> dict[str, str]:
    """What earlier steps of the job have left, and further variables."""
    if step.workflow == "mpi-matrix.yml":
        python = Path(sys.base_prefix) / "bin" / "python3"
        room.debian.link("python", python)  # what actions/setup-python brings
        if step.name != "Install mpiglot" and not (room.temp / "mpiglot").exists():
            (room.temp / "mpiglot").symlink_to(room.sources / ".venv")
        if step.name in ("Examine it", "Test"):
            room.debian.add(["g++", "gcc", "libc6-dev"])  # ubuntu-latest has them
    if step.workflow == "news.yml" and step.name == "Test":
        (room.sources / "build" / "news").mkdir(parents=True, exist_ok=True)
    return {}


def run(step: Step, room: Room, **variables: str) -> subprocess.CompletedProcess[str]:
    """Executes a step; skips where it failed for want of a package that this machine has not."""
    full = matrix_run() and step.label in IN_FULL
    listed = step if full else replace(step, run=only_listed(step.run))
    done = room.run(listed, values_for(step, room), seconds=guard(240), **variables)
    absent = room.debian.missing()
    if done.returncode != 0 and absent:
        pytest.skip(f"this machine lacks packages that the step asks for: {', '.join(absent)}")
    return done


@pytest.mark.parametrize("step", HERE, ids=lambda step: step.label)
def test_a_step_runs_in_an_archive_on_a_bare_system(
    step: Step, rooms: Callable[[Step], Room], request: pytest.FixtureRequest
) -> None:
    if step.label == LINT and not matrix_run() and turn() % 2:
        pytest.skip("in turn: the part lint reads the same files")
    if step.label in LONG and not matrix_run():
        pytest.skip(f"in the matrix run: {LONG[step.label]}")
    if step.workflow == "mpi-matrix.yml" and "MPI_NAME" in step.run and MPI is None:
        pytest.skip("none of the MPIs from wheels is installed")
    room = rooms(step)
    variables = prepared(step, room)
    if step.name == "Measure":  # asks a registry that has nothing new
        mine = request.getfixturevalue("registry")[1]
        variables |= {key: mine[key] for key in mine if key.startswith("PIP_") or key == "NO_PROXY"}
    done = run(step, room, **variables)
    assert done.returncode == 0, done.stdout
    if step.id == "mpis":
        assert "mpich-5.0.2" in json.loads(room.outputs["names"])
    if step.id == "news":
        assert room.outputs["names"] == ""
    if step.name == "Test" and step.workflow == "news.yml":
        text = (room.sources / "build/news/mpich-5.0.2.txt").read_text(encoding="utf-8")
        assert "C++ conformance mpich-5.0.2\n" in text  # what would run


def test_steps_that_need_the_forge_are_there_and_no_others_have_its_token() -> None:
    labels = {step.label for step in EVERY}
    assert {*FORGE, *LONG, *IN_FULL} <= labels
    with_token = {step.label for step in EVERY if "github.token" in "".join(step.env.values())}
    assert with_token == set(FORGE)


def test_no_value_becomes_a_command() -> None:
    assert uses_an_expression(EVERY) == []


def test_set_up_asks_for_what_a_bare_system_lacks(tmp_path: Path, sources: Path) -> None:
    """Without the environment: Python comes from apt, then the packages from pip, as locked."""
    room = Room.made(tmp_path / "room", sources, installed=False)
    (step,) = (step for step in HERE if step.label == LINT)
    absent = {} if matrix_run() else {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}
    done = run(step, room, **absent)
    assert room.debian.asked() == ["python3", "python3-venv"]
    if matrix_run():
        assert done.returncode == 0, done.stdout
        assert "no mistakes found" in done.stdout
    else:  # minutes would follow
        assert done.returncode == 3
        assert "the packages of ci/requirements.lock could not be installed" in done.stdout
    assert os.access(room.sources / ".venv" / "bin" / "python", os.X_OK)


def test_the_system_is_bare_until_packages_are_asked_for(tmp_path: Path) -> None:
    debian = BareDebian.made(tmp_path / "programs")
    names = {path.name for path in debian.folder.iterdir()}
    assert {"apt-get", "awk", "bash", "cat", "dpkg", "grep", "sed", "sh", "tar"} <= names
    assert not names & {"cc", "curl", "gcc", "git", "make", "python3", "sudo"}
    if "gcc" in debian.packages:
        assert debian.apt_get(["-q", "-y", "-o", "A::B=1", "install", "gcc"]) == 0
        assert {"cc", "gcc", "ld"} <= {path.name for path in debian.folder.iterdir()}
        assert "libc6" in debian.there()
    assert debian.apt_get(["install", "no-such-package"]) == 100
    assert debian.missing() == ["no-such-package"]


STEP = """\
jobs:
  one:
    container: debian:12
    steps:
      - run: {}
"""


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("git --version", 127),
        ("sudo true", 127),
        ("python3 -c pass", 127),
        ('echo "${HOME// /,}"', 2),  # a container's sh knows no such thing
        ("false; true", 1),
        ("git log", 127),
        ("apt-get install -y git && git log", 128),  # an archive has no history
        ("apt-get update && apt-get install -y git && git --version", 0),
    ],
)
def test_a_step_that_takes_more_than_there_is_fails(
    command: str, code: int, tmp_path: Path
) -> None:
    room = Room.made(tmp_path / "room", None)
    (step,) = steps({"mutant.yml": STEP.format(json.dumps(command))})
    done = run(step, room)
    assert done.returncode == code, done.stdout


def test_commands_that_test_for_long_only_list() -> None:
    assert only_listed("ci/test --mpi a && .ci/run") == "ci/test --list --mpi a && .ci/run --list"
    assert only_listed("ci/demo") == "ci/demo --help"
    assert only_listed("ci/tests x") == "ci/tests x"
    assert expanded("a ${{ matrix.mpi }} c", {"matrix.mpi": "b"}) == "a b c"
