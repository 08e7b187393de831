"""Bundles of an OSGi container use the jars, which are bundles themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.provision.toolchains import obtain_jars
from tests.packages.maven import resolved
from tests.packages.outside import Mpi, Words, environment, jdk, run
from tests.packages.projects import TOOLS, packages

pytestmark = pytest.mark.timeout(600)

CONSUMERS = Path(__file__).parent / "consumers"
NEEDS = "Import-Package: dev.mpiglot.low,dev.mpiglot.mpi,mpi"


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Words:
    """What starts Felix with the bundles of the library, and of a user."""
    if not (jdk() / "bin" / "jar").is_file():
        pytest.skip("bundles need a full JDK")
    try:
        felix = ":".join(map(str, obtain_jars(TOOLS, "felix", print)))
    except EnvironmentProblem as problem:
        pytest.skip(str(problem))
    folder = tmp_path_factory.mktemp("osgi")
    repository = packages(folder)
    library, bindings = (
        resolved(repository, "dev.mpiglot", name) for name in ("mpiglot", "mpiglot-mpi")
    )
    env = environment(folder / "home")
    javac: Words = [jdk() / "bin" / "javac", "--release", "22", "-cp"]
    run(*javac, felix, "-d", "host", CONSUMERS / "osgi" / "host" / "Host.java", cwd=folder, env=env)
    programs = (CONSUMERS / "osgi" / "user" / "Old.java", CONSUMERS / "java" / "user" / "Sum.java")
    run(*javac, f"{library}:{bindings}", "-d", "user", *programs, cwd=folder, env=env)
    headers = f"Bundle-ManifestVersion: 2\nBundle-SymbolicName: user\n{NEEDS}\n"
    (folder / "manifest").write_text(headers)
    run(
        jdk() / "bin" / "jar", "cfm", "user.jar", "manifest", "-C", "user", ".", cwd=folder, env=env
    )
    java: Words = [jdk() / "bin" / "java", "-XX:+UseSerialGC"]
    java += ["--enable-native-access=ALL-UNNAMED", "-cp", f"{felix}:{folder / 'host'}"]
    bundles = ",".join(map(str, (library, bindings, folder / "user.jar")))
    return [*java, "host.Host", folder / "cache", bundles]


@pytest.mark.parametrize(
    ("program", "told"),
    [("user.Sum", "the sum over 2 ranks is 3"), ("user.Old", "the old sum is 3")],
)
def test_bundles_see_the_packages(
    container: Words, tmp_path: Path, mpi: Mpi, program: str, told: str
) -> None:
    said = mpi.run(tmp_path / "home", *container, program)
    assert told in said
    assert f"{program} is of the bundle user" in said
