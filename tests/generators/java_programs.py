"""The jar and its tests as programs, built once for all tests of Java on real libraries."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.generators.programs import ROOT, run
from tests.tiers import matrix_run

# A JVM that runs for a second starts sooner so; the demo's own script has flags of its own.
SOON = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


def new_java() -> bool:
    homes = [os.environ.get("JAVA_HOME", ""), *map(str, Path("/usr/lib/jvm").glob("*"))]
    homes += [str(p.parent.parent) for p in ROOT.glob(".tools/*/bin/javac")]
    for home in filter(None, homes):
        release = Path(home) / "release"
        if (Path(home) / "bin" / "javac").exists() and release.exists():
            version = re.search(r'^JAVA_VERSION="(\d+)', release.read_text(), re.M)
            if version and int(version.group(1)) >= 22:
                return True
    return False


needs_java = pytest.mark.skipif(
    not (new_java() and shutil.which("mpiexec.mpich")),
    reason="needs a JDK of 22 or newer and Debian's MPICH",
)
needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")


@pytest.fixture(scope="session")
def jars(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `demo`, `tests` and the jars."""
    folder = tmp_path_factory.mktemp("java")
    generated = folder / "generated here"
    generated.symlink_to(ROOT / "generated" / "java")
    if not matrix_run():  # which builds from a folder with a space in its name
        take_built(ROOT / "build" / "test" / "java", folder, generated)
    for script in ("build-tests", "build-demo"):
        made = run(ROOT / "java_runtime" / script, generated, folder)
        assert made.returncode == 0, made.stdout + made.stderr
    return folder


def take_built(built: Path, folder: Path, generated: Path) -> None:
    """Copies what the part "Java build" has made: the scripts build only what has changed since."""
    if not (built / "tests.jar").exists():
        return
    shutil.copytree(
        built, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("conformance*")
    )
    for listed in folder.glob("*.sources"):
        text = listed.read_text(encoding="utf-8").replace(f"{built}/", f"{folder}/")
        text = text.replace(f"{ROOT}/generated/java/", f"{generated}/")
        listed.write_text("".join(sorted(text.splitlines(keepends=True))), encoding="utf-8")


def java_of(jars: Path) -> str:
    found = re.search(r'exec "([^"]+)"', (jars / "demo").read_text())
    assert found
    return found.group(1)


def javac(jars: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return run(Path(java_of(jars)).with_name("javac"), *(f"-J{flag}" for flag in SOON), *words)


def guards(jars: Path, what: str, *before: str, **variables: str | None) -> str:
    command = [*before, java_of(jars), *SOON, "-cp", f"{jars}/tests.jar"]
    command += ["--enable-native-access=ALL-UNNAMED", "dev.mpiglot.mpi.Guards", *what.split()]
    done = run(*command, **variables)
    return done.stdout + done.stderr
