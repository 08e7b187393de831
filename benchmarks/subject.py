"""An MPI whose C++ layer is measured: its header's folder and flags, and the layer, generated."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tables import run
from mpiglot.exchange import produce
from mpiglot.generators.inputs import Inputs
from mpiglot.provision.environment import of_installation
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import Installation, locate

ROOT = Path(__file__).resolve().parent.parent
MPIS = ("mpich-4.0.2", "openmpi-4.1.4", "intelmpi-2021.19.0")


@dataclass
class Subject:
    """One MPI and its layer."""

    name: str
    layer: Path
    options: list[str]  # what its compiler wrapper adds before linking

    def compile(self, compiler: str, *options: str | Path) -> list[str | Path]:
        """The command that compiles C++ with the layer by any compiler."""
        return [compiler, "-std=c++20", *self.options, f"-I{self.layer}", *options]


def subject(name: str, folder: Path, inputs: Inputs) -> Subject | None:
    """The MPI called `name`, with its layer in `folder`; None where it is not installed."""
    installation = locate(matrix().get(name))
    if installation is None:
        return None
    produce.produce(produce.Unit("cpp", name, folder), inputs).write()
    settings = of_installation(installation, ci=True).applied(os.environ)
    shown = shlex.split(run(installation.cxx, "-show", environment=settings))
    options = [word for word in shown if word.startswith(("-I", "-D"))]
    return Subject(name, folder, options)


def installed(names: Iterable[str]) -> Iterator[tuple[Installation, dict[str, str]]]:
    """Those of some MPIs that are installed, each with the environment of its programs."""
    for name in names:
        installation = locate(matrix().get(name))
        if installation is None:
            print(f"{name} is not installed: ci/mpi install {name}\n")
        else:
            yield installation, of_installation(installation, ci=True).applied(os.environ)


def processor() -> str:
    """The machine in a few words."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def built(
    name: str,
    source: Path,
    compiler: str,
    folder: Path,
    *options: str,
    more: Sequence[str | Path] = (),
) -> Path:
    """A program with the runtime for an MPI, which must be installed; `more` is linked in."""
    installation = locate(matrix().get(name))
    layer = subject(name, folder / name, Inputs.of_known())
    if installation is None or layer is None:
        raise SystemExit(f"{name} is not installed: ci/mpi install {name}")
    program = folder / f"{source.stem}-{name}"
    environment = of_installation(installation, ci=True).applied(os.environ)
    environment |= dict.fromkeys(("MPICH_CXX", "OMPI_CXX", "I_MPI_CXX"), compiler)
    run(
        installation.cxx, *options, f"-I{layer.layer}", f"-I{ROOT}/cpp_runtime/include", source,
        *more, "-o", program, environment=environment,
    )  # fmt: skip
    return program
