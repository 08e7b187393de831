"""What the machine itself must offer: shared memory, and a name that can be resolved."""

from __future__ import annotations

import errno
import os
import socket
import tempfile
from pathlib import Path

from mpiglot.doctor.model import Finding

SHARED_MEMORY = Path("/dev/shm")
NEEDED_PER_RANK = 16 << 20
CONTAINER_DEFAULT = 64 << 20


def free_shared_memory(folder: Path = SHARED_MEMORY) -> int:
    """Bytes that are left there (0 where there is none); runs that fail leave files behind."""
    if not folder.is_dir():
        return 0
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize


def shared_memory(
    ranks: int, failure: str, free: int, folder: Path = SHARED_MEMORY, instead: str = ""
) -> list[Finding]:
    """Findings about the memory that ranks of one machine exchange messages through.

    `failure` says how the run failed (empty where it did not), `free` what was left before it,
    `instead` what helps where nothing can be mounted.
    """
    if not folder.is_dir():
        if os.name != "posix" or not Path("/proc").is_dir():
            return []
        return [
            Finding(
                "shared-memory-missing",
                "warning" if failure else "info",
                f"There is no {folder}, which ranks on one machine exchange messages through.",
                instead
                or f"sudo mkdir -p {folder} && sudo mount -t tmpfs -o size=1g tmpfs {folder}",
            )
        ]
    if not _writable(folder):
        return [
            Finding(
                "shared-memory-read-only",
                "error" if failure else "warning",
                f"Nothing can be written to {folder}, which ranks on one machine exchange messages "
                f"through{'; ' + failure if failure else ''}.",
                instead or f"sudo mount -o remount,rw {folder} && sudo chmod 1777 {folder}",
            )
        ]
    state = os.statvfs(folder)
    total = state.f_blocks * state.f_frsize
    fix = instead or f"sudo mount -o remount,size=1g {folder}"
    if free < NEEDED_PER_RANK * ranks or (failure and free < CONTAINER_DEFAULT):
        effect = f"and {failure}" if failure else f"{ranks} ranks may end with a bus error"
        return [
            Finding(
                "shared-memory-small",
                "error" if failure else "warning",
                f"{folder} had {free >> 20} MiB left; {effect}.",
                fix,
            )
        ]
    if total <= CONTAINER_DEFAULT:
        return [
            Finding(
                "shared-memory-small",
                "info",
                f"{folder} holds {total >> 20} MiB, a container's usual size: enough for {ranks} "
                "ranks, not for many.",
                fix,
            )
        ]
    return []


def _writable(folder: Path) -> bool:
    """Whether a file can be made there."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError as problem:
        return problem.errno not in (errno.EROFS, errno.EACCES, errno.EPERM)


def executable(folder: Path) -> bool:
    """True if programs in this folder may be started; it may be mounted noexec."""
    tried = folder / "tried"
    tried.touch(0o755)
    return os.access(tried, os.X_OK)


def not_executable(folder: Path) -> Finding:
    """A note on a folder for temporary files in which no program may be started."""
    return Finding(
        "folder-not-executable",
        "info",
        f"Programs in {folder} cannot be started (it is mounted noexec, or a policy forbids it); "
        "what is built there fails with `Permission denied`.",
        'mkdir -p "$HOME/.cache" && export TMPDIR="$HOME/.cache"',
    )


def loopback() -> list[Finding]:
    """A finding if this machine cannot reach itself at 127.0.0.1: tried with a connection."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname(), timeout=5).close()
    except OSError as problem:
        return [
            Finding(
                "loopback-missing",
                "error",
                f"This machine cannot reach itself at 127.0.0.1 ({problem.strerror or problem}); "
                "launchers and ranks connect there.",
                "sudo ip link set lo up",
            )
        ]
    return []


def host_name(failed: bool) -> list[Finding]:
    """Findings about a host name that leads to no address, which some launchers insist on."""
    name = socket.gethostname()
    findings = []
    for asked, fix in (
        (name, f"echo '127.0.1.1 {name}' | sudo tee -a /etc/hosts"),
        ("localhost", "echo '127.0.0.1 localhost' | sudo tee -a /etc/hosts"),
    ):
        try:
            socket.getaddrinfo(asked, None)
        except OSError:
            findings.append(
                Finding(
                    "host-name-unknown",
                    "warning" if failed else "info",
                    f"The name {asked!r} leads to no address; MPIs that look it up fail at start.",
                    fix,
                )
            )
    return findings
