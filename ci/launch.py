"""Runs a program on several ranks of one MPI, under a time limit that ends all of them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mpiglot.ci.environment import of_installation
from mpiglot.ci.obtain import Installation
from mpiglot.parser.vendors import launch_command

TIMED_OUT = 124
GRACE = 3.0
_MARK = "MPIGLOT_JOB"


def run(
    installation: Installation,
    ranks: int,
    program: Sequence[str],
    *,
    timeout: float,
    extra: Mapping[str, str] | None = None,
) -> int:
    """Runs the program and gives back its exit code, `TIMED_OUT` when it had to be ended."""
    base = {**os.environ, **(extra or {})}
    environment = of_installation(installation, ci=True).applied(base)
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as scratch:
        command = launch_command(
            installation.mpi.vendor, installation.launcher, ranks, Path(scratch)
        )
        return limited([*command, *program], timeout=timeout, environment=environment)


def limited(command: Sequence[str], *, timeout: float, environment: Mapping[str, str]) -> int:
    """Runs a command and whatever it starts; after `timeout` seconds all of that is ended."""
    mark = uuid.uuid4().hex
    with subprocess.Popen(
        list(command),
        stdin=subprocess.DEVNULL,
        env={**environment, _MARK: mark},
        start_new_session=True,
    ) as job:
        try:
            return _exit_code(job.wait(timeout))
        except subprocess.TimeoutExpired:
            end_job(job, mark)
            return TIMED_OUT
        except BaseException:
            end_job(job, mark)
            raise


def end_job(job: subprocess.Popen[bytes], mark: str) -> None:
    """Ends a launcher, which ends its ranks; then whatever is left of the job."""
    _signal_group(job, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        job.wait(GRACE)
    _signal_group(job, signal.SIGKILL)
    for process in _marked(mark):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
    job.wait()


def marked_environment(environment: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The environment by which `end_job` finds the processes of a job that left its group."""
    mark = uuid.uuid4().hex
    return {**environment, _MARK: mark}, mark


def _signal_group(job: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(job.pid, number)


def _marked(mark: str) -> Iterator[int]:
    """The processes that were started with this mark: ranks may have a session of their own."""
    wanted = f"{_MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)


def _exit_code(code: int) -> int:
    return code if code >= 0 else 128 - code
