"""Ctrl-C ends a command at every moment, also where libclang drops the exception."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from mpiglot.parser.clang import children, parse
from mpiglot.parser.interrupts import check, remembered


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
