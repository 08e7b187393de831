"""Runs programs under a time limit that ends everything they started, on several ranks or alone."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from time import monotonic
from types import FrameType
from typing import IO

from mpiglot.parser.vendors import launch_command

TIMED_OUT = 124
MISSING = 127
_GRACE = 3.0
_GLANCE = 1.0
_MARK = "MPIGLOT_JOB"
_SCRATCH = "MPIGLOT_SCRATCH"


def run(
    vendor: str,
    launcher: Path,
    ranks: int,
    program: Sequence[str],
    *,
    timeout: float,
    environment: Mapping[str, str],
    output: IO[bytes] | None = None,
) -> int:
    """Runs a program on `ranks` ranks and gives back its exit code, `TIMED_OUT` when ended.

    Its processes find in MPIGLOT_SCRATCH a folder that goes when they have ended, however they did.
    """
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as scratch:
        command = launch_command(vendor, launcher, ranks, Path(scratch))
        return limited(
            [*command, *program],
            timeout=timeout,
            environment={**environment, _SCRATCH: scratch},
            output=output,
        )


def limited(
    command: Sequence[str],
    *,
    timeout: float,
    environment: Mapping[str, str],
    output: IO[bytes] | None = None,
    cwd: Path | None = None,
    stop: Event | None = None,
) -> int:
    """Runs a command; what it started is ended with it, after `timeout` seconds at the latest.

    `stop` ends it earlier, from another thread.
    """
    mark = uuid.uuid4().hex
    try:
        job = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            env={**environment, _MARK: f"{environment.get(_MARK, '')}:{mark}"},
            cwd=cwd,
            start_new_session=True,
        )
    except OSError as problem:
        if output:
            output.write(f"{command[0]}: {problem.strerror}\n".encode())
        return MISSING
    with job:
        try:
            code = _wait(job, timeout, stop)
        except subprocess.TimeoutExpired:
            _end(job, mark)
            return TIMED_OUT
        except BaseException:
            _end(job, mark)
            raise
        return code if code >= 0 else 128 - code


def obey_termination() -> None:
    """Makes the signals that end this process end its jobs too, as an interruption does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)


def _wait(job: subprocess.Popen[bytes], timeout: float, stop: Event | None) -> int:
    if stop is None:
        return job.wait(timeout)
    end = monotonic() + timeout
    while True:
        left = end - monotonic()
        try:
            return job.wait(min(_GLANCE, max(left, 0)))
        except subprocess.TimeoutExpired:
            if left <= 0 or stop.is_set():
                raise


def _end(job: subprocess.Popen[bytes], mark: str) -> None:
    """Ends a launcher, which ends its ranks; then whatever is left of the job."""
    _signal_group(job, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        job.wait(_GRACE)
    _signal_group(job, signal.SIGKILL)
    for process in _marked(mark):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
    job.wait()


def _signal_group(job: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(job.pid, number)


def _marked(mark: str) -> Iterator[int]:
    """The processes below this mark: ranks may leave its group, and jobs nest."""
    name, wanted = f"{_MARK}=".encode(), mark.encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            variables = (folder / "environ").read_bytes().split(b"\0")
            if any(one.startswith(name) and wanted in one for one in variables):
                yield int(folder.name)
