"""The world outside the repository: a user's environment, in which only packages are known."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import pytest

from mpiglot.provision import launch
from mpiglot.provision.environment import of_installation
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import Installation, checkout, locate
from mpiglot.provision.toolchains import find_go, find_jdk
from tests.limits import guard

Words = list[str | Path]

ROOT = checkout() or Path.cwd()
MPIS = ("mpich-4.0.2", "openmpi-4.1.4", "intelmpi-2021.18.1")
COMMITTED = ("mpich-4.0.2",)
DEPENDENCIES = (
    "click",
    "fastjsonschema",
    "jinja2",
    "libclang",
    "markdown-it-py",
    "markupsafe",
    "mdurl",
    "pygments",
    "rich",
)


def environment(home: Path) -> dict[str, str]:
    """What a user has who never saw the repository: a home, and the system's programs."""
    home.mkdir(parents=True, exist_ok=True)
    folders = ["/usr/bin", "/bin"]
    go = find_go(os.environ)
    if go is not None:
        folders.insert(0, str(go.parent))
    out = {"HOME": str(home), "PATH": os.pathsep.join(folders), "LC_ALL": "C.UTF-8"}
    for name in ("TMPDIR", "LD_LIBRARY_PATH", "GOCACHE"):
        if name in os.environ:
            out[name] = os.environ[name]
    return out


def jdk() -> Path:
    """The JDK that the Java package is made and used with."""
    home = find_jdk(os.environ)
    if home is None:
        pytest.skip("there is no JDK of version 22 or later")
    return home


def run(
    *words: str | Path,
    cwd: Path,
    env: Mapping[str, str],
    code: int = 0,
    seconds: float = 300,
) -> subprocess.CompletedProcess[str]:
    """Runs a command that ends with `code`, and gives back what it said."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=guard(seconds),
        check=False,
    )
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


@dataclass(frozen=True)
class Mpi:
    """An MPI of the machine, as a user of a package has it."""

    installation: Installation

    @classmethod
    def get(cls, name: str) -> Mpi:
        found = locate(matrix().get(name))
        if found is None:
            pytest.skip(f"{name} is not installed; ci/mpi install {name}")
        return cls(found)

    @property
    def name(self) -> str:
        return self.installation.mpi.name

    @property
    def cxx(self) -> Path:
        assert self.installation.cxx is not None
        return self.installation.cxx

    @property
    def launcher(self) -> Path:
        assert self.installation.launcher is not None
        return self.installation.launcher

    def environment(self, home: Path) -> dict[str, str]:
        """The user's environment with this MPI in it, and nothing that only our tests set."""
        out = of_installation(self.installation, ci=True).applied(environment(home))
        return {name: value for name, value in out.items() if not name.startswith("MPIGLOT_")}

    def with_names(self, home: Path) -> dict[str, str]:
        """Its environment, in which `mpicxx` and `mpiexec` are this MPI's."""
        env = self.environment(home)
        folder = home / "bin"
        folder.mkdir(exist_ok=True)
        for name, path in (("mpicxx", self.cxx), ("mpiexec", self.launcher)):
            # By its name: called by its path, Open MPI's puts its own folder first in PATH.
            found = f'PATH="$PATH:{path.parent}"; exec {path.name} "$@"'
            (folder / name).write_text(f"#!/bin/sh\n{found}\n")
            (folder / name).chmod(0o755)
        return {**env, "PATH": f"{folder}{os.pathsep}{env['PATH']}"}

    def run(self, home: Path, *program: str | Path, ranks: int = 2) -> str:
        """What a program says that ends well on `ranks` ranks."""
        variables = self.environment(home)
        said = home / "said.txt"
        with said.open("wb") as output:
            code = launch.run(
                self.installation.mpi.vendor,
                self.launcher,
                ranks,
                [str(word) for word in program],
                limit=240,
                environment=variables,
                output=output,
            )
        text = said.read_text(encoding="utf-8", errors="replace")
        assert code == 0, f"{program} on {self.name}: {code}\n{text}"
        return text


@dataclass(frozen=True)
class Tool:
    """mpiglot as its wheel installs it, in an environment of its own."""

    venv: Path

    @property
    def command(self) -> Path:
        return self.venv / "bin" / "mpiglot"

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    def run(self, *words: str | Path, cwd: Path, code: int = 0) -> str:
        return run(self.command, *words, cwd=cwd, env=environment(cwd / "home"), code=code).stdout

    @classmethod
    def install(cls, wheel: Path, venv: Path) -> Tool:
        """A fresh environment with the wheel and copies of what it depends on: no network."""
        base = environment(venv.parent / "home")
        run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=venv.parent, env=base)
        site = next(venv.glob("lib/python*/site-packages"))
        for name in ("pip", *DEPENDENCIES):
            _copy_distribution(name, site)
        pip = [str(venv / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
        run(*pip, "install", "-q", "--no-deps", "--no-index", wheel, cwd=venv.parent, env=base)
        run(*pip, "check", cwd=venv.parent, env=base)
        return cls(venv)


def _copy_distribution(name: str, site: Path) -> None:
    for file in metadata.files(name) or []:
        source = Path(str(file.locate()))
        if ".." in file.parts or "__pycache__" in file.parts or not source.is_file():
            continue
        target = site / str(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def snippets(readme: Path, language: str) -> list[str]:
    """The pieces of code in a README that are of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", readme.read_text(), re.MULTILINE | re.DOTALL)
