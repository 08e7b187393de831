"""Ctrl-C ends a command at every moment, also where libclang drops the exception."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mpiglot.parser.clang import children, parse
from mpiglot.parser.interrupts import check, remembered
from tests.limits import guard

# The command, to which Ctrl-C is typed when it imports a module, or when it has ended.
COMMAND = """
import atexit, os, signal, sys
moment = sys.argv[1]
class Typing:
    def find_spec(self, name, path, target=None):
        if name == moment:
            os.kill(os.getpid(), signal.SIGINT)
from mpiglot.__main__ import main
sys.meta_path.insert(0, Typing())
if moment == "the end":
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
class Last:
    def __del__(self, kill=os.kill, this=os.getpid(), number=signal.SIGINT):
        kill(this, number)
if moment == "after the end":
    sys.kept = Last()
sys.argv = ["mpiglot", "probe", "--help"]
main()
"""

INSTALLED = Path(sys.executable).with_name("mpiglot")


class Interrupted:
    """A cursor during whose traversal Ctrl-C is typed; exceptions are dropped, as by libclang."""

    def get_children(self) -> Iterator[int]:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        yield 1


def test_an_interruption_during_a_traversal_is_raised_after_it() -> None:
    with pytest.raises(KeyboardInterrupt), remembered():
        children(Interrupted())
        pytest.fail("the interruption was lost")


def test_an_interruption_that_somebody_dropped_ends_the_command() -> None:
    ended = False
    with pytest.raises(KeyboardInterrupt), remembered():
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        ended = True
    assert ended


def test_outside_of_a_traversal_it_is_raised_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), remembered():
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the interruption was put off")


def test_the_handler_is_the_usual_one_afterwards() -> None:
    with remembered():
        unit, _ = parse("int a; int b;")
        assert [cursor.spelling for cursor in children(unit)][-2:] == ["a", "b"]
        check()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Destroyed:
    """An object whose destructor Ctrl-C meets, as libclang's have ones; Python only reports it."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_an_interruption_in_a_destructor_is_raised_and_not_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reported: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", reported.append)
    with pytest.raises(KeyboardInterrupt), remembered():
        Destroyed()
        check()
        pytest.fail("the interruption was lost")
    assert reported == []


@pytest.mark.parametrize(
    "moment",
    ["mpiglot.cli", "click", "mpiglot.commands.probe", "mpiglot.parser.choice", "the end"],
)
def test_a_command_is_interrupted_in_one_line_from_its_first_import_on(moment: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, moment], capture_output=True, text=True, timeout=guard(60)
    )
    assert (done.returncode, done.stderr) == (130, "mpiglot: interrupted.\n")


def test_an_interruption_after_all_work_is_done_changes_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "after the end"],
        capture_output=True, text=True, timeout=guard(60),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: mpiglot probe")


# ----------------------------------------------------------------------- the command as installed


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def copied(folder: Path, venv: bool) -> Path:
    """The command in a folder of its own, beside a Python with the packages of this one."""
    executable(folder / "bin" / "python", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    if venv:
        (folder / "pyvenv.cfg").touch()
    return Path(shutil.copy(INSTALLED, folder / "bin"))


def started(tmp_path: Path, how: str) -> Path:
    if how == "link":
        (tmp_path / "a link").mkdir()
        (tmp_path / "a link" / "mpiglot").symlink_to(INSTALLED)
        return tmp_path / "a link" / "mpiglot"
    return INSTALLED if how == "plain" else copied(tmp_path / "a folder", how == "folder")


def run(
    command: Path, *words: str, cwd: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(command), *words],
        env={**os.environ, **variables},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=guard(60),
    )


@pytest.mark.parametrize("how", ["plain", "link", "folder"])
def test_the_installed_command_is_interrupted_in_one_line_while_python_starts(
    how: str, tmp_path: Path
) -> None:
    """Python runs this file before anything of mpiglot."""
    able = subprocess.run(["env", "--block-signal=INT", "true"], capture_output=True)
    if able.returncode != 0:
        pytest.skip("env cannot block signals here")
    typing = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    (tmp_path / "sitecustomize.py").write_text(typing)
    command = started(tmp_path, how)
    done = run(command, "--version", cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "mpiglot: interrupted.\n")


@pytest.mark.parametrize("how", ["plain", "link", "folder", "no environment"])
def test_the_installed_command_takes_nothing_from_the_current_folder(
    how: str, tmp_path: Path
) -> None:
    for name in ("click", "importlib", "mpiglot"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('taken')\n")
    done = run(started(tmp_path, how), "--version", cwd=tmp_path)
    assert (done.returncode, done.stdout[:8], done.stderr) == (0, "mpiglot ", "")


def test_the_installed_command_runs_where_env_cannot_block_signals(tmp_path: Path) -> None:
    executable(tmp_path / "env", "#!/bin/sh\necho 'unrecognized option' >&2\nexit 1\n")
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = run(INSTALLED, "--version", cwd=tmp_path, PATH=path)
    assert (done.returncode, done.stdout[:8], done.stderr) == (0, "mpiglot ", "")


def test_the_installed_command_says_where_no_python_has_its_package(tmp_path: Path) -> None:
    command = Path(shutil.copy(INSTALLED, tmp_path))
    done = run(command, "--version", cwd=tmp_path, PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("mpiglot: no Python on PATH has the package mpiglot")


def test_what_a_command_starts_can_be_interrupted() -> None:
    blocked = "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])"
    code = f"import signal; {blocked}; import mpiglot.__main__; print({blocked})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=guard(60)
    )
    assert (done.returncode, done.stdout) == (0, "set()\n"), done.stderr
