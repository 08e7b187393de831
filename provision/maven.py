"""Lets Maven fetch jars and build projects; tries again where a registry did not answer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.provision.obtain import ATTEMPTS, Say, debian_packages
from mpiglot.provision.truststore import maven_options

_UNREACHABLE = re.compile(
    r"Could not transfer|Unknown host|UnknownHost|PKIX|Network is unreachable"
)
_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>needed</groupId>
  <artifactId>needed</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
{dependencies}
  </dependencies>
</project>
"""
_DEPENDENCY = """\
    <dependency>
      <groupId>{}</groupId>
      <artifactId>{}</artifactId>
      <version>{}</version>
    </dependency>"""


def run(
    words: Sequence[str], folder: Path, env: Mapping[str, str], seconds: float = 300
) -> subprocess.CompletedProcess[str]:
    """What Maven said, well or not; an EnvironmentProblem if it could not fetch what it needs."""
    if shutil.which("mvn", path=env.get("PATH")) is None:
        debian_packages(["maven"])
    options, complaint = "", ""
    for _ in range(ATTEMPTS):
        given = f"{env.get('MAVEN_OPTS', '')} {options}".strip()
        try:
            done = subprocess.run(
                ["mvn", "-q", "-B", *words],
                cwd=folder,
                env={**env, "MAVEN_OPTS": given},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            complaint = f"it took longer than {seconds:.0f} s"
            continue
        if done.returncode == 0 or not _UNREACHABLE.search(done.stdout):
            return done
        complaint = _first_error(done)
        if "PKIX" in done.stdout:  # an authority that the system trusts and Java does not know
            options = maven_options(folder) or ""
    raise EnvironmentProblem(f"Maven could not fetch what it needs: {complaint}")


def fetch_jar(tools: Path, artifact: str, fetcher: str, say: Say) -> Path:
    """The jar of `group:artifact:version`, in `tools`."""
    _, product, version = artifact.split(":")
    jar = tools / f"{product}-{version}.jar"
    if not jar.exists():
        words = [fetcher, f"-Dartifact={artifact}", "-DoutputDirectory={folder}"]
        with tempfile.TemporaryDirectory(dir=tools) as name:
            _fetch(artifact, words, Path(name).resolve(), say)
            (Path(name) / jar.name).rename(jar)
    return jar


def fetch_jars(tools: Path, artifacts: Sequence[str], fetcher: str, say: Say) -> list[Path]:
    """The jars of `group:artifact:version`, and those they depend on, in a folder of `tools`."""
    _, product, version = artifacts[0].split(":")
    jars = tools / f"{product}-{version}"
    if not jars.exists():
        tools.mkdir(parents=True, exist_ok=True)
        words = [f"{fetcher.rpartition(':')[0]}:copy-dependencies"]
        words += ["-DoutputDirectory={folder}/jars"]
        with tempfile.TemporaryDirectory(dir=tools) as name:
            lines = [_DEPENDENCY.format(*artifact.split(":")) for artifact in artifacts]
            pom = _POM.format(dependencies="\n".join(lines))
            (Path(name) / "pom.xml").write_text(pom, encoding="utf-8")
            _fetch(" ".join(artifacts), words, Path(name).resolve(), say)
            (Path(name) / "jars").rename(jars)
    return sorted(jars.glob("*.jar"))


def _fetch(what: str, words: Sequence[str], folder: Path, say: Say) -> None:
    started = monotonic()
    say(f"fetching {what} with Maven")
    done = run([word.format(folder=folder) for word in words], folder, os.environ)
    if done.returncode != 0:
        raise EnvironmentProblem(f"Maven could not fetch {what}: {_first_error(done)}")
    say(f"{what} fetched in {monotonic() - started:.0f} s")


def _first_error(done: subprocess.CompletedProcess[str]) -> str:
    errors = [line for line in done.stdout.splitlines() if "[ERROR]" in line]
    return errors[0] if errors else f"exit code {done.returncode}"
