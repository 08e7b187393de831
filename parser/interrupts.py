"""Interruptions that get lost: libclang's callbacks and destructors drop exceptions."""

from __future__ import annotations

import signal
import sys
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
    usual = signal.getsignal(signal.SIGINT)
    own = getattr(usual, "__name__", "") == "_interrupted"  # of the command, around all others
    if (
        not (own or usual is signal.default_int_handler)
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    before, hook = signal.signal(signal.SIGINT, Remembering()), sys.unraisablehook
    sys.unraisablehook = lambda lost: None if lost.exc_type is KeyboardInterrupt else hook(lost)
    try:
        yield
        check()
    finally:
        sys.unraisablehook = hook
        signal.signal(signal.SIGINT, before)


def check() -> None:
    """Raises KeyboardInterrupt if there was an interruption since `remembered` began."""
    handler = signal.getsignal(signal.SIGINT)
    if isinstance(handler, Remembering) and handler.seen:
        raise KeyboardInterrupt
