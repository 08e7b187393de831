"""`mpiglot env`: the environment in which the programs of one MPI are built and run."""

from __future__ import annotations

import os

import click

from mpiglot.blueprints.errors import UsageError
from mpiglot.parser.find import Installation, choose
from mpiglot.parser.siblings import cxx_beside
from mpiglot.parser.vendors import rules
from mpiglot.provision.environment import SHELLS, Parts, of_installation, of_parts, render
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import installed


@click.command("env")
@click.argument("name", required=False)
@click.option("--mpicc", metavar="WRAPPER", help="The MPI of this compiler wrapper or folder.")
@click.option("--shell", type=click.Choice(SHELLS), default="sh", show_default=True)
@click.option("--ci", is_flag=True, help="Also what more ranks than cores need.")
def env(name: str | None, mpicc: str | None, shell: str, ci: bool) -> None:
    """Print the environment for an MPI: NAME of the matrix, or the one that is found.

    \b
    eval "$(mpiglot env mpich-5.0.2)"
    mpiglot env --ci --shell github >> "$GITHUB_ENV"
    """
    if name and mpicc:
        raise UsageError("Give either the name of an MPI or --mpicc, not both.")
    known = name is not None and any(mpi.name == name for mpi in matrix().mpis)
    if name is not None and known:
        environment = of_installation(installed(matrix().get(name)), ci=ci)
    else:
        environment = of_parts(parts_of(choose(mpicc or name)), ci=ci)
    click.echo(render(environment, shell, os.environ), nl=False)


def parts_of(found: Installation) -> Parts:
    """What the finder knows about an installation, as far as its environment needs it."""
    cxx = next((one for one in found.wrappers if one.name in _cxx_names()), None)
    return Parts(
        found.vendor,
        found.version,
        found.prefix,
        found.wrapper,
        cxx or cxx_beside(found.wrapper),
        found.launcher,
        found.library if found.vendor != "simgrid" else None,
    )


def _cxx_names() -> list[str]:
    names: list[str] = rules()["cxx_names"]
    return names
