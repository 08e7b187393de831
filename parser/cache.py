"""Blueprints of earlier probes: valid as long as headers, compiler, flags, library and tool are.

An entry is found by a key of wrapper, compiler, flags and tool version; it names the headers it was
made from by the hash of their content, and the library by size and time. What does not fit, cannot
be read or is damaged counts as absent.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mpiglot
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.files import write_whole
from mpiglot.parser.wrapper import Wrapper

_VARIABLES = (
    "CPATH",
    "C_INCLUDE_PATH",
    "LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "GCC_EXEC_PREFIX",
)
_NOT_HASHED = ("/usr/include/", "/usr/lib/gcc/")  # the system's own: large, and not the MPI's


@dataclass(slots=True)
class Entry:
    """What is kept of a probe."""

    text: str  # the blueprint's file
    warnings: list[str] = field(default_factory=list)


class Cache:
    """The folder of earlier probes."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        env = os.environ if env is None else env
        home = env.get("HOME")
        base = env.get("XDG_CACHE_HOME") or (str(Path(home) / ".cache") if home else None)
        self.folder = Path(base) / "mpiglot" if base else None

    def find(self, key: str) -> Entry | None:
        """The entry of this key, if nothing it depends on has changed."""
        if self.folder is None:
            return None
        try:
            data = json.loads((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            text, checksum = str(data["text"]), data["checksum"]
            unchanged = data["files"] == stamps(data["files"])
            warnings = [str(w) for w in data["warnings"]]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        if not unchanged or checksum != _hash(text.encode()):
            return None
        return Entry(text, warnings)

    def keep(self, key: str, entry: Entry, files: Iterable[str]) -> None:
        """Stores an entry; a cache that cannot be written is no reason to complain."""
        if self.folder is None:
            return
        data: dict[str, Any] = {
            "files": stamps(files),
            "checksum": _hash(entry.text.encode()),
            "warnings": entry.warnings,
            "text": entry.text,
        }
        with contextlib.suppress(OSError, EnvironmentProblem):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / f"{key}.json", json.dumps(data))


def key_of(wrapper: Wrapper, launcher: Sequence[str] = (), accept_unlinked: bool = False) -> str:
    """The key of everything that a probe's result depends on but the files it reads."""
    compiler = shutil.which(wrapper.command[0]) or wrapper.command[0]
    parts = [
        mpiglot.__version__,
        _tool(),
        str(wrapper.path),
        wrapper.command,
        wrapper.compile_flags,
        wrapper.link_flags,
        wrapper.abi,
        wrapper.arguments,
        wrapper.warning,
        _stamp(str(Path(compiler).resolve())),
        list(launcher),
        accept_unlinked,
        [os.environ.get(name, "") for name in _VARIABLES],
    ]
    return _hash(json.dumps(parts).encode())


def stamps(files: Iterable[str]) -> dict[str, str]:
    """What identifies the content of each file: a hash for headers, size and time for the rest."""
    found: dict[str, str] = {}
    for name in files:
        if name.endswith((".h", ".hpp")) and not _system(name):
            found[name] = _content(name)
        else:
            found[name] = _stamp(name)
    return found


def _system(name: str) -> bool:
    return name.startswith(_NOT_HASHED) and "mpi" not in name


def _content(name: str) -> str:
    try:
        return _hash(Path(name).read_bytes())
    except OSError:
        return "missing"


def _stamp(name: str) -> str:
    try:
        state = Path(name).stat()
    except OSError:
        return "missing"
    return f"{state.st_size}:{state.st_mtime_ns}"


def _tool() -> str:
    """The state of the tool's own files, so that a changed probe does not find old answers."""
    parser, blueprints = Path(__file__).parent, Path(__file__).parent.parent / "blueprints"
    folders = [parser, blueprints, blueprints / "catalogue"]
    files = [f for d in folders for f in sorted(d.iterdir()) if f.suffix in (".py", ".json")]
    return _hash("".join(f"{f.name}:{_stamp(str(f))};" for f in files).encode())


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
