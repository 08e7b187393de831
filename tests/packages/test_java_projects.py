"""Projects of Maven and Gradle use a fresh repository; JaCoCo counts what any rank executed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.provision import maven
from mpiglot.provision.obtain import debian_packages
from tests.limits import guard
from tests.packages.outside import ROOT, Mpi, Words, jdk, run, snippets
from tests.packages.projects import TOOLS, covered, endings, packages
from tests.tiers import in_turn

pytestmark = pytest.mark.timeout(600)

CONSUMERS = Path(__file__).parent / "consumers"
MPIS = ("mpich-4.0.2", "openmpi-4.1.4")
PASSED_ON_RANK_1 = {"count": 6, "even": 1, "odd": 1, "never": 0, "main": 0}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (jdk() / "bin" / "jar").is_file():
        pytest.skip("projects need a full JDK")
    return packages(tmp_path_factory.mktemp("packages"))


@pytest.fixture(params=in_turn(MPIS))
def each(request: pytest.FixtureRequest) -> Mpi:
    return Mpi.get(request.param)


def _environment(mpi: Mpi, home: Path) -> dict[str, str]:
    """A user's environment, in which the registries can be asked."""
    options = {key: value for key, value in os.environ.items() if key == "MAVEN_OPTS"}
    told = {"JAVA_HOME": str(jdk()), "MPIEXEC": str(mpi.launcher)}
    return {**mpi.environment(home), **options, **told}


def _has(found: dict[str, int], wanted: dict[str, int]) -> None:
    assert {name: found[name] for name in wanted} == wanted


def _maven(project: Path, env: dict[str, str], repository: Path, *words: str) -> None:
    """Tests a copy of the project by Maven."""
    shutil.copytree(CONSUMERS / "maven", project)
    local = TOOLS / "maven-repository"
    shutil.rmtree(local / "dev" / "mpiglot", ignore_errors=True)  # of the run before
    options = [f"-Dmaven.repo.local={local}", f"-Dpackages={repository.as_uri()}"]
    try:
        done = maven.run([*options, *words], project, env)
    except EnvironmentProblem as problem:
        pytest.skip(str(problem))
    assert done.returncode == 0, done.stdout
    tests = endings(project / "target" / "surefire-reports" / "TEST-user.ParityTest.xml")
    assert sorted(tests.values()) == ["", ""]


def test_a_project_of_maven_tests_on_ranks_and_counts_lines(
    repository: Path, each: Mpi, tmp_path: Path
) -> None:
    project = tmp_path / "a project"
    _maven(project, _environment(each, tmp_path / "home"), repository, "verify")
    target = project / "target"
    _has(covered(target / "site" / "jacoco" / "jacoco.xml"), PASSED_ON_RANK_1)
    java: Words = [jdk() / "bin" / "java", "--enable-native-access=ALL-UNNAMED", "-cp"]
    said = each.run(tmp_path / "home", *java, f"{target}/classes:{target}/lib/*", "user.Parity")
    assert "1 even, 1 odd" in said


@pytest.mark.parametrize("page", ["java_runtime/README.md", "README.md"])
def test_the_project_of_a_page_compiles_and_runs(
    repository: Path, each: Mpi, tmp_path: Path, page: str
) -> None:
    top = repository if page == "README.md" else ROOT
    pom = next(block for block in snippets(top / page, "xml") if "<project" in block)
    sources = tmp_path / "src" / "main" / "java"
    sources.mkdir(parents=True)
    (sources / "Sum.java").write_text(snippets(ROOT / "java_runtime" / "README.md", "java")[0])
    (tmp_path / "pom.xml").write_text(re.sub("file:///FOLDER[A-Z/]*", repository.as_uri(), pom))
    local = TOOLS / "maven-repository"
    shutil.rmtree(local / "dev" / "mpiglot", ignore_errors=True)  # of the run before
    env = {**each.with_names(tmp_path / "home"), "JAVA_HOME": str(jdk())}
    try:
        done = maven.run([f"-Dmaven.repo.local={local}", "compile"], tmp_path, env)
    except EnvironmentProblem as problem:
        pytest.skip(str(problem))
    assert done.returncode == 0, done.stdout
    readme = (ROOT / "java_runtime" / "README.md").read_text(encoding="utf-8")
    start = re.search(r"^mpiexec -n 2 java .* Sum$", readme, re.M)
    assert start, "the README does not say how the program is started"
    env["PATH"] = f"{jdk() / 'bin'}{os.pathsep}{env['PATH']}"
    command = start[0].replace("/FOLDER", str(repository))
    assert "1 + ... + 2 = 3" in run("sh", "-c", command, cwd=tmp_path, env=env).stdout


def test_ranks_get_the_class_path_that_only_a_loader_has(
    repository: Path, tmp_path: Path, mpich: Mpi
) -> None:
    env = _environment(mpich, tmp_path / "home")
    _maven(tmp_path / "project", env, repository, "-DforkCount=0", "test")


def _gradle() -> Path:
    """Debian's Gradle; automatic runs install it, which are 83 packages."""
    if shutil.which("gradle") is None and os.environ.get("CI"):
        try:
            debian_packages(["gradle"])
        except EnvironmentProblem as problem:
            pytest.skip(str(problem))
    found = shutil.which("gradle")
    if found is None:
        pytest.skip("Gradle is not installed; apt-get install --no-install-recommends gradle")
    return Path(found)


def test_a_project_of_gradle_tests_on_ranks_and_counts_lines(
    repository: Path, each: Mpi, tmp_path: Path
) -> None:
    project = Path(shutil.copytree(CONSUMERS / "gradle", tmp_path / "a project"))
    shutil.copytree(CONSUMERS / "maven" / "src", project / "src")
    words = [str(_gradle()), "--no-daemon", "--console=plain", "-g", str(TOOLS / "gradle-home")]
    words += [f"-Ppackages={repository.as_uri()}", f"-Pjdk={jdk()}", "check"]
    env = _environment(each, tmp_path / "home")
    del env["JAVA_HOME"]  # Gradle 4.4 itself runs on no JDK that the packages run on
    done = subprocess.run(
        words,
        cwd=project,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=guard(300),
        check=False,
    )
    cannot = re.search(r"Could not (GET|HEAD)|PKIX|Unsupported Java", done.stdout)
    if done.returncode and cannot:
        pytest.skip(f"Gradle can fetch nothing, or does not run on this Java: {cannot[0]}")
    assert done.returncode == 0, done.stdout
    build = project / "build"
    tests = endings(build / "test-results" / "TEST-junit-jupiter.xml")
    assert sorted(tests.values()) == ["", ""]
    report = build / "reports" / "jacoco" / "test" / "jacocoTestReport.xml"
    _has(covered(report), PASSED_ON_RANK_1)
