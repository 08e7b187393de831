"""Writes generated files into a folder: all of them or none, and nothing that is not ours.

Everything is first written to a staging folder inside the output folder (a full disk or a missing
permission shows there, before anything has changed), then moved into place file by file; a file
whose content stays the same is not touched, so that builds see no change. The manifest names what
was generated: what it no longer names is removed, what it never named belongs to somebody else.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.generators.marks import digest, ours
from mpiglot.generators.model import File

MANIFEST = "mpiglot-manifest.json"
_STAGING = ".mpiglot-staging-"


@dataclass(slots=True)
class Written:
    """What writing a tree did, as paths relative to the folder."""

    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # stale, but changed by hand: left alone
    replaced: list[str] = field(default_factory=list)  # changed by hand, and overwritten


def path_problem(path: str) -> str | None:
    """Why a path that was not made here cannot be a file of an output folder; None if it can."""
    parts = path.split("/")
    if not path or not path.isprintable() or "\\" in path or len(path) > 400:
        return "is no plain path"
    if path.startswith("/") or ":" in parts[0]:
        return "is an absolute path"
    if any(part in ("", ".", "..") for part in parts):
        return "may lead out of the output folder"
    if any(part.startswith(".") or len(part.encode()) > 255 for part in parts):
        return "is hidden or has an overlong part"
    return None


def manifest_text(manifest: dict[str, Any], files: list[File]) -> str:
    """The manifest's text: what went in, and every generated file with its hash."""
    listed = {f.path: digest(f.content) for f in sorted(files, key=lambda f: f.path)}
    return json.dumps({**manifest, "files": listed}, indent=1, ensure_ascii=False) + "\n"


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of an earlier run in `folder`, or None where there was none."""
    path = folder / MANIFEST
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{path} is no readable manifest ({error}); remove it, or generate into another folder."
        ) from error
    if not isinstance(data, dict) or not isinstance(data.get("files"), dict):
        raise UsageError(f"{path} is no manifest of mpiglot; generate into another folder.")
    return data


def write_tree(
    folder: Path, files: list[File], manifest: dict[str, Any], *, overwrite: bool = False
) -> Written:
    """Makes `folder` hold exactly `files` of ours, beside whatever else is in it.

    A file that was edited since an earlier run wrote it is replaced with `overwrite` only.
    """
    with _alone(folder):
        return _write_tree(folder, files, manifest, overwrite)


def _write_tree(
    folder: Path, files: list[File], manifest: dict[str, Any], overwrite: bool
) -> Written:
    final = manifest_text(manifest, files)
    before = read_manifest(folder) or {}
    maker, other = manifest.get("generator"), before.get("generator")
    if maker and other and maker != other:
        raise UsageError(
            f"{folder} holds what was generated for {other}, which would be removed; "
            "generate into another folder."
        )
    old = before.get("files", {})
    try:
        changed = [f for f in files if _current(folder, f.path) != f.content]
        _refuse_foreign(folder, changed, old)
        interrupted = before.get("complete") is False  # its manifest is of two runs
        edited = [] if interrupted else _edited(folder, changed, old)
        if edited and not overwrite:
            raise UsageError(_edited_sentence(folder, edited))
        stale, kept = _stale(folder, files, old)
        result = Written(sorted(f.path for f in changed), stale, kept, edited)
        if changed or stale or _current(folder, MANIFEST) != final:
            with _terminable():
                _commit(folder, changed, stale, old, final)
    except OSError as error:
        raise EnvironmentProblem(_sentence(folder, error)) from error
    return result


def _sentence(folder: Path, error: OSError) -> str:
    where = error.filename or folder
    return f"cannot write to {folder} ({where}: {error.strerror}); what was there is unchanged."


def _current(folder: Path, path: str) -> str | None:
    try:
        return (folder / path).read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (IsADirectoryError, UnicodeDecodeError):
        return ""  # something else, certainly not what we would write


def _refuse_foreign(folder: Path, files: list[File], old: dict[str, str]) -> None:
    """Stops before a file is replaced, or a link followed, that no earlier run has made."""
    for f in files:
        path = folder / f.path
        if f.path not in old and os.path.lexists(path) and not ours(_current(folder, f.path)):
            raise UsageError(
                f"{path} exists and was not generated by mpiglot; "
                "move it away, or generate into another folder."
            )
        if path.is_dir() or not _inside(folder, f.path):
            raise UsageError(
                f"{path} is a folder or leads out of {folder}; generate into another folder."
            )


def _edited(folder: Path, files: list[File], old: dict[str, str]) -> list[str]:
    """The files whose text is not the one that an earlier run wrote."""
    texts = {f.path: _current(folder, f.path) for f in files if f.path in old}
    return sorted(p for p, text in texts.items() if text is not None and digest(text) != old[p])


def _edited_sentence(folder: Path, edited: list[str]) -> str:
    more = f" and {len(edited) - 1} more were" if len(edited) > 1 else " was"
    return (
        f"{folder / edited[0]}{more} edited after being generated; move the changes away, "
        "or replace them with --overwrite."
    )


def _inside(folder: Path, path: str) -> bool:
    """Whether a file really lies in the folder: no link on the way leads out of it."""
    return (folder / path).parent.resolve().is_relative_to(folder.resolve())


def _stale(folder: Path, files: list[File], old: dict[str, str]) -> tuple[list[str], list[str]]:
    """Files of an earlier run that are no longer generated: to be removed, and to be kept."""
    wanted = {f.path for f in files}
    stale: list[str] = []
    kept: list[str] = []
    for path in sorted(set(old) - wanted):
        if path_problem(path) or not _inside(folder, path) or not (folder / path).is_file():
            continue
        text = _current(folder, path)
        (stale if text is not None and digest(text) == old[path] else kept).append(path)
    return stale, kept


def _commit(
    folder: Path, changed: list[File], stale: list[str], old: dict[str, str], final: str
) -> None:
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=folder))
    try:
        moves = [(_stage(staging, f.path, f.content), folder / f.path) for f in changed]
        # Until the end the manifest names old and new files: an interrupted run can be repeated.
        union = {**old, **{f.path: digest(f.content) for f in changed}}
        interim = json.dumps({"complete": False, "files": union}, indent=1) + "\n"
        interim_path = _stage(staging, "interim", interim)
        final_path = _stage(staging, "final", final)
        interim_path.replace(folder / MANIFEST)
        for source, destination in moves:
            destination.parent.mkdir(parents=True, exist_ok=True)
            source.replace(destination)
        for path in stale:
            (folder / path).unlink(missing_ok=True)
            _remove_empty(folder, (folder / path).parent)
        final_path.replace(folder / MANIFEST)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if made and not any(folder.iterdir()):
            folder.rmdir()


def _stage(staging: Path, path: str, content: str) -> Path:
    """Writes one file to disk under its hash: names cannot collide with folders there."""
    target = staging / hashlib.sha256(path.encode("utf-8")).hexdigest()
    with target.open("w", encoding="utf-8", newline="\n") as out:
        out.write(content)
        out.flush()
    return target


def _remove_empty(root: Path, folder: Path) -> None:
    while folder != root and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keeps two runs from mixing their files in one folder, where the file system can."""
    above = folder.absolute().parent
    while not above.is_dir() and above != above.parent:
        above = above.parent
    handle = -1
    with suppress(OSError):
        handle = os.open(above, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle >= 0:
            os.close(handle)


@contextmanager
def _terminable() -> Iterator[None]:
    """Makes a termination signal an exception, so that the staging folder is removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def write_file(path: Path, text: str) -> None:
    """Writes one file whole or not at all; a device or pipe gets the text as it comes."""
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="\n") as device:
            device.write(text)
        return
    path = path.resolve()  # a link stays a link
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
