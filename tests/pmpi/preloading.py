"""Builds the PMPI library once for each MPI, and runs programs with and without it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mpiglot.exchange import produce
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.pmpi.report import Merged, merge
from mpiglot.provision import launch
from mpiglot.provision.environment import of_installation
from mpiglot.provision.obtain import Installation
from tests.limits import guard
from tests.tiers import matrix_run

ROOT: Path = Path(__file__).parents[2]


@dataclass
class Outcome:
    """What a program came to."""

    code: int
    said: list[str]
    output: str


class Preloaded:
    """The library of one MPI, and the programs compiled for that MPI."""

    def __init__(self, installation: Installation, folder: Path) -> None:
        self.installation = installation
        self.name = installation.mpi.name
        self.source = folder / "source"
        self.folder = folder
        self.library = folder / "library" / "libmpiglot_pmpi.so"
        self.environment = of_installation(installation, ci=True).applied(os.environ)

    def build(self, inputs: Inputs) -> None:
        produce.produce(produce.Unit("pmpi", self.name, self.source), inputs).write()
        script = self.source / "pmpi" / "build"
        flags = [] if matrix_run() else ["CXXFLAGS=-O0"]  # half a minute less
        self._compile(
            ["env", *flags, "bash", script, self.installation.cc, self.library.parent], 900
        )

    def program(self, source: Path) -> Path:
        """A program in C, C++ or Fortran; compiled again only if it has changed."""
        out = self.folder / source.stem
        newest = max(p.stat().st_mtime for p in (source, source.with_name("say.h")))
        if not out.exists() or out.stat().st_mtime < newest:
            flags: list[str | Path] = [
                "-O1",
                "-Wall",
                "-Wno-deprecated-declarations",
                "-o",
                out,
                "-pthread",
            ]
            cc = self.installation.cc
            compiler = {
                ".c": cc,
                ".cpp": self.installation.cxx,
                ".f90": cc.with_name(cc.name.replace("mpicc", "mpif90")),
            }[source.suffix]
            if source.suffix == ".f90":  # Intel's wrapper finds libmpi for a program that needs it
                flags += ["-w", "-fallow-argument-mismatch", "-Wl,--no-as-needed", "-J", out.parent]
            self._compile([compiler, source, *flags], 120)
        return out

    def _compile(self, command: Sequence[str | Path], limit: float) -> None:
        done = subprocess.run(
            [str(c) for c in command], capture_output=True, text=True, timeout=guard(limit),
            env=self.environment, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-4000:]

    def run(
        self,
        program: Path | list[str],
        ranks: int,
        said: Path,
        report: Path | None = None,
        arguments: tuple[str, ...] = (),
        limit: float = 120,
        above: Path | None = None,
    ) -> Outcome:
        """Runs it; with `report`, under the library, and with the counter `above` between them."""
        said.mkdir(parents=True)
        command = [str(program)] if isinstance(program, Path) else program
        settings = [f"SAY_TO={said}"]
        if report is not None:
            preload = f"{above}:{self.library}" if above else str(self.library)
            settings += [f"LD_PRELOAD={preload}", f"MPIGLOT_PMPI_REPORT={report}"]
            settings += [f"MPIGLOT_COUNTS={report.with_suffix('.counts')}"] if above else []
        launcher = self.installation.launcher
        assert launcher is not None
        log = said.with_suffix(".log")
        with log.open("wb") as output:
            code = launch.run(
                self.installation.mpi.vendor, launcher, ranks,
                ["env", *settings, *command, *arguments],
                limit=limit, environment=self.environment, output=output,
            )  # fmt: skip
        lines = [line for path in said.iterdir() for line in path.read_text().splitlines()]
        return Outcome(code, sorted(lines), log.read_text(errors="replace"))

    def report(self, path: Path) -> Merged:
        return merge([path])
