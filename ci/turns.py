"""Whose turn it is at the gate: a number that changes with the day, in UTC, of HEAD's commit.

An archive of the sources has no history; there `git archive` has written the date into
`.ci/committed`.
"""

from __future__ import annotations

from pathlib import Path

from mpiglot.ci.changes import git, is_repository

DAY = 86_400
COMMITTED = ".ci/committed"


def committed(root: Path) -> int | None:
    """When HEAD was committed, in seconds since 1970, where that is known."""
    if is_repository(root):
        text = git(root, "log", "-1", "--format=%ct")[0]
    else:
        file = root / COMMITTED
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return int(text) if text.strip().isdecimal() else None


def turn_of(root: Path) -> int:
    """The same number for all commits of a day; 0 where nobody knows the date."""
    return (committed(root) or 0) // DAY


def before(root: Path) -> str:
    """The last commit of an earlier day than HEAD's, or nothing where there is none.

    A gate with today's turn has not seen it; gates with other turns have.
    """
    seconds = committed(root)
    if seconds is None or not is_repository(root):
        return ""
    midnight = seconds // DAY * DAY
    walk = ("rev-list", "--first-parent", "-1", f"--before={midnight - 1} +0000", "HEAD")
    return "".join(git(root, *walk)).strip()
