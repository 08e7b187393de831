"""New releases: what the registry has and the matrix has not."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.provision.matrix import Matrix, Mpi

SECONDS = 300
_RELEASE = re.compile(r"\d+(\.\d+)+")  # not "5.0.1.post1", which is the same MPI packed again


@dataclass(frozen=True)
class Release:
    """A release of the registry that the matrix does not have."""

    package: str  # of the registry
    version: str
    like: Mpi  # the newest one of the matrix that is older: what its entry is made from

    @property
    def name(self) -> str:
        return self.like.name.replace(self.like.version, self.version)


def news(known: Matrix) -> list[Release]:
    """The releases that are newer than all known ones of their line, or of a newer line."""
    packages: dict[str, list[Mpi]] = {}
    for mpi in known.mpis:
        if mpi.wheels:
            packages.setdefault(mpi.wheels[0].partition("==")[0], []).append(mpi)
    return [
        release
        for package, mpis in sorted(packages.items())
        for release in _new(package, mpis, available(package))
    ]


def available(package: str) -> list[str]:
    """The versions of a package that pip could install here."""
    command = [sys.executable, "-m", "pip", "index", "versions", "--no-input"]
    command += ["--disable-pip-version-check", package]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as problem:
        raise EnvironmentProblem(f"pip did not answer within {SECONDS} s.") from problem
    found = re.search(r"^Available versions: (.*)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or found is None:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        why = errors[-1] if errors else "it gave no list of versions"
        raise EnvironmentProblem(f"pip could not ask for the versions of {package}: {why}")
    return found[1].split(", ")


def _new(package: str, mpis: Sequence[Mpi], versions: Iterable[str]) -> list[Release]:
    """Of each line the newest release, if it is newer than what is known."""
    releases: dict[tuple[int, ...], Release] = {}
    for version in sorted(filter(_RELEASE.fullmatch, versions), key=_numbers):
        older = [mpi for mpi in mpis if _numbers(mpi.version) < _numbers(version)]
        line = tuple(_numbers(version)[:2])
        known = [mpi for mpi in mpis if tuple(_numbers(mpi.version)[:2]) == line] or mpis
        if all(mpi in older for mpi in known):
            like = max(older, key=lambda mpi: _numbers(mpi.version))
            releases[line] = Release(package, version, like)
    return list(releases.values())


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def with_entry(text: str, release: Release, known: Matrix) -> str:
    """The matrix's text with entries for a release behind those it is like."""
    old, new = release.like.version, release.version
    alike = [mpi for mpi in known.mpis if release.like.name in (mpi.name, mpi.part_of)]
    blocks = [_block(text, mpi.name) for mpi in alike]
    entries = "".join(block.replace(old, new) for block in blocks)
    entries = entries.replace('"level": "full"', '"level": "conformance"')
    end = text.index(blocks[-1]) + len(blocks[-1])
    if blocks[-1].endswith("},\n"):
        return text[:end] + entries + text[end:]
    return text[: end - 1] + ",\n" + entries + text[end:]  # the last of the list


def _block(text: str, name: str) -> str:
    """The lines of one entry, in the layout of the file."""
    found = re.search(
        rf'^    {{\n      "name": "{re.escape(name)}",\n(?:      .*\n)*    }},?\n', text, re.M
    )
    if found is None:
        raise EnvironmentProblem(f"The matrix has no entry of {name} in the layout of the file.")
    return found[0]
