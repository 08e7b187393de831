"""`ci/test`: installs what the tests need, runs the parts of `parts.json`, says where time went."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from time import monotonic

import click

from mpiglot.blueprints.errors import EnvironmentProblem, MpiglotError
from mpiglot.ci.parts import Counts, Part, Task, chosen, count, fill, read, tasks
from mpiglot.ci.table import table
from mpiglot.cli import run as run_command
from mpiglot.provision.environment import of_installation
from mpiglot.provision.launch import TIMED_OUT, limited, obey_termination
from mpiglot.provision.matrix import Mpi, matrix
from mpiglot.provision.obtain import checkout, install, installed, locate
from mpiglot.provision.toolchains import Toolchains, obtain_staticcheck
from mpiglot.provision.toolchains import ensure as ensure_toolchains

PARTS = Path(__file__).resolve().with_name("parts.json")
QUICK_MPI = "mpich-4.0.2"
FALLBACK = "mpich-5.0.2"  # a wheel, for systems without the packages
LANGUAGES = ("cpp", "go", "java", "tools")
SHOWN_LINES = 60
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

    @property
    def result(self) -> str:
        if self.counts.failed:
            return f"FAILED ({self.note})" if self.note else "FAILED"
        if self.counts.passed == 0 and self.counts.skipped:
            return f"skipped ({self.note})"
        return f"ok ({self.note})" if self.note else "ok"


@dataclass
class Run:
    """One run of `ci/test`."""

    root: Path
    toolchains: Toolchains
    rows: list[Row] = field(default_factory=list)
    stop: Event = field(default_factory=Event)

    @property
    def logs(self) -> Path:
        return self.root / "build" / "test-logs"

    def everything(self, todo: Sequence[Task], width: int) -> None:
        """Runs the tasks, `width` at a time; a task starts when all it waits for ended well."""
        self.logs.mkdir(parents=True, exist_ok=True)
        pending, running = list(todo), dict[Future[Row], Task]()
        rows: dict[Task, Row] = {}
        with ThreadPoolExecutor(max_workers=width) as pool:
            try:
                while pending or running:
                    for task in _ready(pending, list(running.values()), width):
                        pending.remove(task)
                        running[pool.submit(self._unless_lost, task, dict(rows))] = task
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        rows[running.pop(future)] = future.result()
            except BaseException:
                self.stop.set()
                raise
        self.rows += [rows[task] for task in todo]

    def _unless_lost(self, task: Task, rows: Mapping[Task, Row]) -> Row:
        """Runs a task, unless something it waits for failed."""
        for other, row in rows.items():
            if row.counts.failed and task.waits_for(other):
                return self._told(Row(task.name, Counts(failed=1), 0.0, f"after {other.name}"))
        if task.base and not any(task.waits_for(other) for other in rows):
            return self._told(Row(task.name, Counts(skipped=1), 0.0, f"without {task.base}"))
        return self.one(task)

    def one(self, task: Task) -> Row:
        """Runs one task; its output goes to a log, which is shown where it failed."""
        part, started = task.part, monotonic()
        if "full-jdk" in part.needs and not self.toolchains.full_jdk:
            return self._told(Row(task.name, Counts(skipped=1), 0.0, "no full JDK here"))
        if "clang" in part.needs and not shutil.which("clang++-19"):
            return self._told(Row(task.name, Counts(skipped=1), 0.0, "no clang++-19 here"))
        values, environment = self._surroundings(task.mpi)
        values["base"] = task.base or ""
        folder = self.root / "build" / "test" / task.mpi.name if task.mpi else self.root
        folder.mkdir(parents=True, exist_ok=True)
        log = self.logs / f"{task.name.replace(' ', '-')}.log"
        commands = [fill(words, values) for words in part.commands]
        if part.counts == "pytest":  # parts that run side by side must not share it
            commands[-1] += ["-o", f"cache_dir={folder / 'build' / 'pytest-cache' / part.name}"]
        counts, note = self._try(part, commands, log, environment, folder)
        more = AGAIN.get(part.counts)
        if counts.failed and more is not None and not note and not self.stop.is_set():
            first = counts
            self._told(Row(task.name, first, monotonic() - started, "once more"), _tail(log))
            counts, note = self._try(
                part, [*commands[:-1], commands[-1] + more], log, environment, folder
            )
            if more:  # only those that had failed ran again
                counts = replace(first, failed=0) + counts
            if not counts.failed:
                note = f"{first.failed} failed at first"
        if self.stop.is_set():
            return Row(task.name, Counts(failed=1), monotonic() - started, "interrupted")
        row = Row(task.name, counts, monotonic() - started, note)
        return self._told(row, _tail(log) if row.counts.failed else "")

    def _try(
        self,
        part: Part,
        commands: Sequence[Sequence[str]],
        log: Path,
        environment: Mapping[str, str],
        folder: Path,
    ) -> tuple[Counts, str]:
        """Runs commands until one fails, counts the tests, and says what else is to be said."""
        code, note = 0, ""
        with log.open("wb") as output:
            for command in commands:
                output.write(f"$ {' '.join(command)}\n".encode())
                output.flush()
                code = limited(
                    command,
                    timeout=part.seconds,
                    environment=environment,
                    output=output,
                    cwd=folder,
                    stop=self.stop,
                )
                if code != 0:
                    note = f"no end in {part.seconds:.0f} s" if code == TIMED_OUT else ""
                    break
        return count(part.counts, log.read_text(encoding="utf-8", errors="replace"), code), note

    def _told(self, row: Row, text: str = "") -> Row:
        lines = [f"test: {row.name}: {row.result}, {row.counts}, {row.seconds:.1f} s"]
        if text:
            lines += [f"  | {line}" for line in text.splitlines()]
        click.echo("\n".join(lines), err=True)
        return row

    def _surroundings(self, mpi: Mpi | None) -> tuple[dict[str, str], Mapping[str, str]]:
        values = {
            "root": str(self.root),
            "build": str(self.root / "build"),
            "python": sys.executable,
            "tool": str(self.root / ".venv" / "bin" / "mpiglot"),
            "cores": str(os.cpu_count() or 2),
        }
        environment = {**self.toolchains.environment(os.environ), "CI": "true"}
        if mpi is None:
            return values, environment
        found = installed(mpi)
        values.update(
            mpi=mpi.name,
            vendor=mpi.vendor,
            cc=str(found.cc),
            cxx=str(found.cxx),
            compiler=_compiler(mpi),
            launcher=str(found.launcher),
            library=str(found.library),
            prefix=str(found.prefix),
        )
        return values, of_installation(found, ci=True).applied(environment)


def _compiler(mpi: Mpi) -> str:
    """What compiles C++ for an MPI: both have their share, and clang is the quicker one."""
    return "clang++-19" if mpi.level == "conformance" and shutil.which("clang++-19") else "g++"


def _tail(log: Path) -> str:
    """The end of a log, as much as is worth showing."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(lines[-SHOWN_LINES:])


def _ready(pending: Sequence[Task], running: Sequence[Task], width: int) -> list[Task]:
    """The tasks that may start now, in their order, as many as there is room for."""
    if any(task.part.alone for task in running):
        return []
    result: list[Task] = []
    for task in pending:
        room = width - len(running) - len(result)
        unfinished = [*pending, *running]
        if room <= 0:
            break
        if any(task.waits_for(other) for other in unfinished if other is not task):
            continue
        if task.part.alone:
            if not running and not result:
                return [task]
            break  # it gets its turn before later ones
        result.append(task)
    return result


def _say(sentence: str) -> None:
    click.echo(f"set-up: {sentence}", err=True)


def obtain(mpis: Sequence[Mpi], rows: list[Row]) -> list[Mpi]:
    """Installs the MPIs; those that cannot be had become rows, the others come back."""
    usable = []
    started = monotonic()
    for mpi in mpis:
        try:
            install(mpi, _say)
            usable.append(mpi)
        except MpiglotError as problem:
            _say(str(problem))
            elsewhere = bool(mpi.release) and not _is_release(mpi.release)
            counts = Counts(skipped=1) if elsewhere else Counts(failed=1)
            note = f"this is not {mpi.release}" if elsewhere else "not installed"
            rows.append(Row(f"install {mpi.name}", counts, 0.0, note))
    rows.append(Row("install MPIs", Counts(), monotonic() - started))
    return usable


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
    heads = ["part", "passed", "failed", "skipped", "seconds", "result"]
    cells: list[list[str | int | float]] = [
        [
            row.name,
            row.counts.passed,
            row.counts.failed,
            row.counts.skipped,
            row.seconds,
            row.result,
        ]
        for row in rows
    ]
    cells.append(["all", total.passed, total.failed, total.skipped, seconds, ""])
    print(f"\n{table(heads, cells)}\n\n{total}", flush=True)
    return total


@click.command(name="ci/test")
@click.option("--mpi", "names", multiple=True, help="The parts of one MPI; may be repeated.")
@click.option("--quick", is_flag=True, help=f"For the minutes between edits ({QUICK_MPI} only).")
@click.option(
    "--language",
    "languages",
    multiple=True,
    type=click.Choice(LANGUAGES),
    help="The parts of one language, or of the toolchain; may be repeated.",
)
@click.option("--part", "parts", multiple=True, help="One part and what it waits for.")
@click.option("--list", "only_list", is_flag=True, help="List what would run, and run nothing.")
@click.option("--width", type=click.IntRange(1, 16), default=2, help="Parts at a time.")
def command(
    names: tuple[str, ...],
    quick: bool,
    languages: tuple[str, ...],
    parts: tuple[str, ...],
    only_list: bool,
    width: int,
) -> int:
    """Install everything the tests need and run all tests."""
    root = checkout()
    if root is None:
        raise EnvironmentProblem("The tests need a checkout of the project.")
    obey_termination()
    started = monotonic()
    selected = chosen(
        read(PARTS), quick=quick, one_mpi=bool(names), names=parts, languages=languages
    )
    wanted = _mpis(names, quick, selected)
    if only_list:
        click.echo("\n".join(task.name for task in tasks(selected, wanted)))
        return 0
    rows = [Row("install packages and .venv", Counts(), _bootstrap_seconds())]
    toolchains = ensure_toolchains(root / ".tools", _say)
    if any("pytest" in part.counts for part in selected):
        checker = obtain_staticcheck(root / ".tools", toolchains.go, _say)
        toolchains = replace(toolchains, staticcheck=checker)
    rows.append(Row("install JDK and Go", Counts(), monotonic() - started))
    usable = obtain(wanted, rows)
    run = Run(root, toolchains, rows)
    run.everything(tasks(selected, usable), width)
    total = report(rows, monotonic() - started + rows[0].seconds)
    return 1 if total.failed else 0


def _mpis(names: Sequence[str], quick: bool, selected: Sequence[Part]) -> list[Mpi]:
    if names:
        return [matrix().get(name) for name in names]
    if quick:
        here = [mpi for mpi in matrix().mpis if mpi.languages and locate(mpi)]
        first = matrix().get(QUICK_MPI)
        return [first] if first in here else here[:1] or [matrix().get(FALLBACK)]
    return list(matrix().mpis)


def _bootstrap_seconds() -> float:
    """How long the shell's part took, which it leaves in the environment."""
    return float(os.environ.get("MPIGLOT_BOOTSTRAP_SECONDS", "0"))


if __name__ == "__main__":
    sys.exit(run_command(command))
