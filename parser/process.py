"""Running other programs: always with a time limit, their messages kept for the user."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpiglot.errors import EnvironmentProblem

TIME_LIMIT = 60.0


@dataclass(slots=True)
class Result:
    """How a program ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def ok(self) -> bool:
        return self.code == 0

    def first_line(self) -> str:
        """The line of its messages that says best what went wrong."""
        lines = [line.strip() for line in (self.err or self.out).splitlines() if line.strip()]
        telling = [line for line in lines if "error" in line.lower()]
        return (telling or lines or [f"exit code {self.code}"])[0]


class TimedOut(EnvironmentProblem):
    """A program did not end within its time limit."""


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    limit: float = TIME_LIMIT,
    stdin: str | None = None,
) -> Result:
    """Runs `command`; a program that is missing or does not end becomes one sentence."""
    environment = {**(os.environ if env is None else env), "LC_ALL": "C"}
    try:
        child = subprocess.Popen(
            list(command),
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except FileNotFoundError:
        raise EnvironmentProblem(f"{command[0]}: there is no such program") from None
    except OSError as problem:
        raise EnvironmentProblem(f"{command[0]}: {problem.strerror or problem}") from None
    try:
        out, err = child.communicate(stdin, timeout=limit)
    except subprocess.TimeoutExpired:
        _end(child)
        raise TimedOut(
            f"{Path(command[0]).name} did not end within {limit:g} seconds and was stopped"
        ) from None
    except BaseException:
        _end(child)
        raise
    return Result(child.returncode, out, err)


def _end(child: subprocess.Popen[str]) -> None:
    """Ends a program together with everything it started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        child.kill()
    child.communicate()
