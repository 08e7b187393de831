"""Whether the MPIs still have the defects that provision/matrix.json says: small C programs.

    python -m tests.conformance.defects                                # all, on all MPIs: minutes
    python -m tests.conformance.defects --mpi mpich-5.0.2              # a new release
    python -m tests.conformance.defects persistent-gather no-spawn     # some defects everywhere

`proofs/ID.c` proves the defect ID; it ends with 0 where the MPI does it right, or lacks what the
proof calls: HAVE_MPI_X is defined if it has MPI_X. An error, a crash and a hang say that the defect
is there. A proof of how a job ends says in a line `// wrong: CODE` which exit code shows the defect
(124: it hangs), and in `// times: N` how often it is tried. Where what is found differs from the
matrix, the exit code is 1.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.cli import run as run_command
from mpiglot.generators.inputs import blueprint
from mpiglot.provision import launch
from mpiglot.provision.environment import of_installation
from mpiglot.provision.launch import obey_termination
from mpiglot.provision.matrix import Mpi, matrix
from mpiglot.provision.obtain import Installation, installed

PROOFS = Path(__file__).with_name("proofs")
SECONDS = 20.0  # a proof that takes longer hangs


def proofs() -> dict[str, Path]:
    """The programs by the id of their defect."""
    return {path.stem: path for path in sorted(PROOFS.glob("*.c"))}


def ranks(source: Path) -> int:
    """On how many ranks a proof runs."""
    found = re.match(r"// ranks: (\d+)\n", source.read_text(encoding="utf-8"))
    if found is None:
        raise UsageError(f"{source} does not begin with `// ranks: N`.")
    return int(found[1])


def wrong(source: Path) -> Callable[[int], bool]:
    """Which exit codes of a proof show the defect."""
    found = re.search(r"^// wrong: (\d+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    return (lambda code: code != 0) if found is None else (lambda code: code == int(found[1]))


def times(source: Path) -> int:
    """How often a proof is tried, at most."""
    found = re.search(r"^// times: (\d+)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    return 1 if found is None else int(found[1])


def definitions(name: str, folder: Path) -> Path:
    """A header that defines HAVE_MPI_X for each function of an MPI, whatever version it reports."""
    out = folder / f"{name}.h"
    names = [one.name for one in blueprint(name).blueprint.functions]
    out.write_text("".join(f"#define HAVE_{one}\n" for one in names), encoding="utf-8")
    return out


def is_there(source: Path, installation: Installation, folder: Path) -> bool:
    """Compiles a proof with an MPI and runs it."""
    mpi = installation.mpi
    environment = of_installation(installation, ci=True).applied(os.environ)
    program = folder / f"{source.stem}-{mpi.name}"
    command = [str(installation.cc), "-std=gnu11", "-O1", "-w"]
    command += ["-include", str(definitions(mpi.name, folder)), str(source), "-o", str(program)]
    made = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=environment
    )
    if made.returncode != 0:
        raise EnvironmentProblem(
            f"{source.name} cannot be compiled with {mpi.name}: {made.stderr[-1500:]}"
        )
    shows = wrong(source)
    return any(shows(_code(program, source, installation)) for _ in range(times(source)))


def _code(program: Path, source: Path, installation: Installation) -> int:
    """The exit code of a job of a proof."""
    with program.with_suffix(".log").open("wb") as output:
        return launch.run(
            installation.mpi.vendor,
            installation.launcher,
            ranks(source),
            [str(program)],
            limit=SECONDS,
            environment=of_installation(installation, ci=True).applied(os.environ),
            output=output,
        )


def differences(ids: Sequence[str], mpis: Sequence[Mpi]) -> Iterator[str]:
    """Where the proofs and the matrix differ; says on the way what was found."""
    known = {defect.id: defect for defect in matrix().defects}
    with TemporaryDirectory(prefix="mpiglot-defects-") as name:
        for id_ in ids:
            found = [m.name for m in mpis if is_there(proofs()[id_], installed(m), Path(name))]
            click.echo(f"{id_}: {', '.join(found) or 'nowhere'}")
            said = {m.name for m in mpis} & set(known[id_].mpis)
            for mpi in sorted(said - set(found)):
                yield f"{id_}: mended on {mpi}; take it out of provision/matrix.json"
            for mpi in sorted(set(found) - said):
                yield f"{id_}: also on {mpi}; add it to provision/matrix.json"


@click.command()
@click.option("--mpi", "names", multiple=True, help="Of the matrix; all where none is named.")
@click.argument("ids", nargs=-1)
def command(names: tuple[str, ...], ids: tuple[str, ...]) -> int:
    """Run the proofs and compare with the matrix."""
    unknown = sorted(set(ids) - set(proofs()))
    if unknown:
        raise UsageError(f"There is no proof of {', '.join(unknown)} in {PROOFS}.")
    loadable = [mpi for mpi in matrix().mpis if mpi.vendor != "simgrid"]
    mpis = [matrix().get(name) for name in names] or loadable
    obey_termination()
    found = list(differences(list(ids) or list(proofs()), mpis))
    for line in found:
        click.echo(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(run_command(command))
