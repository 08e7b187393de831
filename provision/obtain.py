"""Obtains an MPI of the matrix, and tells where its parts are.

Wheels go to `<checkout>/.mpi/<name>` (or MPIGLOT_MPI_DIR): first into a folder beside it, which is
renamed when it is complete, so that an interrupted installation is repeated and never half there.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.find import mpi_folder
from mpiglot.provision.matrix import Mpi, matrix

ATTEMPTS = 3
SECONDS_PER_ATTEMPT = 900

Say = Callable[[str], None]


def silent(_: str) -> None:
    """Says nothing."""


@dataclass(frozen=True)
class Installation:
    """An MPI of the matrix that is on this machine."""

    mpi: Mpi
    prefix: Path
    cc: Path
    cxx: Path
    launcher: Path
    library: Path


def checkout() -> Path | None:
    """The project's own checkout, if this package lies in one."""
    folder = Path(__file__).resolve().parent.parent
    inside = (folder / "provision" / "matrix.json").is_file() and (
        folder / "pyproject.toml"
    ).is_file()
    return folder if inside else None


def locate(mpi: Mpi) -> Installation | None:
    """Where this MPI is installed, or None."""
    owner = matrix().owner(mpi)
    if owner.debian:
        if not all(_package_version(one).startswith(mpi.version) for one in owner.debian):
            return None
        prefix, library = Path("/usr"), _system_library(mpi.library)
    else:
        prefix = mpi_folder(os.environ).absolute() / owner.name
        library = prefix / mpi.library
    programs = prefix / "bin"
    wrappers = _wrapper_folder(mpi) if mpi.flags else programs
    found = Installation(
        mpi, prefix, wrappers / mpi.cc, wrappers / mpi.cxx, programs / mpi.launcher, library
    )
    parts = (found.cc, found.cxx, found.launcher, found.library)
    return found if all(part.is_file() for part in parts) else None


def installed(mpi: Mpi) -> Installation:
    """Where this MPI is installed; an error that says how to get it if it is not."""
    found = locate(mpi)
    if found is None:
        raise EnvironmentProblem(
            f"{mpi.name} is not installed; get it with: {own_command()} install {mpi.name}"
        )
    return found


def own_command() -> str:
    """What people type to reach the matrix."""
    return "ci/mpi" if checkout() else "python -m mpiglot.ci"


def install(mpi: Mpi, say: Say = silent) -> Installation:
    """Installs this MPI if it is not there, and tells where it is."""
    owner = matrix().owner(mpi)
    if owner.also_debian:
        debian_packages(list(owner.also_debian))
    found = locate(mpi)
    if found is not None:
        return found
    if owner.debian:
        _install_packages(owner)
    else:
        _install_wheels(owner, say)
    if mpi.flags:
        _write_wrappers(mpi, mpi_folder(os.environ).absolute() / owner.name)
    found = locate(mpi)
    if found is None:
        raise EnvironmentProblem(
            f"{mpi.name} was installed ({owner.how}) but its {mpi.cc}, {mpi.launcher} or "
            f"{mpi.library} is missing."
        )
    return found


def debian_packages(packages: list[str]) -> None:
    """Installs the packages that are missing; `name=1.2` asks for a version that begins so."""
    script = Path(__file__).with_name("apt.sh")
    done = subprocess.run(
        ["bash", str(script), *packages], stdin=subprocess.DEVNULL, timeout=1800, check=False
    )
    if done.returncode != 0:
        raise EnvironmentProblem(f"The packages {' '.join(packages)} could not be installed.")


def pip_install(requirements: list[str], folder: Path, what: str) -> None:
    """Installs wheels, without what they ask for, into a folder that appears only when complete."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _lock(folder):
        if folder.exists():
            return
        parts = folder.with_name(f".{folder.name}.part")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--no-deps"]
        command += ["--disable-pip-version-check", "--no-warn-script-location"]
        command += ["--ignore-installed", "--no-compile", "--prefix", str(parts), *requirements]
        complaint = ""
        for _ in range(ATTEMPTS):
            shutil.rmtree(parts, ignore_errors=True)
            try:
                done = subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                    timeout=SECONDS_PER_ATTEMPT,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                complaint = f"it took longer than {SECONDS_PER_ATTEMPT} s"
                continue
            if done.returncode == 0:
                parts.rename(folder)
                return
            complaint = _last_line(done.stderr)
        shutil.rmtree(parts, ignore_errors=True)
    raise EnvironmentProblem(f"{what} could not be installed with pip: {complaint}")


def _install_packages(mpi: Mpi) -> None:
    try:
        debian_packages([f"{package}={mpi.version}" for package in mpi.debian])
    except EnvironmentProblem as problem:
        others = [one.name for one in matrix().mpis if one.vendor == mpi.vendor and one.wheels]
        hint = f" {', '.join(others)} can be had without them." if others else ""
        raise EnvironmentProblem(
            f"{mpi.name} comes from {mpi.release}'s packages {' '.join(mpi.debian)}, which "
            f"could not be installed here.{hint}"
        ) from problem


def _install_wheels(mpi: Mpi, say: Say) -> None:
    if locate(mpi) is not None:
        return
    started = monotonic()
    folder = mpi_folder(os.environ).absolute() / mpi.name
    if folder.exists():
        raise EnvironmentProblem(
            f"{folder} is there but holds no {mpi.name}; remove the folder and repeat."
        )
    say(f"installing {mpi.name} ({' '.join(mpi.wheels)}) into {folder}")
    pip_install(list(mpi.wheels), folder, mpi.name)
    say(f"{mpi.name} installed in {monotonic() - started:.0f} s")


def _wrapper_folder(mpi: Mpi) -> Path:
    return mpi_folder(os.environ).absolute() / "wrappers" / mpi.name


def _write_wrappers(mpi: Mpi, prefix: Path) -> None:
    """Wrappers that say what the vendor's must be told, so that build systems need not know."""
    folder = _wrapper_folder(mpi)
    folder.mkdir(parents=True, exist_ok=True)
    for name in (mpi.cc, mpi.cxx):
        words = shlex.join([str(prefix / "bin" / name), *mpi.flags])
        root = shlex.quote(str(prefix))
        text = f'#!/bin/sh\nI_MPI_ROOT={root} exec {words} "$@"\n'
        parts = folder / f".{name}.{os.getpid()}"
        parts.write_text(text, encoding="utf-8")
        parts.chmod(0o755)
        parts.replace(folder / name)


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Keeps two processes from installing the same thing at once."""
    with folder.with_name(f".{folder.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors or lines or ["no reason given"])[-1]


def _package_version(package: str) -> str:
    if shutil.which("dpkg-query") is None:
        return ""
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    state, _, version = done.stdout.partition(" ")
    return version if done.returncode == 0 and state == "installed" else ""


def _system_library(name: str) -> Path:
    """Where Debian keeps a shared library of this name."""
    folders = sorted(Path("/usr/lib").glob("*-linux-gnu*"))
    places = [folder / name for folder in folders]
    return next((place for place in places if place.exists()), Path("/usr/lib") / name)
