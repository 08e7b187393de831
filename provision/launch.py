"""Runs programs under a limit that ends everything they started, on several ranks or alone.

The limit is CPU time, of all processes of a job together, ended ones included: a busy machine makes
a job slower, not more expensive. Two guards end jobs that wait for ever without using any: ten
times the limit of wall time, and a while in which the whole job stands still.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import uuid
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from types import FrameType
from typing import IO

from mpiglot.parser.vendors import launch_command
from mpiglot.provision.processes import MARK, Job, is_busy, process, whereabouts

TIMED_OUT = 124
MISSING = 127
INTERRUPTED = "interrupted"
PATIENCE = 10.0  # seconds of wall time for each second of the limit
_STILL_SECONDS = 60.0  # a job stands still that uses nothing for so long,
_STILL_LIMITS = 2.0  # and this many of its limits
_STILL_SHARE = 0.01  # of the wall time; the runtimes of Java and Go wake up now and then
_GRACE = 3.0
_GLANCES = (0.05, 1.0)  # seconds between two looks at a job, at first and at last
_SCRATCH = "MPIGLOT_SCRATCH"
HOSTS = "MPIGLOT_HOSTS"  # set by ci/hosts: a folder with what its hosts are made of


@dataclass(frozen=True)
class Ended:
    """How a job ended."""

    code: int  # its exit code, `TIMED_OUT` or `MISSING`
    cpu: float  # seconds, of all its processes
    why: str = ""  # why it was ended


def run(
    vendor: str,
    launcher: Path,
    ranks: int,
    program: Sequence[str],
    *,
    limit: float,
    environment: Mapping[str, str],
    output: IO[bytes] | None = None,
) -> int:
    """Runs a program on `ranks` ranks and gives back its exit code, `TIMED_OUT` when ended.

    `limit` is CPU seconds of all ranks together. Its processes find in MPIGLOT_SCRATCH a folder
    that goes when they have ended, however they did.
    """
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as scratch:
        variables = {**environment, _SCRATCH: scratch}
        ours = [name for name in variables if name.startswith("MPIGLOT_")]
        exported = ours if HOSTS in variables else ()
        command = launch_command(vendor, launcher, ranks, Path(scratch), exported)
        return watched([*command, *program], limit=limit, environment=variables, output=output).code


def watched(
    command: Sequence[str],
    *,
    limit: float,
    environment: Mapping[str, str],
    output: IO[bytes] | None = None,
    cwd: Path | None = None,
    stop: Event | None = None,
) -> Ended:
    """Runs a command; what it started is ended with it, after `limit` CPU seconds at the latest.

    Why a job was ended, and where its processes were, goes to `output` (or to standard error).
    `stop` ends it earlier, from another thread.
    """
    mark = uuid.uuid4().hex
    try:
        started = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            env={**environment, MARK: f"{environment.get(MARK, '')}:{mark}"},
            cwd=cwd,
            start_new_session=True,
        )
    except OSError as problem:
        if output:
            output.write(f"{command[0]}: {problem.strerror}\n".encode())
        return Ended(MISSING, 0.0)
    job = Job(started.pid, mark)
    with started:
        try:
            why = _wait(started, job, limit, stop)
            if why:
                if why != INTERRUPTED:
                    _say([f"{Path(command[0]).name} is ended: {why}", *whereabouts(job)], output)
                _end(started, job)
                return Ended(TIMED_OUT, job.cpu, why)
        except BaseException:
            _end(started, job)
            raise
        code = started.wait()
        return Ended(code if code >= 0 else 128 - code, job.cpu)


def obey_termination() -> None:
    """Makes the signals that end this process end its jobs too, as an interruption does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)


def _wait(started: subprocess.Popen[bytes], job: Job, limit: float, stop: Event | None) -> str:
    """Waits for the end, which it leaves to be fetched; says why the job must be ended earlier."""
    begin = monotonic()
    pause = _GLANCES[0]
    still = max(_STILL_SECONDS, _STILL_LIMITS * limit)
    past: deque[tuple[float, float]] = deque([(begin, 0.0)])
    while not _ended(started, pause):
        pause = min(2 * pause, _GLANCES[1])
        there = job.look()
        now = monotonic()
        if stop is not None and stop.is_set():
            return INTERRUPTED
        if job.cpu > limit:
            return f"it has used {job.cpu:.0f} s of CPU time; {limit:g} s are its limit"
        if now - begin > PATIENCE * limit:
            return f"no end in {now - begin:.0f} s; {limit:g} s of CPU time are its limit"
        past.append((now, job.cpu))
        while now - past[0][0] > still:
            used = job.cpu - past[0][1]
            if used < _STILL_SHARE * still and not any(is_busy(one.pid) for one in there):
                return f"it has stood still for {still:.0f} s"
            past.popleft()
    job.look()  # its own process is still there, with the time of those it has waited for
    return ""


def _ended(started: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether a process ends within some time; it is not waited for."""
    if process(started.pid) is None:  # no /proc
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.wait(seconds)
        return started.returncode is not None
    try:
        descriptor = os.pidfd_open(started.pid)
    except (AttributeError, OSError):
        sleep(seconds)
    else:
        select.select([descriptor], [], [], seconds)
        os.close(descriptor)
    return os.waitid(os.P_PID, started.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _say(lines: Sequence[str], output: IO[bytes] | None) -> None:
    file = output or sys.stderr.buffer
    file.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    file.flush()


def _end(started: subprocess.Popen[bytes], job: Job) -> None:
    """Ends a launcher, which ends its ranks; then whatever is left of the job."""
    _signal_group(started, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        started.wait(_GRACE)
    _signal_group(started, signal.SIGKILL)
    for one in job.look():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(one.pid, signal.SIGKILL)
    started.wait()


def _signal_group(started: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(started.pid, number)
