"""Running other programs: always with a time limit, their messages kept for the user."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpiglot.errors import EnvironmentProblem

TIME_LIMIT = 120.0


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


class Running:
    """A program that runs beside this one; `wait` for it or `stop` it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        stdin: str | None = None,
    ) -> None:
        self.name = Path(command[0]).name
        self._stdin = stdin
        try:
            self._child = subprocess.Popen(
                list(command),
                cwd=cwd,
                env={**(os.environ if env is None else env), "LC_ALL": "C"},
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

    def wait(self, limit: float = TIME_LIMIT) -> Result:
        """How it ended; a program that does not end in time is stopped."""
        try:
            out, err = self._child.communicate(self._stdin, timeout=limit)
        except subprocess.TimeoutExpired:
            self.stop()
            raise TimedOut(
                f"{self.name} did not end within {limit:g} seconds and was stopped"
            ) from None
        except BaseException:
            self.stop()
            raise
        return Result(self._child.returncode, out, err)

    def stop(self) -> None:
        """Ends it together with everything it started."""
        if self._child.returncode is not None:
            return
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._child.kill()
        self._child.communicate()


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    limit: float = TIME_LIMIT,
    stdin: str | None = None,
) -> Result:
    """Runs `command`; a program that is missing or does not end becomes one sentence."""
    return Running(command, cwd=cwd, env=env, stdin=stdin).wait(limit)
