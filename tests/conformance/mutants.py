"""Whether the conformance tests would notice a wrong wrapper: breaks functions, one a run.

    python -m tests.conformance.mutants mpich-4.0.2 --count 40 --seed 1 -n 3 PROGRAM

A library between the program and its MPI (`mutant.c`) exchanges two arguments of one function,
changes a result, or leaves the call out. A run that fails has noticed; the others are printed.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from mpiglot.blueprints.model import Function
from mpiglot.ci import launch
from mpiglot.ci.environment import of_installation
from mpiglot.ci.launch import obey_termination
from mpiglot.ci.matrix import matrix
from mpiglot.ci.obtain import installed
from mpiglot.cli import run as run_command
from mpiglot.generators.inputs import blueprint
from tests.conformance.counter import ROOT, compiled, counts_file, read

SOURCE = Path(__file__).with_name("mutant.c")
HOW = ("swap", "spoil", "skip")
# What an output may point to for a bit of it to be wrong without more; a handle would just crash.
SPOILED = ("int *", "MPI_Aint *", "MPI_Count *", "MPI_Offset *", "MPI_Fint *", "char *")


@dataclass(frozen=True)
class Mutant:
    """One mistake in one function."""

    function: str
    how: str  # one of HOW
    first: int
    second: int = 0

    def __str__(self) -> str:
        return f"{self.function} {self.how} {self.first} {self.second}"


def mutants_of(function: Function) -> list[Mutant]:
    """The mistakes that a wrapper of this function could make."""
    out = [Mutant(function.name, "skip", 0)]
    for i, one in enumerate(function.parameters):
        if "*" not in one.type and "function" not in one.type:
            out += [
                Mutant(function.name, "swap", i, i + 1 + k)
                for k, other in enumerate(function.parameters[i + 1 :])
                if other.type == one.type
            ]
        elif one.direction in ("out", "inout") and (
            one.type in SPOILED
            or (one.role == "buffer" and function.family not in ("nonblocking", "persistent"))
        ):
            out.append(Mutant(function.name, "spoil", i))
    if function.returns not in ("int", "void", None):
        out.append(Mutant(function.name, "spoil", -1))
    return out


def chosen(mpi: str, language: str, hows: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Mutants of `count` functions at random, of those that the last counted runs executed."""
    executed = {n for n, c in read(counts_file(language, mpi)).items() if c.successes}
    possible = [
        [m for m in mutants_of(f) if m.how in hows]
        for f in blueprint(mpi).blueprint.functions
        if f.name in executed
    ]
    dice = random.Random(seed)
    mistakes = [mutants for mutants in possible if mutants]
    return [dice.choice(m) for m in dice.sample(mistakes, min(count, len(mistakes)))]


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.option("--language", default="cpp", show_default=True)
@click.option(
    "--how", "hows", multiple=True, type=click.Choice(HOW), help="All where none is named."
)
@click.option("--count", type=int, default=40, show_default=True, help="How many functions.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--timeout", type=float, default=30.0, show_default=True, help="Seconds a run.")
@click.option("-n", "ranks", type=click.IntRange(min=1), default=3, show_default=True)
@click.argument("program", nargs=-1, type=click.UNPROCESSED, required=True)
def command(
    name: str,
    language: str,
    hows: tuple[str, ...],
    count: int,
    seed: int,
    timeout: float,
    ranks: int,
    program: tuple[str, ...],
) -> int:
    """Break functions of an MPI and see whether the program notices."""
    found = installed(matrix().get(name))
    folder = ROOT / "build" / "counter" / name
    library = compiled(SOURCE, name, folder, folder / "libmpiglot_mutant.so").absolute()
    environment = of_installation(found, ci=True).applied(os.environ)
    obey_termination()
    survivors = []
    mutants = chosen(name, language, hows or HOW, count, seed)
    for mutant in mutants:
        words = ["env", f"LD_PRELOAD={library}", f"MPIGLOT_MUTANT={mutant}"]
        words += [str(Path(program[0]).absolute()), *program[1:]]
        code = launch.run(
            found.mpi.vendor,
            found.launcher,
            ranks,
            words,
            timeout=timeout,
            environment=environment,
        )
        if code == 0:
            survivors.append(mutant)
        click.echo(f"{'noticed' if code else 'NOT NOTICED'}: {mutant}", err=True)
    click.echo(f"{len(mutants) - len(survivors)} of {len(mutants)} mistakes were noticed")
    for mutant in survivors:
        click.echo(f"not noticed: {mutant}")
    return 0


if __name__ == "__main__":
    sys.exit(run_command(command))
