"""The environment in which the programs of one MPI are compiled and run, and how shells say it."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mpiglot.parser.vendors import rules, run_variables
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import Installation
from mpiglot.provision.yielding import with_yielding

SHELLS = ("sh", "fish", "github", "json")


@dataclass
class Environment:
    """What to change in an environment."""

    set: dict[str, str] = field(default_factory=dict)
    path: list[Path] = field(default_factory=list)  # to stand first on PATH
    unset: list[str] = field(default_factory=list)
    yielding: str = ""  # the vendor whose waiting ranks are to yield at the gate; never rendered

    def applied(self, base: Mapping[str, str]) -> dict[str, str]:
        """The environment `base` with these changes."""
        result = {name: value for name, value in base.items() if name not in self.unset}
        result.update(self.set)
        result.update(with_yielding(result, self.yielding))
        if self.path:
            result["PATH"] = self.search_path(base.get("PATH", ""))
        return result

    def search_path(self, old: str) -> str:
        first = [str(folder) for folder in self.path]
        return os.pathsep.join([*first, *(one for one in old.split(os.pathsep) if one)])


@dataclass(frozen=True)
class Parts:
    """What there is to know about an MPI in order to run its programs."""

    vendor: str
    version: str
    prefix: Path
    cc: Path
    cxx: Path | None
    launcher: Path | None
    library: Path | None


def of_parts(parts: Parts, *, ci: bool) -> Environment:
    """The environment for any MPI; with `ci` also for more ranks than cores."""
    result = Environment(
        run_variables(parts.vendor, parts.version, parts.prefix, oversubscribe=ci),
        unset=foreign_roots(parts.vendor),
    )
    result.set["MPICC"] = str(parts.cc)
    if parts.cxx:
        result.set["MPICXX"] = str(parts.cxx)
    if parts.launcher:
        result.set["MPIEXEC"] = str(parts.launcher)
    if parts.library:
        result.set["MPIGLOT_MPI"] = str(parts.library)
    folders = [parts.cc.parent, *([parts.launcher.parent] if parts.launcher else [])]
    result.path = [
        folder
        for folder in dict.fromkeys(folders)
        if folder not in (Path("/usr/bin"), Path("/bin"))
    ]
    return result


def of_installation(installation: Installation, *, ci: bool) -> Environment:
    """The environment for an MPI of the matrix; with `ci` also its known defects for tests."""
    mpi = installation.mpi
    loadable = "go" in mpi.languages or "java" in mpi.languages
    result = of_parts(
        Parts(
            mpi.vendor,
            mpi.version,
            installation.prefix,
            installation.cc,
            installation.cxx,
            installation.launcher,
            installation.library if loadable else None,
        ),
        ci=ci,
    )
    if installation.library.name.startswith("libmpi_abi"):
        # A program of the standard ABI may have been linked with another MPI, whose folder is in
        # its RUNPATH; this is looked at first. (An RPATH, of --disable-new-dtags, is not beaten.)
        result.set["LD_LIBRARY_PATH"] = str(installation.library.parent)
    for name, value in mpi.environment.items():
        result.set[name] = value.replace("{prefix}", str(installation.prefix))
    result.unset = [name for name in result.unset if name not in result.set]
    if ci:
        result.yielding = mpi.vendor
        result.set["MPIGLOT_MPI_NAME"] = mpi.name
        result.set["MPIGLOT_DEFECTS"] = ",".join(one.id for one in matrix().defects_of(mpi.name))
    return result


def foreign_roots(vendor: str) -> list[str]:
    """The variables that would send this vendor's programs into another installation."""
    roots = {one["root_variable"] for one in rules()["vendors"] if one.get("root_variable")}
    own = {
        one["root_variable"]
        for one in rules()["vendors"]
        if one["key"] == vendor and one.get("root_variable")
    }
    stale = roots - own
    if vendor == "openmpi":
        stale |= own  # right only for an installation that was moved, which sets it itself
    return sorted(stale)


def render(environment: Environment, shell: str, base: Mapping[str, str]) -> str:
    """The environment as lines for one kind of shell; `base` is where PATH is taken from."""
    values = sorted(environment.set.items())
    path = environment.search_path(base.get("PATH", "")) if environment.path else None
    if shell == "json":
        data: dict[str, str | None] = dict(values)
        if path is not None:
            data["PATH"] = path
        data.update((name, None) for name in environment.unset)
        return json.dumps(data, indent=2, sort_keys=True) + "\n"
    if shell == "github":
        lines = [f"{name}={value}" for name, value in values]
        if path is not None:
            lines.append(f"PATH={path}")
        return "".join(f"{line}\n" for line in lines)
    if shell == "fish":
        lines = [f"set -gx {name} {_fish(value)}" for name, value in values]
        first = " ".join(_fish(str(folder)) for folder in environment.path)
        lines += [f"set -gx PATH {first} $PATH"] if first else []
        lines += [f"set -e {name}" for name in environment.unset]
    else:
        lines = [f"export {name}={shlex.quote(value)}" for name, value in values]
        first = os.pathsep.join(shlex.quote(str(folder)) for folder in environment.path)
        lines += [f'export PATH={first}:"$PATH"'] if first else []
        lines += [f"unset {name}" for name in environment.unset]
    return "".join(f"{line}\n" for line in lines)


def _fish(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
