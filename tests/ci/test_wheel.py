"""The wheel holds everything the command needs: it works where there is no checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mpiglot.ci.lint import MAPPED
from mpiglot.ci.obtain import checkout

ROOT = checkout() or Path.cwd()
OF_THE_CHECKOUT = {"demo", "lib.sh", "lint", "mpi", "requirements.lock", "test"}


def _pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *words]
    subprocess.run(command, check=True, timeout=200, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("copy")
    unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("mpiglot", *MAPPED):
        shutil.copytree(ROOT / name, copy / name, ignore=unwanted)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    out = tmp_path_factory.mktemp("wheel")
    _pip("wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(out), str(copy))
    return next(out.glob("mpiglot-*.whl"))


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    places = {"mpiglot": "mpiglot"} | {name: f"mpiglot/{name}" for name in MAPPED}
    wanted = {
        f"{place}/{path.relative_to(ROOT / name)}"
        for name, place in places.items()
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    wanted -= {f"mpiglot/ci/{name}" for name in OF_THE_CHECKOUT}
    assert wanted - packed == set()


def test_the_installed_wheel_answers(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    _pip("install", "-q", "--no-deps", "--target", str(site), str(wheel))
    environment = {
        **os.environ,
        "PYTHONPATH": str(site),
        "MPIGLOT_MPI_DIR": str(tmp_path / "mpi"),
    }

    def answer(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout

    assert answer("mpiglot", "--version").startswith("mpiglot ")
    assert "mpich-5.0.2" in answer("mpiglot.ci", "list", "--names").splitlines()
    answer("mpiglot.ci", "path", "mpich-5.0.2", code=3)  # what the checkout has is not here
    assert answer("mpiglot.ci", "--help").startswith("Usage: python -m mpiglot.ci ")
    assert "MPI_Send" in answer("mpiglot", "show", "MPI_Send")
    assert "MPI_Session_init" in answer("mpiglot", "diff", "mpich-3.4.3", "mpich-5.0.2", code=1)
