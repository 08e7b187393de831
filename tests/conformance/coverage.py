"""What is executed where: the data, the page made of it, and the check that both are true.

    python -m tests.conformance.coverage update   # takes over build/counts into executed.json
    python -m tests.conformance.coverage write    # docs/reference/coverage.md and its picture
    python -m tests.conformance.coverage check    # fails if page, data and counts disagree

`executed.json` has a line for each function: one string per language, one character per MPI: `+`
executed, `.` not. What an MPI has is no part of it but comes from the blueprints; why something
cannot be executed, or is not, stands in `unreachable.json`, and among the defects of the matrix.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import click

from mpiglot.blueprints.errors import MpiglotError
from mpiglot.cli import run as run_command
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.policy import decide
from mpiglot.provision.matrix import matrix
from tests.conformance.counter import LANGUAGES, ROOT, counts_file, read
from tests.tiers import matrix_run

DATA = Path(__file__).with_name("executed.json")
REASONS = Path(__file__).with_name("unreachable.json")
SPOKEN = {"cpp": "C++", "go": "Go", "java": "Java"}
REFRESH = (
    ".venv/bin/python -m tests.conformance.coverage update && "
    ".venv/bin/python -m tests.conformance.coverage write"
)
WANTED = {"cpp": 0.90, "go": 0.80, "java": 0.80}
# Elsewhere than on these, a few functions may do on one machine what they do not on another.
HELD = ("mpich-4.0.2", "openmpi-4.1.4", "intelmpi-2021.19.0")
A_FEW = 8
# How a function is on one MPI, as the page shows it.
EXECUTED, OPEN, UNREACHABLE, MACRO, ABSENT, UNMEASURED = "+", "o", "*", "m", "-", "."


@dataclass(frozen=True)
class Reason:
    """Why some functions cannot be executed with some MPIs."""

    functions: frozenset[str]
    mpis: frozenset[str]
    reason: str
    languages: tuple[str, ...] = LANGUAGES

    def holds(self, function: str, mpi: str, language: str) -> bool:
        return function in self.functions and mpi in self.mpis and language in self.languages


@dataclass
class Coverage:
    """Everything the page is made of."""

    mpis: list[str]
    chapters: dict[str, list[str]]  # chapter -> functions
    status: dict[tuple[str, str], str]  # (function, MPI) -> "links", "macro", "declared"
    hidden: set[tuple[str, str]]  # by a macro of the header, which C++ and Java use
    skipped: dict[str, str]  # function -> why it is not generated
    reasons: list[Reason]
    # What is called in place of a function: the first of these that the MPI has.
    twins: dict[str, list[str]] = field(default_factory=dict)
    explained: list[Reason] = field(default_factory=list)  # could be executed, and is not
    varying: frozenset[str] = frozenset()  # whether they succeed depends on the machine
    executed: dict[str, dict[str, set[str]]] = field(
        default_factory=dict
    )  # language -> MPI -> names

    def state(self, function: str, mpi: str, language: str) -> str:
        """One of the characters above."""
        status = self.status.get((function, mpi), "")
        if status == "macro" or (language != "go" and (function, mpi) in self.hidden):
            return MACRO
        if status != "links":
            return ABSENT
        if function in self.executed.get(language, {}).get(mpi, set()):
            return EXECUTED
        if self.why_not(function, mpi, language):
            return UNREACHABLE
        return OPEN if self.measured(mpi, language) else UNMEASURED

    def measured(self, mpi: str, language: str) -> bool:
        """Whether a conformance program of this language has run on this MPI."""
        return bool(self.executed.get(language, {}).get(mpi))

    def why_not(self, function: str, mpi: str, language: str) -> str:
        """Why a function cannot be executed, or nothing."""
        if function in self.skipped:
            return self.skipped[function]
        for reason in self.reasons:
            if reason.holds(function, mpi, language):
                return reason.reason
        if any(self.status.get((twin, mpi)) == "links" for twin in self.twins.get(function, [])):
            return "never called: its result is wide, and its twin for large counts gives all of it"
        return ""

    def why_open(self, function: str, mpi: str, language: str) -> str:
        """Why a function that could be executed is not, or nothing."""
        for reason in self.explained:
            if reason.holds(function, mpi, language):
                return reason.reason
        return ""

    def functions(self) -> Iterator[str]:
        for functions in self.chapters.values():
            yield from functions

    def share(self, mpi: str, language: str, chapter: str | None = None) -> tuple[int, int]:
        """How many functions were executed, of how many that can be."""
        names = self.chapters[chapter] if chapter else list(self.functions())
        states = [self.state(name, mpi, language) for name in names]
        done = states.count(EXECUTED)
        return done, done + states.count(OPEN) + states.count(UNMEASURED)

    def languages_of(self, mpi: str) -> list[str]:
        """The languages whose programs this MPI runs."""
        known = matrix().get(mpi).languages
        return [language for language in LANGUAGES if language in known]


def load() -> Coverage:
    """The committed data, with what the blueprints and the catalogue say."""
    inputs = Inputs.of_known()
    atlas = inputs.atlas
    decisions = decide(atlas)
    mpis = [mpi.name for mpi in matrix().mpis if not mpi.name.startswith("simgrid")]
    chapters: dict[str, list[str]] = {}
    status: dict[tuple[str, str], str] = {}
    hidden: set[tuple[str, str]] = set()
    for entry in atlas.functions:
        name = entry.function.name
        present = {p.target: p.status for p in entry.present if p.target in mpis}
        if name.startswith("PMPI_") or not present:
            continue
        chapters.setdefault(entry.function.chapter, []).append(name)
        status.update({(name, target): how for target, how in present.items()})
        hidden |= {(name, p.target) for p in entry.present if p.macro and p.status == "links"}
    skipped = {n: d.reason for n, d in decisions.items() if d.decision == "skip"}
    data = json.loads(REASONS.read_text(encoding="utf-8"))
    names = [entry.function.name for entry in atlas.functions]

    def reasons(key: str) -> list[Reason]:
        return [
            Reason(
                _matching(names, one["functions"]),
                _matching(mpis, one["mpis"]),
                one["reason"],
                tuple(one.get("languages", LANGUAGES)),
            )
            for one in data[key]
        ]

    defects = [
        Reason(
            _matching(names, defect.functions),
            frozenset(defect.mpis),
            f"{defect.reason} (defect {defect.id})",
        )
        for defect in matrix().defects
    ]
    return Coverage(
        mpis,
        {chapter: sorted(names) for chapter, names in sorted(chapters.items())},
        status,
        hidden,
        skipped,
        reasons("unreachable"),
        twins={
            f.name: [f.large, *f.large_alternatives]
            for f in inputs.plan.functions
            if f.dispatch == "large" and f.large
        },
        explained=reasons("not executed") + defects,
        varying=_matching(names, data["varying"]),
        executed=_executed(mpis),
    )


def _matching(names: Iterable[str], patterns: Sequence[str]) -> frozenset[str]:
    return frozenset(n for n in names if any(fnmatchcase(n, pattern) for pattern in patterns))


def _executed(mpis: list[str]) -> dict[str, dict[str, set[str]]]:
    out: dict[str, dict[str, set[str]]] = {
        language: {mpi: set() for mpi in mpis} for language in LANGUAGES
    }
    if not DATA.exists():
        return out
    data = json.loads(DATA.read_text(encoding="utf-8"))
    for name, marks in data["functions"].items():
        for language, line in zip(LANGUAGES, marks, strict=True):
            for mpi, mark in zip(data["mpis"], line, strict=True):
                if mark == "+" and mpi in out[language]:
                    out[language][mpi].add(name)
    return out


def counted(language: str, mpi: str) -> set[str] | None:
    """The functions that the last run executed; None if there was no run."""
    path = counts_file(language, mpi)
    if not path.exists():
        return None
    return {name for name, count in read(path).items() if count.successes}


def save(coverage: Coverage) -> None:
    """Writes `executed.json`."""
    lines = []
    for name in sorted(coverage.functions()):
        marks = []
        for language in LANGUAGES:
            executed = coverage.executed[language]
            marks.append("".join("+" if name in executed[mpi] else "." for mpi in coverage.mpis))
        lines.append(f"  {json.dumps(name)}: {json.dumps(marks)}")
    functions = ",\n".join(lines)
    text = f'{{\n"mpis": {json.dumps(coverage.mpis)},\n"functions": {{\n{functions}\n}}\n}}\n'
    DATA.write_text(text, encoding="utf-8")


def disagreements(coverage: Coverage) -> Iterator[str]:
    """Where the data and the runs whose counts lie in build/counts differ, in both directions.

    Of what the blueprint knows only, and not of what succeeds on some machines alone; on MPIs that
    are not held to it function by function, only where more than a few differ. At the gate not all
    runs of Go and Java happen, which together execute what the data says.
    """
    for language in LANGUAGES:
        for mpi in coverage.mpis:
            found = counted(language, mpi)
            if found is None or not coverage.measured(mpi, language):
                continue
            known = {n for n in coverage.functions() if coverage.status.get((n, mpi)) == "links"}
            known -= coverage.varying
            said = coverage.executed[language][mpi]
            missing = said - found
            for names, how in (
                (missing, "are said to be executed and were not in this run"),
                (found - said, "are executed now, and the data does not say so"),
            ):
                if names is missing and language != "cpp" and not matrix_run():
                    continue
                if len(names & known) > (0 if mpi in HELD else A_FEW):
                    yield (
                        f"{SPOKEN[language]} on {mpi}: {len(names & known)} functions {how}: "
                        f"{' '.join(sorted(names & known)[:8])}. If that is right: {REFRESH}"
                    )


def left_open(coverage: Coverage) -> Iterator[str]:
    """Where a program ended with a session it had not closed.

    MPICH then does not tell its launcher that a process ends well, and now and then the launcher
    kills the processes that end a little later.
    """
    for language in LANGUAGES:
        for mpi in coverage.mpis:
            counts = read(path) if (path := counts_file(language, mpi)).exists() else {}
            opened, closed = (
                counts[name].successes if name in counts else 0
                for name in ("MPI_Session_init", "MPI_Session_finalize")
            )
            if opened != closed:
                yield (
                    f"{SPOKEN[language]} on {mpi}: {opened} sessions were opened, {closed} closed: "
                    "a test leaves one behind"
                )


def shortfalls(coverage: Coverage) -> Iterator[str]:
    """Where there is data, and fewer functions are executed than was promised."""
    for mpi in coverage.mpis:
        for language in coverage.languages_of(mpi):
            done, all_ = coverage.share(mpi, language)
            if coverage.executed[language][mpi] and done < WANTED[language] * all_:
                yield f"{SPOKEN[language]} on {mpi}: {done} of {all_} functions executed"


@click.group()
def group() -> None:
    """What is executed where, in which language."""


def unexplained(coverage: Coverage) -> Iterator[str]:
    """What could be executed, is not, and nobody says why."""
    for language in LANGUAGES:
        for mpi in coverage.mpis:
            names = [
                name
                for name in coverage.functions()
                if coverage.state(name, mpi, language) == OPEN
                and not coverage.why_open(name, mpi, language)
            ]
            if names:
                yield (
                    f"{SPOKEN[language]} on {mpi} does not execute {' '.join(names)}: write a "
                    f"test, or say why in {REASONS.relative_to(ROOT)}"
                )


@group.command()
def update() -> None:
    """Take the counts of the last runs into the data."""
    coverage = load()
    for language in LANGUAGES:
        for mpi in coverage.mpis:
            found = counted(language, mpi)
            if found is not None:  # what varies and was seen once stays
                seen_before = coverage.executed[language][mpi] & coverage.varying
                coverage.executed[language][mpi] = found | seen_before
    save(coverage)
    _summary(coverage)


@group.command()
def write() -> None:
    """Write docs/reference/coverage.md and its picture."""
    from tests.conformance import coverage_page

    for path, text in coverage_page.files(load()).items():
        path.write_text(text, encoding="utf-8")
        click.echo(path.relative_to(ROOT))


@group.command()
def check() -> None:
    """Fail if the page is not what the data says, or the data not what the last runs did."""
    from tests.conformance import coverage_page

    coverage = load()
    problems = [*disagreements(coverage), *shortfalls(coverage), *left_open(coverage)]
    for path, text in coverage_page.files(coverage).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            problems.append(f"{path.relative_to(ROOT)} is stale: {REFRESH}")
    _summary(coverage)
    if problems:
        raise MpiglotError("\n".join(problems))


def _summary(coverage: Coverage) -> None:
    for mpi in coverage.mpis:
        cells = []
        for language in LANGUAGES:
            done, all_ = coverage.share(mpi, language)
            cells.append(
                f"{SPOKEN[language]} {done:4} of {all_:4} {100 * done / max(all_, 1):5.1f} %"
            )
        click.echo(f"{mpi:24} " + "   ".join(cells))


if __name__ == "__main__":
    sys.exit(run_command(group))
