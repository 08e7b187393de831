"""An AOT cache of the JVM for the jar of the Java package, made by a run of one rank."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.packaging.contents import VERSION
from mpiglot.provision.toolchains import find_jdk, jdk_version

JAR = Path("dev", "mpiglot", "mpiglot", VERSION, f"mpiglot-{VERSION}.jar")
TIME_LIMIT = 300.0  # seconds of the run, a few usually
_OLDEST = 25  # the first Java with -XX:AOTCacheOutput
_PROGRAM = "dev.mpiglot.mpi.Rehearsal"
_ACCESS = "--enable-native-access=ALL-UNNAMED"
_THROWN = 'Exception in thread "main" '


def check(cache: Path) -> None:
    """Refuses, before anything is made, a JDK that makes no caches and a file that is none."""
    version = jdk_version(_home())
    if version < (_OLDEST,):
        told = ".".join(map(str, version)) or "unknown"
        raise EnvironmentProblem(
            f"an AOT cache needs a JDK of version {_OLDEST} or later, and {_home()} has version "
            f"{told}; set JAVA_HOME."
        )
    if cache.is_dir():
        raise UsageError(f"{cache} is a folder; name the file that becomes the AOT cache.")
    if set(":%") & set(str(cache.absolute())):
        raise UsageError(f"the JVM takes no AOT cache with a : or a % in its name: {cache}.")


def make(package: Path, cache: Path) -> str:
    """Makes the cache of a package that is written, for its JDK and the MPI that is there.

    Returns the command that uses it. An older cache stays until the new one is complete.
    """
    java, jar = _home() / "bin" / "java", (package / JAR).resolve()
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{cache.name}-", dir=cache.parent) as folder:
            new = Path(folder, "new.aot").resolve()
            _run([str(java), f"-XX:AOTCacheOutput={new}", _ACCESS, "-cp", str(jar), _PROGRAM], new)
            new.replace(cache)
    except OSError as error:
        raise EnvironmentProblem(f"{cache} cannot be written: {error.strerror}.") from error
    return f"{java} -XX:AOTCache={cache.absolute()} {_ACCESS} -cp {jar}:YOUR.jar YOUR.Main"


def _home() -> Path:
    home = find_jdk(os.environ)
    if home is None:
        raise EnvironmentProblem(f"an AOT cache needs a JDK of version {_OLDEST} or later.")
    return home


def _run(command: list[str], made: Path) -> None:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIME_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise EnvironmentProblem(
            f"no AOT cache: its run of one rank took longer than {TIME_LIMIT:g} s."
        ) from error
    if done.returncode != 0 or not made.is_file():
        raise EnvironmentProblem(f"no AOT cache: {_said(done.stdout, done.returncode)}")


def _said(output: str, code: int) -> str:
    """What a program of Java has thrown, or the last that it said."""
    lines = [line for line in output.splitlines() if line.strip()]
    for line in lines:
        if line.startswith(_THROWN):
            return line.removeprefix(_THROWN).partition(": ")[2]
    return f"its run of one rank ended with exit code {code}: {(lines or ['it said nothing'])[-1]}"
