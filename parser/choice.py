"""Which wrapper and which header a probe is about, and what its blueprint is called."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser import find
from mpiglot.parser.installation import canonical
from mpiglot.parser.vendors import vendors
from mpiglot.parser.wrapper import Wrapper, read


def wrapper(spec: str | None) -> Wrapper:
    """The wrapper that `spec` (a name, path, folder, MPI or command) or the machine offers."""
    if spec is not None and not Path(spec).is_dir():
        found = shutil.which(spec)
        if found is not None:
            return _usable(read(canonical(Path(found).absolute())))
        if " " in spec.strip() or "/" in spec:
            return _usable(read(spec))
    chosen = find.choose(spec)
    command = [str(canonical(chosen.wrapper)), *chosen.arguments]
    return read(command, {**os.environ, **chosen.wrapper_variables})


def _usable(found: Wrapper) -> Wrapper:
    problem = found.missing_compiler()
    if problem is not None:
        raise EnvironmentProblem(f"{found.path} cannot be used: {problem}")
    return found


def header(first: Wrapper, wanted: str | None) -> Wrapper:
    """The wrapper for the header that is wanted, `first` itself if none is named."""
    if wanted is None or (wanted == "abi") == first.abi:
        return first
    if wanted == "abi":
        second = first.second()
        if second is None:
            raise EnvironmentProblem(
                f"the MPI of {first.path} has no header of the standard ABI (mpi_abi.h)"
            )
        return second
    native = first.native()
    if native is None:
        raise EnvironmentProblem(f"{first.path} has the standard ABI's header only")
    return native


def headers(first: Wrapper) -> list[Wrapper]:
    """A wrapper for each header of the installation, the native one first."""
    native = first.native()
    found = (first,) if native is None else (native, native.second())
    return [one for one in found if one is not None]


def name_of(data: dict[str, Any]) -> str:
    """What a blueprint is called: vendor-version[-abi]."""
    mpi = data["mpi"]
    title = mpi.get("vendor", "unknown")
    key = next((v.key for v in vendors() if v.title == title), None)
    key = key or re.sub(r"[^a-z0-9]+", "", title.lower()) or "unknown"
    version = re.sub(r"[^A-Za-z0-9.+]+", "", mpi.get("version", ""))
    version = version or mpi.get("standard_reported") or "0"
    return f"{key}-{version}{'-abi' if mpi.get('abi') == 'abi' else ''}"


def make_portable(data: dict[str, Any]) -> None:
    """Drops what differs from machine to machine: paths and addresses, also in its text."""
    data["toolchain"].pop("paths", None)
    said = data["mpi"].get("library_version", "")
    lines = [line.strip() for line in said.splitlines()]
    data["mpi"]["library_version"] = "\n".join(line for line in lines if not _PATH.search(line))


_PATH = re.compile(r"(^|[\s'\"=:])/\w|://")
