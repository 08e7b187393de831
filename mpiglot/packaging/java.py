"""The Java package: jars, sources, javadoc and poms in the layout of a Maven repository."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, MpiglotError
from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.handwritten import handwritten
from mpiglot.generators.inputs import Inputs
from mpiglot.packaging.contents import (
    DESCRIPTION,
    VERSION,
    Files,
    Package,
    description,
    filled,
    licence,
)
from mpiglot.packaging.maven import GROUP, Artifact, Made, repository
from mpiglot.packaging.stamp import stamp
from mpiglot.provision.toolchains import find_jdk, jdk_version, versions

LIBRARY = Artifact(
    name="mpiglot",
    title="mpiglot for Java",
    summary="MPI for Java: one jar for every MPI library, "
    "over the foreign function interface of JDK 22.",
    module="dev.mpiglot.mpi",
    exports=("dev.mpiglot.low", "dev.mpiglot.mpi"),
    attributes={"Enable-Native-Access": "ALL-UNNAMED"},
)
MIGRATION = Artifact(
    name="mpiglot-mpi",
    title="mpiglot for programs of Open MPI's Java bindings",
    summary="The package mpi of Open MPI's Java bindings, on every MPI library.",
    module="dev.mpiglot.migration",
    exports=("mpi",),
    imports=(
        f'dev.mpiglot.low;version="{VERSION}"',
        f'dev.mpiglot.mpi;version="{VERSION}"',
    ),
    dependencies=(f"{GROUP}:{LIBRARY.name}:{VERSION}",),
    attributes={"Automatic-Module-Name": "dev.mpiglot.migration"},
)
JUNIT = Artifact(
    name="mpiglot-junit",
    title="mpiglot for JUnit",
    summary="Tests of JUnit 5 that run on several ranks.",
    module="dev.mpiglot.junit",
    exports=("dev.mpiglot.junit",),
    imports=(
        f'dev.mpiglot.mpi;version="{VERSION}"',
        "org.junit.jupiter.api",
        "org.junit.jupiter.api.extension",
        "org.opentest4j",
    ),
    dependencies=(
        f"{GROUP}:{LIBRARY.name}:{VERSION}",
        f"org.junit.jupiter:junit-jupiter-api:{versions()['java']['junit']}",
    ),
    attributes={"Automatic-Module-Name": "dev.mpiglot.junit"},
)
TIME_LIMIT = 300.0  # seconds for one compiler call
_QUICK = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")  # short runs


def package(inputs: Inputs, javadoc: bool, junit: Path | None) -> Package:
    """A folder that can be a Maven repository, with one version of each artifact.

    The extension for JUnit is among them if the jar `junit` has the classes to compile it with.
    """
    home = _jdk(javadoc)
    sources, resources = _sources(inputs)
    with tempfile.TemporaryDirectory(prefix="mpiglot-java-") as name:
        work = Path(name)
        library = _made(home, work, LIBRARY, sources, [], javadoc)
        path = [work / LIBRARY.name / "classes"]
        artifacts = [library, _made(home, work, MIGRATION, _by_hand("migration"), path, javadoc)]
        if junit is not None:
            path.append(junit)
            artifacts.append(_made(home, work, JUNIT, _by_hand("junit"), path, javadoc))
    library.classes.update(stamp(library.classes) | resources)
    hashes = inputs.hashes()
    readme = filled("java/README.md.in", {})
    out = Package("java")
    for made in artifacts:
        out.files |= repository(made, hashes, readme)
    out.add("README.md", readme)
    out.add("LICENSE", licence())
    out.add(DESCRIPTION, description(LIBRARY.title, hashes))
    if not javadoc:
        out.remarks.append("without javadoc, as --no-javadoc asks")
    if junit is None:
        out.remarks.append(f"without {JUNIT.name}, which --junit asks for")
    return out


def _by_hand(folder: str) -> Files:
    return dict(handwritten(f"java_runtime/{folder}/src/main/java", ".java"))


def _jdk(javadoc: bool) -> Path:
    home = find_jdk(os.environ)
    minimum = versions()["java"]["minimum"]
    if home is None:
        raise EnvironmentProblem(
            f"the Java package needs a JDK of version {minimum} or later, and neither JAVA_HOME "
            "nor PATH nor /usr/lib/jvm has one; set JAVA_HOME."
        )
    if javadoc and not (home / "bin" / "javadoc").is_file():
        raise EnvironmentProblem(
            f"{home} has no javadoc; set JAVA_HOME to a full JDK, or pass --no-javadoc."
        )
    return home


def _sources(inputs: Inputs) -> tuple[Files, Files]:
    """The Java sources of both halves as one module, and what goes beside the classes."""
    sources: Files = {}
    resources: Files = {}
    generated = produce(Unit("java", None, Path()), inputs).files
    for file in generated:
        path = file.path.removeprefix("src/main/").removeprefix("src/upper/")
        if path.startswith("java/") and path != "java/module-info.java":
            sources[path.removeprefix("java/")] = file.content.encode("utf-8")
        elif path.startswith("resources/"):
            resources[path.removeprefix("resources/")] = file.content.encode("utf-8")
    sources |= dict(handwritten("java_runtime/src/main/java", ".java"))
    return sources, resources


def _made(
    home: Path, work: Path, artifact: Artifact, sources: Files, needed: list[Path], javadoc: bool
) -> Made:
    """An artifact compiled in a folder of its own, with what it needs on the class path."""
    path = ["-cp", os.pathsep.join(str(p.resolve()) for p in needed)] if needed else []
    own = work / artifact.name
    classes = _compiled(home, own, sources, path)
    pages = _documented(home, own, artifact, path) if javadoc else {}
    return Made(artifact, sources, classes, pages)


def _compiled(home: Path, work: Path, sources: Files, path: list[str]) -> Files:
    """The class files."""
    for name, content in sources.items():
        target = work / "sources" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    listed = work / "sources.txt"
    listed.write_text("".join(f'"{work / "sources" / p}"\n' for p in sorted(sources)), "utf-8")
    classes = work / "classes"
    command = [str(home / "bin" / "javac"), *_QUICK, "--release", versions()["java"]["minimum"]]
    command += ["-encoding", "UTF-8", "-nowarn", "-d", str(classes), *path]
    if "module-info.java" in sources:
        command += ["--module-version", VERSION]
    _run([*command, f"@{listed}"])
    return _tree(classes)


def _documented(home: Path, work: Path, artifact: Artifact, path: list[str]) -> Files:
    """The pages of javadoc, without the time at which they were made."""
    pages, title = work / "pages", f"{artifact.title} {VERSION}"
    command = [str(home / "bin" / "javadoc"), *_QUICK, "-quiet", "-notimestamp", "-Xdoclint:none"]
    command += ["--release", versions()["java"]["minimum"], "-encoding", "UTF-8", "-d", str(pages)]
    command += ["-windowtitle", title, "-doctitle", title, *path]
    if jdk_version(home) >= (23,):
        command.append("--no-fonts")  # 3 MB of typefaces
    _run([*command, f"@{work / 'sources.txt'}"])
    return _tree(pages)


def _tree(folder: Path) -> Files:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _run(command: list[str]) -> None:
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
    except OSError as error:
        raise EnvironmentProblem(f"{command[0]} cannot be started: {error.strerror}.") from error
    except subprocess.TimeoutExpired as error:
        raise EnvironmentProblem(f"{command[0]} took longer than {TIME_LIMIT:g} s.") from error
    if done.returncode != 0:
        said = [line for line in done.stdout.splitlines() if "error" in line.lower()]
        what = (said or [f"exit code {done.returncode}"])[0]
        raise MpiglotError(f"{command[0]} could not compile the Java half: {what}")
