"""How long tests wait for a command before they take it for one that hangs.

A test says what a command needs on an idle machine, at most; a busy one may take ten times as long.
"""

from __future__ import annotations

FACTOR = 10


def guard(seconds: float) -> float:
    """The limit, in seconds of the clock, on a command that takes `seconds` on an idle machine."""
    return FACTOR * seconds
