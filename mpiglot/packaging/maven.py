"""Artifacts in the layout of a Maven repository: jars, pom, metadata, checksums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mpiglot.packaging.archive import checksums, jar
from mpiglot.packaging.contents import (
    DESCRIPTION,
    LICENCE,
    VERSION,
    Files,
    atlas_hash,
    description,
    filled,
    licence,
)

GROUP = "dev.mpiglot"


@dataclass(frozen=True)
class Artifact:
    """What is said of an artifact, in its pom and in the manifests of its jars."""

    name: str
    title: str
    summary: str
    module: str  # of Java, and the symbolic name of the bundle
    exports: tuple[str, ...]  # packages
    imports: tuple[str, ...] = ()  # packages of other bundles, with what OSGi wants to know
    dependencies: tuple[str, ...] = ()  # group:artifact:version
    attributes: Mapping[str, str] = field(default_factory=dict)  # of the jar with the classes

    @property
    def pom(self) -> str:
        """The description that Maven reads."""
        values = {"ARTIFACT": self.name, "TITLE": self.title, "SUMMARY": self.summary}
        return filled("java/pom.xml.in", {**values, "DEPENDENCIES": self._dependencies()})

    def _dependencies(self) -> str:
        if not self.dependencies:
            return ""
        lines = ["  <dependencies>"]
        for dependency in self.dependencies:
            lines.append("    <dependency>")
            for key, value in zip(
                ("groupId", "artifactId", "version"), dependency.split(":"), strict=True
            ):
                lines.append(f"      <{key}>{value}</{key}>")
            lines.append("    </dependency>")
        return "\n".join([*lines, "  </dependencies>", ""])

    def bundle(self) -> dict[str, str]:
        """The headers that OSGi reads."""
        out = {
            "Bundle-ManifestVersion": "2",
            "Bundle-SymbolicName": self.module,
            "Bundle-Name": self.title,
            "Bundle-Version": VERSION,
            "Export-Package": ",".join(f'{name};version="{VERSION}"' for name in self.exports),
        }
        if self.imports:
            out["Import-Package"] = ",".join(self.imports)
        return out


@dataclass(frozen=True)
class Made:
    """What was compiled of an artifact; without pages there is no jar of javadoc."""

    artifact: Artifact
    sources: Files
    classes: Files  # and the resources beside them
    pages: Files


def repository(made: Made, hashes: Mapping[str, str], readme: str) -> Files:
    """The files of one version of one artifact, with their checksums."""
    artifact = made.artifact
    common: Files = {
        "META-INF/LICENSE": licence().encode(),
        f"META-INF/mpiglot/{DESCRIPTION}": description(artifact.title, hashes).encode(),
        "META-INF/mpiglot/README.md": readme.encode(),
    }
    attributes = {
        "Implementation-Title": artifact.title,
        "Implementation-Version": VERSION,
        "Bundle-License": LICENCE,
        "Mpiglot-Atlas": atlas_hash(hashes),
    }
    pom = artifact.pom.encode()
    maven = f"META-INF/maven/{GROUP}/{artifact.name}"
    properties = f"artifactId={artifact.name}\ngroupId={GROUP}\nversion={VERSION}\n".encode()
    compiled = {**made.classes, f"{maven}/pom.xml": pom, f"{maven}/pom.properties": properties}
    told = {**attributes, **artifact.bundle(), **artifact.attributes}
    folder = f"{GROUP.replace('.', '/')}/{artifact.name}"
    stem = f"{folder}/{VERSION}/{artifact.name}-{VERSION}"
    files: Files = {
        f"{folder}/maven-metadata.xml": filled(
            "java/maven-metadata.xml.in", {"ARTIFACT": artifact.name}
        ).encode(),
        f"{stem}.pom": pom,
        f"{stem}.jar": jar({**compiled, **common}, told),
        f"{stem}-sources.jar": jar({**made.sources, **common}, attributes),
    }
    if made.pages:
        files[f"{stem}-javadoc.jar"] = jar({**made.pages, **common}, attributes)
    for path, content in list(files.items()):
        files |= checksums(path, content)
    return files
