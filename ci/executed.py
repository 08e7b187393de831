"""Which programs have passed as they are: what is compiled to the same need not run again.

The key of a run is a hash of its command, of the files of the build that the command names (of a
Java program its jars), of the library of the MPI, and of the Python files that drive it. A script
of CMake stands for what lies beside it and for the headers.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from mpiglot.ci.changes import Inputs, Tree
from mpiglot.ci.parts import Task


@dataclass
class Executed:
    """The runs that have passed, in a folder of empty files."""

    build: Path
    tree: Tree
    inputs: Inputs
    skip: bool = False  # whether what has passed is left out, or only noted
    _hashes: dict[tuple[str, int, int], str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return self.build / "passed" / "runs"

    def has_passed(self, key: str) -> bool:
        return self.skip and bool(key) and (self.folder / key).exists()

    def note(self, keys: Sequence[str]) -> None:
        """Remembers runs that passed."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for key in keys:
            if key:
                (self.folder / key).touch()

    def key(self, task: Task, words: Sequence[str]) -> str:
        """The key of a run, or nothing where the command names no program of the build."""
        programs = sorted(set(self._programs(words)))
        scripts = [Path(b) for a, b in pairwise(words) if a == "-P"]
        if not programs and not scripts:
            return ""
        about = [*words, task.mpi.name if task.mpi else "", task.mpi.version if task.mpi else ""]
        about += [f"{path} {self._hash(path)}" for path in programs]
        about += [self._beside(path) for path in scripts]
        driven = self.inputs.of(task.part.name, [p for p in self.tree.files if p.endswith(".py")])
        about.append(self.tree.hash_of(driven))
        return hashlib.sha256("\n".join(about).encode()).hexdigest()

    def of_ctest(
        self, task: Task, words: Sequence[str], environment: Mapping[str, str], cwd: Path
    ) -> dict[str, str]:
        """The key of each test of a `ctest` command, by its name."""
        done = subprocess.run(
            [*words, "--show-only=json-v1"],
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            listed = json.loads(done.stdout[done.stdout.index("{") :])["tests"]
        except (ValueError, KeyError):
            return {}
        return {one["name"]: self.key(task, one["command"]) for one in listed if "command" in one}

    def _programs(self, words: Sequence[str]) -> Iterator[Path]:
        for word in words:
            path = Path(word)
            if path.is_absolute() and path.is_relative_to(self.build) and path.is_file():
                yield path
                with path.open("rb") as file:
                    script = file.read(2) == b"#!"
                if script:
                    yield from path.parent.glob("*.jar")

    def _beside(self, script: Path) -> str:
        """A hash of the files in the folder of a script, of the headers and of what was made."""
        if not script.is_relative_to(self.tree.root):
            return str(script)
        folder = script.parent.relative_to(self.tree.root)
        tracked = [
            path
            for path in self.tree.files
            if Path(path).parent == folder or path.startswith("cpp_runtime/include/")
        ]
        made = sorted(self.build.glob("test/*/*/mpiglot-manifest.json"))
        return self.tree.hash_of(tracked) + "".join(self._hash(path) for path in made)

    def _hash(self, path: Path) -> str:
        state = path.stat()
        mark = (str(path), state.st_size, state.st_mtime_ns)
        if mark not in self._hashes:
            self._hashes[mark] = hashlib.sha256(path.read_bytes()).hexdigest()
        return self._hashes[mark]


def left_out(names: Sequence[str]) -> list[str]:
    """The options with which ctest leaves out tests of these names."""
    return ["-E", f"^({'|'.join(re.escape(name) for name in names)})$"] if names else []
