"""Runs the tasks of a test run: two at a time, under limits, with what failed once more."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Lock
from time import monotonic

import click

from mpiglot.blueprints.errors import MpiglotError
from mpiglot.ci.again import again, failures
from mpiglot.ci.before import Before
from mpiglot.ci.changes import Passed
from mpiglot.ci.executed import Executed, left_out
from mpiglot.ci.parts import Counts, Part, Task, chains, counted, fill, settled
from mpiglot.provision.environment import of_installation
from mpiglot.provision.launch import INTERRUPTED, Ended, watched
from mpiglot.provision.matrix import Mpi, matrix
from mpiglot.provision.obtain import install, installed
from mpiglot.provision.toolchains import Toolchains

QUICK_MPI = "mpich-4.0.2"
NOT_RUN = "not run"
SHOWN_LINES = 60
# Of the C++ runtime (tests/cpp_runtime): its large programs, and its files of mistakes.
LARGE_ONES = ("collectives", "views", "messages", "core", "codec")
COSTLY_ONES = ("failing", "docs", "pairs")  # the gate has one of them
MATRIX_ONES = ("accesses",)  # and none of these
FORMS = 4  # in which functions of reductions throw: the gate has one of them
MISTAKES = 12
# A command may use this many CPU seconds, and so many times what its part was measured to use.
LIMIT, TIMES, TIMES_IN_MATRIX = 120.0, 5.0, 10.0


@dataclass
class Row:
    """One line of the closing table."""

    name: str
    counts: Counts
    seconds: float
    note: str = ""
    cpu: float = 0.0
    shaky: str = ""  # what was said by what failed and then passed
    before: frozenset[str] = frozenset()  # what fails without the change, too

    @property
    def result(self) -> str:
        if self.before:
            return self.note
        if self.counts.failed:
            return f"FAILED ({self.note})" if self.note else "FAILED"
        if self.counts.passed == 0 and self.counts.skipped:
            return f"skipped ({self.note})"
        if self.note == NOT_RUN:
            return NOT_RUN
        return f"ok ({self.note})" if self.note else "ok"


@dataclass
class _Tried:
    """How the commands of a task ended."""

    counts: Counts = field(default_factory=Counts)
    ended: Ended = field(default_factory=lambda: Ended(0, 0.0))
    cpu: float = 0.0
    shaky: list[str] = field(default_factory=list)


@dataclass
class Run:
    """One run of `ci/test`."""

    root: Path
    toolchains: Toolchains
    rows: list[Row] = field(default_factory=list)
    stop: Event = field(default_factory=Event)
    tier: str = "gate"  # or "matrix", or "changed": each has a build of its own
    turn: int = 0
    keep_going: bool = True
    passed: Passed | None = None  # what has passed, of tasks
    resume: bool = False  # what has passed before is not run again
    executed: Executed | None = None  # and of programs
    before: Before | None = None  # where what fails in turn is repeated
    jobs: int = 1  # compilers at a time, in each part
    sparing: bool = False  # the gate as a whole: what takes turns is left out in others
    installing: Lock = field(default_factory=Lock)

    @property
    def logs(self) -> Path:
        return self.build / "test-logs"

    @property
    def matrix(self) -> bool:
        return self.tier == "matrix"

    @property
    def build(self) -> Path:
        return build_of(self.root, self.tier)

    def everything(self, todo: Sequence[Task], width: int) -> None:
        """Runs the tasks, `width` at a time; a task starts when all it waits for ended well."""
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
            if (row.counts.failed or row.before) and task.waits_for(other):
                counts = Counts(skipped=1) if row.before else Counts(failed=1)
                return self._told(Row(task.name, counts, 0.0, f"after {other.name}"))
        return self._earlier(task) or self._without_mpi(task) or self.one(task)

    def _earlier(self, task: Task) -> Row | None:
        """How a task ended before, if this run goes on from there."""
        noted = self.passed.row(task) if self.passed and self.resume else None
        if noted is None:
            return None
        counts = Counts(noted["passed"], 0, noted["skipped"])
        return Row(task.name, counts, noted["seconds"], "earlier", noted["cpu"])

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
        self.logs.mkdir(parents=True, exist_ok=True)
        log = self.logs / f"{task.file}.log"
        commands = [fill(words, values) for words in self._commands(part)]
        if part.counts == "pytest":  # parts that run side by side must not share it
            commands[-1] += ["-o", f"cache_dir={self.build / 'pytest-cache' / part.name}"]
        tried = self._tried(task, commands, log, environment, folder)
        if self.stop.is_set():
            return Row(task.name, Counts(failed=1), monotonic() - started, INTERRUPTED)
        note = tried.ended.why
        if tried.shaky:
            excuse = self._excuse(task)
            note = f"shaky: {excuse}" if excuse else "shaky"
            if self.matrix and not excuse:
                tried.counts += Counts(failed=1)
        seconds = monotonic() - started
        row = Row(task.name, tried.counts, seconds, note, tried.cpu, "\n".join(tried.shaky))
        if row.counts.failed and task.in_turn and self.before:
            self._told(row, _tail(log))
            return self._told(self._unless_before(task, row, log, self.before))
        if self.passed and not (row.counts.failed or row.shaky):
            done = row.counts
            self.passed.note(
                task, passed=done.passed, skipped=done.skipped, cpu=row.cpu, seconds=seconds
            )
        return self._told(row, _tail(log) if row.counts.failed else "")

    def _unless_before(self, task: Task, row: Row, log: Path, before: Before) -> Row:
        """The row of a part that failed, which refuses nothing if it fails without the change."""
        _say(f"{task.name} has failed in turn; it is repeated on {before.name}")
        said = log.read_text(encoding="utf-8", errors="replace")
        here = failures(task.part.counts, said) or {task.name}
        there = before.fails(task, limit=2 * self._limit(task), stop=self.stop)
        if not here <= there:
            return replace(row, note=f"not on {before.name}")
        counts = replace(row.counts, failed=0, skipped=row.counts.skipped + row.counts.failed)
        note = f"fails on {before.name}, too"
        return replace(row, counts=counts, note=note, before=frozenset(here))

    def _limit(self, task: Task) -> float:
        """CPU seconds that a command of a task may use."""
        return LIMIT + (TIMES_IN_MATRIX if self.matrix else TIMES) * task.cpu

    def _tried(
        self,
        task: Task,
        commands: Sequence[Sequence[str]],
        log: Path,
        environment: Mapping[str, str],
        folder: Path,
    ) -> _Tried:
        """Runs commands until one fails that fails again."""
        tried = _Tried()
        limit = self._limit(task)

        def once(command: Sequence[str]) -> str:
            """What a command says."""
            with log.open("ab") as output:
                output.write(f"$ {' '.join(command)}\n".encode())
                output.flush()
                begin = output.tell()
                tried.ended = watched(
                    command,
                    limit=limit,
                    environment=environment,
                    output=output,
                    cwd=folder,
                    stop=self.stop,
                )
            tried.cpu += tried.ended.cpu
            with log.open("rb") as text:
                text.seek(begin)
                return text.read().decode("utf-8", "replace")

        kind = task.part.counts
        log.write_bytes(b"")
        for original in commands:
            command, keys = self._due(task, original, environment, folder)
            if not command:
                with log.open("ab") as output:
                    output.write(f"# has passed as it is: {' '.join(original)}\n".encode())
                tried.counts += Counts(passed=1)
                continue
            said = once(command)
            found = counted(kind, said)
            more = again(kind, command, said)
            at_once = tried.ended.code == 0
            if not at_once and more and not tried.ended.why and not self.stop.is_set():
                self._told(Row(task.name, found, 0.0, "once more"), _end_of(said))
                found = Counts() if more == [list(command)] else replace(found, failed=0)
                for words in more:
                    if tried.ended.code == 0 or words is more[0]:
                        found += counted(kind, once(words))
                if tried.ended.code == 0:
                    tried.shaky.append(said)
            tried.counts += found
            if at_once and self.executed is not None:
                self.executed.note(keys)
            if tried.ended.code != 0:
                break
        tried.counts = settled(kind, tried.counts, tried.ended.code)
        return tried

    def _due(
        self, task: Task, command: Sequence[str], environment: Mapping[str, str], folder: Path
    ) -> tuple[list[str], list[str]]:
        """A command without the programs that have passed as they are; the keys of the others."""
        if self.executed is None:
            return list(command), []
        if "ctest" in command:
            keys = self.executed.of_ctest(task, command, environment, folder)
            done = [name for name, key in keys.items() if self.executed.has_passed(key)]
            if done and len(done) == len(keys):
                return [], []
            return [*command, *left_out(done)], [keys[name] for name in keys if name not in done]
        key = self.executed.key(task, command) if task.part.counts != "exit" else ""
        return ([], []) if self.executed.has_passed(key) else (list(command), [key])

    def _commands(self, part: Part) -> tuple[tuple[str, ...], ...]:
        return part.commands + (part.matrix_commands if self.matrix else ())

    def _excuse(self, task: Task) -> str:
        """The known defect of the MPI that makes this part shaky, if there is one."""
        if task.mpi is None:
            return ""
        known = matrix().defects_of(task.mpi.name)
        return next((one.id for one in known if task.part.name in one.shaky), "")

    def _told(self, row: Row, text: str = "") -> Row:
        took = f"{row.seconds:.1f} s, CPU {row.cpu:.1f} s"
        lines = [f"test: {row.name}: {row.result}, {row.counts}, {took}"]
        if text:
            lines += [f"  | {line}" for line in text.splitlines()]
        click.echo("\n".join(lines), err=True)
        return row

    def _turning(self) -> dict[str, str]:
        """What the gate leaves out in this turn; other runs leave nothing out.

        Of the large programs one is sanitized, and two are compiled as they are. The codec, which
        needs no MPI and is compiled for long, has its turn with sanitizers only. A quick run has
        one of the others.
        """
        if not self.sparing:
            return {
                "not_now": "never",
                "not_now_either": "never",
                "large_one": "",
                "large_ones": "",
            }
        one = LARGE_ONES[self.turn % len(LARGE_ONES)]
        lap = self.turn // 4  # the MPIs of the C++ runtime take turns of four
        if self.tier == "quick":
            here = [LARGE_ONES[self.turn % 4]]
        else:
            plain = [name for name in LARGE_ONES if name not in (one, "codec")]
            here = [plain[(self.turn + lap + i) % len(plain)] for i in range(2)]
            here.append(COSTLY_ONES[self.turn % len(COSTLY_ONES)])
        every = (*LARGE_ONES, *COSTLY_ONES, *MATRIX_ONES)
        return {
            "not_now": _all_but(self.turn),
            "not_now_either": _all_but(lap),
            "large_one": ";".join(name for name in every if name not in here),
            "large_ones": ";".join(name for name in every if name != one),
        }

    def _surroundings(self, mpi: Mpi | None) -> tuple[dict[str, str], Mapping[str, str]]:
        values = {
            "root": str(self.root),
            "build": str(self.build),
            "python": sys.executable,
            "tool": str(Path(sys.executable).with_name("mpiglot")),
            "jobs": str(self.jobs),
            "whole": "ON" if self.matrix else "OFF",
            **self._turning(),
            "some_ranks": str(2 + self.turn // 7 % 2),
        }
        environment = {
            **self.toolchains.environment(os.environ),
            "CI": "true",
            "MPIGLOT_TIER": self.tier,
            "MPIGLOT_TURN": str(self.turn),
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # tests start Python a thousand times
        if mpi is None:
            return values, environment
        found = installed(mpi)
        values.update(
            mpi=mpi.name,
            vendor=mpi.vendor,
            cc=str(found.cc),
            cxx=str(found.cxx),
            compiler=_compiler(mpi, self.tier),
            launcher=str(found.launcher),
            library=str(found.library),
            prefix=str(found.prefix),
        )
        return values, of_installation(found, ci=True).applied(environment)


def _all_but(turn: int) -> str:
    """An expression for labels to leave out: "matrix", mistakes and forms but for one of each."""
    mistakes = [str(i) for i in range(MISTAKES) if i != turn % MISTAKES]
    forms = [str(i) for i in range(FORMS) if i != turn % FORMS]
    return f"^(matrix|turn({'|'.join(mistakes)})|form({'|'.join(forms)}))$"


def build_of(root: Path, tier: str) -> Path:
    """Where a tier builds."""
    folder = {"gate": "", "quick": "changed"}.get(tier, tier)
    return root / "build" / folder


def _compiler(mpi: Mpi, tier: str) -> str:
    """What compiles C++ for an MPI: both have their share, and clang is the quicker one."""
    by_gcc = mpi.level == "full" if tier == "matrix" else mpi.name == QUICK_MPI
    by_gcc = by_gcc and tier not in ("changed", "quick")
    return "g++" if by_gcc or not shutil.which("clang++-19") else "clang++-19"


def _tail(log: Path) -> str:
    """The end of a log, as much as is worth showing."""
    return _end_of(log.read_text(encoding="utf-8", errors="replace"))


def _end_of(text: str) -> str:
    return "\n".join(text.splitlines()[-SHOWN_LINES:])


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
