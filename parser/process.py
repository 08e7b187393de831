"""Running other programs: always with limits, their messages kept for the user."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.interrupts import check

TIME_LIMIT = 120.0
_COLOURS = re.compile(r"\x1b\[[0-9;]*[mK]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_SUMMARY = ("ld returned", "linker command failed")  # lines that only say that there was an error
LARGEST = 64 * 1024 * 1024  # bytes of output; a whole mpi.h, preprocessed, has a tenth of one


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
        lines = [line for line in lines if not any(s in line for s in _SUMMARY)] or lines
        telling = [line for line in lines if "error" in line.lower()]
        return (telling or lines or [f"exit code {self.code}"])[0]


class TimedOut(EnvironmentProblem):
    """A program did not end within its time limit."""


class NotStarted(EnvironmentProblem):
    """The system refuses to start a program."""

    def __init__(self, sentence: str, reason: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class _Output:
    """What a program writes to one pipe, read beside it; too much of it ends the program."""

    def __init__(self, pipe: IO[bytes], too_much: Callable[[], None]) -> None:
        self._pipe = pipe
        self._too_much = too_much
        self._data = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def overflown(self) -> bool:
        return len(self._data) > LARGEST

    def ended(self, limit: float) -> bool:
        """Whether the other end was closed before `limit` seconds had passed."""
        self._reader.join(max(0.0, limit))
        return not self._reader.is_alive()

    def text(self) -> str:
        lines = self._data.decode("utf-8", "replace")
        return _COLOURS.sub("", lines).replace("\r\n", "\n").replace("\r", "\n")

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._pipe:
            while not self.overflown:
                part = os.read(self._pipe.fileno(), 1 << 16)
                if not part:
                    return
                self._data += part
        self._too_much()


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
        check()
        try:
            self._child = subprocess.Popen(
                list(command),
                cwd=cwd,
                env={**(os.environ if env is None else env), "LC_ALL": "C"},
                stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except FileNotFoundError:
            if Path(command[0]).exists():
                reason = "the loader or interpreter that it names is not there"
                raise NotStarted(f"{command[0]} cannot be started: {reason}", reason) from None
            reason = "there is no such program"
            raise NotStarted(f"{command[0]}: {reason}", reason) from None
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise NotStarted(f"{command[0]} cannot be started: {reason}", reason) from None
        assert self._child.stdout is not None and self._child.stderr is not None
        self._outputs = [_Output(p, self._kill) for p in (self._child.stdout, self._child.stderr)]
        if stdin is not None:
            threading.Thread(target=self._feed, args=(stdin.encode(),), daemon=True).start()

    def wait(self, limit: float = TIME_LIMIT) -> Result:
        """How it ended; a program that does not end in time, or floods us, is stopped."""
        end = time.monotonic() + limit
        try:
            for output in self._outputs:
                if not output.ended(end - time.monotonic()):
                    raise subprocess.TimeoutExpired(self.name, limit)
            code = self._child.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.stop()
            raise TimedOut(
                f"{self.name} did not end within {limit:g} seconds and was stopped"
            ) from None
        except BaseException:
            self.stop()
            raise
        if any(output.overflown for output in self._outputs):
            raise EnvironmentProblem(
                f"{self.name} was stopped because it printed more than {LARGEST >> 20} MiB"
            )
        out, err = (output.text() for output in self._outputs)
        return Result(code, out, err)

    def stop(self) -> None:
        """Ends it together with everything it started."""
        if self._child.returncode is not None:
            return
        self._kill()
        self._child.wait()
        for output in self._outputs:  # until all that it started is gone, too
            output.ended(5)

    def _kill(self) -> None:
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._child.kill()

    def _feed(self, data: bytes) -> None:
        assert self._child.stdin is not None
        with contextlib.suppress(OSError), self._child.stdin as pipe:
            pipe.write(data)


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
