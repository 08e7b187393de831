"""What `ci/test` runs, as data: reads `parts.json`.

A part is a list of commands that run one after the other until one fails:

    name       what the table calls it
    commands   in braces: {root} {build} {python} {tool} (mpiglot) {jobs} (compilers at a
               time), {some_ranks} (2 or 3 in turn), {whole} (ON in the matrix run, else OFF),
               {not_now} (an expression for labels of tests to leave out in this turn),
               {not_now_either} (for more of them), {large_one} (the large C++ programs that are
               left out in this turn), {large_ones} (those that are not sanitized), and for a part
               per MPI
               {mpi} {vendor} {cc} {cxx} {launcher} {library} {prefix}, {compiler} (g++, or
               clang++-19 for further versions, if it is there), and {base} with `relatives`
    matrix_commands   further ones, of the matrix run only
    per        "mpi": once for each MPI it is for, in build/test/MPI; otherwise once, at the top
    level      "full" or "conformance": of the MPIs of this level only
    language   "cpp", "go", "java": what it tests, on the MPIs that can run such programs only;
               "tools": the toolchain; none: it joins what several languages made
    only       of these MPIs only
    unless     not of these MPIs
    tier       "gate" (every run) or "matrix" (`ci/test --matrix` only)
    gate       at the gate of these MPIs only; without `gate` and `in_turn` of the matrix's choice
    in_turn    groups of MPIs: at the gate of one of each group, too; of another one each day
    uses       the MPIs that a part that runs once needs
    inputs     the files that it depends on: globs, and `@part` for those of another part
    relatives  of these MPIs, each beside one of its ABI family that built what it runs ({base}):
               `after` means the parts of that one
    after      parts that must have ended before (for the same MPI, if both are per MPI)
    counts     how its tests are counted: "pytest", "ctest", "go", "java" (AllTests), "line"
               (`N passed, N failed, N skipped`) or "exit" (one test)
    needs      "full-jdk", "clang" (clang++-19, libc++, sanitizers): skipped where there is none
    quick      whether `ci/test --quick` runs it; `ci/test --changed` does, too, where `only` has
               none of its MPIs
    cpu        CPU seconds that it was measured to use; an object has those on each MPI ("": others)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mpiglot.blueprints.errors import UsageError
from mpiglot.provision.matrix import Mpi

# What stands for something else in another turn.
TURNING = re.compile(r"\{(some_ranks|not_now|not_now_either|large_ones?)\}")


@dataclass(frozen=True)
class Part:
    """One entry of `parts.json`."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    counts: str
    cpu: tuple[tuple[str, float], ...]
    per: str = "once"
    level: str | None = None
    language: str | None = None
    only: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    relatives: tuple[tuple[str, str], ...] = ()
    after: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    quick: bool = False
    tier: str = "gate"
    gate: tuple[str, ...] = ()
    in_turn: tuple[tuple[str, ...], ...] = ()
    uses: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    matrix_commands: tuple[tuple[str, ...], ...] = ()

    def is_for(self, mpi: Mpi) -> bool:
        """Whether a part per MPI can run on this one."""
        return (
            self.level in (None, mpi.level)
            and (self.language in (None, "tools") or self.language in mpi.languages)
            and (not self.only or mpi.name in self.only)
            and mpi.name not in self.unless
            and (not self.relatives or mpi.name in dict(self.relatives))
        )

    def at_gate(self, mpi: Mpi, turn: int) -> bool:
        """Whether a part per MPI runs on this one in `ci/test`."""
        if self.tier != "gate":
            return False
        if any(mpi.name == group[turn % len(group)] for group in self.in_turn):
            return True
        if self.gate or self.in_turn:
            return mpi.name in self.gate
        return mpi.gate


@dataclass(frozen=True)
class Task:
    """One run of a part."""

    part: Part
    mpi: Mpi | None = None

    @property
    def name(self) -> str:
        return f"{self.part.name} {self.mpi.name}" if self.mpi else self.part.name

    @property
    def cpu(self) -> float:
        """CPU seconds that it was measured to use, about."""
        known = dict(self.part.cpu)
        return known.get(self.mpi.name if self.mpi else "", known[""])

    @property
    def base(self) -> str | None:
        """The MPI for which another task built what this one runs, where it is not its own."""
        return dict(self.part.relatives).get(self.mpi.name) if self.mpi else None

    @property
    def file(self) -> str:
        """Its name as that of a file."""
        return self.name.replace(" ", "-")

    @property
    def in_turn(self) -> bool:
        """Whether the turn decides that it runs at the gate, or which tests of it."""
        part = self.part
        words = {word for command in part.commands for word in command}
        chosen = self.mpi is not None and bool(part.in_turn) and self.mpi.name not in part.gate
        return chosen or part.counts == "pytest" or any(TURNING.search(word) for word in words)

    def waits_for(self, other: Task) -> bool:
        """Whether the other task must have ended before this one starts."""
        same = (
            self.mpi is None or other.mpi is None or other.mpi.name == (self.base or self.mpi.name)
        )
        return other.part.name in self.part.after and same


@dataclass(frozen=True)
class Counts:
    """How many tests passed, failed, were skipped."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def read(path: Path) -> list[Part]:
    """The parts of a file; lists become tuples."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return [
        Part(**{key: _frozen(value) for key, value in {**one, "cpu": _per_mpi(one["cpu"])}.items()})
        for one in data["parts"]
    ]


def _per_mpi(cpu: float | Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(cpu.items()) if isinstance(cpu, Mapping) else (("", cpu),)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


def tasks(parts: Iterable[Part], mpis: Sequence[Mpi]) -> list[Task]:
    """One task for each part, or for each part and MPI."""
    result = []
    for part in parts:
        if part.per == "mpi":
            result += [Task(part, mpi) for mpi in mpis if part.is_for(mpi)]
        else:
            result.append(Task(part))
    return result


@dataclass(frozen=True)
class Choice:
    """What a run is about."""

    matrix: bool = False  # everything on everything, not only what every commit must pass
    turn: int = 0
    quick: bool = False
    mpis: tuple[str, ...] = ()  # these instead of those of the tier
    names: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    once: bool = False  # with the parts that are not per MPI, where MPIs are named

    def takes(self, task: Task) -> bool:
        """Whether a task is asked for by itself."""
        part, mpi = task.part, task.mpi
        if self.quick and not part.quick:
            return False
        if self.names and part.name not in self.names:
            return False
        if self.languages and part.language not in self.languages:
            return False
        if mpi is None:
            return (self.quick or self.once or not self.mpis) and self._in_tier(part)
        if self.mpis:
            alone = task.base is not None and task.base not in self.mpis
            if mpi.name not in self.mpis:  # a quick part that none of these MPIs can run
                elsewhere = bool(part.only) and set(part.only).isdisjoint(self.mpis)
                return self.once and part.quick and elsewhere
            return not (alone and not self.names and not self.matrix)
        return self.matrix or part.at_gate(mpi, self.turn)

    def _in_tier(self, part: Part) -> bool:
        return self.matrix or bool(self.names) or part.tier == "gate"


def chains(todo: Sequence[Task]) -> dict[Task, float]:
    """For each task the CPU seconds of the longest chain that begins with it."""
    result: dict[Task, float] = {}

    def length(task: Task) -> float:
        if task not in result:
            behind = [length(other) for other in todo if other.waits_for(task)]
            result[task] = task.cpu + max(behind, default=0.0)
        return result[task]

    return {task: length(task) for task in todo}


def chosen(parts: Sequence[Part], mpis: Sequence[Mpi], choice: Choice) -> list[Task]:
    """The tasks of a run, with those they wait for."""
    known = [part.name for part in parts]
    for name in choice.names:
        if name not in known:
            raise UsageError(f"There is no part called {name}; there are {', '.join(known)}.")
    every = tasks(parts, mpis)
    wanted = {task for task in every if choice.takes(task)}
    new = set(wanted)
    while new:
        new = {
            other
            for other in every
            if other not in wanted and any(_brings(task, other, choice) for task in new)
        }
        wanted |= new
    return [task for task in every if task in wanted]


def _brings(task: Task, other: Task, choice: Choice) -> bool:
    """Whether a task needs another that was not asked for."""
    if not task.waits_for(other):
        return False
    if task.mpi is None and other.mpi is not None:  # what joins many joins those of the tier
        return bool(choice.names) and replace(choice, names=(other.part.name,)).takes(other)
    return True


def fill(words: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """A command with its placeholders filled in."""
    return [
        re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), word) for word in words
    ]


def counted(kind: str, text: str) -> Counts:
    """The tests that an output tells of."""
    return _COUNTERS[kind](text) if kind in _COUNTERS else Counts()


def settled(kind: str, found: Counts, code: int) -> Counts:
    """The tests of a part by what its outputs tell of; silence is a failure."""
    if kind not in _COUNTERS:
        return Counts(passed=1) if code == 0 else Counts(failed=1)
    if (code != 0 or found == Counts()) and found.failed == 0:
        return replace(found, failed=1)
    return found


def _last(pattern: str, text: str) -> re.Match[str] | None:
    found = None
    for found in re.finditer(pattern, text, re.MULTILINE):  # noqa: B007
        pass
    return found


def _numbers(text: str) -> Iterator[tuple[int, str]]:
    for number, word in re.findall(r"(\d+) (\w+)", text):
        yield int(number), word


def _pytest(text: str) -> Counts:
    line = _last(r"^(?:=+ )?((?:\d+ \w+(?:, )?)+) in [\d.]+s", text)
    result = Counts()
    for number, word in _numbers(line[1] if line else ""):
        if word in ("passed", "xpassed"):
            result += Counts(passed=number)
        elif word in ("failed", "error", "errors"):
            result += Counts(failed=number)
        elif word in ("skipped", "xfailed"):
            result += Counts(skipped=number)
    return result


def _ctest(text: str) -> Counts:
    line = _last(r"^\d+% tests passed, (\d+) tests? failed out of (\d+)", text)
    if line is None:
        return Counts()
    skipped = len(re.findall(r"\*\*\*Skipped", text))
    failed, total = int(line[1]), int(line[2])
    return Counts(total - failed - skipped, failed, skipped)


def _go(text: str) -> Counts:
    outcomes = re.findall(r"^\s*--- (PASS|FAIL|SKIP):", text, re.MULTILINE)
    return Counts(outcomes.count("PASS"), outcomes.count("FAIL"), outcomes.count("SKIP"))


def _java(text: str) -> Counts:
    runs = re.findall(r"^tests java: (?:ok|(\d+) failed of) (\d+) tests", text, re.MULTILINE)
    total, failed = sum(int(run[1]) for run in runs), sum(int(run[0] or 0) for run in runs)
    skipped = len(re.findall(r"^known defect, not run: ", text, re.MULTILINE))
    return Counts(total - failed, failed, skipped)


def _line(text: str) -> Counts:
    runs = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", text, re.MULTILINE)
    return sum((Counts(*(int(number) for number in run)) for run in runs), Counts())


_COUNTERS = {"pytest": _pytest, "ctest": _ctest, "go": _go, "java": _java, "line": _line}
