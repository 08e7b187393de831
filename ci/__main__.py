"""`ci/mpi`, or `python -m mpiglot.ci`: obtains the MPIs of the matrix and runs programs on them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.ci.news import news_command
from mpiglot.cli import run as run_group
from mpiglot.commands.env import env
from mpiglot.provision.environment import of_installation
from mpiglot.provision.launch import MISSING, TIMED_OUT, obey_termination, run
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import install, installed, locate, own_command


def _say(sentence: str) -> None:
    click.echo(f"set-up: {sentence}", err=True)


@click.group(name=own_command())
def group() -> None:
    """Obtains the MPIs of the matrix (provision/matrix.json) and runs programs on them."""


group.add_command(env)
group.add_command(news_command)


@group.command("list")
@click.option("--names", is_flag=True, help="Names only, one a line.")
@click.option("--json", "as_json", is_flag=True, help="Names in a JSON list (for CI matrices).")
@click.option("--installed", "only", is_flag=True, help="Those on this machine only.")
@click.option("--level", type=click.Choice(["full", "conformance"]), help="Those of one level.")
def list_command(names: bool, as_json: bool, only: bool, level: str | None) -> None:
    """List the MPIs of the matrix."""
    chosen = [
        mpi
        for mpi in matrix().mpis
        if (level is None or mpi.level == level) and (not only or locate(mpi) is not None)
    ]
    if as_json:
        import json

        click.echo(json.dumps([mpi.name for mpi in chosen]))
        return
    for mpi in chosen:
        if names:
            click.echo(mpi.name)
        else:
            here = "here" if locate(mpi) else "-"
            click.echo(f"{mpi.name:24} {here:5} {mpi.level:12} {mpi.how}")


@group.command("install")
@click.argument("names", nargs=-1, required=True)
def install_command(names: tuple[str, ...]) -> None:
    """Install these MPIs, those that are missing only."""
    for mpi in [matrix().get(name) for name in names]:
        install(mpi, _say)


@group.command("path")
@click.argument("name")
@click.option(
    "--part",
    type=click.Choice(["prefix", "cc", "cxx", "launcher", "library"]),
    default="prefix",
    show_default=True,
)
def path_command(name: str, part: str) -> None:
    """Print where an MPI, or a part of it, is."""
    click.echo(getattr(installed(matrix().get(name)), part))


@group.command("defects")
@click.argument("name")
def defects_command(name: str) -> None:
    """Print the known defects of an MPI."""
    matrix().get(name)
    for defect in matrix().defects_of(name):
        named = ", ".join(defect.functions + defect.affects)
        click.echo(f"{defect.id} ({', '.join(defect.does)}): {defect.reason} [{named}]")


class _Launching(click.Command):
    """A command whose second argument is a program: what follows that is the program's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self._divided(args))

    def _divided(self, args: list[str]) -> list[str]:
        """The words with `--` before the program, unless they have one before it already."""
        with_value = {
            name
            for option in self.params
            if isinstance(option, click.Option) and not option.is_flag
            for name in option.opts
        }
        arguments, at = 0, 0
        while at < len(args) and args[at] != "--":
            if not args[at].startswith("-"):
                arguments += 1
                if arguments == 2:
                    return [*args[:at], "--", *args[at:]]
            at += 2 if args[at] in with_value else 1
        return args


@group.command("run", cls=_Launching)
@click.argument("name")
@click.option("-n", "ranks", type=click.IntRange(min=1), default=2, show_default=True)
@click.option(
    "--timeout",
    type=float,
    default=120.0,
    show_default=True,
    help="CPU seconds of all ranks; ten times as many of wall time.",
)
@click.argument("program", nargs=-1, type=click.UNPROCESSED, required=True)
def run_command(name: str, ranks: int, timeout: float, program: tuple[str, ...]) -> int:
    """Run a program on several ranks."""
    found = installed(matrix().get(name))
    first = Path(program[0])
    words = [str(first.absolute()) if first.exists() else program[0], *program[1:]]
    environment = of_installation(found, ci=True).applied(os.environ)
    obey_termination()
    code = run(
        found.mpi.vendor, found.launcher, ranks, words, limit=timeout, environment=environment
    )
    if code == MISSING:
        raise EnvironmentProblem(f"{found.launcher} could not be started.")
    if code == TIMED_OUT:
        click.echo(f"{own_command()}: {program[0]} was ended (--timeout {timeout:g}).", err=True)
    return code


def _compile(name: str, part: str, arguments: tuple[str, ...]) -> None:
    found = installed(matrix().get(name))
    environment = of_installation(found, ci=False).applied(os.environ)
    wrapper = str(getattr(found, part))
    sys.stdout.flush()
    os.execve(wrapper, [wrapper, *arguments], environment)


@group.command("cc", context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("name")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def cc_command(name: str, arguments: tuple[str, ...]) -> None:
    """Call the C wrapper of an MPI."""
    _compile(name, "cc", arguments)


@group.command("cxx", context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("name")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def cxx_command(name: str, arguments: tuple[str, ...]) -> None:
    """Call the C++ wrapper of an MPI."""
    _compile(name, "cxx", arguments)


if __name__ == "__main__":
    sys.exit(run_group(group))
