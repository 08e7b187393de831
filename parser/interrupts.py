"""Interruptions that get lost: libclang drops exceptions raised in its callbacks."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Remembering:
    """A handler of SIGINT that raises KeyboardInterrupt, later where that would be lost."""

    seen = False
    held = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        if not self.held:
            raise KeyboardInterrupt


@contextmanager
def held() -> Iterator[None]:
    """Puts an interruption off until the end of the block."""
    handler = signal.getsignal(signal.SIGINT)
    if not isinstance(handler, Remembering) or handler.held:
        yield
        return
    handler.held = True
    try:
        yield
    finally:
        handler.held = False
    check()


@contextmanager
def remembered() -> Iterator[None]:
    """Remembers interruptions, unless the program has a handler of its own or ignores them."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, Remembering())
    try:
        yield
        check()
    finally:
        signal.signal(signal.SIGINT, before)


def check() -> None:
    """Raises KeyboardInterrupt if there was an interruption since `remembered` began."""
    handler = signal.getsignal(signal.SIGINT)
    if isinstance(handler, Remembering) and handler.seen:
        raise KeyboardInterrupt
