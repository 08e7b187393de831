"""`ci/test`: installs what the tests need, runs the parts of `parts.json`, says where time went."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from threading import Event
from time import monotonic

import click

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.ci.before import Before
from mpiglot.ci.changes import Inputs, Passed, Tree, narrowed, without_joins
from mpiglot.ci.executed import Executed
from mpiglot.ci.parts import Choice, Counts, Task, chosen, read
from mpiglot.ci.running import NOT_RUN, QUICK_MPI, Row, Run, build_of
from mpiglot.ci.table import table
from mpiglot.ci.turns import before, turn_of
from mpiglot.cli import run as run_command
from mpiglot.provision.launch import obey_termination
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import checkout, locate
from mpiglot.provision.toolchains import ensure as ensure_toolchains
from mpiglot.provision.toolchains import obtain_staticcheck

PARTS = Path(__file__).resolve().with_name("parts.json")
FALLBACK = "mpich-5.0.2"  # a wheel, for systems without the packages
LANGUAGES = ("cpp", "go", "java", "tools")
# A part is dearer than it was if it uses a third more, for the pace of this machine.
DEARER, NOTICEABLE, ENOUGH_PARTS = 4 / 3, 10.0, 4
FULL_LINES = 2000  # of the first failure of what is shaky


def _say(sentence: str) -> None:
    click.echo(f"set-up: {sentence}", err=True)


def report(rows: Sequence[Row], seconds: float) -> Counts:
    """Prints where the time went and the closing line."""
    total = sum((row.counts for row in rows), Counts())
    heads = ["part", "passed", "failed", "skipped", "seconds", "CPU", "result"]
    cells: list[list[str | int | float]] = [
        [
            row.name,
            row.counts.passed,
            row.counts.failed,
            row.counts.skipped,
            row.seconds,
            row.cpu,
            row.result,
        ]
        for row in rows
    ]
    left = sum(row.note == NOT_RUN for row in rows)
    if left:
        print(f"\n{left} parts were not run after the first failure; --keep-going runs them.")
    for row in rows:
        if row.shaky:
            lines = "\n".join(f"  | {line}" for line in row.shaky.splitlines()[-FULL_LINES:])
            print(f"\n{row.name} is shaky; it failed at first:\n{lines}")
    for row in rows:
        if row.before:
            names = ", ".join(sorted(row.before))
            print(f"\n{row.name} fails without the change, too, and refuses nothing: {names}")
    cpu = sum(row.cpu for row in rows)
    cells.append(["all", total.passed, total.failed, total.skipped, seconds, cpu, ""])
    print(f"\n{table(heads, cells)}\n", flush=True)
    shaky = [row.name for row in rows if row.shaky]
    if shaky:
        print(f"shaky, which is a defect with a cause to be found: {', '.join(shaky)}\n")
    print(total, flush=True)
    return total


def dearer(todo: Sequence[Task], rows: Sequence[Row]) -> list[str]:
    """The parts that use a third more CPU time than `parts.json` says, for this machine's pace."""
    used = {row.name: row.cpu for row in rows if row.cpu and not (row.counts.failed or row.before)}
    both = [(task, used[task.name]) for task in todo if task.name in used]
    if len(both) < ENOUGH_PARTS:
        return []
    pace = median(cpu / task.cpu for task, cpu in both)
    return [
        f"{task.name} used {cpu:.0f} s of CPU time, {cpu / (task.cpu * pace) - 1:.0%} more than "
        f"parts.json says ({task.cpu:.0f} s) on a machine that needs {pace:.2f} times as much."
        for task, cpu in both
        if cpu > DEARER * pace * task.cpu and cpu - pace * task.cpu > NOTICEABLE
    ]


def _width() -> int:
    """A part waits now and then, for its ranks or the disk: one more than there are processors."""
    return (os.cpu_count() or 2) + 1


@click.command(name="ci/test")
@click.option("--matrix", "everything", is_flag=True, help="Everything on every MPI (an hour).")
@click.option(
    "--changed",
    is_flag=False,
    flag_value="HEAD",
    metavar="[REV]",
    help="What a change since a commit can have touched (HEAD), on one MPI; with --matrix, on all.",
)
@click.option("--gate", is_flag=True, help="With --changed: on the MPIs of the gate.")
@click.option("--resume", is_flag=True, help="With --matrix: go on from an earlier run.")
@click.option("--mpi", "names", multiple=True, help="All parts of one MPI; may be repeated.")
@click.option("--quick", is_flag=True, help=f"For the minutes between edits ({QUICK_MPI} only).")
@click.option(
    "--language",
    "languages",
    multiple=True,
    type=click.Choice(LANGUAGES),
    help="The parts of one language, or of the toolchain; may be repeated.",
)
@click.option("--part", "parts", multiple=True, help="One part and what it waits for.")
@click.option("--turn", type=int, help="Whose turn it is, instead of the day of HEAD's commit.")
@click.option("--keep-going", is_flag=True, help="Go on after a failure, as --matrix does.")
@click.option("--list", "only_list", is_flag=True, help="List what would run, and run nothing.")
@click.option(
    "--width",
    type=click.IntRange(1, 16),
    default=_width,
    help="Parts at a time; without it, one more than there are processors.",
)
def command(
    everything: bool,
    changed: str | None,
    gate: bool,
    resume: bool,
    names: tuple[str, ...],
    quick: bool,
    languages: tuple[str, ...],
    parts: tuple[str, ...],
    turn: int | None,
    keep_going: bool,
    only_list: bool,
    width: int,
) -> int:
    """Install everything the tests need and run the tests that every commit must pass."""
    root = checkout()
    if root is None:
        raise EnvironmentProblem("The tests need a checkout of the project.")
    obey_termination()
    started = monotonic()
    now = turn_of(root) if turn is None else turn
    for name in names:
        matrix().get(name)
    mpis = tuple(names) or ((_quick_mpi(),) if quick else ())
    one = changed is not None and not (everything or gate or mpis)
    tier = "matrix" if everything else "changed" if one else "quick" if quick else "gate"
    build = build_of(root, tier)
    if everything and not (resume or changed or only_list):
        shutil.rmtree(build, ignore_errors=True)
    every = read(PARTS)
    inputs = Inputs(every)
    tree = Tree.of(root)
    passed = Passed(build / "passed", tree, inputs)
    choice = Choice(
        everything, now, quick, (_quick_mpi(),) if one else mpis, parts, languages, once=one
    )
    todo = chosen(every, matrix().mpis, choice)
    if changed is not None:
        if not everything:
            todo = [task for task in without_joins(todo) if task.part.tier == "gate"]
        todo = narrowed(todo, tree.since(changed), passed)
    if only_list:
        click.echo("\n".join(task.name for task in todo))
        return 0
    click.echo(
        f"test: {len(todo)} parts; turn {now} (ci/test --turn {now} chooses the same)", err=True
    )
    rows = [Row("install packages and .venv", Counts(), _bootstrap_seconds())]
    toolchains = ensure_toolchains(root / ".tools", _say)
    if everything and any("pytest" in task.part.counts for task in todo):  # a minute to compile
        checker = obtain_staticcheck(root / ".tools", toolchains.go, _say)
        toolchains = replace(toolchains, staticcheck=checker)
    rows.append(Row("install JDK and Go", Counts(), monotonic() - started))
    run = Run(root, toolchains, rows, Event(), tier, now, keep_going or everything)
    run.passed, run.resume = passed, resume
    chosen_by_hand = bool(parts or mpis or languages)
    run.sparing = tier == "quick" or (tier == "gate" and (turn is not None or not chosen_by_hand))
    if tier == "gate" and not (chosen_by_hand or changed):
        revision = before(root)
        run.before = Before(root, revision, now, build / "before") if revision else None
    if not everything:
        run.executed = Executed(build, tree, inputs, skip=changed is not None)
    if len(todo) == 1 or one:  # one part is far longer than the others
        run.jobs = os.cpu_count() or 2
    run.everything(todo, width)
    if not everything and changed is None:  # a change's tests are only some of a part
        for sentence in dearer(todo, rows):
            click.echo(f"test: {sentence}", err=True)
    total = report(rows, monotonic() - started + rows[0].seconds)
    return 1 if total.failed else 0


def _quick_mpi() -> str:
    here = [mpi.name for mpi in matrix().mpis if mpi.languages and locate(mpi)]
    return QUICK_MPI if QUICK_MPI in here else (here or [FALLBACK])[0]


def _bootstrap_seconds() -> float:
    """How long the shell's part took, which it leaves in the environment."""
    return float(os.environ.get("MPIGLOT_BOOTSTRAP_SECONDS", "0"))


if __name__ == "__main__":
    sys.exit(run_command(command))
