"""The processes of a job: their CPU time, ended ones included, and where they are.

A process belongs to a job if its environment has the job's mark or its parent belongs to it: ranks
leave the process group and the session of their launcher. Where there is no /proc, nothing is seen.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import sleep

MARK = "MPIGLOT_JOB"
PROC = Path("/proc")
RANK_VARIABLES = (b"PMIX_RANK", b"PMI_RANK", b"OMPI_COMM_WORLD_RANK")
_TICK = float(os.sysconf("SC_CLK_TCK"))
_STACK_SECONDS = 20.0
_STACK_LINES = 30
_ANSWER_SECONDS = 1.0
_KERNEL = 2  # the parent of the kernel's threads


@dataclass(frozen=True)
class Process:
    """What /proc says of a process."""

    pid: int
    parent: int
    state: str  # of its first thread: R runs or wants to, S sleeps, D waits, Z has ended ...
    own: float  # CPU seconds
    of_children: float  # CPU seconds of those that it has waited for

    @property
    def cpu(self) -> float:
        return self.own + self.of_children


def _words(folder: Path) -> list[str]:
    """What the file `stat` of a process or thread says behind its name; nothing if it is gone."""
    try:
        text = (folder / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text[text.rindex(")") + 2 :].split()


def is_busy(pid: int) -> bool:
    """Whether a thread of a process runs or wants to, or waits for a device.

    The state of a process is that of its first thread; Go and Java call MPI in others.
    """
    with contextlib.suppress(OSError):
        threads = [_words(thread) for thread in (PROC / str(pid) / "task").iterdir()]
        return any(words[0] in "RD" for words in threads if words)
    return False


def process(pid: int) -> Process | None:
    """What /proc says of a process, or None if there is none."""
    words = _words(PROC / str(pid))
    if not words:
        return None
    user, system, user_below, system_below = (int(word) / _TICK for word in words[11:15])
    return Process(pid, int(words[1]), words[0], user + system, user_below + system_below)


def environment(pid: int) -> list[bytes]:
    """The environment that a process was started with, as `NAME=value`."""
    with contextlib.suppress(OSError):
        return (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    return []


class Job:
    """The processes below one that was started, or with its mark."""

    def __init__(self, first: int, mark: str) -> None:
        self._first = first
        self._mark = mark.encode()
        self._seen: dict[int, Process] = {}
        self._strangers: set[int] = set()
        self._lost = 0.0  # of those that nobody of the job has waited for

    def look(self) -> list[Process]:
        """The processes that are there now; takes note of what they have used."""
        now: dict[int, Process] = {}
        if not PROC.is_dir():
            return []
        names = [int(folder.name) for folder in PROC.iterdir() if folder.name.isdigit()]
        self._strangers &= set(names)
        for pid in sorted(names):
            if pid not in self._strangers:
                found = process(pid)
                if found is None:
                    continue
                if self._is_ours(found, now):
                    now[pid] = found
                elif found.parent in (0, _KERNEL) or environment(pid):  # else it is just starting
                    self._strangers.add(pid)
        self._lost += sum(
            one.cpu for pid, one in self._seen.items() if pid not in now and self._orphan(one, now)
        )
        self._seen = now
        return list(now.values())

    @property
    def cpu(self) -> float:
        """CPU seconds of all, ended ones included, when it was last looked."""
        return self._lost + sum(one.cpu for one in self._seen.values())

    def _is_ours(self, one: Process, now: dict[int, Process]) -> bool:
        if one.pid == self._first or one.pid in self._seen or one.parent in now:
            return True
        name = f"{MARK}=".encode()
        return any(entry.startswith(name) and self._mark in entry for entry in environment(one.pid))

    def _orphan(self, one: Process, now: dict[int, Process]) -> bool:
        """Whether nobody of the job can have waited for a process that is gone."""
        above: Process | None = one
        while above is not None:
            if above.parent in now:
                return False
            above = self._seen.get(above.parent)
        return True


def rank_of(pid: int) -> str:
    """The rank that a launcher gave a process, or nothing."""
    for entry in environment(pid):
        name, _, value = entry.partition(b"=")
        if name in RANK_VARIABLES:
            return value.decode("ascii", "replace")
    return ""


def whereabouts(job: Job) -> Iterator[str]:
    """A line for each process of a job, and where the ranks are (with eu-stack of elfutils).

    Ranks get a SIGQUIT afterwards, upon which Java and Go say where their threads are; this ends
    most programs.
    """
    ranks = []
    for one in job.look():
        rank = rank_of(one.pid)
        named = f"rank {rank}, " if rank else ""
        yield f"{named}process {one.pid}: state {one.state}, {one.cpu:.1f} s CPU, {_command(one)}"
        if rank:
            ranks.append(one)
            yield from _stack(one.pid)
    for one in ranks:
        with contextlib.suppress(OSError):
            os.kill(one.pid, signal.SIGQUIT)
    if ranks:
        sleep(_ANSWER_SECONDS)


def _command(one: Process) -> str:
    with contextlib.suppress(OSError):
        words = (PROC / str(one.pid) / "cmdline").read_bytes().decode("utf-8", "replace")
        return words.replace("\0", " ").strip()[:200]
    return ""


def _stack(pid: int) -> Iterator[str]:
    tool = shutil.which("eu-stack")
    if tool is None:
        return
    try:
        done = subprocess.run(
            [tool, "-p", str(pid)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=_STACK_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return
    for line in done.stdout.splitlines()[:_STACK_LINES]:
        yield f"    {line}"
