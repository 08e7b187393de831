"""The matrix as data: reads `matrix.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from mpiglot.blueprints.errors import UsageError

DATA = Path(__file__).resolve().with_name("matrix.json")


@dataclass(frozen=True)
class Further:
    """An environment in which more of an MPI works, for a further run of conformance programs."""

    environment: Mapping[str, str] = field(hash=False)
    cases: tuple[str, ...]  # parts of the names of the tests
    without: tuple[str, ...] = ()  # defects that are not there


@dataclass(frozen=True)
class Mpi:
    """One MPI of the matrix; what the keys mean is in `matrix.schema.json`."""

    name: str
    vendor: str
    version: str
    cc: str
    cxx: str
    launcher: str
    library: str
    level: str
    languages: tuple[str, ...]
    abi: bool = False
    gate: bool = False
    debian: tuple[str, ...] = ()
    release: str = ""
    wheels: tuple[str, ...] = ()
    part_of: str | None = None
    also_debian: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)
    further: Further | None = None

    @property
    def how(self) -> str:
        """How it is obtained, for people."""
        if self.part_of:
            return f"part of {self.part_of}"
        if self.debian:
            return f"packages {' '.join(self.debian)} ({self.release})"
        return f"wheels {' '.join(self.wheels)}"


@dataclass(frozen=True)
class Defect:
    """Something that is wrong with some MPIs, and why; tests skip by its id, never by version."""

    id: str
    mpis: tuple[str, ...]
    reason: str
    does: tuple[str, ...]
    functions: tuple[str, ...]  # names or patterns
    when: str
    affects: tuple[str, ...] = ()  # what is no function
    instead: Mapping[str, str] = field(default_factory=dict, hash=False)
    cpp: tuple[str, str] | None = None  # what the C++ runtime does about it, and why
    cases: tuple[str, ...] = ()  # conformance cases of Go and Java that it lets fail, as patterns
    shaky: tuple[str, ...] = ()  # parts of `ci/test` that it lets fail now and then

    @property
    def harms(self) -> bool:
        """Whether a program that meets it has wrong data, crashes or hangs."""
        return bool({"wrong data", "crash", "hang"} & set(self.does))

    @property
    def sentence(self) -> str:
        """The first sentence of the reason."""
        found = re.match(r".*?\.(?= [A-Z]|$)", self.reason)
        return found[0] if found else self.reason

    def concerns(self, function: str) -> bool:
        return any(fnmatchcase(function, pattern) for pattern in self.functions)


@dataclass(frozen=True)
class Matrix:
    """All MPIs of the matrix and their known defects."""

    mpis: tuple[Mpi, ...]
    defects: tuple[Defect, ...]

    def get(self, name: str) -> Mpi:
        for mpi in self.mpis:
            if mpi.name == name:
                return mpi
        known = ", ".join(mpi.name for mpi in self.mpis)
        raise UsageError(f"There is no MPI called {name} in the matrix; there are {known}.")

    def owner(self, mpi: Mpi) -> Mpi:
        """The MPI whose installation this one is part of, or itself."""
        return self.get(mpi.part_of) if mpi.part_of else mpi

    def defects_of(self, name: str) -> list[Defect]:
        return [defect for defect in self.defects if name in defect.mpis]

    def wrong_releases(self, defect: Defect) -> Iterator[tuple[str, int, int | None]]:
        """Vendor, first release, and the one that is right again, if there is one.

        A release that the matrix does not have is wrong if the one before or the one after it is.
        """
        for vendor in dict.fromkeys(mpi.vendor for mpi in self.mpis):
            own = [mpi for mpi in self.mpis if mpi.vendor == vendor]
            wrong = {number(mpi.version) for mpi in own if mpi.name in defect.mpis}
            first, met = 0, False
            for release in sorted({number(mpi.version) for mpi in own}):
                if release in wrong:
                    met = True
                elif met:
                    yield vendor, first, release
                    first, met = release + 1, False
                else:
                    first = release + 1
            if met:
                yield vendor, first, None

    def defects_of_release(self, vendor: str, version: str, name: str = "") -> list[Defect]:
        """The defects of an MPI of the matrix, or of a release that it does not have."""
        if any(mpi.name == name for mpi in self.mpis):
            return self.defects_of(name)
        release = number(version)
        return [
            defect
            for defect in self.defects
            if any(
                maker == vendor and first <= release and (end is None or release < end)
                for maker, first, end in self.wrong_releases(defect)
            )
        ]

    def defects_in(self, function: str) -> list[Defect]:
        """What is known to be wrong with a function, on any MPI."""
        return [defect for defect in self.defects if defect.concerns(function)]


def number(version: str) -> int:
    """A release as a number that can be compared: 4.0.2 is 4000002."""
    parts = [int(part) for part in re.findall(r"\d+", version)[:3]] + [0, 0, 0]
    return parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2]


def read(data: Mapping[str, Any]) -> Matrix:
    """The matrix that JSON of this shape describes."""
    return Matrix(
        tuple(_mpi(one) for one in data["mpis"]),
        tuple(_defect(one) for one in data["defects"]),
    )


def _defect(data: Mapping[str, Any]) -> Defect:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
    }
    if "cpp" in values:
        (values["cpp"],) = values["cpp"].items()
    return Defect(**values)


def _mpi(data: Mapping[str, Any]) -> Mpi:
    plain = {key: value for key, value in data.items() if key != "obtain"}
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in {**plain, **data["obtain"]}.items()
    }
    if "further" in values:
        further = values["further"]
        values["further"] = Further(
            further["environment"], tuple(further["cases"]), tuple(further.get("without", ()))
        )
    return Mpi(**values)


@cache
def matrix() -> Matrix:
    """The project's own matrix."""
    return read(json.loads(DATA.read_text(encoding="utf-8")))
