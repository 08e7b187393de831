"""How programs of Java start: what they load beside bare downcalls, and from an AOT cache."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.generators.java_programs import SOON, java_of, javac, needs_java
from tests.generators.programs import MPICH, OPENMPI, ROOT, needs_openmpi, run

pytestmark = needs_java
LIBRARIES = {"mpich": MPICH, "openmpi": OPENMPI}
ACCESS = "--enable-native-access=ALL-UNNAMED"
# Times the classes that the same program of bare downcalls loads; 15 are interfaces of chapters.
MOST = 1.32
CACHED = ROOT / "java_runtime" / "run-cached"


@pytest.fixture(scope="module")
def programs(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A jar with `StartUpper` and `StartBare`."""
    folder = tmp_path_factory.mktemp("start")
    sources = (ROOT / "java_runtime" / "benchmarks").glob("Start*.java")
    made = javac(jars, "-cp", jars / "mpiglot.jar", "-d", folder / "classes", *sources)
    assert made.returncode == 0, made.stderr
    jar = folder / "start.jar"
    with zipfile.ZipFile(jar, "w") as packed:
        for path in (folder / "classes").rglob("*.class"):
            packed.write(path, path.relative_to(folder / "classes"))
    return jar


def loaded(folder: Path, launcher: str, java: str, *words: str | Path) -> list[int]:
    """How many classes each of two processes has loaded."""
    folder.mkdir()
    log = f"-Xlog:class+load:file={folder}/%p.log"
    done = run(f"mpiexec.{launcher}", "-n", "2", java, *SOON, log, ACCESS, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = [log.read_text().count(" source: ") for log in folder.iterdir()]
    assert len(counts) == 2
    return counts


@pytest.mark.parametrize("shared", ["auto", "off"])
@pytest.mark.parametrize("launcher", ["mpich", pytest.param("openmpi", marks=needs_openmpi)])
def test_a_start_loads_few_classes_more_than_bare_downcalls(
    jars: Path, programs: Path, tmp_path: Path, launcher: str, shared: str
) -> None:
    java = java_of(jars)
    words = (f"-Xshare:{shared}", "-cp", f"{programs}:{jars / 'mpiglot.jar'}")
    bare = loaded(tmp_path / "bare", launcher, java, *words, "StartBare", LIBRARIES[launcher])
    upper = loaded(tmp_path / "upper", launcher, java, *words, "StartUpper")
    assert max(upper) <= MOST * min(bare), f"{upper} beside {bare}"


def cached(jars: Path, *words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    home = str(Path(java_of(jars)).parents[1])
    return run(CACHED, *words, **({"MPIGLOT_JAVA_HOME": home} | variables))


def test_every_rank_starts_from_a_cache_that_is_made_once(
    jars: Path, programs: Path, tmp_path: Path
) -> None:
    shutil.copy(jars / "mpiglot.jar", tmp_path)
    jar = Path(shutil.copy(programs, tmp_path))
    cache = tmp_path / "caches here" / "start.aot"
    log = tmp_path / "loaded"
    words: list[str | Path] = [
        "--cache",
        cache,
        "mpiexec.mpich",
        "-n",
        "2",
        "--",
        "-XX:+UseSerialGC",
    ]
    words += [f"-Xlog:class+load:file={log}-%p.log", "-cp", f"{jar}:{tmp_path}/mpiglot.jar"]
    first = cached(jars, *words, "StartUpper")
    assert first.returncode == 0, first.stdout + first.stderr
    assert first.stdout + first.stderr == ""
    made = cache.stat().st_mtime_ns
    for path in tmp_path.glob("loaded-*"):
        path.unlink()
    again = cached(jars, *words, "StartUpper")
    assert again.returncode == 0, again.stdout + again.stderr
    assert cache.stat().st_mtime_ns == made
    ranks = [path.read_text() for path in tmp_path.glob("loaded-*")]
    assert len(ranks) == 2
    for text in ranks:
        assert re.search(r"dev\.mpiglot\.mpi\.Mpi source: shared objects file", text)
    os.utime(jar, (1, 1))
    third = cached(jars, *words, "StartUpper")
    assert third.returncode == 0, third.stdout + third.stderr
    assert cache.stat().st_mtime_ns != made


def test_what_cannot_be_cached_is_told_in_a_sentence(jars: Path, tmp_path: Path) -> None:
    def said(*words: str | Path, **variables: str) -> str:
        done = cached(jars, *words, **variables)
        assert done.returncode == 2
        assert done.stdout == ""
        return done.stderr

    launcher = ("mpiexec.mpich", "-n", "2", "--")
    missing = said(*launcher, "-cp", "missing.jar", "Main")
    assert missing == "run-cached: there is no jar missing.jar.\n"
    assert "is a folder; an AOT cache holds classes of jars only" in said(
        *launcher, "-cp", tmp_path, "Main"
    )
    assert said("mpiexec.mpich", "-n", "2").startswith("run-cached: usage: run-cached ")
    assert said("no-launcher", "--", "-cp", "a.jar", "Main") == (
        "run-cached: there is no launcher no-launcher.\n"
    )
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho '    java.specification.version = 21' >&2\n", encoding="utf-8")
    old.chmod(0o755)
    assert said(*launcher, "-cp", "a.jar", "Main", MPIGLOT_JAVA_HOME=str(tmp_path)) == (
        f"run-cached: {tmp_path} is no Java of version 25 or newer (21 there); "
        "set JAVA_HOME to one.\n"
    )
    jar = jars / "demo.jar"
    lost = said(*launcher, "-cp", jar, "NoSuchClass", XDG_CACHE_HOME=str(tmp_path))
    assert lost.endswith(
        "the run of one rank that makes the cache failed, see above; --train CLASS takes another "
        "class for it.\n"
    )
