"""What launchers and libraries print when a set-up is wrong, and batch systems: from data."""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mpiglot.doctor.model import Finding, Trial
from mpiglot.parser.installation import Installation

_LIMITS = {"memlock": resource.RLIMIT_MEMLOCK, "nofile": resource.RLIMIT_NOFILE}


@cache
def _data() -> dict[str, Any]:
    path = Path(__file__).with_name("complaints.json")
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return known


def explain(trial: Trial, chosen: Installation, env: Mapping[str, str]) -> Finding | None:
    """The finding that the printed words of a run stand for."""
    for one in _data()["complaints"]:
        for pattern in one["said"]:
            match = re.search(pattern, trial.output)
            if match is not None:
                return _finding(one, match, trial, chosen, env)
    return None


def _finding(
    one: Mapping[str, Any],
    match: re.Match[str],
    trial: Trial,
    chosen: Installation,
    env: Mapping[str, str],
) -> Finding:
    words = {name: text.rstrip(".,;:") for name, text in match.groupdict().items() if text}
    words["pod"] = words.get("host", "").split(".")[0].split("@")[-1]
    words |= {"ranks": str(trial.ranks), "why": words.get("why", "")}
    words |= {name: _size(name, resource.getrlimit(key)[0]) for name, key in _LIMITS.items()}
    quoted = {name: shlex.quote(text) for name, text in words.items()}
    lines: list[str] = one.get("fix", [])
    if "KUBERNETES_SERVICE_HOST" in env:
        lines = one.get("kubernetes", lines)
    fix = "\n".join(line.format(**quoted) for line in lines)
    if "limit" in one:
        fix = _raise(*one["limit"])
    if one["finding"] == "cma-forbidden":
        fix = _without_cma(chosen)
    message = f"{one['message'].format(**words)}."
    return Finding(one["finding"], "error", message, fix)


def _size(name: str, value: int) -> str:
    if value == resource.RLIM_INFINITY:
        return "unlimited"
    return str(value) if name == "nofile" else f"{value >> 10} KiB"


def _raise(name: str, letter: str) -> str:
    """What raises a limit: the shell up to the hard limit, else the system's file."""
    soft, hard = resource.getrlimit(_LIMITS[name])
    if soft != hard:
        unit = 1 if name == "nofile" else 1024
        wanted = "unlimited" if hard == resource.RLIM_INFINITY else str(hard // unit)
        return f"ulimit -{letter} {wanted}"
    value = "unlimited" if name == "memlock" else "65536"
    place = f"/etc/security/limits.d/mpi-{name}.conf"
    return f"echo '* - {name} {value}' | sudo tee {place}   # then log in again"


def _without_cma(chosen: Installation) -> str:
    remark = "   # a container: or docker run --cap-add=SYS_PTRACE"
    major = int(re.match(r"\d*", chosen.version)[0] or 0)  # type: ignore[index]
    for one in _data()["cma"]:
        if one["vendor"] == chosen.vendor and major < one.get("before", 1 << 30):
            pairs = " ".join(f"{name}={shlex.quote(v)}" for name, v in one["set"].items())
            return f"export {pairs}{remark}"
    return f"echo 0 | sudo tee /proc/sys/kernel/yama/ptrace_scope{remark}"


# ------------------------------------------------------------------------------------ batch systems


def variables_of_jobs(env: Mapping[str, str]) -> dict[str, list[str]]:
    """The variables of batch systems in a shell, by the system's name."""
    found = {
        one["title"]: sorted(name for name in env if re.match(one["variables"], name))
        for one in _data()["managers"]
    }
    return {title: names for title, names in found.items() if names}


def job_of(names: Sequence[str]) -> str:
    """The batch system that all of these variables belong to, or nothing."""
    for one in _data()["managers"]:
        if names and all(re.match(one["variables"], name) for name in names):
            return str(one["title"])
    return ""


def launchers_of_jobs(path: str | None) -> list[str]:
    """The launchers of batch systems that are on PATH, each as one would type it."""
    lines = [line for one in _data()["managers"] for line in one["launchers"]]
    return [line for line in lines if shutil.which(line.split()[0], path=path or os.defpath)]
