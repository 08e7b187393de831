"""`ci/planted`: applies each planted defect to a copy of the project and asks who notices it.

A planted defect is a patch in tests/planted; its kind is one that whole test runs have found. The
tier runs what the patch can have touched, as `ci/test --gate --changed` and `ci/test --matrix
--changed` do.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.ci.changes import git
from mpiglot.ci.mutation import copied, with_history
from mpiglot.ci.table import table
from mpiglot.cli import run as run_command
from mpiglot.provision.launch import obey_termination
from mpiglot.provision.obtain import checkout

PATCHES = Path(__file__).resolve().parents[1] / "tests" / "planted"


def noticed(root: Path, patch: Path, words: list[str]) -> list[str]:
    """The parts that fail with a defect."""
    copy = root / "build" / "planted" / patch.stem
    copied(root, copy)
    with_history(copy)
    git(copy, "apply", str(patch))
    log = copy.with_suffix(".log")
    command = [sys.executable, "-m", "mpiglot.ci.testing", "--changed", "HEAD", *words]
    with log.open("wb") as output:
        subprocess.run(
            command,
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    told = [line.removeprefix("test: ").split(": FAILED") for line in lines if ": FAILED" in line]
    return list(dict.fromkeys(part[0] for part in told if "(once more)" not in part[1]))


@click.command(name="ci/planted")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--matrix", "everything", is_flag=True, help="Ask the matrix run, not the gate.")
@click.option("--turn", type=int, help="Whose turn it is at the gate.")
def command(names: tuple[str, ...], everything: bool, turn: int | None) -> int:
    """Plant defects of kinds that test runs have found, and say which parts notice them.

    Exit code 1 if more than one of them goes unnoticed.
    """
    root = checkout()
    if root is None:
        raise EnvironmentProblem("ci/planted needs a checkout of the project.")
    obey_termination()
    known = {path.stem: path for path in sorted(PATCHES.glob("*.patch"))}
    for name in names:
        if name not in known:
            raise UsageError(f"{name} is no planted defect; there are {', '.join(known)}.")
    words = ["--matrix"] if everything else ["--gate"]
    words += [] if turn is None else ["--turn", str(turn)]
    rows: list[list[str | int | float]] = []
    for name in names or known:
        by = noticed(root, known[name], words)
        click.echo(f"planted: {name}: {', '.join(by) or 'NOT NOTICED'}", err=True)
        rows.append([name, ", ".join(by) or "nobody"])
    click.echo(table(["planted defect", "noticed by"], rows))
    return 1 if sum(row[1] == "nobody" for row in rows) > 1 else 0


if __name__ == "__main__":
    sys.exit(run_command(command))
