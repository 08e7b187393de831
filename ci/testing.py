"""`ci/test`: installs what the tests need, runs the parts of `parts.json`, says where time went."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from threading import Event, Lock
from time import monotonic

import click

from mpiglot.blueprints.errors import EnvironmentProblem, MpiglotError
from mpiglot.ci.parts import Choice, Counts, Task, chains, chosen, count, fill, read
from mpiglot.ci.table import table
from mpiglot.cli import run as run_command
from mpiglot.provision.environment import of_installation
from mpiglot.provision.launch import Ended, obey_termination, watched
from mpiglot.provision.matrix import Mpi, matrix
from mpiglot.provision.obtain import checkout, install, installed, locate
from mpiglot.provision.toolchains import Toolchains, obtain_staticcheck
from mpiglot.provision.toolchains import ensure as ensure_toolchains

PARTS = Path(__file__).resolve().with_name("parts.json")
QUICK_MPI = "mpich-4.0.2"
FALLBACK = "mpich-5.0.2"  # a wheel, for systems without the packages
NOT_RUN = "not run"
LANGUAGES = ("cpp", "go", "java", "tools")
SHOWN_LINES = 60
# A command may use this many CPU seconds, and so many times what its part was measured to use.
LIMIT, TIMES, TIMES_IN_MATRIX = 60.0, 5.0, 10.0
# A part is dearer than it was if it uses a third more, for the pace of this machine.
DEARER, NOTICEABLE = 4 / 3, 10.0
# Tests that start processes depend on launchers and on how busy a machine is. A part that fails is
# tried once more; the table says so, and the first failure is printed in full.
AGAIN: Mapping[str, list[str]] = {  # what runs the failed tests only, or nothing: all of the part
    "pytest": ["--last-failed"],
    "ctest": ["--rerun-failed"],
    "go": [],
    "java": [],
    "line": [],
}


@dataclass
class Row:
    """One line of the closing table."""

    name: str
    counts: Counts
    seconds: float
    note: str = ""
    cpu: float = 0.0

    @property
    def result(self) -> str:
        if self.counts.failed:
            return f"FAILED ({self.note})" if self.note else "FAILED"
        if self.counts.passed == 0 and self.counts.skipped:
            return f"skipped ({self.note})"
        if self.note == NOT_RUN:
            return NOT_RUN
        return f"ok ({self.note})" if self.note else "ok"


@dataclass
class Run:
    """One run of `ci/test`."""

    root: Path
    toolchains: Toolchains
    rows: list[Row] = field(default_factory=list)
    stop: Event = field(default_factory=Event)
    matrix: bool = False
    turn: int = 0
    keep_going: bool = True
    installing: Lock = field(default_factory=Lock)

    @property
    def logs(self) -> Path:
        return self.build / "test-logs"

    @property
    def build(self) -> Path:
        return self.root / "build" / ("matrix" if self.matrix else "")

    def everything(self, todo: Sequence[Task], width: int) -> None:
        """Runs the tasks, `width` at a time; a task starts when all it waits for ended well."""
        self.logs.mkdir(parents=True, exist_ok=True)
        length = chains(todo)
        pending = sorted(todo, key=lambda task: -length[task])
        running = dict[Future[Row], Task]()
        rows: dict[Task, Row] = {}
        with ThreadPoolExecutor(max_workers=width) as pool:
            try:
                while pending or running:
                    for task in _ready(pending, list(running.values()), width):
                        pending.remove(task)
                        running[pool.submit(self._unless_lost, task, dict(rows))] = task
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        task = running.pop(future)
                        rows[task] = future.result()
                        if rows[task].counts.failed and not self.keep_going:
                            pending.clear()
            except BaseException:
                self.stop.set()
                raise
        self.rows += [rows.get(task) or Row(task.name, Counts(), 0.0, NOT_RUN) for task in todo]

    def _unless_lost(self, task: Task, rows: Mapping[Task, Row]) -> Row:
        """Runs a task, unless something it waits for failed or its MPIs cannot be had."""
        for other, row in rows.items():
            if row.counts.failed and task.waits_for(other):
                return self._told(Row(task.name, Counts(failed=1), 0.0, f"after {other.name}"))
        return self._without_mpi(task) or self.one(task)

    def _without_mpi(self, task: Task) -> Row | None:
        """Installs the MPIs of a task; where one cannot be had, how the task ends."""
        names = task.part.uses if task.mpi is None else (task.mpi.name,)
        for mpi in [matrix().get(name) for name in names]:
            try:
                with self.installing:
                    install(mpi, _say)
            except MpiglotError as problem:
                _say(str(problem))
                elsewhere = bool(mpi.release) and not _is_release(mpi.release)
                if task.mpi is None:  # its tests say what they skip
                    continue
                counts = Counts(skipped=1) if elsewhere else Counts(failed=1)
                note = f"this is not {mpi.release}" if elsewhere else "not installed"
                return self._told(Row(task.name, counts, 0.0, note))
        return None

    def one(self, task: Task) -> Row:
        """Runs one task; its output goes to a log, which is shown where it failed."""
        part, started = task.part, monotonic()
        if "full-jdk" in part.needs and not self.toolchains.full_jdk:
            return self._told(Row(task.name, Counts(skipped=1), 0.0, "no full JDK here"))
        if "clang" in part.needs and not shutil.which("clang++-19"):
            return self._told(Row(task.name, Counts(skipped=1), 0.0, "no clang++-19 here"))
        values, environment = self._surroundings(task.mpi)
        values["base"] = task.base or ""
        folder = self.build / "test" / task.mpi.name if task.mpi else self.root
        folder.mkdir(parents=True, exist_ok=True)
        log = self.logs / f"{task.name.replace(' ', '-')}.log"
        commands = [fill(words, values) for words in part.commands]
        if part.counts == "pytest":  # parts that run side by side must not share it
            commands[-1] += ["-o", f"cache_dir={self.build / 'pytest-cache' / part.name}"]
        counts, note, cpu = self._try(task, commands, log, environment, folder)
        more = AGAIN.get(part.counts)
        if counts.failed and more is not None and not note and not self.stop.is_set():
            first = counts
            self._told(Row(task.name, first, monotonic() - started, "once more"), _tail(log))
            counts, note, more_cpu = self._try(
                task, [*commands[:-1], commands[-1] + more], log, environment, folder
            )
            cpu += more_cpu
            if more:  # only those that had failed ran again
                counts = replace(first, failed=0) + counts
            if not counts.failed:
                note = f"{first.failed} failed at first"
        if self.stop.is_set():
            return Row(task.name, Counts(failed=1), monotonic() - started, "interrupted")
        row = Row(task.name, counts, monotonic() - started, note, cpu)
        return self._told(row, _tail(log) if row.counts.failed else "")

    def _try(
        self,
        task: Task,
        commands: Sequence[Sequence[str]],
        log: Path,
        environment: Mapping[str, str],
        folder: Path,
    ) -> tuple[Counts, str, float]:
        """Runs commands until one fails: the tests, why it was ended, the CPU seconds."""
        ended, cpu = Ended(0, 0.0), 0.0
        limit = LIMIT + (TIMES_IN_MATRIX if self.matrix else TIMES) * task.cpu
        with log.open("wb") as output:
            for command in commands:
                output.write(f"$ {' '.join(command)}\n".encode())
                output.flush()
                ended = watched(
                    command,
                    limit=limit,
                    environment=environment,
                    output=output,
                    cwd=folder,
                    stop=self.stop,
                )
                cpu += ended.cpu
                if ended.code != 0:
                    break
        text = log.read_text(encoding="utf-8", errors="replace")
        return count(task.part.counts, text, ended.code), ended.why, cpu

    def _told(self, row: Row, text: str = "") -> Row:
        took = f"{row.seconds:.1f} s, CPU {row.cpu:.1f} s"
        lines = [f"test: {row.name}: {row.result}, {row.counts}, {took}"]
        if text:
            lines += [f"  | {line}" for line in text.splitlines()]
        click.echo("\n".join(lines), err=True)
        return row

    def _surroundings(self, mpi: Mpi | None) -> tuple[dict[str, str], Mapping[str, str]]:
        values = {
            "root": str(self.root),
            "build": str(self.build),
            "python": sys.executable,
            "tool": str(self.root / ".venv" / "bin" / "mpiglot"),
            "cores": str(os.cpu_count() or 2),
        }
        environment = {
            **self.toolchains.environment(os.environ),
            "CI": "true",
            "MPIGLOT_TIER": "matrix" if self.matrix else "gate",
            "MPIGLOT_TURN": str(self.turn),
        }
        if mpi is None:
            return values, environment
        found = installed(mpi)
        values.update(
            mpi=mpi.name,
            vendor=mpi.vendor,
            cc=str(found.cc),
            cxx=str(found.cxx),
            compiler=_compiler(mpi, everywhere=self.matrix),
            launcher=str(found.launcher),
            library=str(found.library),
            prefix=str(found.prefix),
        )
        return values, of_installation(found, ci=True).applied(environment)


def _compiler(mpi: Mpi, *, everywhere: bool) -> str:
    """What compiles C++ for an MPI: both have their share, and clang is the quicker one."""
    by_gcc = mpi.level == "full" if everywhere else mpi.name == QUICK_MPI
    return "g++" if by_gcc or not shutil.which("clang++-19") else "clang++-19"


def _tail(log: Path) -> str:
    """The end of a log, as much as is worth showing."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(lines[-SHOWN_LINES:])


def _ready(pending: Sequence[Task], running: Sequence[Task], width: int) -> list[Task]:
    """The tasks that may start now, in their order, as many as there is room for."""
    unfinished = [*pending, *running]
    free = [
        task
        for task in pending
        if not any(task.waits_for(other) for other in unfinished if other is not task)
    ]
    return free[: max(width - len(running), 0)]


def _say(sentence: str) -> None:
    click.echo(f"set-up: {sentence}", err=True)


def _is_release(release: str) -> bool:
    """Whether this system is the release ("Debian 12") whose packages an MPI comes from."""
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    system = f"{values.get('ID', '')} {values.get('VERSION_ID', '')}".replace('"', "")
    return system == release.lower()


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
    cpu = sum(row.cpu for row in rows)
    cells.append(["all", total.passed, total.failed, total.skipped, seconds, cpu, ""])
    print(f"\n{table(heads, cells)}\n\n{total}", flush=True)
    return total


def dearer(todo: Sequence[Task], rows: Sequence[Row]) -> list[str]:
    """The parts that use a third more CPU time than `parts.json` says, for this machine's pace."""
    used = {row.name: row.cpu for row in rows if row.cpu and not row.counts.failed}
    both = [(task, used[task.name]) for task in todo if task.name in used]
    if not both:
        return []
    pace = median(cpu / task.cpu for task, cpu in both)
    return [
        f"{task.name} used {cpu:.0f} s of CPU time, {cpu / (task.cpu * pace) - 1:.0%} more than "
        f"parts.json says ({task.cpu:.0f} s) on a machine that needs {pace:.2f} times as much."
        for task, cpu in both
        if cpu > DEARER * pace * task.cpu and cpu - pace * task.cpu > NOTICEABLE
    ]


@click.command(name="ci/test")
@click.option("--matrix", "everything", is_flag=True, help="Everything on every MPI (an hour).")
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
@click.option("--turn", type=int, help="Whose turn it is, instead of what the commit says.")
@click.option("--keep-going", is_flag=True, help="Go on after a failure, as --matrix does.")
@click.option("--list", "only_list", is_flag=True, help="List what would run, and run nothing.")
@click.option("--width", type=click.IntRange(1, 16), default=2, help="Parts at a time.")
def command(
    everything: bool,
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
    now = _turn(root) if turn is None else turn
    for name in names:
        matrix().get(name)
    mpis = tuple(names) or ((_quick_mpi(),) if quick else ())
    choice = Choice(everything, now, quick, mpis, parts, languages)
    todo = chosen(read(PARTS), matrix().mpis, choice)
    if only_list:
        click.echo("\n".join(task.name for task in todo))
        return 0
    click.echo(
        f"test: {len(todo)} parts; turn {now} (ci/test --turn {now} chooses the same)", err=True
    )
    rows = [Row("install packages and .venv", Counts(), _bootstrap_seconds())]
    toolchains = ensure_toolchains(root / ".tools", _say)
    if any("pytest" in task.part.counts for task in todo):
        checker = obtain_staticcheck(root / ".tools", toolchains.go, _say)
        toolchains = replace(toolchains, staticcheck=checker)
    rows.append(Row("install JDK and Go", Counts(), monotonic() - started))
    run = Run(root, toolchains, rows, Event(), everything, now, keep_going or everything)
    run.everything(todo, width)
    if not everything:
        for sentence in dearer(todo, rows):
            click.echo(f"test: {sentence}", err=True)
    total = report(rows, monotonic() - started + rows[0].seconds)
    return 1 if total.failed else 0


def _turn(root: Path) -> int:
    """A number that stays the same for a commit and differs between commits."""
    done = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "HEAD"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return int(done.stdout[:6], 16) if done.returncode == 0 else 0


def _quick_mpi() -> str:
    here = [mpi.name for mpi in matrix().mpis if mpi.languages and locate(mpi)]
    return QUICK_MPI if QUICK_MPI in here else (here or [FALLBACK])[0]


def _bootstrap_seconds() -> float:
    """How long the shell's part took, which it leaves in the environment."""
    return float(os.environ.get("MPIGLOT_BOOTSTRAP_SECONDS", "0"))


if __name__ == "__main__":
    sys.exit(run_command(command))
