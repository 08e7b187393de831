"""A terminal that somebody looks at."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from tests.limits import guard


def shown(command: Sequence[str]) -> tuple[str, int]:
    """What a command shows on a terminal beside its output, and how it ends."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "400"}
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=env)
    os.close(theirs)
    text = b""
    with suppress(OSError):  # the end of a terminal
        while part := os.read(ours, 4096):
            text += part
    os.close(ours)
    return text.decode(), child.wait(timeout=guard(60))
