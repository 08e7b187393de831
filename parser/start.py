"""Starting the measuring program: directly, or with a launcher where nothing else can."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.parser.process import Result, TimedOut, run
from mpiglot.parser.vendors import launch_command
from mpiglot.parser.wrapper import Wrapper

TIME_LIMIT = 30.0


@dataclass(slots=True)
class Starter:
    """How programs are started; `launcher` is a command given by the user."""

    launcher: Sequence[str] = ()
    limit: float = TIME_LIMIT
    how: str = "run"

    def start(self, wrapper: Wrapper, program: Path, options: Sequence[str] = ()) -> Result:
        """Runs one rank of `program`; one that does not end is stopped.

        `options` are for the launcher, where there is one.
        """
        env = wrapper.env()
        command = [*self.launcher, *(options if self.launcher else ()), str(program)]
        self.how = "launcher" if self.launcher else "run"
        with tempfile.TemporaryDirectory(prefix="mpiglot-") as folder:
            if wrapper.needs_launcher and not self.launcher:
                command = [*_launched(wrapper, Path(folder)), *options, str(program)]
                self.how = "launcher"
            ended = self._run(command, env, folder)
            if not ended.ok and _library_missing(ended):
                ended = self._run(command, _with_libraries(env, wrapper), folder)
        return ended

    def _run(self, command: list[str], env: dict[str, str], folder: str) -> Result:
        program = Path(command[-1])
        if not os.access(program, os.X_OK):
            raise EnvironmentProblem(
                f"no program can be started in {program.parent.parent}, the folder for temporary "
                "files; set TMPDIR to one that is not mounted with noexec"
            )
        try:
            return run(command, env=env, limit=self.limit, cwd=Path(folder))
        except TimedOut:
            if self.launcher:
                raise EnvironmentProblem(
                    f"the measuring program did not end within {self.limit:g} seconds under "
                    f"`{shlex.join(self.launcher)}` and was stopped: name another launcher, or "
                    "none: few MPIs need one"
                ) from None
            raise EnvironmentProblem(
                f"the measuring program did not end within {self.limit:g} seconds and was stopped: "
                "the library hangs before it is initialised; see `mpiglot doctor`"
            ) from None


def command_of(text: str | None, path: str | None = None) -> list[str]:
    """A launcher, with its options, as given on the command line; `path` instead of PATH."""
    if text is None:
        return []
    if shutil.which(text, path=path) is not None:
        return [text]  # a space in its path separates nothing
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"--launcher {text!r} is no command: {error}") from None
    if not words or shutil.which(words[0], path=path) is None:
        raise EnvironmentProblem(f"there is no launcher {text!r}; name a program that is on PATH")
    return words


def _launched(wrapper: Wrapper, folder: Path) -> list[str]:
    launcher = wrapper.launcher()
    if launcher is None:
        raise EnvironmentProblem(
            f"{wrapper.name} makes programs that only a launcher can start, and no smpirun "
            "is beside it; name one with --launcher"
        )
    return launch_command("simgrid", launcher, 1, folder)


def _library_missing(ended: Result) -> bool:
    return "cannot open shared object file" in ended.err or "Library not loaded" in ended.err


def _with_libraries(env: dict[str, str], wrapper: Wrapper) -> dict[str, str]:
    """The environment with the wrapper's library folders in the loader's search path."""
    folders = [str(d) for d in wrapper.library_dirs]
    old = env.get("LD_LIBRARY_PATH")
    return {**env, "LD_LIBRARY_PATH": os.pathsep.join([*folders, *([old] if old else [])])}
