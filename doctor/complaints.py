"""What is printed when a set-up is wrong, batch systems, containers: from data."""

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

from mpiglot.doctor import policies
from mpiglot.doctor.model import Finding, Trial
from mpiglot.parser.installation import Installation

_LIMITS = {
    "memlock": resource.RLIMIT_MEMLOCK,
    "nofile": resource.RLIMIT_NOFILE,
    "nproc": resource.RLIMIT_NPROC,
    "as": resource.RLIMIT_AS,
    "fsize": resource.RLIMIT_FSIZE,
}
_COUNTS = ("nofile", "nproc")  # the others are bytes, in KiB for `ulimit`
_ROOM = 16 << 20
_SYS_ADMIN = 1 << 21  # the capability that mounting needs


@cache
def _data() -> dict[str, Any]:
    path = Path(__file__).with_name("complaints.json")
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return known


def explain(
    trial: Trial, chosen: Installation, env: Mapping[str, str], *, building: bool = False
) -> Finding | None:
    """The finding that the printed words of a run (or of a build) stand for.

    Of a run that went right these are warnings, after which an MPI goes on.
    """
    right = trial.verdict == "right"
    for one in _data()["complaints"]:
        if (right and "warns" not in one) or (building and "build" not in one):
            continue
        for pattern in one["said"]:
            match = re.search(pattern, trial.output)
            if match is not None and _measured(one.get("if", ""), env, trial):
                return _finding(one, match, trial, chosen, env)
    return None


def _measured(what: str, env: Mapping[str, str], trial: Trial) -> bool:
    """True if the machine is as the words let suppose."""
    if what == "disk":
        return _free(_temporary(env)) < _ROOM
    if what == "killed":
        return trial.out_of_memory > 0
    if what == "selinux":
        return policies.selinux_enforces()
    return what not in _LIMITS or resource.getrlimit(_LIMITS[what])[0] != resource.RLIM_INFINITY


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
    words |= {"temporary": _temporary(env), "room": _roomy(env), "bin": str(chosen.wrapper.parent)}
    memory = policies.memory()
    words |= {
        "memory": memory.limit or "all of the machine's memory",
        "context": policies.selinux_context(),
    }
    quoted = {name: shlex.quote(text) for name, text in words.items()}
    lines: list[str] = one.get("fix", [])
    if "KUBERNETES_SERVICE_HOST" in env:
        lines = one.get("kubernetes", lines)
    fix = "\n".join(line.format(**quoted) for line in lines)
    fix = _setting(one.get("set", ()), chosen) or fix
    if one["finding"] == "memory-ran-out":
        fix = policies.more_memory(memory, env)
    if "limit" in one:
        name, letter = one["limit"]
        fix = _raise(name, letter, fix)
    if "remark" in one:
        fix = f"{fix}   # {one['remark']}"
    message = one["message"].format(**words)
    if trial.verdict == "right":
        return Finding(one["finding"], "warning", f"{message}. Programs run; {one['warns']}.", fix)
    return Finding(one["finding"], "error", f"{message}.", fix)


def _temporary(env: Mapping[str, str]) -> str:
    return env.get("TMPDIR") or "/tmp"


def _free(folder: str) -> int:
    """Bytes that are left in a folder that can be written to; else none."""
    try:
        state = os.statvfs(folder)
    except OSError:
        return 0
    return state.f_bavail * state.f_frsize if os.access(folder, os.W_OK) else 0


def _roomy(env: Mapping[str, str]) -> str:
    """A folder for temporary files that has room."""
    places = ["/tmp", "/var/tmp", env.get("HOME", "/root"), "/dev/shm"]
    return next((one for one in places if _free(one) >= _ROOM), "FOLDER")


def _size(name: str, value: int) -> str:
    if value == resource.RLIM_INFINITY:
        return "unlimited"
    return str(value) if name in _COUNTS else f"{value >> 10} KiB"


def _raise(name: str, letter: str, otherwise: str) -> str:
    """What raises a limit: the shell up to the hard limit, else the system's file."""
    soft, hard = resource.getrlimit(_LIMITS[name])
    if soft == resource.RLIM_INFINITY and otherwise:
        return otherwise  # another limit was met
    if soft != hard:
        unit = 1 if name in _COUNTS else 1024
        wanted = "unlimited" if hard == resource.RLIM_INFINITY else str(hard // unit)
        return f"ulimit -{letter} {wanted}"
    value = "65536" if name in _COUNTS else "unlimited"
    place = f"/etc/security/limits.d/mpi-{name}.conf"
    return f"echo '* - {name} {value}' | sudo tee {place}   # then log in again"


def _setting(choices: Sequence[Mapping[str, Any]], chosen: Installation) -> str:
    """What sets the variables that help with this MPI."""
    major = int(re.match(r"\d*", chosen.version)[0] or 0)  # type: ignore[index]
    for one in choices:
        if one["vendor"] == chosen.vendor and major < one.get("before", 1 << 30):
            pairs = " ".join(f"{name}={shlex.quote(v)}" for name, v in one["set"].items())
            return f"export {pairs}"
    return ""


# -------------------------------------------------------------------------------------- containers


def shared_memory_of_container(env: Mapping[str, str], root: Path = Path("/")) -> str:
    """What gives this container more shared memory; nothing where it can be mounted anew.

    A pod is started anew from its description now and then: what is mounted by hand would be gone.
    """
    for one in _data()["containers"]:
        here = (root / one["path"].lstrip("/")).exists() or one.get("variable", "") in env
        if here:
            return "" if "variable" not in one and _may_mount() else "\n".join(one["shared-memory"])
    return ""


def _may_mount(status: Path = Path("/proc/self/status")) -> bool:
    """True if root can mount file systems here, as in a privileged container."""
    try:
        found = re.search(r"^CapBnd:\s*([0-9a-f]+)", status.read_text("utf-8"), re.MULTILINE)
    except OSError:
        return True
    return found is None or bool(int(found[1], 16) & _SYS_ADMIN)


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
