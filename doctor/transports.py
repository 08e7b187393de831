"""What an MPI opens at run time to reach other ranks: libfabric, UCX."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.doctor.model import Finding, Trial
from mpiglot.parser.installation import Installation
from mpiglot.parser.process import run
from mpiglot.parser.vendors import vendor

_FOLDERS = ("lib", "lib/libfabric", "libfabric/lib", "opt/mpi/libfabric/lib")


def not_there(chosen: Installation, env: Mapping[str, str], failed: bool) -> list[Finding]:
    """Libraries that this MPI opens when it starts, and that are not there.

    Within one machine Intel MPI does without; across machines it cannot start.
    """
    rule = vendor(chosen.vendor)
    opened: Mapping[str, str] = rule.data.get("opens", {}) if rule else {}
    findings = []
    for name, package in opened.items():
        if _found(name, chosen, env):
            continue
        effect = "the program fails" if failed else "jobs on several machines cannot start"
        findings.append(
            Finding(
                "library-missing",
                "error" if failed else "info",
                f"{chosen.release} opens {name} when it starts, which is neither in "
                f"{chosen.prefix} nor found by the loader: {effect}.",
                f"sudo apt install {package}",
            )
        )
    return findings


def _found(name: str, chosen: Installation, env: Mapping[str, str]) -> bool:
    folders = [chosen.prefix / one for one in _FOLDERS]
    folders += [Path(one) for one in env.get("LD_LIBRARY_PATH", "").split(os.pathsep) if one]
    if any(_is_library(folder / name) for folder in folders):
        return True
    try:
        known = run(["/sbin/ldconfig", "-p"], env=env, limit=20).out
    except EnvironmentProblem:
        return True  # no way to ask: nothing is claimed
    paths = (line.split("=>")[1].strip() for line in known.splitlines() if "=>" in line)
    return any(Path(path).name == name and _is_library(Path(path)) for path in paths)


def _is_library(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


def ucx(trial: Trial, chosen: Installation, env: Mapping[str, str]) -> Finding | None:
    """A note for Java programs where UCX was loaded."""
    loaded = [Path(path).name for one in trial.reports for path in one.loaded]
    if "UCX_ERROR_SIGNALS" in env or not any(name.startswith("libucs") for name in loaded):
        return None
    return Finding(
        "ucx-signal-handler",
        "info",
        f"{chosen.title} loads UCX, whose handler for SIGSEGV takes the place of a Java virtual "
        "machine's; C, C++ and Go programs do not mind.",
        'export UCX_ERROR_SIGNALS=""   # before a Java program of your own',
    )


def between_hosts(trial: Trial, chosen: Installation) -> Finding | None:
    """MPICH 4.0 over UCX and TCP: at its end, a rank may wait for one that is past it."""
    hosts = {one.host for one in trial.reports if one.host}
    loaded = any(
        Path(path).name.startswith("libuc") for one in trial.reports for path in one.loaded
    )
    version = chosen.version.split(".")[:2]
    if len(hosts) < 2 or not loaded or chosen.vendor != "mpich" or version != ["4", "0"]:
        return None
    stuck = trial.verdict == "hung" and any(one.stage == "exchanged" for one in trial.reports)
    return Finding(
        "finalize-between-hosts",
        "error" if stuck else "warning",
        f"jobs of {chosen.release} may never end where ranks on {len(hosts)} hosts reach each "
        "other by TCP, as they do through UCX without a faster network.",
        "pip install mpich   # a later one, in an environment of its own; or take Open MPI",
    )
