"""The shell's part of the set-up: it looks first, and says in one sentence what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mpiglot.provision.obtain import checkout
from tests.limits import guard

ROOT = checkout() or Path.cwd()


def _shell(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    script = f'set -euo pipefail\n. "{ROOT}/ci/lib.sh"\n{code}'
    return subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=guard(120),
        check=False,
    )


def test_nothing_is_said_or_done_where_all_is_there() -> None:
    done = _shell("ensure_compilers; ensure_venv")
    assert done.returncode == 0
    if "installing" in done.stderr:  # something was missing after all: now it is there
        done = _shell("ensure_compilers; ensure_venv")
    assert (done.stdout, done.stderr) == ("", "")


def test_the_python_that_is_named_comes_first() -> None:
    assert _shell("usable_python", PYTHON=sys.executable).stdout.strip() == sys.executable


def test_an_old_python_is_passed_over(tmp_path: Path) -> None:
    old = tmp_path / "python-old"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = _shell("usable_python", PYTHON=str(old))
    assert done.returncode == 0
    assert "python-old" not in done.stdout


def test_without_python_and_apt_one_sentence_is_said(tmp_path: Path) -> None:
    for name in ("ci/lib.sh", "ci/requirements.lock", "pyproject.toml", "mpiglot/bin/mpiglot"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "cat", "cksum", "dirname"):
        (tools / name).symlink_to(f"/usr/bin/{name}")
    done = subprocess.run(
        ["bash", "-c", f'. "{tmp_path}/ci/lib.sh"; ensure_venv; echo never'],
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        timeout=guard(60),
        check=False,
    )
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr == (
        "set-up: Python 3.10 or later with venv is missing; install it and repeat.\n"
    )


def _tool(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mpiglot", *words],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=guard(60),
        check=False,
    )


def test_env_takes_one_way_of_naming_an_mpi() -> None:
    done = _tool("env", "mpich-5.0.2", "--mpicc", "mpicc")
    assert done.returncode == 2
    assert done.stderr == "mpiglot: Give either the name of an MPI or --mpicc, not both.\n"


def test_env_says_how_to_get_an_mpi_that_is_missing(tmp_path: Path) -> None:
    done = _tool("env", "mpich-5.0.2", MPIGLOT_MPI_DIR=str(tmp_path))
    assert done.returncode == 3
    assert done.stderr == (
        "mpiglot: mpich-5.0.2 is not installed; get it with: ci/mpi install mpich-5.0.2\n"
    )


@pytest.mark.parametrize("shell", ["sh", "fish", "github", "json"])
def test_env_finds_an_mpi_by_its_wrapper(tmp_path: Path, shell: str) -> None:
    folder = tmp_path / "mpich" / "include"
    folder.mkdir(parents=True)
    (folder / "mpi.h").write_text('#define MPICH_VERSION "9.9.9"\n#define MPI_VERSION 4\n')
    programs = tmp_path / "mpich" / "bin"
    programs.mkdir()
    (programs / "mpicc").write_text(f'#!/bin/sh\necho "gcc -I{folder} -lmpi"\n')
    (programs / "mpicc").chmod(0o755)
    done = _tool("env", "--mpicc", str(programs / "mpicc"), "--shell", shell)
    assert done.returncode == 0, done.stderr
    assert str(programs / "mpicc") in done.stdout
    assert "MPICC" in done.stdout
    assert done.stderr == ""
