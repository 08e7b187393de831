"""The Java package: jar, sources, javadoc and pom in the layout of a Maven repository."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, MpiglotError
from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.handwritten import handwritten
from mpiglot.generators.inputs import Inputs
from mpiglot.packaging.archive import checksums, jar
from mpiglot.packaging.contents import (
    DESCRIPTION,
    LICENCE,
    VERSION,
    Files,
    Package,
    atlas_hash,
    description,
    filled,
    licence,
)
from mpiglot.provision.toolchains import find_jdk, jdk_version, versions

TITLE = "mpiglot for Java"
GROUP, ARTIFACT, MODULE = "dev.mpiglot", "mpiglot", "dev.mpiglot.mpi"
TIME_LIMIT = 300.0  # seconds for one compiler call
_QUICK = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")  # short runs


def package(inputs: Inputs, javadoc: bool) -> Package:
    """A folder that can be a Maven repository, with one version of one artifact."""
    home = _jdk(javadoc)
    sources, resources = _sources(inputs)
    with tempfile.TemporaryDirectory(prefix="mpiglot-java-") as name:
        work = Path(name)
        classes = _compiled(home, work, sources)
        pages = _documented(home, work) if javadoc else {}
    return _repository(inputs, sources, {**classes, **resources}, pages)


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


def _compiled(home: Path, work: Path, sources: Files) -> Files:
    """The class files."""
    for path, content in sources.items():
        target = work / "sources" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    listed = work / "sources.txt"
    listed.write_text("".join(f'"{work / "sources" / p}"\n' for p in sorted(sources)), "utf-8")
    classes = work / "classes"
    command = [str(home / "bin" / "javac"), *_QUICK, "--release", versions()["java"]["minimum"]]
    command += ["-encoding", "UTF-8", "-nowarn", "--module-version", VERSION, "-d", str(classes)]
    _run([*command, f"@{listed}"])
    return _tree(classes)


def _documented(home: Path, work: Path) -> Files:
    """The pages of javadoc, without the time at which they were made."""
    pages = work / "pages"
    command = [str(home / "bin" / "javadoc"), *_QUICK, "-quiet", "-notimestamp", "-Xdoclint:none"]
    command += ["--release", versions()["java"]["minimum"], "-encoding", "UTF-8", "-d", str(pages)]
    command += ["-windowtitle", f"{TITLE} {VERSION}", "-doctitle", f"{TITLE} {VERSION}"]
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


def _repository(inputs: Inputs, sources: Files, classes: Files, pages: Files) -> Package:
    hashes = inputs.hashes()
    told = description(TITLE, hashes)
    readme = filled("java/README.md.in", {})
    pom = filled("java/pom.xml.in", {})
    common: Files = {
        "META-INF/LICENSE": licence().encode(),
        f"META-INF/mpiglot/{DESCRIPTION}": told.encode(),
        "META-INF/mpiglot/README.md": readme.encode(),
    }
    maven = f"META-INF/maven/{GROUP}/{ARTIFACT}"
    properties = f"artifactId={ARTIFACT}\ngroupId={GROUP}\nversion={VERSION}\n"
    attributes = {
        "Implementation-Title": TITLE,
        "Implementation-Version": VERSION,
        "Bundle-License": LICENCE,
        "Mpiglot-Atlas": atlas_hash(hashes),
    }
    native = {**attributes, "Enable-Native-Access": "ALL-UNNAMED"}
    stem = f"{ARTIFACT}-{VERSION}"
    parts: Files = {
        f"{stem}.pom": pom.encode(),
        f"{stem}-sources.jar": jar({**sources, **common}, attributes),
        f"{stem}.jar": jar(
            {
                **classes,
                **common,
                f"{maven}/pom.xml": pom.encode(),
                f"{maven}/pom.properties": properties.encode(),
            },
            native,
        ),
    }
    if pages:
        parts[f"{stem}-javadoc.jar"] = jar({**pages, **common}, attributes)

    out = Package("java")
    artifact = f"{GROUP.replace('.', '/')}/{ARTIFACT}"
    listed = filled("java/maven-metadata.xml.in", {}).encode()
    for path, content in {
        f"{artifact}/maven-metadata.xml": listed,
        **{f"{artifact}/{VERSION}/{name}": content for name, content in parts.items()},
    }.items():
        out.files[path] = content
        out.files |= checksums(path, content)
    out.add("README.md", readme)
    out.add("LICENSE", licence())
    out.add(DESCRIPTION, told)
    if not pages:
        out.remarks.append("without javadoc, as --no-javadoc asks")
    return out
