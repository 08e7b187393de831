"""Whether the conformance tests would notice a wrong wrapper: breaks functions, one a run.

    python -m tests.conformance.mutants mpich-4.0.2 --count 40 --seed 1 -n 2 PROGRAM
    python -m tests.conformance.mutants mpich-4.0.2 --traced /tmp/traced.json --count 5 PROGRAM
    python -m tests.conformance.mutants mpich-4.0.2 --forked --how skip --timeout 600 PROGRAM

A library between the program and its MPI (`mutant.c`) makes one function wrong in one way: two
arguments exchanged, an output lost, a result changed, the in-place mark not known ... A first run
says which tests call which functions; each mistake is shown to the tests of its function only. A
run that fails has noticed it; the others are printed. With `--forked` a program of C or C++ is
started once, on one rank, and forks a child for each of all mistakes (some hundred a minute); what
one rank cannot notice, such as a root that is another, has to be tried again on more.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from mpiglot.blueprints.errors import MpiglotError
from mpiglot.blueprints.model import Blueprint, Function, Parameter
from mpiglot.cli import run as run_command
from mpiglot.generators.inputs import Inputs, blueprint
from mpiglot.provision import launch
from mpiglot.provision.environment import of_installation
from mpiglot.provision.launch import obey_termination
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import Installation, installed
from tests.conformance.counter import ROOT, compiled

SOURCE = Path(__file__).with_name("mutant.c")
HOW = ("swap", "more", "double", "other", "lose", "spoil", "small", "succeed", "skip")
# What an output may point to for a bit of it to be wrong without more; a handle would just crash.
SPOILED = ("int", "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint", "char")
NUMBERS = ("int", "MPI_Aint", "MPI_Count", "MPI_Offset")
# What a wrapper might pass instead of what it was given, where its value is known.
OTHERS = {"MPI_Datatype": "MPI_SHORT", "MPI_Op": "MPI_BXOR", "MPI_Comm": "MPI_COMM_SELF"}
# Without these no program gets as far as a test, or to its end.
FRAME = frozenset({"MPI_Init_thread", "MPI_Finalize", "MPI_Abort", "MPI_Barrier"})
MOST_TESTS = 30  # as many of a function's tests are run
CALLED = re.compile(r"called (MPIX?_\w+)")
TEST = re.compile(r"\[\d+\] (\w+)")


@dataclass(frozen=True)
class Mutant:
    """One mistake in one function."""

    function: str
    how: str  # one of HOW
    first: int
    second: int = 0

    def __str__(self) -> str:
        return f"{self.function} {self.how} {self.first} {self.second}"


def _wrong_output(
    one: Parameter, at: int, function: Function, status: Sequence[int]
) -> list[Mutant]:
    pointed = one.type.removeprefix("const ").rstrip("[] ").rstrip("* ")
    out = []
    if one.direction == "out" and one.role != "string" and "[" not in one.type:
        out.append(Mutant(function.name, "lose", at, -1))
    if pointed == "MPI_Status":
        out += [Mutant(function.name, "spoil", at, offset) for offset in status]
    elif pointed in SPOILED or (
        one.role == "buffer" and function.family not in ("nonblocking", "persistent")
    ):
        out.append(Mutant(function.name, "spoil", at))
    return out


def _wrong_input(one: Parameter, at: int, function: Function, known: Blueprint) -> list[Mutant]:
    values = {c.name: c.value for c in known.constants}
    out = []
    if one.type in NUMBERS:
        out += [Mutant(function.name, "more", at, step) for step in (1, -1)]
        if one.role in ("count", "length", "size"):
            out.append(Mutant(function.name, "double", at))
    other = values.get(OTHERS.get(one.type, ""))
    if isinstance(other, int):
        out.append(Mutant(function.name, "other", at, other))
    mark = values.get("MPI_IN_PLACE")
    if "MPI_IN_PLACE" in one.sentinels and isinstance(mark, int):
        out.append(Mutant(function.name, "lose", at, mark))
    return out


def mutants_of(function: Function, known: Blueprint, gives_error: bool) -> list[Mutant]:
    """The mistakes that a wrapper of this function could make."""
    fields = {f.name: f.offset for t in known.types if t.name == "MPI_Status" for f in t.fields}
    status = [fields[n] for n in ("MPI_SOURCE", "MPI_TAG") if n in fields]
    out = [Mutant(function.name, "skip", 0)]
    for i, one in enumerate(function.parameters):
        for k, other in enumerate(function.parameters[i + 1 :], i + 1):
            both = {one.type.removeprefix("const "), other.type.removeprefix("const ")}
            if len(both) == 1 and "function" not in one.type:
                out.append(Mutant(function.name, "swap", i, k))
        if one.direction in ("out", "inout") and one.type.endswith(("*", "]")):
            out += _wrong_output(one, i, function, status)
        else:
            out += _wrong_input(one, i, function, known)
    if gives_error:
        out.append(Mutant(function.name, "succeed", 0))
    elif function.returns != "void":
        out.append(Mutant(function.name, "spoil", -1))
    if function.small_count:
        out.append(Mutant(function.name, "small", 0))
    return out


@dataclass(frozen=True)
class Program:
    """A conformance program on ranks of an MPI."""

    found: Installation
    ranks: int
    words: tuple[str, ...]
    timeout: float
    only_large: bool = False

    def run(self, wish: str, *words: str, **more: str) -> int:
        """The exit code with a function made wrong."""
        folder = ROOT / "build" / "counter" / self.found.mpi.name
        library = compiled(
            SOURCE,
            self.found.mpi.name,
            folder,
            folder / "libmpiglot_mutant.so",
            only_large=self.only_large,
        )
        environment = of_installation(self.found, ci=True).applied(os.environ) | more
        preload = ["env", f"LD_PRELOAD={library.absolute()}", f"MPIGLOT_MUTANT={wish}"]
        return launch.run(
            self.found.mpi.vendor,
            self.found.launcher,
            self.ranks,
            [*words, *preload, str(Path(self.words[0]).absolute()), *self.words[1:]],
            limit=self.timeout,
            environment=environment,
        )

    def of(self, tests: Sequence[str]) -> Program:
        """The same with these tests only."""
        return replace(self, words=(*self.words, *tests))

    def tests(self) -> dict[str, list[str]]:
        """The tests that call each function on some rank."""
        with TemporaryDirectory() as folder:
            keep = ["sh", "-c", f'exec "$@" 2> {folder}/$$', "sh"]
            if self.run("trace", *keep, MPIGLOT_TRACE="1") != 0:
                raise MpiglotError("The program fails as it is; make it pass first.")
            lines = [p.read_text(errors="replace").splitlines() for p in Path(folder).iterdir()]
        out: dict[str, dict[str, None]] = defaultdict(dict)
        for process in lines:
            now = ""
            for line in process:
                if test := TEST.fullmatch(line):
                    now = test[1]
                elif now and (called := CALLED.fullmatch(line)):
                    out[called[1]][now] = None
        return {name: list(tests) for name, tests in out.items()}


def all_mistakes(name: str, tests: dict[str, list[str]], hows: Sequence[str]) -> list[str]:
    """Lines for MPIGLOT_MUTANTS: every mistake, with the tests that call the function."""
    named = blueprint(name)
    plan, known = Inputs.of_known(named).plan, named.blueprint
    errors = {f.name for f in plan.functions if f.returns == "error"}
    return [
        " ".join([str(mutant), *tests[function.name][:MOST_TESTS]])
        for function in known.functions
        if function.name in tests and function.name not in FRAME
        for mutant in mutants_of(function, known, function.name in errors)
        if mutant.how in hows
    ]


def fork_all(runs: Program, name: str, tests: dict[str, list[str]], hows: Sequence[str]) -> None:
    """Tries every mistake in a child of one process and prints those that nothing noticed."""
    with TemporaryDirectory() as folder:
        wishes = Path(folder) / "mistakes"
        wishes.write_text("\n".join(all_mistakes(name, tests, hows)) + "\n", encoding="utf-8")
        places = ("no-such-test",) * MOST_TESTS
        code = replace(runs, ranks=1, words=(runs.words[0], *places)).run(
            "trace", MPIGLOT_MUTANTS=str(wishes)
        )
        if code != 0:
            click.echo(f"the run ended with {code}: not all mistakes were tried", err=True)
        done = [line.split() for line in Path(f"{wishes}.done").read_text().splitlines()]
    left = [words for words in done if words[0] == "0"]
    click.echo(f"{len(done) - len(left)} of {len(done)} mistakes were noticed")
    for words in left:
        click.echo(f"not noticed: {' '.join(words[1:5])}")


def chosen(
    name: str, functions: Sequence[str], hows: Sequence[str], count: int, seed: int
) -> Iterator[Mutant]:
    """One mistake of each kind in `count` of the functions at random."""
    named = blueprint(name)
    plan, known = Inputs.of_known(named).plan, named.blueprint
    errors = {f.name for f in plan.functions if f.returns == "error"}
    dice = random.Random(seed)
    called = [f for f in known.functions if f.name in functions]
    for function in dice.sample(called, min(count, len(called))):
        possible = mutants_of(function, known, function.name in errors)
        for how in hows:
            if some := [m for m in possible if m.how == how]:
                yield dice.choice(some)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("name")
@click.option("--how", "hows", multiple=True, type=click.Choice(HOW), help="All if none is named.")
@click.option("--only", help="A part of the functions' names.", default="")
@click.option(
    "--twins/--no-twins", default=None, help="Only functions for large counts, or none of them."
)
@click.option(
    "--traced",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file that remembers which tests call what; made if it is not there.",
)
@click.option("--count", type=int, default=40, show_default=True, help="How many functions.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--timeout", type=float, default=30.0, show_default=True, help="Seconds a run.")
@click.option("-n", "ranks", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--only-large", is_flag=True, help="Go: take twins for large counts everywhere.")
@click.option("--forked", is_flag=True, help="C and C++: all mistakes, one start, one rank.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED, required=True)
def command(
    name: str,
    hows: tuple[str, ...],
    only: str,
    twins: bool | None,
    traced: Path | None,
    count: int,
    seed: int,
    timeout: float,
    ranks: int,
    only_large: bool,
    forked: bool,
    program: tuple[str, ...],
) -> int:
    """Break functions of an MPI and see whether the program notices."""
    obey_termination()
    ranks = 1 if forked else ranks
    runs = Program(installed(matrix().get(name)), ranks, program, timeout, only_large)
    if traced and traced.exists():
        tests: dict[str, list[str]] = json.loads(traced.read_text(encoding="utf-8"))
    else:
        tests = runs.tests()
        if traced:
            traced.write_text(json.dumps(tests), encoding="utf-8")
    if forked:
        fork_all(runs, name, {f: t for f, t in tests.items() if only in f}, hows or HOW)
        return 0
    functions = [f for f in tests if only in f and twins in (None, f.endswith("_c"))]
    total, survivors = 0, []
    for mutant in chosen(name, functions, hows or HOW, count, seed):
        code = runs.of(tests[mutant.function]).run(str(mutant))
        total += 1
        if code == 0:
            survivors.append(mutant)
        word = {0: "NOT NOTICED", launch.TIMED_OUT: "noticed by a hang"}.get(code, "noticed")
        click.echo(f"{word}: {mutant}", err=True)
    click.echo(f"{total - len(survivors)} of {total} mistakes were noticed")
    for mutant in survivors:
        click.echo(f"not noticed: {mutant}")
    return 0


if __name__ == "__main__":
    sys.exit(run_command(command))
