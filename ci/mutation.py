"""`ci/mutate`: changes lines of handwritten code, one at a time, and lists what no test notices."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from pathlib import Path

import click

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.ci.changes import Tree, git
from mpiglot.ci.parts import fill
from mpiglot.cli import run as run_command
from mpiglot.provision.environment import of_installation
from mpiglot.provision.launch import TIMED_OUT, Ended, obey_termination, watched
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import checkout, installed
from mpiglot.provision.toolchains import ensure as ensure_toolchains

GROUPS = Path(__file__).resolve().with_name("mutations.json")
COMMENTS = ("//", "#", "/*", "*", '"')
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
BUILD_SECONDS = 600.0
INSTALLED = (".mpi", ".tools")  # by the project; in a checkout they may be links
LEAST = 95
TEST_CHANGED = ("{python}", "-m", "mpiglot.ci.testing", "--changed", "HEAD")

#: A pattern, and what takes the place of what it matches.
Rule = tuple[str, str]


@dataclass(frozen=True)
class Group:
    """Files that the same tests are for."""

    name: str
    rules: tuple[Rule, ...]
    files: tuple[str, ...]
    build: tuple[tuple[str, ...], ...]
    test: tuple[tuple[str, ...], ...]
    #: File and changed line of the mutants that do the same as the original.
    equivalent: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True)
class Mutant:
    """One line of a file, changed."""

    file: str
    line: int
    before: str
    after: str

    @property
    def mark(self) -> str:
        """The same for the same change, wherever in its file the line stands."""
        text = "\0".join((self.file, self.before, self.after))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.place}\n  - {self.before.strip()}\n  + {self.after.strip()}"


class Fate(Enum):
    """The end of a mutant."""

    NOTICED = "noticed"
    SURVIVED = "survived"
    INVALID = "does not compile"


@dataclass
class Tried:
    """What became of the mutants of a group."""

    group: str
    fates: dict[Mutant, Fate] = field(default_factory=dict)

    def of(self, fate: Fate) -> list[Mutant]:
        return [mutant for mutant, one in self.fates.items() if one is fate]

    @property
    def percent(self) -> float:
        noticed, survived = len(self.of(Fate.NOTICED)), len(self.of(Fate.SURVIVED))
        return 100.0 * noticed / (noticed + survived) if noticed + survived else 100.0

    def __str__(self) -> str:
        counts = ", ".join(f"{len(self.of(fate))} {fate.value}" for fate in Fate)
        return f"{self.group}: {counts}: {self.percent:.1f} % of those that compile are noticed"


def read(path: Path = GROUPS) -> list[Group]:
    data = json.loads(path.read_text(encoding="utf-8"))
    equivalent = frozenset((one["file"], one["after"]) for one in data["equivalent"])
    return [
        Group(
            one["name"],
            tuple((pattern, to) for name in one["rules"] for pattern, to in data["rules"][name]),
            tuple(one["files"]),
            tuple(map(tuple, one["build"])),
            tuple(map(tuple, one["test"])),
            equivalent,
        )
        for one in data["groups"]
    ]


def files_of(group: Group, root: Path) -> list[str]:
    """The files of a group; a pattern that matches none is an error."""
    found: list[str] = []
    for pattern in group.files:
        here = sorted(path for path in root.glob(pattern) if path.is_file())
        if not here:
            raise UsageError(f"{GROUPS.name}: {group.name}: no file is called {pattern}.")
        found += [path.relative_to(root).as_posix() for path in here]
    return [name for name in dict.fromkeys(found) if not name.endswith("_test.go")]


def mutants_of(group: Group, root: Path, only: str | None = None) -> list[Mutant]:
    """Those of all files of a group, or of one, in an order that depends on nothing but them."""
    found = [
        mutant
        for file in files_of(group, root)
        if only in (None, file)
        for mutant in mutants(root, file, group.rules)
        if (file, mutant.after.strip()) not in group.equivalent
    ]
    return sorted(found, key=lambda mutant: mutant.mark)


def mutants(root: Path, file: str, rules: Sequence[Rule]) -> list[Mutant]:
    """All changes of the code of a file that the rules know, outside of comments and texts."""
    lines = (root / file).read_text(encoding="utf-8").splitlines(keepends=True)
    found = []
    quoted = False  # inside a text of Python or Java that has several lines
    for number, line in enumerate(lines, 1):
        if line.count('"""') % 2:
            quoted = not quoted
        elif not quoted and not line.lstrip().startswith(COMMENTS):
            found += [Mutant(file, number, line, to) for to in dict.fromkeys(_changes(line, rules))]
    return found


def _changes(line: str, rules: Sequence[Rule]) -> Iterator[str]:
    texts = [found.span() for found in TEXT.finditer(line)]
    for pattern, replacement in rules:
        for found in re.finditer(pattern, line):
            if not any(start < found.start() < end for start, end in texts):
                yield line[: found.start()] + found.expand(replacement) + line[found.end() :]


@dataclass
class Sandbox:
    """A copy of the project, in which files are changed."""

    root: Path
    values: Mapping[str, str]
    environment: Mapping[str, str]
    log: Path

    def run(self, commands: Sequence[Sequence[str]], limit: float) -> Ended:
        """Runs commands until one fails: its exit code, and the CPU time of all."""
        cpu = 0.0
        with self.log.open("wb") as output:
            for words in commands:
                ended = watched(
                    fill(words, self.values),
                    limit=limit,
                    environment=self.environment,
                    output=output,
                    cwd=self.root,
                )
                cpu += ended.cpu
                if ended.code != 0:
                    return Ended(ended.code, cpu)
        return Ended(0, cpu)

    def fate(self, group: Group, mutant: Mutant, seconds: float) -> Fate:
        """Puts the changed line into its file, builds, tests, and puts the file back."""
        path = self.root / mutant.file
        original = path.read_text(encoding="utf-8")
        lines = original.splitlines(keepends=True)
        lines[mutant.line - 1] = mutant.after
        try:
            path.write_text("".join(lines), encoding="utf-8")
            if self.run(group.build, BUILD_SECONDS).code != 0:
                return Fate.INVALID
            noticed = self.run(group.test, seconds).code != 0
            return Fate.NOTICED if noticed else Fate.SURVIVED
        finally:
            path.write_text(original, encoding="utf-8")

    def seconds_of_tests(self, group: Group) -> float:
        """The CPU time of the tests where nothing is changed; they must pass."""
        if self.run(group.build, BUILD_SECONDS).code != 0:
            raise EnvironmentProblem(f"{group.name}: the build fails before any change; {self.log}")
        ended = self.run(group.test, BUILD_SECONDS)
        if ended.code != 0:
            why = "take too long" if ended.code == TIMED_OUT else "fail"
            raise EnvironmentProblem(f"{group.name}: the tests {why} before any change; {self.log}")
        return ended.cpu


def tried(
    group: Group, sandbox: Sandbox, found: Sequence[Mutant], most: int | None
) -> Iterator[tuple[Mutant, Fate]]:
    """What becomes of the mutants, until `most` of them have compiled.

    Tests that take much longer than usual have noticed the change.
    """
    usual = sandbox.seconds_of_tests(group)
    limit = BUILD_SECONDS if group.test == (TEST_CHANGED,) else 10.0 + 5.0 * usual
    compiled = 0
    for mutant in found:
        if compiled == most:
            return
        fate = sandbox.fate(group, mutant, limit)
        compiled += fate is not Fate.INVALID
        yield mutant, fate


def copied(root: Path, to: Path) -> None:
    """Copies what git has or would add, and links what the project has installed."""
    shutil.rmtree(to, ignore_errors=True)
    for name in Tree.of(root).files:
        source, target = root / name, to / name
        if not source.exists() or name in INSTALLED:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)
    for name in INSTALLED:
        if (root / name).exists():
            (to / name).symlink_to((root / name).resolve())


def with_history(copy: Path) -> None:
    """Makes a copy a checkout with one commit."""
    who = ["-c", "user.name=copy", "-c", "user.email=copy@localhost"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "as it is"]):
        git(copy, *who, *words)


def surroundings(root: Path, name: str) -> tuple[dict[str, str], dict[str, str]]:
    """What stands for the placeholders of commands, and the environment of one MPI."""
    found = installed(matrix().get(name))
    toolchains = ensure_toolchains(root / ".tools", lambda line: click.echo(line, err=True))
    values = {
        "python": sys.executable,
        "cxx": str(found.cxx),
        "launcher": str(found.launcher),
        "build": str(root / "build/mutate/build"),
    }
    environment = {**toolchains.environment(os.environ), "CI": "true"}
    return values, dict(of_installation(found, ci=True).applied(environment))


@click.command(name="ci/mutate")
@click.argument("names", nargs=-1, metavar="[GROUP]...")
@click.option(
    "--most", type=click.IntRange(1), default=40, help="Mutants that compile (40 of each group)."
)
@click.option("--all", "everything", is_flag=True, help="All mutants of each group.")
@click.option("--file", "only", help="Mutants of this file only.")
@click.option("--mpi", default="mpich-4.0.2", help="Run the tests on this MPI (mpich-4.0.2).")
@click.option("--changed", is_flag=True, help="Ask `ci/test --changed`, not the group's tests.")
@click.option("--list", "only_list", is_flag=True, help="List the groups, and run nothing.")
def command(
    names: tuple[str, ...],
    most: int,
    everything: bool,
    only: str | None,
    mpi: str,
    changed: bool,
    only_list: bool,
) -> int:
    """Change handwritten code line by line, and list the changes that no test notices.

    A copy of the project in build/mutate is changed. The choice of mutants is the same in every
    run until their lines change. Each is named when its end is known; build/mutate/survivors.txt
    lists those that survived, also of a run that is cut off. Exit code 1 if in some group less
    than 95 % of those that compile are noticed.
    """
    root = checkout()
    if root is None:
        raise EnvironmentProblem("ci/mutate needs a checkout of the project.")
    groups = _chosen(read(), names)
    if only_list:
        click.echo("\n".join(f"{group.name}: {' '.join(group.files)}" for group in groups))
        return 0
    obey_termination()
    values, environment = surroundings(root, mpi)
    folder = root / "build/mutate"
    copied(root, folder / "source")
    Path(values["build"]).mkdir(parents=True, exist_ok=True)
    sandbox = Sandbox(folder / "source", values, environment, folder / "log.txt")
    if changed:
        with_history(sandbox.root)
        environment["PYTHONPATH"] = str(sandbox.root)
        groups = [replace(group, test=(TEST_CHANGED,)) for group in groups]
    results: list[Tried] = []
    _write(folder, results)  # not what an earlier run left
    for group in groups:
        result = Tried(group.name)
        found = mutants_of(group, sandbox.root, only)
        for mutant, fate in tried(group, sandbox, found, None if everything else most):
            result.fates[mutant] = fate
            click.echo(f"{fate.value}: {mutant if fate is Fate.SURVIVED else mutant.place}")
            _write(folder, [*results, result])
        click.echo(str(result))
        results.append(result)
    return 1 if any(result.percent < LEAST for result in results) else 0


def _chosen(groups: Sequence[Group], names: Sequence[str]) -> list[Group]:
    known = {group.name: group for group in groups}
    for name in names:
        if name not in known:
            raise UsageError(f"{name} is no group of mutants; there are {', '.join(known)}.")
    return [known[name] for name in names or known]


def _write(folder: Path, results: Sequence[Tried]) -> None:
    survivors = [str(one) for result in results for one in result.of(Fate.SURVIVED)]
    (folder / "survivors.txt").write_text("\n".join([*survivors, ""]), encoding="utf-8")
    data = [
        {**asdict(mutant), "group": result.group, "fate": fate.value}
        for result in results
        for mutant, fate in result.fates.items()
    ]
    (folder / "mutants.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(run_command(command))
