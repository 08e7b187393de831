"""`mpiglot doctor` as it is typed: exit codes, text, JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mpiglot.doctor.model import IDS
from mpiglot.provision.matrix import matrix
from tests.doctor.doctor_fakes import fake_mpi, script, tools
from tests.limits import guard

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def env(shell: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A shell with a fake MPI, healthy, and a compiler."""
    wrapper = fake_mpi(tmp_path / "fake")
    folder = tools(tmp_path / "tools", "sh", "gcc", "as", "ld", "sleep", "env")
    return {**shell, "PATH": f"{wrapper.parent}:{folder}"}


def doctor(env: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mpiglot", "doctor", *words],
        env=env,
        capture_output=True,
        text=True,
        timeout=guard(120),
        check=False,
    )


def test_all_is_well_ends_with_0_and_says_what_was_looked_at(env: dict[str, str]) -> None:
    answer = doctor(env)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    for text in ("mpich-9.8.7", "libmpi.so.12", "rank 1 of 2", "multiple", "no findings"):
        assert text in answer.stdout
    assert answer.stderr == ""


def test_a_finding_ends_with_1_and_says_what_to_type(env: dict[str, str]) -> None:
    answer = doctor({**env, "MPI_HOME": "/nowhere"})
    assert answer.returncode == 1
    assert "warning [variable-names-missing-folder]" in answer.stdout
    assert "type: unset MPI_HOME" in answer.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["--ranks", "0"],
        ["--ranks", "two"],
        ["--timeout", "0"],
        ["--timeout", "nan"],
        ["--ranks", "99999"],
        ["mpicc", "--mpicc", "mpicc"],
        ["--nonsense"],
    ],
)
def test_wrong_use_ends_with_2_and_one_sentence(env: dict[str, str], words: list[str]) -> None:
    answer = doctor(env, *words)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert len(answer.stderr.strip().splitlines()) == 1


def test_no_mpi_ends_with_3(env: dict[str, str], tmp_path: Path) -> None:
    answer = doctor({**env, "PATH": str(tmp_path / "tools")})
    assert answer.returncode == 3
    assert "[no-mpi]" in answer.stdout


def test_a_launcher_that_is_not_there_ends_with_3(env: dict[str, str]) -> None:
    answer = doctor(env, "--launcher", "nosuchrun")
    assert answer.returncode == 3
    assert "nosuchrun" in answer.stderr


def test_a_launcher_is_named_with_its_options(env: dict[str, str], tmp_path: Path) -> None:
    own = tmp_path / "fake/bin/mpiexec"
    text = f'#!/bin/sh\n[ "$1" = --mpi=pmix ] || exit 9\nshift\nexec {own} "$@"\n'
    other = script(tmp_path / "a folder/srun", text)
    answer = doctor(env, "--launcher", f"'{other}' --mpi=pmix", "--json")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert json.loads(answer.stdout)["run"]["command"][:4] == [str(other), "--mpi=pmix", "-n", "2"]
    answer = doctor(env, "--launcher", str(other))  # a space in a path separates nothing
    assert answer.returncode == 1, answer.stdout + answer.stderr


def test_the_defects_of_the_chosen_mpi_are_told(env: dict[str, str]) -> None:
    """A release after all that the matrix has is taken to be as the last of them."""
    data = json.loads(doctor(env, "--json").stdout)
    assert data["chosen"] == "mpich-9.8.7"
    last = {one.id for one in matrix().defects_of("mpich-5.0.2")}
    assert set(data["defects"]) >= last
    assert "persistent-gather" not in data["defects"]
    text = doctor(env).stdout
    assert "that harm (`mpiglot show NAME` says more): " in text
    assert "MPI_Alloc_mem" in text
    assert "MPI_Gather_init" not in text


def test_json_has_the_documented_keys_and_nothing_else(env: dict[str, str]) -> None:
    answer = doctor({**env, "MPI_HOME": "/nowhere"}, "--json", "--ranks", "3")
    assert answer.returncode == 1
    data = json.loads(answer.stdout)
    assert list(data) == [
        "schema_version",
        "chosen",
        "why",
        "installation",
        "launcher",
        "abi",
        "run",
        "set",
        "unset",
        "findings",
        "installations",
        "defects",
    ]
    assert data["chosen"] == "mpich-9.8.7"
    assert data["run"]["verdict"] == "right"
    assert [rank["rank"] for rank in data["run"]["ranks"]] == [0, 1, 2]
    assert data["findings"] == [
        {
            "id": "variable-names-missing-folder",
            "severity": "warning",
            "message": "MPI_HOME names /nowhere, which is not there.",
            "fix": "unset MPI_HOME",
            "commands": ["unset MPI_HOME"],
            "variables": ["MPI_HOME"],
        }
    ]
    documented = (ROOT / "docs" / "guide" / "known-issues.md").read_text()
    for key in data:
        assert f"`{key}`" in documented


def test_every_finding_is_documented_and_nothing_documented_is_unknown() -> None:
    page = (ROOT / "docs" / "guide" / "known-issues.md").read_text()
    headings = re.findall(r"^### `([a-z-]+)`", page, re.MULTILINE)
    assert sorted(headings) == sorted(IDS)
