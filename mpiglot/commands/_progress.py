"""What a command is doing, for somebody who waits at a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(text: str) -> Iterator[Callable[[str], None]]:
    """Shows `text`, and what the function that it yields is given, while somebody is looking."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(text) as status:
        # With a spinner it is drawn at once, however short the step is.
        yield lambda further: status.update(further, spinner="dots")
