"""Repeats what failed in turn on the commit before the change.

A turn brings tests that the gates of earlier days did not run. What of them fails on the commit
before the change, too, is no defect of the change: the run reports it and refuses nothing.
"""

from __future__ import annotations

import os
import tarfile
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock

from mpiglot.ci.again import failures
from mpiglot.ci.changes import git
from mpiglot.ci.parts import Task
from mpiglot.provision.launch import watched

SHARED = (".tools", ".mpi")  # what is installed, the same for both


@dataclass
class Before:
    """A copy of an earlier commit in which single parts run."""

    root: Path
    revision: str
    turn: int
    folder: Path
    one_at_a_time: Lock = field(default_factory=Lock)

    @property
    def name(self) -> str:
        return self.revision[:8]

    def fails(self, task: Task, *, limit: float, stop: Event) -> set[str]:
        """What of a part fails there; the part itself, where its tests have no names."""
        command = ["bash", "ci/test", "--turn", str(self.turn), "--keep-going"]
        command += ["--part", task.part.name, *(["--mpi", task.mpi.name] if task.mpi else [])]
        with self.one_at_a_time:
            copy = self._copy()
            with (self.folder / f"{task.file}.log").open("wb") as output:
                ended = watched(
                    command,
                    limit=limit,
                    environment=os.environ,
                    output=output,
                    cwd=copy,
                    stop=stop,
                )
            log = copy / "build/test-logs" / f"{task.file}.log"
            if ended.code != 1 or not log.is_file():
                return set()
            said = log.read_text(encoding="utf-8", errors="replace")
            return failures(task.part.counts, said) or {task.name}

    def _copy(self) -> Path:
        copy = self.folder / self.revision
        if not copy.is_dir():
            copy.mkdir(parents=True)
            sources = self.folder / f"{self.revision}.tar"
            git(self.root, "archive", "-o", str(sources), self.revision)
            with tarfile.open(sources) as archive:
                archive.extractall(copy)
            for name in SHARED:
                if (self.root / name).exists():
                    (copy / name).symlink_to(self.root / name)
        return copy
