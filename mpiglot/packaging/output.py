"""Writes a package into a folder that holds nothing yet: the whole of it or nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.exchange.output import path_problem
from mpiglot.packaging.contents import Files


def check_folder(folder: Path) -> None:
    """Refuses, before anything is made, a folder that cannot become a package."""
    try:
        if os.path.lexists(folder) and not folder.is_dir():
            raise UsageError(f"{folder} is a file; name a folder that does not exist yet with -o.")
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(
                f"{folder} is not empty; remove what is in it, or name another folder with -o."
            )
        above = folder
        while not above.exists():
            above = above.parent
        if not above.is_dir():
            raise UsageError(f"{folder} cannot be a folder: {above} is a file.")
        if not os.access(above, os.W_OK | os.X_OK):
            raise EnvironmentProblem(f"{folder} cannot be written: no permission in {above}.")
    except OSError as error:
        raise EnvironmentProblem(f"{folder} cannot be written: {error.strerror}.") from error


def write(folder: Path, files: Files) -> None:
    """Makes `folder` hold exactly `files`: written beside it first, then moved into its place."""
    check_folder(folder)
    for path in files:
        problem = path_problem(path)
        if problem:
            raise UsageError(f"the package would have the file {path!r}, which {problem}.")
    folder = folder.absolute()
    staging: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        for path, content in sorted(files.items()):
            target = staging / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        staging.chmod(0o777 & ~_umask())
        if folder.is_dir():
            folder.rmdir()  # empty, as checked
        staging.rename(folder)
    except OSError as error:
        raise EnvironmentProblem(f"{folder} cannot be written: {error.strerror}.") from error
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
