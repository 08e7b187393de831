"""`ci/demo`: probes the MPI, generates three languages, runs a program of each on several ranks."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import click

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.ci.table import table
from mpiglot.cli import run as run_command
from mpiglot.commands.env import parts_of
from mpiglot.parser.find import choose
from mpiglot.provision.environment import Environment, of_installation, of_parts
from mpiglot.provision.launch import TIMED_OUT, obey_termination, run, watched
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import checkout, install
from mpiglot.provision.toolchains import Toolchains
from mpiglot.provision.toolchains import ensure as ensure_toolchains

FALLBACK = "mpich-5.0.2"
RANKS = (2, 4)
TITLES = {"cpp": "C++", "go": "Go", "java": "Java"}
SLOWEST_FIRST = ("go", "java", "cpp")
SILENCE = 10.0  # seconds after which a step that still runs says so


@dataclass(frozen=True)
class Subject:
    """The MPI that is demonstrated."""

    name: str
    spec: str  # what the finder knows it by
    vendor: str
    wrapper: Path
    launcher: Path
    environment: Environment
    languages: tuple[str, ...]


@dataclass
class Step:
    """How one step ended."""

    ok: bool
    seconds: float
    why: str = ""


@dataclass
class Demonstration:
    """The steps for one MPI, and the rows they leave for the table."""

    root: Path
    subject: Subject
    environment: Mapping[str, str]
    rows: list[list[str | int | float]] = field(default_factory=list)
    failed: bool = False
    stop: Event = field(default_factory=Event)

    @property
    def folder(self) -> Path:
        return self.root / "build" / "demo" / self.subject.name

    def doctor(self, tool: Path) -> None:
        """Shows what the doctor says; findings (exit code 1) are for people to read."""
        command = [str(tool), "doctor", "--mpicc", self.subject.spec]
        with heartbeat(f"{self.subject.name}: doctor"):
            code = watched(command, limit=120, environment=self.environment, cwd=self.root).code
        if code not in (0, 1):
            self.failed = True
            click.echo(f"demo: {self.subject.name}: doctor failed (exit code {code})", err=True)

    def step(self, title: str, command: Sequence[str], limit: float) -> Step:
        """Runs one command; its output goes to a log, of which the end is shown if it fails."""
        log = self.folder / f"{title.replace(' ', '-')}.log"
        started = monotonic()
        with log.open("wb") as output, heartbeat(f"{self.subject.name}: {title}"):
            code = watched(
                command,
                limit=limit,
                environment=self.environment,
                output=output,
                cwd=self.root,
                stop=self.stop,
            ).code
        return self._ended(title, code, limit, log, started)

    def start(self, title: str, program: Path, ranks: int) -> Step:
        """Runs a program on several ranks."""
        log = self.folder / f"{title.replace(' ', '-')}.log"
        started = monotonic()
        with log.open("wb") as output, heartbeat(f"{self.subject.name}: {title}"):
            code = run(
                self.subject.vendor,
                self.subject.launcher,
                ranks,
                [str(program)],
                limit=60,
                environment=self.environment,
                output=output,
            )
        return self._ended(title, code, 60, log, started)

    def _ended(self, title: str, code: int, limit: float, log: Path, started: float) -> Step:
        seconds = monotonic() - started
        if code == 0:
            return Step(True, seconds)
        self.failed = True
        why = f"no end in {limit:.0f} s of CPU time" if code == TIMED_OUT else f"exit code {code}"
        click.echo(f"demo: {self.subject.name}: {title} failed ({why}); {log} ends:", err=True)
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines()[-25:]:
            click.echo(f"  | {line}", err=True)
        return Step(False, seconds, why)

    def all(self, tool: Path) -> None:
        """The whole way: doctor, probe, generate, build and run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("run-*.log"):  # of an earlier demo
            old.unlink()
        wrapper = str(self.subject.wrapper)
        self.doctor(tool)
        blueprint = self.folder / "blueprint.json"
        probe = [str(tool), "probe", "--mpicc", wrapper, "-o", str(blueprint)]
        probed = self.step("probe", probe, 180)
        if not probed.ok:
            self.rows.append(
                [self.subject.name, "-", "-", "-", "-", "-", probed.why, probed.seconds]
            )
            return
        head: list[str | int | float] = [self.subject.name, *_counts(blueprint)]
        generated = self.folder / "generated"
        what = "all" if len(self.subject.languages) > 1 else self.subject.languages[0]
        output = generated if what == "all" else generated / what
        generate = [str(tool), "generate", what, "--blueprint", str(blueprint)]
        made = self.step("generate", [*generate, "-o", str(output)], 180)
        if not made.ok:
            self.rows.append([*head, what, "-", "-", made.why, made.seconds])
            return
        click.echo(
            f"demo: {self.subject.name}: probed in {probed.seconds:.1f} s, "
            f"bindings generated in {made.seconds:.1f} s",
            err=True,
        )
        languages = self.subject.languages
        order = sorted(languages, key=SLOWEST_FIRST.index)
        with ThreadPoolExecutor(max_workers=2) as pool:
            steps = {name: pool.submit(self.build, name, generated / name) for name in order}
            try:
                built = {name: step.result() for name, step in steps.items()}
            except BaseException:
                self.stop.set()
                raise
        for language in languages:
            self.language(language, generated / language, built[language], head)

    def build(self, language: str, generated: Path) -> Step:
        """Builds the program of one language."""
        script = str(self.root / f"{language}_runtime" / "build-demo")
        words = [str(generated), *([str(self.subject.wrapper)] if language == "cpp" else [])]
        return self.step(
            f"build {TITLES[language]}", [script, *words, str(self.folder / language)], 300
        )

    def language(
        self, language: str, generated: Path, built: Step, head: Sequence[str | int | float]
    ) -> None:
        """Runs the program of one language."""
        title = TITLES[language]
        head = [*head, title, _generated(generated)]
        if not built.ok:
            self.rows.append([*head, "-", f"build: {built.why}", built.seconds])
            return
        seconds = built.seconds
        for ranks in RANKS:
            program = self.folder / language / "demo"
            ran = self.start(f"run {title} on {ranks} ranks", program, ranks)
            result = "ok" if ran.ok else ran.why
            self.rows.append([*head, ranks, result, seconds + ran.seconds])
            seconds = 0.0

    def farewell(self) -> str:
        """What the programs said, where the files are, and what to type next."""
        lines = []
        for language in self.subject.languages:
            log = self.folder / f"run-{TITLES[language]}-on-{RANKS[-1]}-ranks.log"
            if not log.is_file():
                continue
            lines.append(f"{TITLES[language]} on {RANKS[-1]} ranks said:")
            said = log.read_text(encoding="utf-8", errors="replace").splitlines()
            lines += [f"  | {line}" for line in said]
        return "\n".join(
            [
                *lines,
                f"blueprint, generated bindings, programs and logs: {self.folder}",
                f"next: ci/test --quick, or read {self.root / 'docs' / 'guide' / 'tutorial.md'}",
            ]
        )


@contextmanager
def heartbeat(title: str) -> Iterator[None]:
    """Says every `SILENCE` seconds that a step still runs, until it has ended."""
    started, ended = monotonic(), Event()

    def beat() -> None:
        while not ended.wait(SILENCE):
            click.echo(f"demo: {title} runs for {monotonic() - started:.0f} s", err=True)

    thread = Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _counts(blueprint: Path) -> tuple[int, int]:
    data = json.loads(blueprint.read_text(encoding="utf-8"))
    return len(data["functions"]), len(data["constants"])


def _generated(folder: Path) -> str:
    files = [path for path in folder.rglob("*") if path.is_file()]
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    return f"{len(files)} files, {lines:,} lines"


def named_subject(name: str) -> Subject:
    """An MPI of the matrix, obtained if it is missing."""
    mpi = matrix().get(name)
    found = install(mpi, _say)
    environment = of_installation(found, ci=True)
    return Subject(name, name, mpi.vendor, found.cc, found.launcher, environment, mpi.languages)


def found_subject() -> Subject:
    """The MPI that this machine has, or one from a wheel if it has none."""
    try:
        found = choose()
    except EnvironmentProblem as problem:
        _say(f"{str(problem).split(';')[0].rstrip('.')}; taking {FALLBACK} instead")
        return named_subject(FALLBACK)
    if found.launcher is None:
        _say(f"{found.name} has no launcher here; taking {FALLBACK} instead")
        return named_subject(FALLBACK)
    languages = ("cpp",) if found.vendor == "simgrid" else tuple(TITLES)
    environment = of_parts(parts_of(found), ci=True)
    return Subject(
        found.name,
        str(found.wrapper),
        found.vendor,
        found.wrapper,
        found.launcher,
        environment,
        languages,
    )


def _say(sentence: str) -> None:
    click.echo(f"set-up: {sentence}", err=True)


def demonstrate(root: Path, subject: Subject, toolchains: Toolchains) -> Demonstration:
    """Runs all steps for one MPI."""
    base = subject.environment.applied(toolchains.environment(os.environ))
    demonstration = Demonstration(root, subject, base)
    click.echo(f"demo: {subject.name}, found as {subject.wrapper}", err=True)
    demonstration.all(root / ".venv" / "bin" / "mpiglot")
    return demonstration


@click.command(name="ci/demo")
@click.option("--mpi", "names", multiple=True, help="An MPI of the matrix; may be repeated.")
def command(names: tuple[str, ...]) -> int:
    """Probe the MPI, generate C++, Go and Java, build and run a program of each."""
    root = checkout()
    if root is None:
        raise EnvironmentProblem("The demo needs a checkout of the project.")
    obey_termination()
    started = monotonic()
    toolchains = ensure_toolchains(root / ".tools", _say)
    subjects = [named_subject(name) for name in names] or [found_subject()]
    done = [demonstrate(root, subject, toolchains) for subject in subjects]
    heads = ["MPI", "functions", "constants", "language", "generated", "ranks", "result", "seconds"]
    click.echo()
    click.echo(table(heads, [row for one in done for row in one.rows]))
    failed = any(one.failed for one in done)
    for one in done:
        click.echo()
        click.echo(one.farewell())
    click.echo()
    click.echo(f"{'some steps failed' if failed else 'all is well'}, {monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(run_command(command))
