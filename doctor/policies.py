"""What the kernel counts and forbids: ranks that it ended for want of memory, and SELinux."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/")


@dataclass(frozen=True)
class Memory:
    """A control group's count of processes ended for want of memory, and its limit."""

    kills: int | None = None  # unknown where the kernel tells no count
    limit: str = ""  # "512 MiB"; empty where there is none
    file: str = ""  # that sets the limit


def memory(root: Path | None = None) -> Memory:
    """The memory of this process's control group, version 2 or 1; without one, the machine's."""
    root = root or ROOT
    for folder, events, limit in _groups(root):
        count = _count(folder / events)
        if count is not None:
            return Memory(count, _size(folder / limit), f"/{(folder / limit).relative_to(root)}")
    return Memory(_count(root / "proc/vmstat"))


def _groups(root: Path) -> list[tuple[Path, str, str]]:
    """Folders, and the names of the files in them; a container sees its group as the first."""
    found = []
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = (*line.split(":", 2), "", "")[:3]
        version_1 = "memory" in controllers.split(",")
        if controllers and not version_1:
            continue
        names = ("memory.events", "memory.max")
        top = root / "sys/fs/cgroup"
        if version_1:
            names, top = ("memory.oom_control", "memory.limit_in_bytes"), top / "memory"
        for folder in (top / path.lstrip("/"), top):
            found.append((folder, *names))
    return found


def _count(file: Path) -> int | None:
    match = re.search(r"^oom_kill (\d+)$", _text(file), re.MULTILINE)
    return int(match[1]) if match else None


def _size(file: Path) -> str:
    text = _text(file).strip()
    small = text.isdigit() and int(text) < 1 << 60  # version 1 has a huge number for no limit
    return f"{int(text) >> 20} MiB" if small else ""


def more_memory(found: Memory, env: Mapping[str, str]) -> str:
    """What gives the ranks more memory."""
    if not found.limit:
        return "free -h   # the machine has too little: fewer ranks, or another machine"
    if any(name.startswith("SLURM_") for name in env):
        return "salloc --mem=0   # a job with all the memory of its machines"
    if "KUBERNETES_SERVICE_HOST" in env:
        return (
            "resources: {limits: {memory: 4Gi}}   # YAML, under the container; start the pod anew"
        )
    everything = "-1" if "limit_in" in found.file else "max"
    return f"echo {everything} | sudo tee {found.file}"


def selinux_enforces(root: Path | None = None) -> bool:
    """True if SELinux is there and forbids, rather than only notes."""
    return _text((root or ROOT) / "sys/fs/selinux/enforce").strip() == "1"


def selinux_context(root: Path | None = None) -> str:
    """The context of this process ("unconfined_t"), as the rules of SELinux name it."""
    parts = _text((root or ROOT) / "proc/self/attr/current").strip("\0\n ").split(":")
    return parts[2] if len(parts) > 2 else "an unknown type"


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
