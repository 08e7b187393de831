"""A project outside the repository has tests of JUnit that run on several ranks."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.packages.maven import manifest_of, resolved
from tests.packages.outside import Mpi, Words, environment, jdk, run
from tests.packages.projects import junit_console, packages
from tests.tiers import in_turn

pytestmark = pytest.mark.timeout(600)

CONSUMER = Path(__file__).parent / "consumers" / "junit"
MPIS = ("mpich-4.0.2", "openmpi-4.1.4", "intelmpi-2021.18.1", "openmpi-5.0.11")
QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


@dataclass(frozen=True)
class Project:
    """The compiled tests, and what they need."""

    classes: Path
    library: Path
    junit: Path
    console: Path

    def command(self, test: str) -> list[str]:
        """What runs a class of tests."""
        path = f"{self.library}:{self.junit}:{self.console}:{self.classes}"
        words = [str(jdk() / "bin" / "java"), *QUICK, "-cp", path]
        words += ["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"]
        words += ["--disable-ansi-colors", "--details=tree", "--details-theme=ascii"]
        return [*words, f"--select-class=user.{test}"]

    def run(self, mpi: Mpi, home: Path, test: str, code: int, **variables: str) -> str:
        """What JUnit says of a class of tests."""
        env = {**mpi.environment(home), **variables}
        return run(*self.command(test), cwd=home, env=env, code=code).stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    console = junit_console()
    folder = tmp_path_factory.mktemp("junit")
    repository = packages(folder)
    library, junit = (
        resolved(repository, "dev.mpiglot", name) for name in ("mpiglot", "mpiglot-junit")
    )
    path = f"{library}:{junit}:{console}"
    sources = sorted(CONSUMER.glob("user/*.java"))
    words: Words = [
        jdk() / "bin" / "javac",
        "--release",
        "22",
        "-cp",
        path,
        "-d",
        folder / "classes",
    ]
    run(*words, *sources, cwd=folder, env=environment(folder / "home"))
    return Project(folder / "classes", library, junit, console)


@pytest.fixture(params=in_turn(MPIS))
def each(request: pytest.FixtureRequest) -> Mpi:
    return Mpi.get(request.param)


def test_tests_pass_on_each_number_of_ranks(project: Project, each: Mpi, tmp_path: Path) -> None:
    said = project.run(each, tmp_path, "PassTest", 0, MPIEXEC=str(each.launcher))
    for line in ("1 rank [OK]", "2 ranks [OK]", "4 ranks [OK]", "alone() [OK]"):
        assert line in said
    assert "1 rank [A] Assumption failed: needs two" in said


def test_a_failure_names_its_ranks(project: Project, each: Mpi, tmp_path: Path) -> None:
    said = project.run(each, tmp_path, "FailTest", 1, MPIEXEC=str(each.launcher))
    assert "user.FailTest.one on 3 ranks: 1 failed" in said
    assert "rank 1: org.opentest4j.AssertionFailedError: of one rank" in said
    assert "ranks 0, 2: not ended when the job was ended" in said
    assert "at user.FailTest.one(FailTest.java:" in said
    assert "user.FailTest.two on 3 ranks: 2 failed" in said
    assert "ranks 1, 2: org.opentest4j.AssertionFailedError: of two ranks" in said
    codes = {"intelmpi-2021.18.1": 255}  # of its launcher
    assert f"ended without a result, exit code {codes.get(each.name, 3)}\n" in said


def test_a_hang_shows_the_stacks_of_all_ranks(project: Project, each: Mpi, tmp_path: Path) -> None:
    said = project.run(each, tmp_path, "HangTest", 1, MPIEXEC=str(each.launcher))
    assert "user.HangTest.waits on 2 ranks: not ended after 4 s" in said
    first, _, second = said.partition("rank 1 (its test has ended)")
    assert "user.HangTest.receive(HangTest.java:" in first.partition("rank 0\n")[2]
    assert "dev.mpiglot.low.Environment.finalizeMpi" in second
    assert not _left(project), "processes are left running"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_stays_when_the_tests_are_ended(
    project: Project, tmp_path: Path, mpich: Mpi, number: signal.Signals
) -> None:
    env = {**mpich.environment(tmp_path), "MPIEXEC": str(mpich.launcher)}
    java, *words = project.command("HangTest")
    words.insert(0, f"-Djava.io.tmpdir={tmp_path}")
    with (tmp_path / "said.txt").open("w") as said:
        tests = subprocess.Popen([java, *words], env=env, stdout=said, stderr=said)
    try:
        _await(lambda: sum("dev.mpiglot.junit.Rank" in words for words in _left(project)) >= 2)
    finally:
        tests.send_signal(number)
        tests.wait()
    _await(lambda: not _left(project))
    if number == signal.SIGTERM:
        assert not list(tmp_path.glob("mpiglot-test-*"))


def _await(done: Callable[[], bool]) -> None:
    limit = monotonic() + 60
    while not done():
        assert monotonic() < limit
        sleep(0.1)


def _left(project: Project) -> list[str]:
    """The processes of the project that still run."""
    out = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(project.classes) in words:
            out.append(words.replace("\0", " "))
    return out


def test_the_launcher_is_the_one_of_the_library(
    project: Project, tmp_path: Path, mpich: Mpi
) -> None:
    folder = tmp_path / "mpi" / "bin"
    folder.mkdir(parents=True)
    (folder / "mpiexec").write_text(
        f'#!/bin/sh\necho "the one of the library"\nexec "{mpich.launcher}" "$@"\n'
    )
    (folder / "mpiexec").chmod(0o755)
    library = folder.parent / "lib" / mpich.installation.library.name
    library.parent.mkdir()
    library.symlink_to(mpich.installation.library)
    said = project.run(mpich, tmp_path, "PassTest", 0, MPIGLOT_MPI=str(library), MPIEXEC="")
    assert "the one of the library" in said


def test_the_jar_says_what_it_needs(project: Project) -> None:
    told = manifest_of(project.junit)
    assert told["Automatic-Module-Name"] == told["Bundle-SymbolicName"] == "dev.mpiglot.junit"
    pom = project.junit.with_suffix(".pom").read_text()
    assert "<artifactId>junit-jupiter-api</artifactId>" in pom
