"""Ctrl-C ends a command at every moment, also where libclang drops the exception."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

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
sys.argv = ["mpiglot", "probe", "--help"]
main()
"""


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
