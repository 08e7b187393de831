"""Writing files so that there is either the old one or the whole new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem


def write_whole(path: Path, text: str) -> None:
    """Writes a file by way of a temporary one beside it; a device or pipe is written directly."""
    try:
        if path.exists() and not path.is_file():
            if path.is_dir():
                raise EnvironmentProblem(f"{path} is a folder; name a file to write")
            _write(path, text)
            return
        target = path.resolve()
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            _write(temporary, text)
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o777)
            temporary.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise EnvironmentProblem(
            f"{path} cannot be written: {problem.strerror or problem}; nothing was changed"
        ) from None


def _write(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        if path.is_file():
            os.fsync(file.fileno())
